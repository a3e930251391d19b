/** Moments and lengths of time as people read them. */

/** 42 s, 12 min, 3 h 05 min: as exact as it matters. */
export function lasting(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000))
  if (seconds < 60) return `${seconds} s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return `${minutes} min`
  return `${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, '0')} min`
}

/** 1:42, 12:05: a clock that runs down. */
export function clock(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1000))
  const hours = Math.floor(seconds / 3600)
  const rest = `${String(Math.floor((seconds % 3600) / 60)).padStart(hours ? 2 : 1, '0')}:${String(seconds % 60).padStart(2, '0')}`
  return hours ? `${hours}:${rest}` : rest
}

const STAMP = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric', hour: '2-digit', minute: '2-digit', second: '2-digit', timeZone: 'UTC' })
const TODAY = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', second: '2-digit', timeZone: 'UTC' })
const EXACT = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', second: '2-digit', fractionalSecondDigits: 3, timeZone: 'UTC' })
const DATE = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric', hour: '2-digit', minute: '2-digit' })

/** 16 Nov 2026, 10:31:05 UTC: a moment of the record, the same wherever it is read. */
export function stamped(at: number): string {
  return `${STAMP.format(at)} UTC`
}

/** 10:31:05 UTC: a moment of today. */
export function stampedToday(at: number): string {
  return `${TODAY.format(at)} UTC`
}

/** 10:31:05.123: a moment of the record within a day that is told, in UTC. */
export function exactTime(at: number): string {
  return EXACT.format(at)
}

/** 16 Nov 2026, 10:31: a moment as the one at this machine has it. */
export function dated(at: number): string {
  return DATE.format(at)
}

/** 14:05: the time of day at this machine. */
export function timeOfDay(at: number): string {
  return new Date(at).toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' })
}
