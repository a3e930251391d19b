/** Preferences, kept in this browser: theme, motion and pace, sound, suits, the coach and the language. */
import { speak } from './words/catalogue.svelte'
import { browserLanguage, type Language } from './words/locale.svelte'

const KEY = 'pitboss.preferences'

export type Theme = 'system' | 'light' | 'dark'
export type Pace = 'calm' | 'usual' | 'fast'
const TIMES: Record<Pace, number> = { calm: 1.8, usual: 1, fast: 0.5 }
const KEPT = ['theme', 'motion', 'pace', 'volume', 'captions', 'haptics', 'fourColours', 'reactions', 'coach', 'language'] as const

class Preferences {
  theme = $state<Theme>('system')
  motion = $state(true)
  pace = $state<Pace>('usual')
  volume = $state(0) // of the table's sounds, in percent; off at first
  captions = $state(false)
  haptics = $state(true)
  fourColours = $state(false)
  reactions = $state(true) // whether other players' reactions are shown
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

  /** How much longer than usual something takes that moves or is shown for a while. */
  get slowness(): number {
    return TIMES[this.pace] ?? 1
  }

  /** Keep a change and show it. */
  set(changed: Partial<Pick<Preferences, (typeof KEPT)[number]>>): void {
    Object.assign(this, changed)
    localStorage.setItem(KEY, JSON.stringify(Object.fromEntries(KEPT.map((name) => [name, this[name]]))))
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
