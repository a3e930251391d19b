/** Cards and answers entered by the dealer or a reader: sent one at a time, each accepted or refused before the next. */
import type { Refused } from '../../wire/client'
import { words } from '../../words'
import type { WorkedTable } from './worked-table.svelte'
import { answerKeys, cardLength, readCard, toAnswer, type Answer, type Duty } from './duties'

export type Entry = { number: number; text: string; card: string | null; state: 'waiting' | 'taken' | 'refused' | 'left-out' }

const ENTER = '\u23ce' // stands for Enter where more was typed before it than could be sent yet
const SHOWN = 12 // accepted cards that stay in sight

export class CardEntries {
  list = $state.raw<Entry[]>([])
  /** Why the last entry was refused; until the dealer has seen it, nothing more is sent. */
  stopped = $state.raw<Refused | null>(null)
  isBusy = $state(false)
  /** What was typed and isn't taken yet: while a command is under way, all that follows it. */
  text = $state('')
  /** The answer whose discard is to be entered. */
  discarding = $state.raw<{ duty: Duty; answer: Answer } | null>(null)
  private counted = 0
  isReading = $state(false)
  private rest = '' // of the name of the last card, for those who type all of it
  private isEnded = false // the last card or answer needed no Enter; if one follows, it belongs to it

  constructor(private readonly desk: WorkedTable) {}

  get taken(): Entry[] {
    return this.list.filter((entry) => entry.state === 'taken')
  }

  get waiting(): Entry[] {
    return this.list.filter((entry) => entry.state === 'waiting')
  }

  /** What was typed ahead of the command under way, in cards where it is cards. */
  get ahead(): string[] {
    const found: string[] = []
    for (let text = this.isReading ? this.text : ''; text; ) {
      const end = text.indexOf(ENTER)
      const length = cardLength(text, this.desk.rules?.deck ?? []) || (end < 0 ? text.length : end)
      if (text.slice(0, length).trim()) found.push(text.slice(0, length))
      text = text.slice(length + (text[length] === ENTER ? 1 : 0))
    }
    return found
  }

  /** The entry that was refused, and those behind it. */
  get notTaken(): Entry[] {
    return this.list.filter((entry) => entry.state === 'refused' || entry.state === 'left-out')
  }

  /** Take what was typed as far as it is complete: one key for an answer, two for most cards, in order. */
  async read(): Promise<void> {
    if (this.text) this.isEnded = false
    if (this.isReading) return
    this.isReading = true
    while (this.text && (await this.next()));
    this.isReading = false
  }

  /** Take Enter: it ends a name that was typed, or belongs to what needed none; false where it means something else. */
  enter(): boolean {
    if (this.text.trim()) {
      this.text += ENTER
      void this.read()
      return true
    }
    const isOfLast = this.isEnded
    this.isEnded = false
    return isOfLast
  }

  /** Give the answer a player signalled, or ask for its discard first. */
  async answer(duty: Duty, answer: Answer, discard?: string): Promise<void> {
    if (answer.discards && !discard) return void (this.discarding = { duty, answer })
    this.discarding = null
    const outcome = await this.desk.give({ ...duty.command, action: answer.action, ...(discard ? { discard } : {}) })
    if (outcome.refused) this.stop(0, outcome.refused)
  }

  // Takes the first complete thing that was typed; false where more has to be typed first.
  private async next(): Promise<boolean> {
    await this.sent
    let text = this.text.trimStart()
    while (this.rest && text[0]?.toLowerCase() === this.rest[0]) [text, this.rest] = [text.slice(1), this.rest.slice(1)]
    if (text) this.rest = ''
    this.text = text
    if (!text) return false
    if (text.startsWith(ENTER)) return this.drop(1)
    const duty = this.discarding || this.stopped ? null : toAnswer(this.desk.console)
    if (duty) {
      const answer = answerKeys(duty).get(text[0]!.toLowerCase())
      if (!answer) this.refuse(text[0]!, words.dealer.answers.unknown)
      this.drop(1)
      this.isEnded = Boolean(answer) && !this.text
      if (answer) await this.answer(duty, answer)
      return true
    }
    const [deck, titles] = [this.desk.rules?.deck ?? [], this.desk.rules?.card_titles ?? {}]
    const length = cardLength(text, deck)
    const end = text.indexOf(ENTER)
    if (!length && end < 0) return false
    const said = text.slice(0, length || end)
    this.drop((length || end) + (text[length || end] === ENTER ? 1 : 0))
    const card = readCard(said, deck, titles)
    this.rest = (card && titles[card]?.toLowerCase().startsWith(said.toLowerCase()) && titles[card].slice(length).toLowerCase()) || ''
    this.isEnded = !this.text && end !== length
    if (this.discarding && card) await this.answer(this.discarding.duty, this.discarding.answer, card)
    else this.add(said)
    return true
  }

  private drop(count: number): true {
    this.text = this.text.slice(count)
    return true
  }

  /** Queue what was typed. */
  add(text: string): void {
    const said = text.trim()
    if (!said) return
    const card = readCard(said, this.desk.rules?.deck ?? [], this.desk.rules?.card_titles)
    const entry: Entry = { number: ++this.counted, text: card ?? said, card, state: this.stopped ? 'left-out' : 'waiting' }
    this.list = [...this.list, entry]
    if (!this.stopped) this.sent = this.send()
  }

  /** Show that something was typed where no card could be taken. */
  refuse(text: string, reason: string): void {
    this.list = [...this.list, { number: ++this.counted, text, card: null, state: 'waiting' }]
    this.stop(this.counted, { reason })
  }

  /** Continue, now that the dealer has seen what was refused. */
  acknowledge(): void {
    this.stopped = null
    this.text = ''
    this.list = this.taken
  }

  /** Forget the cards of an earlier round. */
  clear(): void {
    this.discarding = null
    this.list = this.list.filter((entry) => entry.state !== 'taken')
  }

  private sent: Promise<void> = Promise.resolve() // when all that was queued is answered

  private async send(): Promise<void> {
    if (this.isBusy) return this.sent
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
    this.discarding = null
    this.list = this.list.map((entry) => (entry.number === number ? { ...entry, state: 'refused' } : entry.state === 'waiting' ? { ...entry, state: 'left-out' } : entry))
  }
}
