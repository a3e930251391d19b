export const signIn = {
  title: 'Sign in',
  about: 'To sit down, to deal, or to look after the floor.',
  name: 'Name',
  password: 'Password',
  used: 'This link was used before or is too old. Ask whoever runs the floor for another, or start the demonstration again.',
  links: 'A link that the server printed needs no password: open it in this browser. Each signs in once.',
  without: {
    title: 'Without signing in',
    watch: ['Watch', 'any table, card by card.'],
    rules: ['Read the rules', 'of every game, each with its clause.'],
    practice: ['Practise', 'close decisions and see what each was worth.'],
    lab: ['Use the lab', 'for the exact odds of every wager.'],
  },
} as const
