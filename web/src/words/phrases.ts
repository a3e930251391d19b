/** Small forms that the texts of every language share. */

/** Red, white and blue: parts as a list, with the word before the last. */
export function joined(parts: string[], last: string): string {
  return parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} ${last} ${parts.at(-1)}`
}

/** A text with a capital first letter. */
export function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** Dealer cards: an identifier such as dealer-cards, where no text has a title for it. */
export function spelledOut(identifier: string): string {
  return capitalized(identifier.replaceAll('-', ' ').replaceAll('_', ' '))
}

/** A text that ends like a sentence: the reasons of a refusal come without a period. */
export function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`
}

/** An amount that stays on one line with its sign. */
export function unbroken(amount: string): string {
  return amount.replace(/^[+−]/, '$&\u2060')
}
