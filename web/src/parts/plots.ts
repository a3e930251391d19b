/** Numbers to places on a plot: scales, ticks that people can read, paths. */

export type Scale = (value: number) => number

/** Map a range of values to a range of pixels. */
export function scale(from: number, to: number, start: number, end: number): Scale {
  const span = to - from || 1
  return (value) => start + ((value - from) / span) * (end - start)
}

/** About this many round values within a range. */
export function ticks(from: number, to: number, about: number): number[] {
  const rough = (to - from || 1) / Math.max(1, about)
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((size) => size >= rough) ?? 10 * power
  const found: number[] = []
  for (let value = Math.ceil(from / step) * step; value <= to + step / 1e6; value += step) found.push(Math.abs(value) < step / 1e6 ? 0 : value)
  return found
}

/** A line through points. */
export function line(points: { x: number; y: number }[]): string {
  return points.map((point, at) => `${at ? 'L' : 'M'}${point.x.toFixed(1)} ${point.y.toFixed(1)}`).join('')
}

/** The area between two lines. */
export function between(upper: { x: number; y: number }[], lower: { x: number; y: number }[]): string {
  return `${line(upper)}${line([...lower].reverse()).replace('M', 'L')}Z`
}
