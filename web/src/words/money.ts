/** Amounts of money in the user's locale. */
import { numbers } from './locale.svelte'

/** $10, $1,234.50, −$5: cents only if there are any. */
export function dollars(cents: number): string {
  return numbers('currency', cents % 100 === 0 ? 0 : 2).format(cents / 100).replace('-', '−')
}

/** $10.00, $1,234.50: always with cents. */
export function dollarsAndCents(cents: number): string {
  return numbers('currency', 2).format(cents / 100).replace('-', '−')
}

/** +$10, −$5, $0: what someone wins or loses. */
export function gain(cents: number): string {
  return cents > 0 ? `+${dollars(cents)}` : dollars(cents)
}

/** win, loss or push, as a class and a word. */
export function outcome(cents: number): 'win' | 'loss' | 'push' {
  return cents > 0 ? 'win' : cents < 0 ? 'loss' : 'push'
}

/** 12.50, 5000: an amount as it is typed, without currency or grouping. */
export function typedDollars(cents: number): string {
  return `${Math.floor(cents / 100)}${cents % 100 ? `${separators().decimal}${String(cents % 100).padStart(2, '0')}` : ''}`
}

/** Return the cents of an amount typed in dollars, such as 5000, $1,250 or 12.50; null if it isn't one. */
export function typedCents(text: string): number | null {
  const { group, decimal } = separators()
  const [whole = '', cents = '', ...rest] = text.replace(/[$\s]/g, '').split(decimal)
  const isGrouped = whole.includes(group) && whole.split(group).every((part, at) => (at ? /^\d{3}$/ : /^\d{1,3}$/).test(part))
  const digits = isGrouped ? whole.replaceAll(group, '') : whole
  if (rest.length || !/^\d{1,9}$/.test(digits) || !/^\d{0,2}$/.test(cents)) return null
  return Number(digits) * 100 + Number(cents.padEnd(2, '0'))
}

function separators(): { group: string; decimal: string } {
  const parts = numbers('decimal', 1).formatToParts(12_345.6)
  const part = (type: string) => parts.find((each) => each.type === type)?.value.trim()
  return { group: part('group') || ' ', decimal: part('decimal') ?? '.' }
}
