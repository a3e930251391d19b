/** The catalog of texts that the page shows, in the language chosen. */
import { en } from './en'
import { locale, type Language } from './locale.svelte'

export type Words = typeof en

/** Texts by key. Parts of it can be kept in constants: a change of language replaces the texts in place. */
export const words: Words = $state(en)

const LOADING: Record<Language, () => Promise<Words>> = {
  en: () => Promise.resolve(en),
  es: () => import('./es').then(({ es }) => es),
}
let wanted: Language = 'en'

/** Show the page in a language; it stays in the present one if the catalog can't be loaded. */
export async function speak(language: Language): Promise<void> {
  wanted = language
  const texts = await LOADING[language]().catch(() => null)
  if (!texts || wanted !== language) return
  replace(words, texts)
  locale.language = language
  document.documentElement.lang = language
}

type Texts = { [key: string]: unknown }

function replace(shown: Texts, texts: Texts): void {
  for (const [key, text] of Object.entries(texts)) {
    if (typeof text === 'object') replace(shown[key] as Texts, text as Texts)
    else shown[key] = text
  }
}
