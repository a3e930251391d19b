/** The reactions there are, as the server names them. */
import type { Reaction, View } from '../../wire/live.svelte'

export const REACTIONS = ['nice-hand', 'well-played', 'good-luck', 'thanks', 'ouch', 'wow'] as const satisfies readonly Reaction[]

/** Whether reactions are open: during a hand they could tell others what a player holds. */
export function mayReact(view: View): boolean {
  return view.outcome !== null || view.seats.every((seat) => seat.cards.length === 0)
}
