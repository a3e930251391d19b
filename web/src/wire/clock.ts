/** The server's time: timestamps and countdowns use its clock, not this machine's. */

const COARSE_MS = 2_000 // an answer is dated to the second, by a date that is written once a second
let ahead = 0 // how far the server's clock is ahead of this machine's

/** Correct the offset from a response's date, by no more than needed. */
export function setBy(date: string | null, sent: number): void {
  const at = Date.parse(date ?? '')
  if (Number.isNaN(at)) return
  ahead = Math.min(Math.max(ahead, at - Date.now()), at + COARSE_MS - sent)
}

/** Return the time at the server, in milliseconds. */
export function timeThere(): number {
  return Date.now() + ahead
}
