/** Actions as the coach and practice name them: a discard by its card, not by its code. */
import { short } from '../cards/faces'
import { words } from '../words'

/** Return an action's name, with the card it discards. */
export function nameOf(choice: { move: string; discard: string | null }, titles: Record<string, string> = {}): string {
  return choice.discard ? words.coach.discarding(choice.move, short(choice.discard, titles)) : choice.move
}
