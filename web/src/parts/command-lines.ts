/** A proposed command as labeled lines, so that the person who confirms it sees exactly what it does. */
import { words } from '../words'
import { irregularityTitle } from '../words/irregularities'
import { dollars } from '../words/money'
import { spelledOut } from '../words/phrases'
import { changesBetween, type HouseSettings } from './setting-lines'

export type Line = { label: string; value: string }

const t = words.floor.spelled
const MONEY = ['cents', 'tray_cents', 'minimum', 'maximum', 'stake', 'initial_cents', 'reset_cents', 'cash_cents']

/** The title of a command: Fill, Void the round. */
export function titleOf(body: Record<string, unknown>): string {
  return t.kinds[String(body.kind)] ?? words.controls.kinds[String(body.kind)] ?? String(body.kind)
}

/** What a command says, line by line; of house settings, what they change from those in force. */
export function spelled(body: Record<string, unknown>, inForce: HouseSettings | null = null): Line[] {
  const lines: Line[] = []
  for (const [name, value] of Object.entries(body)) {
    if (name === 'kind' || value === null || value === undefined || value === false || value === '' || isEmpty(value)) continue
    if (name === 'document') lines.push(...ofDocument(value as Record<string, unknown>))
    else if (name === 'settings') lines.push(...changesBetween(inForce ?? {}, value as HouseSettings).map((change) => ({ label: change.label, value: inForce ? `${change.before} → ${change.after}` : change.after })))
    else lines.push({ label: t.fields[name] ?? words.controls.lines[name] ?? spelledOut(name), value: said(name, value) })
  }
  return lines
}

/** Chips by denomination: 2 of $100, 1 of $25. */
export function chipsSaid(chips: Record<string, number>): string {
  return Object.entries(chips)
    .map(([cents, count]) => [Number(cents), count] as const)
    .sort(([cents], [other]) => other - cents)
    .map(([cents, count]) => t.chips(count, dollars(cents)))
    .join(', ')
}

function ofDocument(document: Record<string, unknown>): Line[] {
  const table = (document.table ?? {}) as Record<string, unknown>
  const lines: Line[] = []
  for (const name of ['name', 'game', 'dealing', 'minimum', 'maximum']) {
    if (table[name] !== undefined) lines.push({ label: t.fields[name] ?? spelledOut(name), value: said(name, table[name]) })
  }
  const wagers = Object.entries((table.wagers ?? {}) as Record<string, unknown>).map(([name, stated]) => wagerSaid(name, stated))
  if (wagers.length) lines.push({ label: t.fields.wagers ?? 'wagers', value: wagers.join(', ') })
  if (document.dealer) lines.push({ label: t.fields.dealer ?? 'dealer', value: t.dealers[String(document.dealer)] ?? String(document.dealer) })
  return lines
}

function wagerSaid(name: string, stated: unknown): string {
  const letter = typeof stated === 'string' ? stated : (stated as { paytable?: string } | null)?.paytable
  return letter ? t.wager(spelledOut(name), letter) : spelledOut(name)
}

function said(name: string, value: unknown): string {
  if (name === 'to') return words.controls.lines[String(value)] ?? String(value)
  if (name === 'chips') return chipsSaid(value as Record<string, number>)
  if (MONEY.includes(name) && typeof value === 'number') return dollars(value)
  if (name === 'limits' && typeof value === 'object') return limitsSaid(value as Record<string, number[]>)
  if (name === 'irregularity') return irregularityTitle(String(value))
  if (name === 'outcome' || name === 'ruling') return words.dealer.choices[String(value)] ?? spelledOut(String(value))
  if (name === 'meters' && Array.isArray(value)) return value.map((meter: Record<string, unknown>) => t.meter(String(meter.name), dollars(Number(meter.initial_cents)), String(meter.rate))).join('; ')
  if (name === 'terms' && typeof value === 'object') return t.meter(String((value as Record<string, unknown>).name), dollars(Number((value as Record<string, unknown>).reset_cents)), String((value as Record<string, unknown>).rate))
  if (name === 'cards' && typeof value === 'object') return cardsSaid(value as Record<string, string[]>)
  if (typeof value === 'boolean') return value ? t.yes : t.no
  return Array.isArray(value) ? value.join(', ') : typeof value === 'object' ? JSON.stringify(value) : String(value)
}

// Corrected cards by place: Seat 2: Ah Kd; dealer: Qs Jc.
function cardsSaid(places: Record<string, string[]>): string {
  return Object.entries(places)
    .map(([place, cards]) => `${Number(place) ? words.dealer.seat(Number(place)) : place}: ${cards.join(' ')}`)
    .join('; ')
}

// Limits by wager: ante $10 to $500.
function limitsSaid(limits: Record<string, number[]>): string {
  return Object.entries(limits)
    .map(([wager, [least, most]]) => words.pit.limit(spelledOut(wager), dollars(least ?? 0), dollars(most ?? 0)))
    .join('; ')
}

function isEmpty(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Object.keys(value).length
}
