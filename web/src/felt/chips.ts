/** The chips of the house by worth, and how an amount looks in them. */

export const DENOMINATIONS = [100, 500, 2500, 10_000, 50_000] as const

const COLOURS: Record<number, { body: string; edge: string; ink: string }> = {
  100: { body: 'var(--card)', edge: 'var(--card-blue)', ink: 'var(--card-ink)' },
  500: { body: 'var(--card-red)', edge: 'var(--card)', ink: 'var(--card)' },
  2500: { body: 'var(--card-green)', edge: 'var(--card)', ink: 'var(--card)' },
  10000: { body: 'var(--card-ink)', edge: 'var(--card)', ink: 'var(--card)' },
  50000: { body: 'var(--card-blue)', edge: 'var(--accent)', ink: 'var(--card)' },
}

/** Return the colors of the largest chip within an amount. */
export function chipOf(cents: number): { body: string; edge: string; ink: string } {
  const largest = DENOMINATIONS.findLast((denomination) => denomination <= cents) ?? DENOMINATIONS[0]
  return COLOURS[largest]!
}

/** Return how many chips lie on each other for an amount, a few at most. */
export function pile(cents: number): number {
  let [left, count] = [cents, 0]
  for (const denomination of [...DENOMINATIONS].reverse()) {
    count += Math.floor(left / denomination)
    left %= denomination
  }
  return Math.max(1, Math.min(count, 5))
}

/** Return an amount as it fits on a chip: $5, $1.5k. */
export function onChip(cents: number): string {
  const whole = cents / 100
  if (whole < 1000) return Number.isInteger(whole) ? String(whole) : whole.toFixed(2)
  return `${Math.round(whole / 100) / 10}k`
}
