/** Figures in the user's locale: percentages, signed units, large counts. */
import { numbers } from './locale.svelte'

/** 2.1850%, −0.41%: a share as a percentage. */
export function percent(share: number, places = 4): string {
  return minus(numbers('percent', places).format(share))
}

/** 1.250: a number with a fixed number of decimals. */
export function fixed(value: number, places: number): string {
  return minus(numbers('decimal', places).format(value))
}

/** +0.0417, −1.0000: units won or lost. */
export function units(value: number, places = 4): string {
  const text = fixed(value, places)
  return value > 0 && Number(value.toFixed(places)) !== 0 ? `+${text}` : text
}

/** 0.0417: what a choice costs, without a sign. */
export function unitsCost(value: number): string {
  return fixed(value, 4)
}

/** 2,598,960. */
export function count(value: number): string {
  return minus(numbers('decimal', 0).format(value))
}

/** 1,234.5: with a decimal only if there is one. */
export function rounded(value: number): string {
  return minus(numbers('decimal', 0, 1).format(value))
}

/** 1.2M, 40K: an axis has little room. */
export function short(value: number): string {
  return minus(numbers('compact', 0, 1).format(value))
}

/** 649,740, 4.8: the N in a chance of 1 in N. */
export function onceIn(chance: number): string {
  return chance > 0.05 ? fixed(1 / chance, 1) : count(1 / chance)
}

function minus(text: string): string {
  return /[1-9]/.test(text) ? text.replace('-', '−') : text.replace('-', '')
}
