/** Moments and durations as people read them. */
import { dates } from '../words/locale.svelte'

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

const DAY = { day: 'numeric', month: 'short', year: 'numeric' } as const
const CLOCK = { hour: '2-digit', minute: '2-digit' } as const
// The record is read in UTC and on a 24-hour clock everywhere, so that two people mean the same moment.
const RECORDED = { ...CLOCK, second: '2-digit', hourCycle: 'h23', timeZone: 'UTC' } as const

/** Nov 16, 2026, 10:31:05 UTC: a moment in the record. */
export function stamped(at: number): string {
  return `${dates('stamp', { ...DAY, ...RECORDED }).format(at)} UTC`
}

/** Nov 16, 2026, 05:31:05 EST: a moment by the house's clock, as its forms and reports print it. */
export function stampedIn(zone: string, at: number): string {
  return dates(`stamp in ${zone}`, { ...DAY, ...RECORDED, timeZone: zone, timeZoneName: 'short' }).format(at)
}

/** Nov 16, 2026: a gaming day, which is a date without a time zone. */
export function dayOf(day: string): string {
  return dates('gaming day', { ...DAY, timeZone: 'UTC' }).format(Date.parse(`${day}T00:00:00Z`))
}

/** Nov 16, 2026, 10:00 UTC: an hour of a report, which is written as 2026-11-16T10:00Z. */
export function hourOf(hour: string): string {
  const at = Date.parse(hour)
  return Number.isNaN(at) ? hour : `${dates('hour', { ...DAY, ...CLOCK, hourCycle: 'h23', timeZone: 'UTC' }).format(at)} UTC`
}

/** A sentence of the house with its dates as the reader writes them. */
export function withDays(text: string): string {
  return text.replace(/\b\d{4}-\d\d-\d\d\b(?![T:-])/g, dayOf)
}

/** 10:31:05 UTC: a moment today. */
export function stampedToday(at: number): string {
  return `${dates('today', RECORDED).format(at)} UTC`
}

/** 10:31:05.123: a moment in the record, in UTC, where the day is shown elsewhere. */
export function exactTime(at: number): string {
  return dates('exact', { ...RECORDED, fractionalSecondDigits: 3 }).format(at)
}

/** Nov 16, 2026, 10:31 AM: a moment in the user's own time zone. */
export function dated(at: number): string {
  return dates('date', { ...DAY, ...CLOCK }).format(at)
}

/** 2:05 PM: the time of day in the user's own time zone. */
export function timeOfDay(at: number): string {
  return dates('time', { hour: 'numeric', minute: '2-digit' }).format(at)
}
