/** Moments by the house's clock: when a gaming day begins in its time zone. */

/** UTC milliseconds of a time of day on a date in a time zone. */
export function momentIn(zone: string, day: string, minutes: number): number {
  const wall = Date.parse(`${day}T00:00:00Z`) + minutes * 60_000
  // The offset there is found by asking what the wall clock shows; twice, because it may change that night.
  const once = wall - offsetAt(zone, wall)
  return wall - offsetAt(zone, once)
}

/** The day after a date. */
export function dayAfter(day: string): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + 86_400_000).toISOString().slice(0, 10)
}

function offsetAt(zone: string, moment: number): number {
  const parts = new Intl.DateTimeFormat('en-US', { timeZone: zone, hourCycle: 'h23', year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric', second: 'numeric' }).formatToParts(moment)
  const part = (type: string) => Number(parts.find((each) => each.type === type)?.value)
  const shown = Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second'))
  return shown - Math.floor(moment / 1000) * 1000
}
