/** A seat's cards as they lie: those it keeps, and the one it has put aside. */
import type { Schemas } from '../wire/client'
import type { Rules } from './measure'

type Seat = Schemas['Seat']

export type Hand = {
  /** The cards kept, each with what tells it from the others while the round lasts. */
  kept: { face: string | null; key: number }[]
  /** The card put aside; its face only where the viewer knows it. */
  aside: { face: string | null } | null
}

/** Return how a seat's cards lie; which one others have put aside is not known before the rest is turned. */
export function inHand(seat: Seat, rules: Rules): Hand {
  const all = seat.cards.map((face, key) => ({ face, key }))
  if (!hasDiscarded(seat, rules)) return { kept: all, aside: null }
  if (seat.discard !== null) return { kept: all.filter((card) => card.face !== seat.discard), aside: { face: seat.discard } }
  const index = asideAt(seat.cards)
  if (index === null) return { kept: all, aside: null }
  return { kept: all.filter((card) => card.key !== index).map(({ face }, key) => ({ face, key })), aside: { face: null } }
}

/** Return the index of the only card still face down (the last one if all are), or null. */
export function asideAt(cards: (string | null)[]): number | null {
  const down = cards.filter((card) => card === null).length
  return down === 1 ? cards.indexOf(null) : down > 0 && down === cards.length ? down - 1 : null
}

function hasDiscarded(seat: Seat, rules: Rules): boolean {
  return seat.cards.length > 0 && seat.acted.some((action) => rules.actions.some((tableAction) => tableAction.name === action && tableAction.discards))
}
