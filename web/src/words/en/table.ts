import { dollars, gain } from '../money'

const plural = (count: number, one: string, many = `${one}s`) => `${count} ${count === 1 ? one : many}`

export const table = {
  felt: {
    table: (title: string) => `${title}, the table`,
    seat: (seat: number) => `Seat ${seat}`,
    you: 'You',
    sit: 'Sit here',
    sitAt: (seat: number) => `Sit at seat ${seat}`,
    empty: 'Empty',
    sitsOut: 'Next round',
    faceDown: 'a card face down',
    discard: 'Discard',
    dealer: 'Dealer',
    tray: 'Chip tray',
    shoe: 'Shoe',
    rack: 'Discards',
    qualifies: 'qualifies',
    doesNotQualify: 'does not qualify',
    folded: 'Folded',
    asked: 'To act',
    push: 'Push',
    returned: 'Returned',
    area: (title: string, seat: number, staked: string) => `${title}, seat ${seat}: ${staked}`,
    staked: (cents: number) => `${dollars(cents)} staked`,
    planned: (cents: number) => `${dollars(cents)} put down, not yet bet`,
    nothing: 'nothing staked',
    ended: (net: number) => (net === 0 ? 'push' : gain(net)),
    bot: (number: number) => `Bot ${number}`,
    cardsOf: (whose: string) => `Cards of ${whose}`,
  },
  plural,
} as const
