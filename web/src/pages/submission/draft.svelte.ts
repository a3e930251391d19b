/** A submission in the making: the document, what the check says of it, and how it looks. */
import { ask, type Refused, type Schemas } from '../../wire/client'

export type Fault = Schemas['FaultShown']
export type Stated = { paytable?: string; minimum?: Amount; maximum?: Amount; step?: Amount; stake?: Amount; rate?: Record<string, string>; initial?: Record<string, Amount>; reset?: Record<string, Amount>; envy?: string; hand?: string; odds?: Record<string, string> }
export type Amount = number | string // a text that is no amount is sent as it is, so that the check can say so
export type Table = Record<string, unknown> & { name: string; game: string; wagers: Record<string, Stated>; options: Record<string, string | number> }
export type Document = { facility: { name: string; jurisdiction: string }; table: Table; dealer: string; progressive: string | null; pace?: Record<string, number> }

const CHECK_MS = 120
const DRAW_MS = 450
const AT = 'table[0]'

/** What is typed, checked a moment after each change and drawn when it is sound. */
export class Draft {
  document = $state<Document | null>(null)
  checked = $state.raw<Schemas['Checked'] | null>(null)
  drawn = $state.raw<Schemas['Preview'] | null>(null)
  isStale = $state(false)
  isChecking = $state(false)
  isTouched = $state(false)
  refused = $state.raw<Refused | null>(null)
  #number = 0
  #check: ReturnType<typeof setTimeout> | undefined
  #draw: ReturnType<typeof setTimeout> | undefined

  /** Begin with a document, such as one that is in force. */
  begin(document: Record<string, unknown>): void {
    this.document = ordinary(structuredClone(document) as unknown as Document)
    this.isTouched = false
    this.drawn = null
    this.changed(0)
  }

  /** Take note that something was typed. */
  touched(): void {
    this.isTouched = true
    this.changed(CHECK_MS)
  }

  /** The document as it is sent: what is empty is left out. */
  get sent(): Record<string, unknown> {
    return this.document ? bare($state.snapshot(this.document) as Document) : {}
  }

  get faults(): Fault[] {
    return this.checked?.faults ?? []
  }

  get isSound(): boolean {
    return this.checked !== null && !this.faults.length && !this.isChecking
  }

  /** The faults of a field, and of what stands inside it. */
  at(...path: string[]): Fault[] {
    const place = [AT, ...path].join('.')
    return this.faults.filter((one) => one.field === place || one.field.startsWith(`${place}.`) || one.field.startsWith(`${place}[`))
  }

  /** The faults of a field alone. */
  only(...path: string[]): Fault[] {
    const place = path[0] === 'facility' ? path.join('.') : [AT, ...path].join('.')
    return this.faults.filter((one) => one.field === place)
  }

  private changed(after: number): void {
    this.isChecking = true
    this.isStale = true
    clearTimeout(this.#check)
    clearTimeout(this.#draw)
    this.#check = setTimeout(() => void this.check(), after)
  }

  private async check(): Promise<void> {
    const number = ++this.#number
    const answer = await ask('post', '/api/submissions/check', { body: { document: this.sent } })
    if (number !== this.#number) return
    this.isChecking = false
    this.refused = answer.refused ?? null
    this.checked = answer.done ?? this.checked
    if (this.isSound) this.#draw = setTimeout(() => void this.draw(number), this.drawn ? DRAW_MS : 0)
  }

  private async draw(number: number): Promise<void> {
    const answer = await ask('post', '/api/submissions/preview', { body: { document: this.sent } })
    if (number !== this.#number || !answer.done) return
    this.drawn = answer.done
    this.isStale = false
  }
}

/** The id of the input that a field of the document is typed in. */
export function idOf(...path: string[]): string {
  return `field-${path.join('.').replace(/[^\w.-]/g, '_')}`
}

// A wager may be stated as a letter, as true or in full; a form edits it in full.
function ordinary(document: Document): Document {
  const table = { ...document.table, wagers: { ...document.table.wagers }, options: { ...document.table.options } }
  for (const [name, stated] of Object.entries(table.wagers as Record<string, unknown>)) {
    table.wagers[name] = typeof stated === 'string' ? { paytable: stated } : stated === true ? {} : (stated as Stated)
  }
  return { ...document, table }
}

function bare(document: Document): Record<string, unknown> {
  const wagers: Record<string, unknown> = {}
  for (const [name, stated] of Object.entries(document.table.wagers)) {
    const left = without(stated)
    wagers[name] = Object.keys(left).length ? left : true
  }
  return { ...document, table: { ...without(document.table), wagers, options: without(document.table.options) } }
}

function without<T extends object>(value: T): Record<string, unknown> {
  const isEmpty = (one: unknown) => one === '' || one === undefined || one === null || one === false || (typeof one === 'object' && !Object.keys(one as object).length)
  return Object.fromEntries(Object.entries(value).filter(([, one]) => !isEmpty(one)))
}

/** An amount that was typed in dollars, in cents. */
export function centsOf(typed: string): Amount | '' {
  const text = typed.replace(/[$,\s]/g, '')
  if (!text) return ''
  const cents = Math.round(Number(text) * 100)
  return Number.isFinite(cents) && /^\d*\.?\d{0,2}$/.test(text) ? cents : typed
}

/** A whole number that was typed. */
export function wholeOf(typed: string): Amount | '' {
  const text = typed.trim()
  return text === '' ? '' : /^\d+$/.test(text) ? Number(text) : typed
}
