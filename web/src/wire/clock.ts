/** The time at the server: what the house dates and counts down goes by its clock, whatever this machine's says. */

const COARSE_MS = 2_000 // an answer is dated to the second, by a date that is written once a second
let ahead = 0 // how far the server's clock is ahead of this machine's

/** Learn from an answer's date how far apart the clocks can be, and move no further than that takes: a clock that fits stays. */
export function setBy(date: string | null, sent: number): void {
  const at = Date.parse(date ?? '')
  if (Number.isNaN(at)) return
  ahead = Math.min(Math.max(ahead, at - Date.now()), at + COARSE_MS - sent)
}

/** Return the time at the server, in milliseconds. */
export function timeThere(): number {
  return Date.now() + ahead
}
