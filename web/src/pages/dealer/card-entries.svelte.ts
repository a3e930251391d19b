/** Cards entered by the dealer or a reader: sent one at a time, each accepted or refused before the next. */
import type { Refused } from '../../wire/client'
import { words } from '../../words'
import type { WorkedTable } from './worked-table.svelte'
import { readCard } from './duties'

export type Entry = { number: number; text: string; card: string | null; state: 'waiting' | 'taken' | 'refused' | 'left-out' }

const SHOWN = 12 // accepted cards that stay in sight

export class CardEntries {
  list = $state.raw<Entry[]>([])
  /** Why the last entry was refused; until the dealer has seen it, nothing more is sent. */
  stopped = $state.raw<Refused | null>(null)
  isBusy = $state(false)
  private counted = 0

  constructor(private readonly desk: WorkedTable) {}

  get taken(): Entry[] {
    return this.list.filter((entry) => entry.state === 'taken')
  }

  get waiting(): Entry[] {
    return this.list.filter((entry) => entry.state === 'waiting')
  }

  /** The entry that was refused, and those behind it. */
  get notTaken(): Entry[] {
    return this.list.filter((entry) => entry.state === 'refused' || entry.state === 'left-out')
  }

  /** Queue what was typed. */
  add(text: string): void {
    const said = text.trim()
    if (!said) return
    const card = readCard(said, this.desk.rules?.deck ?? [], this.desk.rules?.card_titles)
    const entry: Entry = { number: ++this.counted, text: card ?? said, card, state: this.stopped ? 'left-out' : 'waiting' }
    this.list = [...this.list, entry]
    if (!this.stopped) void this.send()
  }

  /** Show that something was typed where no card could be taken. */
  refuse(text: string, reason: string): void {
    this.list = [...this.list, { number: ++this.counted, text, card: null, state: 'waiting' }]
    this.stop(this.counted, { reason })
  }

  /** Continue, now that the dealer has seen what was refused. */
  acknowledge(): void {
    this.stopped = null
    this.list = this.taken
  }

  /** Forget the cards of an earlier round. */
  clear(): void {
    this.list = this.list.filter((entry) => entry.state !== 'taken')
  }

  private async send(): Promise<void> {
    if (this.isBusy) return
    this.isBusy = true
    for (let next = this.waiting[0]; next && !this.stopped; next = this.waiting[0]) {
      const refused = await this.take(next)
      if (refused) this.stop(next.number, refused)
    }
    this.isBusy = false
  }

  private async take(entry: Entry): Promise<Refused | null> {
    if (!entry.card) return { reason: words.dealer.hints.cardUnknown }
    const before = await this.deal()
    if (before) return before
    const outcome = await this.desk.give({ kind: 'ReadCard', card: entry.card })
    if (outcome.refused) return outcome.refused
    this.mark(entry.number, 'taken')
    // The delivery is complete: the dealer goes on with the next card, not with a button.
    const after = await this.deal()
    if (after) this.stop(0, after)
    return null
  }

  // The cards that were read go where they are due before another is read.
  private async deal(): Promise<Refused | null> {
    const isDue = this.desk.console?.duties.some((duty) => duty.command.kind === 'DealCards')
    if (!isDue) return null
    return (await this.desk.give({ kind: 'DealCards' })).refused ?? null
  }

  private mark(number: number, state: Entry['state']): void {
    const marked = this.list.map((entry) => (entry.number === number ? { ...entry, state } : entry))
    const taken = marked.filter((entry) => entry.state === 'taken')
    this.list = marked.filter((entry) => entry.state !== 'taken' || taken.indexOf(entry) >= taken.length - SHOWN)
  }

  private stop(number: number, refused: Refused): void {
    this.stopped ??= refused
    this.list = this.list.map((entry) => (entry.number === number ? { ...entry, state: 'refused' } : entry.state === 'waiting' ? { ...entry, state: 'left-out' } : entry))
  }
}
