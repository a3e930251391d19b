/** Preferences, kept in this browser: theme, motion, suits, the coach and the language. */
import { speak } from './words/catalogue.svelte'
import { browserLanguage, type Language } from './words/locale.svelte'

const KEY = 'pitboss.preferences'

export type Theme = 'system' | 'light' | 'dark'

class Preferences {
  theme = $state<Theme>('system')
  motion = $state(true)
  fourColours = $state(false)
  coach = $state(false)
  language = $state<Language | null>(null) // null for the browser's

  constructor() {
    try {
      Object.assign(this, JSON.parse(localStorage.getItem(KEY) ?? '{}'))
    } catch {
      localStorage.removeItem(KEY)
    }
  }

  /** Whether cards and chips move. */
  get moves(): boolean {
    return this.motion && !matchMedia('(prefers-reduced-motion: reduce)').matches
  }

  /** Keep a change and show it. */
  set(changed: Partial<Pick<Preferences, 'theme' | 'motion' | 'fourColours' | 'coach' | 'language'>>): void {
    Object.assign(this, changed)
    const { theme, motion, fourColours, coach, language } = this
    localStorage.setItem(KEY, JSON.stringify({ theme, motion, fourColours, coach, language }))
    this.show()
    void this.speak()
  }

  /** Show the page in the language chosen, or else the browser's. */
  speak(): Promise<void> {
    return speak(this.language ?? browserLanguage())
  }

  /** Put the theme and the motion on the document. */
  show(): void {
    const dark = matchMedia('(prefers-color-scheme: dark)')
    const root = document.documentElement
    root.dataset.theme = this.theme === 'system' ? (dark.matches ? 'dark' : 'light') : this.theme
    root.dataset.motion = this.motion ? 'full' : 'none'
    dark.onchange = () => this.show()
  }
}

export const preferences = new Preferences()
