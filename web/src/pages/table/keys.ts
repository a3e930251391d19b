/** Keyboard shortcuts: a digit or letter from each title. */
import type { Rules } from '../../felt/geometry'
import { placeable } from './stakes.svelte'

export const UNDO = 'z'
export const CLEAR = 'x'
export const REPEAT = 'r'
export const BET = 'Enter'
export const HELP = '?'

/** Return a key for each title: the digit in it, else its first letter that is still free. */
export function keysFor(titles: string[], taken: string[] = []): Map<string, string> {
  const found = new Map<string, string>()
  const used = new Set(taken)
  for (const title of titles) {
    const letters = title.toLowerCase().replace(/[^a-z0-9]/g, '')
    const digit = /[1-9]/.exec(letters)?.[0]
    const key = digit && !used.has(digit) ? digit : [...letters].find((letter) => /[a-z]/.test(letter) && !used.has(letter))
    if (!key) continue
    used.add(key)
    found.set(title, key)
  }
  return found
}

/** Return the key of each betting area that takes chips, by wager. */
export function areaKeys(rules: Rules): Map<string, string> {
  const wagers = placeable(rules).filter((wager) => !(wager.equals && wager.required))
  const keys = keysFor(wagers.map((wager) => wager.title), [UNDO, CLEAR, REPEAT])
  return new Map(wagers.flatMap((wager) => (keys.has(wager.title) ? [[wager.name, keys.get(wager.title)!]] : [])))
}

/** Say whether a key press is meant for the page, not for a field or the browser. */
export function isForPage(event: KeyboardEvent, fields = 'input'): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return false
  const target = event.target as Element | null
  return !target?.closest(`${fields}, textarea, select, dialog[open], [role=dialog]`)
}

/** Fields that letters and digits are typed into; a choice or a box takes none. */
export const TYPED = 'input:not([type=radio], [type=checkbox])'
