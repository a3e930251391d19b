/** Amounts as people read them. */

const DOLLARS = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' })
const WHOLE = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD', maximumFractionDigits: 0 })

/** $10, $1,234.50, −$5: cents only where there are any. */
export function dollars(cents: number): string {
  return (cents % 100 === 0 ? WHOLE : DOLLARS).format(cents / 100).replace('-', '−')
}

/** +$10, −$5, $0: what somebody gains or loses. */
export function gain(cents: number): string {
  return cents > 0 ? `+${dollars(cents)}` : cents < 0 ? `−${dollars(-cents)}` : dollars(0)
}

/** win, loss or push, as a class and a word. */
export function outcome(cents: number): 'win' | 'loss' | 'push' {
  return cents > 0 ? 'win' : cents < 0 ? 'loss' : 'push'
}
