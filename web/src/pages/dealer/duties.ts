/** What a console says is to be done, which of it comes first, and what still has to be filled in. */
import { short, suited } from '../../cards/faces'
import type { Schemas } from '../../wire/client'
import type { View } from '../../wire/live.svelte'
import { words } from '../../words'
import { keysFor } from '../table/keys'

export type Command = { kind: string } & Record<string, unknown>
/** What the server sends of a kind; it leaves no field out. */
type Sent<Name extends keyof Schemas> = Required<Schemas[Name]>
export type Duty = Omit<Sent<'DutyShown'>, 'command' | 'answers'> & { command: Command; answers: Answer[] }
export type Answer = Sent<'AnswerShown'>
export type Patron = Sent<'PatronShown'>
export type RefusedNow = Sent<'RefusedNow'>
export type Held = Sent<'HeldShown'>
export type PaidOut = Sent<'PaidOut'>
export type PayoutShown = Sent<'PayoutShown'>
export type Console = Omit<Sent<'Console'>, 'duties' | 'refused' | 'paid' | 'patrons'> & { duties: Duty[]; refused: RefusedNow[]; paid: PaidOut[]; patrons: Patron[] }
export type Field = {
  name: string
  label: string
  input: 'count' | 'card' | 'places' | 'text' | 'choice' | 'flag' | 'money'
  choices?: string[]
  hint?: string
  start?: string
  when?: (values: Record<string, string>) => boolean // asked only then
}

const t = words.dealer
const ANSWERED_ELSEWHERE = ['confirm'] // shown as proposals, with what is to be confirmed

// Between rounds the dealer records what a player does with the cards, like looking them over or cutting them.
function isSeenToBy(duty: Duty, console: Console, roles: readonly string[]): boolean {
  return duty.roles.some((role) => roles.includes(role)) || (console.phase === null && duty.roles.includes('player') && roles.includes('dealer'))
}

/** The duties one of these roles sees to, those of play first while a round is played. */
export function ownDuties(console: Console, roles: readonly string[]): Duty[] {
  const own = console.duties.filter((duty) => !ANSWERED_ELSEWHERE.includes(duty.id) && isSeenToBy(duty, console, roles))
  if (console.phase === null) return own
  return [...own.filter((duty) => duty.command.kind !== 'ConfirmDuty'), ...own.filter((duty) => duty.command.kind === 'ConfirmDuty')]
}

/** Whether a duty waits for another: its command would be refused, and not only because something has to be filled in. */
export function mustWait(duty: Duty, console: Console): boolean {
  return console.refused.some((refusal) => refusal.command === duty.command.kind && !refusal.field)
}

/** What a dealer waits for, where the next step is a player's or the floor's. */
export function awaited(console: Console, roles: readonly string[]): Duty | null {
  const first = console.duties.find((duty) => !ANSWERED_ELSEWHERE.includes(duty.id))
  if (!first || isSeenToBy(first, console, roles)) return null
  return first.command.kind === 'ConfirmDuty' && console.phase !== null ? null : first
}

/** The device out of service that a duty waits for, where one does: what the card says instead, and for whom it waits. */
export function deviceOut(duty: Duty, console: Console, equipment: Schemas['Equipment'] | null): { text: string; clause: string | null; note: string } | null {
  const out = equipment?.devices.find((machine) => machine.device === duty.device)
  if (!out) return null
  const device = (t.devices[out.device] ?? out.device).toLowerCase()
  const isByHand = duty.command.kind === 'ShuffleDeck' && duty.command.way === 'manual'
  const waits = isByHand ? t.out.byHand(device) : console.phase === null ? t.out.between(device) : t.out.inRound(device)
  return {
    text: t.out.says(device, t.deviceStates[out.state] ?? out.state, out.device === 'shoe'),
    clause: out.clause,
    note: duty.jam ? `${waits} ${t.out.jammed(device)}` : waits,
  }
}

/** The duty to enter a player's answer, where that is the next step. */
export function toAnswer(console: Console | null): Duty | null {
  const first = console?.duties.find((duty) => !ANSWERED_ELSEWHERE.includes(duty.id))
  return first?.answers.length ? first : null
}

