/** A recorded step with every card that had been dealt by then, for those who are entitled to them. */

type Cards = Record<string, string[]>
type Seat = { seat: number; cards: (string | null)[] }

/** Return what the table saw with the hidden cards laid open. */
export function withCards(seen: Record<string, unknown>, cards: Cards | null | undefined): Record<string, unknown> {
  if (!cards) return seen
  const seats = (seen.seats as Seat[]).map((one) => ({ ...one, cards: cards[String(one.seat)] ?? one.cards }))
  const table: Cards = {}
  for (const [place, held] of Object.entries(cards)) if (!/^\d+$/.test(place)) table[place] = held
  return { ...seen, seats, table }
}
