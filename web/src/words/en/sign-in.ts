export const signIn = {
  title: 'Sign in',
  name: 'Name',
  password: 'Password',
  links: 'Links that the server printed sign in once, without a password.',
} as const
