/** What people and cards are called on the felt. */
import { words } from '../words'

/** A player's name; a bot goes by its number, not by its account. */
export function called(seat: { player: string; bot: number | null; seat?: number }): string {
  // A round that was shared names nobody.
  return seat.bot === null ? seat.player || words.table.felt.seat(seat.seat ?? 0) : words.table.felt.bot(seat.bot)
}

/** A card in words: queen of clubs. */
export function cardTitle(face: string | null, titles: Record<string, string>): string {
  return face === null ? words.table.felt.faceDown : (titles[face] ?? face)
}

export const LEGIBLE_PX = 11 // what would be smaller is not written

/** Whether a word fits one line of this width at a legible size. */
export function fits(text: string, width: number, pixels: number): boolean {
  return (width / (text.length * 0.56)) * pixels >= LEGIBLE_PX
}

/** An inscription in one line, or two of similar length where one would be too small to read. */
export function inLines(text: string, most: number): string[] {
  if (text.length <= most) return [text]
  const parts = text.split(' ')
  if (parts.length === 1) return [text]
  const whole = (from: number, to?: number) => parts.slice(from, to).join(' ')
  const cuts = parts.slice(1).map((_, index) => index + 1)
  const cut = cuts.reduce((best, candidate) => (widest(candidate) < widest(best) ? candidate : best))
  return [whole(0, cut), whole(cut)]

  function widest(at: number): number {
    return Math.max(whole(0, at).length, whole(at).length)
  }
}
