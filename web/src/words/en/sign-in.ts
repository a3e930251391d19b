export const signIn = {
  title: 'Sign in',
  name: 'Name',
  password: 'Password',
  used: 'This link was used before or is too old. Ask whoever runs the floor for another, or start the demonstration again.',
  links: 'Links that the server printed sign in once, without a password.',
} as const
