/** House settings in words: what each is called, what it is now, and what a proposal changes. */
import { words } from '../words'
import { dollars } from '../words/money'
import { spelledOut } from '../words/phrases'

export type HouseSettings = Record<string, unknown>
export type Shift = { name: string; begins_minutes: number }
export type Change = { name: string; label: string; before: string; after: string }

/** The label of a setting; one without a text of its own is spelled out. */
export function settingName(name: string): string {
  return words.controls.settings.fields[name] ?? (words.patrons.limits.fields as Record<string, string>)[name] ?? spelledOut(name.replace(/_cents$/, ''))
}

/** 06:30 for 390 minutes after midnight. */
export function timeOfMinutes(minutes: number): string {
  return `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`
}

/** Minutes after midnight, or null where it isn't a time of day. */
export function minutesOfTime(text: string): number | null {
  const found = /^(\d{1,2}):(\d\d)$/.exec(text.trim())
  const minutes = found ? Number(found[1]) * 60 + Number(found[2]) : null
  return minutes !== null && Number(found![2]) < 60 && minutes < 24 * 60 ? minutes : null
}

/** A setting's value as people read it. */
export function settingSaid(name: string, value: unknown): string {
  const t = words.controls.settings
  if (typeof value === 'boolean') return value ? t.yes : t.no
  if (typeof value === 'number') return name.endsWith('_cents') ? dollars(value) : name.endsWith('begins_minutes') ? timeOfMinutes(value) : String(value)
  if (name === 'shifts' && Array.isArray(value)) return (value as Shift[]).map((shift) => `${shift.name} ${timeOfMinutes(shift.begins_minutes)}`).join(', ')
  if (value && typeof value === 'object' && !Array.isArray(value)) {
    const parts = Object.entries(value).filter(([, part]) => part !== null)
    return parts.length ? parts.map(([part, amount]) => `${settingName(part)}: ${settingSaid(part, amount)}`).join(', ') : t.none
  }
  if (value === '' || value === null || value === undefined) return t.none
  return String(value)
}

/** What differs between two states of the settings. */
export function changesBetween(before: HouseSettings, after: HouseSettings): Change[] {
  return Object.keys(after)
    .filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]))
    .map((name) => ({ name, label: settingName(name), before: settingSaid(name, before[name]), after: settingSaid(name, after[name]) }))
}