/** The key of each answer: the digit in its title, else its first free letter. */
export function answerKeys(duty: Duty): Map<string, Answer> {
  const keys = keysFor(duty.answers.map((answer) => answer.title))
  return new Map(duty.answers.flatMap((answer) => (keys.has(answer.title) ? [[keys.get(answer.title)!, answer]] : [])))
}

/** How much of what was typed is a whole card: as and Td are two letters, 10d is three; 0 where more is needed. */
export function cardLength(text: string, deck: readonly string[]): number {
  const length = text.startsWith('10') ? 3 : 2
  const said = text.slice(0, length)
  return said.length === length && readCard(said, deck) ? length : 0
}

/** What the dealer has to know about the reader of the table's cards, where one reads them. */
export function readerNote(source: Console['card_source']): string {
  if (source?.by !== 'reader') return ''
  if (source.missing === 'not-enrolled') return t.reader.notEnrolled
  return (source.missing === 'not-heard' ? t.reader.notHeard : t.reader.reads)(source.readers)
}

/** What has to be filled in before a duty's command can be given. */
export function missing(duty: Duty, rules: Schemas['TableRules'] | null, view: View | null): Field[] {
  const all = FIELDS[duty.command.kind]?.(duty, rules, view) ?? []
  return all.filter((field) => (duty.command[field.name] === undefined || duty.command[field.name] === null) && !onlyChoice(field))
}

/** What a duty's command gets without asking: where there is only one choice, it is made. */
export function settled(duty: Duty, rules: Schemas['TableRules'] | null): Record<string, string> {
  const all = FIELDS[duty.command.kind]?.(duty, rules, null) ?? []
  return Object.fromEntries(all.flatMap((field) => (duty.command[field.name] === undefined && onlyChoice(field) ? [[field.name, onlyChoice(field)!]] : [])))
}

/** What a step's inputs begin with: a deck goes through the shuffler, unless it is out of service. */
export function usual(duty: Duty, equipment: Schemas['Equipment'] | null): Record<string, string> {
  if (duty.command.kind !== 'ShuffleDeck' || !equipment) return {}
  const shuffler = equipment.devices.find((machine) => machine.device === 'shuffler')
  return { way: shuffler?.state === 'in-service' ? 'device' : 'manual' }
}

// A seat is named even where only one is taken: it says whom a report is about.
function onlyChoice(field: Field): string | null {
  return field.input === 'choice' && field.choices?.length === 1 && field.name !== 'seat' ? field.choices[0]! : null
}

/** The words on a duty's button. */
export function label(duty: Duty): string {
  return t.does[duty.command.kind] ?? duty.text
}

/** How many seats staked on a wager that draws on meters. */
export function progressiveWagers(rules: Schemas['TableRules'] | null, view: View | null): number {
  const drawing = rules?.wagers.filter((wager) => wager.meters.length).map((wager) => wager.name) ?? []
  return view?.seats.filter((seat) => drawing.some((name) => seat.stakes[name])).length ?? 0
}

type Needs = (duty: Duty, rules: Schemas['TableRules'] | null, view: View | null) => Field[]

const counted: Needs = () => [{ name: 'cards', label: t.fields.cards, input: 'count' }]

