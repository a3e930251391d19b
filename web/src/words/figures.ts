/** Figures as people read them: percentages, units with their sign, large counts. */

const COUNT = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 })
const SHORT = new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 1 })

/** 2.1850 %, −0.41 %: a share as a percentage. */
export function percent(share: number, places = 4): string {
  return `${minus((100 * share).toFixed(places))} %`
}

/** +0.0417, −1.0000: units won or lost. */
export function units(value: number, places = 4): string {
  const text = value.toFixed(places)
  return value > 0 && Number(text) !== 0 ? `+${text}` : minus(text)
}

/** 2,598,960. */
export function count(value: number): string {
  return minus(COUNT.format(value))
}

/** 1.2M, 40K: an axis has little room. */
export function short(value: number): string {
  return minus(SHORT.format(value))
}

/** 1 in 649,740: a chance as it is said at a table. */
export function oneIn(chance: number): string {
  return chance > 0 ? `1 in ${chance > 0.05 ? (1 / chance).toFixed(1) : COUNT.format(1 / chance)}` : 'never'
}

function minus(text: string): string {
  const signed = text.replace(/^-/, '−')
  return /^−[0.]+$/.test(signed) ? signed.slice(1) : signed
}
