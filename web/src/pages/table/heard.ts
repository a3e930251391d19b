/** What is heard when a table changes: cards, chips, one's own turn, a win. */
import type { Sound } from '../../parts/sounds'
import type { View } from '../../wire/live.svelte'
import { netOf } from './status'

/** Return the sounds of what is new in the later view, each once. */
export function heard(before: View, now: View, mine: number[]): Sound[] {
  const isSame = before.round_id === now.round_id
  const found: Sound[] = []
  if (cards(now) > (isSame ? cards(before) : 0)) found.push('cards')
  if (staked(now) > (isSame ? staked(before) : 0)) found.push('chips')
  const isAsked = (view: View) => view.seat_asked !== null && mine.includes(view.seat_asked)
  if (isAsked(now) && !(isSame && isAsked(before) && before.actions.join() === now.actions.join())) found.push('turn')
  if (won(now, mine) > 0 && !(isSame && won(before, mine) > 0)) found.push('win')
  return found
}

function cards(view: View): number {
  return [...Object.values(view.cards), ...view.seats.map((seat) => seat.cards)].reduce((count, lying) => count + lying.length, 0)
}

function staked(view: View): number {
  return view.seats.flatMap((seat) => Object.values(seat.stakes)).reduce((sum, stake) => sum + stake, 0)
}

function won(view: View, mine: number[]): number {
  const own = view.seats.filter((seat) => mine.includes(seat.seat))
  const isSettled = own.every((seat) => Object.keys(seat.stakes).every((wager) => seat.results.some((result) => result.wager === wager)))
  return isSettled ? own.reduce((sum, seat) => sum + netOf(seat), 0) : 0
}