const FIELDS: Record<string, Needs> = {
  CloseBets: (duty, rules, view) => {
    const count = progressiveWagers(rules, view)
    return count || duty.id === 'recount' ? [{ name: 'progressive_chips', label: t.fields.progressive_chips, input: 'count', hint: t.hints.progressive_chips(count) }] : []
  },
  ReadCard: () => [{ name: 'card', label: t.fields.card, input: 'card', hint: t.hints.card }],
  ReceiveDeck: () => [
    { name: 'deck', label: t.fields.deck, input: 'text', hint: t.hints.deck },
    { name: 'preinspected', label: t.fields.preinspected, input: 'flag' },
    { name: 'preshuffled', label: t.fields.preshuffled, input: 'flag' },
  ],
  ShuffleDeck: (_, rules) => [{ name: 'way', label: t.fields.way, input: 'choice', choices: rules?.shuffler === 'none' ? ['manual'] : ['device', 'manual'] }],
  ReadDeviceCount: counted,
  CountDeck: counted,
  CountStub: counted,
  CutDeck: () => [{ name: 'cards', label: t.fields.cutCards, input: 'count' }],
  RemoveDeck: () => [{ name: 'reason', label: t.fields.reason, input: 'choice', choices: ['set-apart', 'hours', 'defect', 'wrong-count', 'irregularity'] }],
  FindMisdeal: () => [
    { name: 'misdealt', label: t.fields.misdealt, input: 'choice', choices: ['yes', 'no'] },
    { name: 'cards_in_deck', label: t.fields.cards_in_deck, input: 'count' },
  ],
  ResolveDispute: () => [
    { name: 'outcome', label: t.dispute.outcome, input: 'choice', choices: ['stands', 'void', 'resettle'] },
    { name: 'note', label: t.dispute.why, input: 'text' },
    { name: 'cards', label: t.dispute.cards, input: 'places', hint: t.dispute.cardsHint, when: (values) => values.outcome === 'resettle' },
  ],
  OpenTable: () => [{ name: 'tray_cents', label: t.fields.tray, input: 'money' }],
  ReportIrregularity: (duty, rules, view) => {
    const known = rules?.irregularities.find((irregularity) => irregularity.name === duty.command.irregularity)
    const seats = view?.seats.map((seat) => String(seat.seat)) ?? []
    const rulings = known?.rulings ?? (duty.command.irregularity === 'deck-count-wrong' ? ['continue', 'void'] : [])
    return [
      ...(known?.needs.seat ? [{ name: 'seat', label: t.fields.seat, input: 'choice', choices: seats } as Field] : []),
      ...(rulings.length ? [{ name: 'ruling', label: t.fields.ruling, input: 'choice', choices: rulings } as Field] : []),
      ...(known?.limbs.length ? [{ name: 'limb', label: t.fields.limb, input: 'choice', choices: known.limbs.map((limb) => limb.name) } as Field] : []),
      ...(known?.needs.note ? [{ name: 'note', label: t.fields.note, input: 'text' } as Field] : []),
    ]
  },
}

/** A field's text as the command carries it, or null where it cannot be read. */
export function valueOf(field: Field, text: string, deck: readonly string[] = []): unknown {
  const said = text.trim()
  if (field.input === 'flag') return said === 'yes'
  if (field.input === 'count') return /^\d{1,6}$/.test(said) ? Number(said) : null
  if (field.input === 'money') return /^\d{1,9}(\.\d\d)?$/.test(said) ? Math.round(Number(said) * 100) : null
  if (field.input === 'card') return readCard(said, deck)
  if (field.input === 'places') return placesOf(said, deck)
  if (field.name === 'misdealt') return said === 'yes'
  if (field.name === 'seat') return said ? Number(said) : null
  return said || null
}

// Cards by place, as in "2: Ah Kd; dealer: Qs Jc"; nothing where none are corrected.
function placesOf(text: string, deck: readonly string[]): Record<string, string[]> | null {
  const found: Record<string, string[]> = {}
  for (const part of text.split(';').filter((each) => each.trim())) {
    const [place, cards] = part.split(':').map((each) => each.trim())
    const read = (cards ?? '').split(/[\s,]+/).filter(Boolean).map((card) => readCard(card, deck))
    if (!place || !read.length || read.includes(null)) return null
    found[place.toLowerCase().replace(/^seat /, '')] = read as string[]
  }
  return found
}

/** The card meant by what was typed: as, 10d and Td are cards of the 52; cards of other decks by face or by name. */
export function readCard(text: string, deck: readonly string[], titles: Record<string, string> = {}): string | null {
  const said = text.trim().replace(/^10/, 'T').toLowerCase()
  return deck.find((card) => card.toLowerCase() === said) ?? deck.find((card) => titles[card]?.toLowerCase() === said) ?? null
}

/** How the cards of a deck are typed: rank and suit, or each letter pair with the name on the card. */
export function howToType(deck: readonly string[], titles: Record<string, string> = {}): string {
  const named = [...new Set(deck)].filter((card) => titles[card] && !suited(card))
  return named.length ? named.map((card) => `${card} ${short(card, titles)}`).join(', ') : t.hints.card
}
