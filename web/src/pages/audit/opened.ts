/** A recorded step with every card that had been dealt by then, for those who are entitled to them. */
import type { Schemas } from '../../wire/client'

type Seen = Schemas['RoundSeen']

/** Return what the table saw with the hidden cards laid open. */
export function withCards(seen: Seen, cards: Schemas['RecalledStep']['cards']): Seen {
  if (!cards) return seen
  const seats = seen.seats.map((seat) => ({ ...seat, cards: cards[String(seat.seat)] ?? seat.cards }))
  const table = Object.fromEntries(Object.entries(cards).filter(([place]) => !Number(place)))
  return { ...seen, seats, table }
}
