/** The catalog of texts that the page shows, in the language chosen. */
import type { en } from './en'
import { first } from './en/first'
import { locale, type Language } from './locale.svelte'

export type Words = typeof en
type Texts = { [key: string]: unknown }
type Part = 'first' | 'staff'

const shown: Texts = $state({ ...first })

/** Texts by key. Parts of it can be kept in constants: a change of language replaces the texts in place. Those for staff
    are there once `learn` has loaded them, before a page for staff is opened. */
export const words = shown as unknown as Words

const LOADING: Record<Part, Record<Language, () => Promise<Texts>>> = {
  first: { en: () => Promise.resolve(first), es: () => import('./es/first').then((part) => part.first) },
  staff: { en: () => import('./en/staff').then((part) => part.staff), es: () => import('./es/staff').then((part) => part.staff) },
}
const known = new Set<Part>(['first'])
let wanted: Language = 'en'

/** Load the texts of a part of the page. */
export async function learn(part: Part): Promise<void> {
  const language = locale.language
  const texts = await LOADING[part][language]()
  if (language !== locale.language) return learn(part) // it was changed in the meantime
  known.add(part)
  replace(shown, texts)
}

/** Show the page in a language; it stays in the present one if the catalog can't be loaded. */
export async function speak(language: Language): Promise<void> {
  wanted = language
  const texts = await Promise.all([...known].map((part) => LOADING[part][language]())).catch(() => null)
  if (!texts || wanted !== language) return
  if (texts.length < known.size) return speak(language) // a page for staff was opened in the meantime
  texts.forEach((part) => replace(shown, part))
  locale.language = language
  document.documentElement.lang = language
}

function replace(old: Texts, texts: Texts): void {
  for (const [key, text] of Object.entries(texts)) {
    if (typeof text === 'object' && old[key]) replace(old[key] as Texts, text as Texts)
    else old[key] = text
  }
}
