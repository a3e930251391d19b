/** The language of the page, and the locale its numbers, money and dates are formatted in. */

export const LANGUAGES = ['en', 'es'] as const
export type Language = (typeof LANGUAGES)[number]

const REGIONAL: Record<Language, string> = { en: 'en-US', es: 'es-US' } // if the browser names no region

class Locale {
  language = $state<Language>('en')
  /** The browser's own variant of the language, such as es-MX, because it decides how numbers look. */
  readonly tag: string = $derived(navigator.languages.find((tag) => tag.toLowerCase().startsWith(`${this.language}-`)) ?? REGIONAL[this.language])
}

export const locale = new Locale()

/** Return the first of the browser's languages that the page has, or English. */
export function browserLanguage(): Language {
  return navigator.languages.map((tag) => tag.toLowerCase().split('-')[0]).find(isLanguage) ?? 'en'
}

function isLanguage(code: string | undefined): code is Language {
  return LANGUAGES.some((language) => language === code)
}

const numberFormats = new Map<string, Intl.NumberFormat>()
const dateFormats = new Map<string, Intl.DateTimeFormat>()

/** Return the locale's number format with this many decimals; formats are kept, because making one is slow. */
export function numbers(style: 'decimal' | 'percent' | 'currency' | 'compact', least: number, most = least): Intl.NumberFormat {
  const key = `${locale.tag} ${style} ${least} ${most}`
  let format = numberFormats.get(key)
  if (!format) {
    const kind: Intl.NumberFormatOptions = style === 'compact' ? { notation: 'compact' } : style === 'currency' ? { style, currency: 'USD', currencyDisplay: 'narrowSymbol' } : { style }
    format = new Intl.NumberFormat(locale.tag, { ...kind, minimumFractionDigits: least, maximumFractionDigits: most })
    numberFormats.set(key, format)
  }
  return format
}

/** Return the locale's date format with these parts. */
export function dates(name: string, parts: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${locale.tag} ${name}`
  let format = dateFormats.get(key)
  if (!format) dateFormats.set(key, (format = new Intl.DateTimeFormat(locale.tag, parts)))
  return format
}
