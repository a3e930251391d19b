/** A submission being written: the document, its errors, and its drawings. */
import { ask, type Refused, type Schemas } from '../../wire/client'
import { typedCents } from '../../words/money'

export type Fault = Schemas['FaultShown']
export type Stated = { paytable?: string; minimum?: Amount; maximum?: Amount; step?: Amount; stake?: Amount; rate?: Record<string, string>; initial?: Record<string, Amount>; reset?: Record<string, Amount>; envy?: string; hand?: string; odds?: Record<string, string> }
export type Amount = number | string // text that isn't an amount is sent unchanged, so that the check reports it
export type Table = Record<string, unknown> & { name: string; game: string; wagers: Record<string, Stated>; options: Record<string, string | number> }
export type Document = { facility: { name: string; jurisdiction: string }; table: Table; dealer: string; progressive: string | null; pace?: Record<string, number> }

const CHECK_MS = 120
const DRAW_MS = 450

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

  /** Start from a document, such as the one in force. */
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

  /** The document as sent, without empty fields. */
  get sent(): Record<string, unknown> {
    return this.document ? bare($state.snapshot(this.document) as Document) : {}
  }

  get faults(): Fault[] {
    return this.checked?.faults ?? []
  }

  get isSound(): boolean {
    return this.checked !== null && !this.faults.length && !this.isChecking
  }

  /** The errors of a field and the fields inside it. */
  at(...path: string[]): Fault[] {
    return this.faults.filter((fault) => ['table', ...path].every((key, index) => fault.path[index] === key))
  }

  /** The errors of exactly this field, named from the top of the document. */
  only(...path: string[]): Fault[] {
    return this.faults.filter((fault) => fault.path.length === path.length && path.every((key, index) => fault.path[index] === key))
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

/** The value of an option that holds in a document: the one stated, else the rulebook's default. */
export function chosenIn(document: Document, game: Schemas['GameShown'], option: string): string {
  return String(document.table.options[option] ?? game.options.find((known) => known.name === option)?.values?.[0])
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
  const isEmpty = (field: unknown) => field === '' || field === undefined || field === null || field === false || (typeof field === 'object' && !Object.keys(field as object).length)
  return Object.fromEntries(Object.entries(value).filter(([, field]) => !isEmpty(field)))
}

/** An amount that was typed in dollars, in cents. */
export function centsOf(typed: string): Amount | '' {
  return typed.trim() === '' ? '' : (typedCents(typed) ?? typed)
}

/** A whole number that was typed. */
export function wholeOf(typed: string): Amount | '' {
  const text = typed.trim()
  return text === '' ? '' : /^\d+$/.test(text) ? Number(text) : typed
}
