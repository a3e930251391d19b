/** What can be done at a table from the Floor page: when it makes sense, and what it needs. */
import type { Schemas } from '../../wire/client'
import type { View } from '../../wire/live.svelte'
import { words } from '../../words'
import type { Tile } from './floor-tables.svelte'

export type Ask = {
  name: string
  label: string
  input: 'heap' | 'pieces' | 'text' | 'choice' | 'count' | 'booking'
  choices?: string[]
  titles?: Record<string, string> // of the choices, where they have others than everywhere
  note?: (chosen: string) => string // what has to be known of a choice
  optional?: boolean
}
export type Action = {
  kind: string
  group: 'table' | 'chips' | 'cards' | 'rules'
  asks: (equipment: Schemas['Equipment'] | null, view: View | null) => Ask[]
  when: (tile: Tile, equipment: Schemas['Equipment'] | null) => boolean
  form?: 'submitted' | 'rounds' | 'limits' | 'tray' // a form of its own
  permission?: string // where it is not the kind
  sends?: Record<string, unknown> // what the command says besides its inputs
  isOffice?: boolean // the back office takes it, with the table's name
}

const t = words.floor.fields
// Under money controls, slips and counts by two people take the place of these.
const isFree = (equipment: Schemas['Equipment'] | null) => !equipment?.money
const isControlled = (equipment: Schemas['Equipment'] | null) => Boolean(equipment?.money)
const pieces: Ask = { name: 'chips', label: words.controls.chips, input: 'pieces' }
const isOpen = (tile: Tile) => tile.summary.is_open
const isResting = (tile: Tile) => tile.summary.is_open && tile.phase === null
const hasDecks = (tile: Tile, equipment: Schemas['Equipment'] | null) => isResting(tile) && !tile.summary.is_automatic && Boolean(equipment?.decks.length)
const deck = (equipment: Schemas['Equipment'] | null): Ask => ({ name: 'deck', label: t.deck, input: 'choice', choices: equipment?.decks.map((entry) => entry.deck) ?? [] })
// The floor frees a seat between rounds; in a round its player gives it up, or two people confirm that the player left.
const isInPlay = (view: View | null, seat: string) => view !== null && !['wagering', 'over', null].includes(view.phase) && view.seats.some((seated) => String(seated.seat) === seat && seated.status !== null)
const seats = (view: View | null): Ask => ({
  name: 'seat',
  label: t.seat,
  input: 'choice',
  choices: view?.seats.map((seat) => String(seat.seat)) ?? [],
  titles: Object.fromEntries(view?.seats.map((seat) => [String(seat.seat), `${words.dealer.seat(seat.seat)} · ${seat.player}${seat.given_up ? ` · ${words.dealer.gaveUp}` : ''}`]) ?? []),
  note: (seat) => (isInPlay(view, seat) ? words.floor.actions.inPlay : ''),
})
const inState = (equipment: Schemas['Equipment'] | null, fits: (state: string) => boolean) => equipment?.devices.filter((device) => fits(device.state)).map((device) => device.device) ?? []
const isWorking = (state: string) => state === 'in-service'
const isOut = (state: string) => state !== 'in-service' && state !== 'absent'

const SEATS_MOST = 9
// A seat that doesn't exist is refused with the reason; the floor's view lists only those taken.
const freeSeats = (equipment: Schemas['Equipment'] | null, view: View | null) => Array.from({ length: SEATS_MOST }, (_, index) => String(index + 1)).filter((seat) => !view?.seats.some((seated) => String(seated.seat) === seat) && !equipment?.pit.reserved.some((kept) => String(kept.seat) === seat))

export const ACTIONS: Action[] = [
  { kind: 'OpenTable', group: 'table', when: (tile, equipment) => isFree(equipment) && !isOpen(tile) && tile.summary.game !== null, asks: () => [{ name: 'tray_cents', label: t.counted, input: 'heap' }] },
  { kind: 'CloseTable', group: 'table', when: (tile, equipment) => isFree(equipment) && (isResting(tile) || tile.phase === 'wagering'), asks: () => [{ name: 'tray_cents', label: t.counted, input: 'heap' }] },
  { kind: 'LeaveSeat', group: 'table', when: (tile) => tile.summary.players.length > 0, asks: (_, view) => [seats(view)] },
  { kind: 'AnswerCall', group: 'table', when: (_, equipment) => equipment?.pit.called_at != null, asks: () => [] },
  { kind: 'ChangeLimits', group: 'table', when: (tile, equipment) => Boolean(equipment?.pit.limits.length) && (tile.phase === null || tile.phase === 'wagering'), asks: () => [], form: 'limits' },
  {
    kind: 'ReserveSeat',
    group: 'table',
    when: (tile) => isOpen(tile) && !tile.summary.is_automatic && tile.summary.players.length < tile.summary.seats,
    asks: (equipment, view) => [
      { name: 'seat', label: t.seat, input: 'choice', choices: freeSeats(equipment, view), titles: Object.fromEntries(freeSeats(equipment, view).map((seat) => [seat, words.dealer.seat(Number(seat))])) },
      { name: 'player', label: t.reservedFor, input: 'text', optional: true },
      { name: 'minutes', label: t.minutes, input: 'count', optional: true },
    ],
  },
  {
    kind: 'WithdrawLease',
    group: 'table',
    when: (tile) => tile.dealer !== null && !tile.summary.is_automatic,
    asks: () => [
      { name: 'reason', label: t.reason, input: 'text' },
      { name: 'dealer', label: t.dealer, input: 'text', optional: true },
    ],
  },
  { kind: 'Fill', group: 'chips', when: (tile, equipment) => isFree(equipment) && isOpen(tile) && !tile.summary.is_automatic, asks: () => [{ name: 'cents', label: t.heap, input: 'heap' }] },
  { kind: 'Credit', group: 'chips', when: (tile, equipment) => isFree(equipment) && isOpen(tile) && !tile.summary.is_automatic, asks: () => [{ name: 'cents', label: t.heap, input: 'heap' }] },
  { kind: 'CountInventory', group: 'chips', when: (tile, equipment) => isFree(equipment) && isResting(tile), asks: () => [{ name: 'tray_cents', label: t.counted, input: 'heap' }] },
  { kind: 'CountTray', group: 'chips', form: 'tray', when: (tile, equipment) => isControlled(equipment) && (!isOpen(tile) || isResting(tile)), asks: () => [] },
  { kind: 'RequestFill', group: 'chips', isOffice: true, when: (_, equipment) => isControlled(equipment), asks: () => [pieces] },
  { kind: 'RequestCredit', group: 'chips', isOffice: true, when: (tile, equipment) => isControlled(equipment) && isOpen(tile), asks: () => [pieces] },
  { kind: 'PullBox', group: 'chips', isOffice: true, when: (_, equipment) => isControlled(equipment), asks: () => [] },
  {
    kind: 'Correct',
    group: 'chips',
    when: (tile) => isOpen(tile) && !tile.summary.is_automatic,
    asks: () => [
      { name: 'entry', label: t.entry, input: 'booking' },
      { name: 'reason', label: t.reason, input: 'text' },
    ],
  },
  { kind: 'OrderRecut', group: 'cards', when: hasDecks, asks: (equipment) => [deck(equipment)] },
  { kind: 'DirectShuffle', group: 'cards', when: hasDecks, asks: (equipment) => [deck(equipment)] },
  {
    kind: 'RemoveDeck',
    group: 'cards',
    when: hasDecks,
    asks: (equipment) => [deck(equipment), { name: 'reason', label: t.reason, input: 'choice', choices: ['set-apart', 'hours', 'defect', 'wrong-count', 'irregularity'] }],
  },
  { kind: 'FailDevice', group: 'cards', when: (tile, equipment) => !tile.summary.is_automatic && inState(equipment, isWorking).length > 0, asks: (equipment) => [{ name: 'device', label: t.device, input: 'choice', choices: inState(equipment, isWorking) }] },
  {
    kind: 'TakeOutDevice',
    group: 'cards',
    when: (tile, equipment) => !tile.summary.is_automatic && inState(equipment, (state) => state === 'failed').length > 0,
    asks: (equipment) => [
      { name: 'device', label: t.device, input: 'choice', choices: inState(equipment, (state) => state === 'failed') },
      { name: 'how', label: t.how, input: 'choice', choices: ['covered', 'marked', 'removed'] },
    ],
  },
  { kind: 'ReturnDevice', group: 'cards', when: (tile, equipment) => !tile.summary.is_automatic && inState(equipment, isOut).length > 0, asks: (equipment) => [{ name: 'device', label: t.device, input: 'choice', choices: inState(equipment, isOut) }] },
  {
    kind: 'EnrollReader',
    group: 'cards',
    when: (_, equipment) => Boolean(equipment?.card_source),
    asks: () => [
      { name: 'reader', label: t.reader, input: 'text' },
      { name: 'key', label: t.key, input: 'text' },
    ],
  },
  {
    kind: 'RetireReader',
    group: 'cards',
    when: (_, equipment) => Boolean(equipment?.card_source?.readers.length),
    asks: (equipment) => [
      { name: 'reader', label: t.reader, input: 'choice', choices: equipment?.card_source?.readers ?? [] },
      { name: 'reason', label: t.reason, input: 'text' },
    ],
  },
  {
    kind: 'EnrollSensor',
    group: 'cards',
    when: () => false, // on the page of readers and sensors
    asks: () => [
      { name: 'sensor', label: t.sensor, input: 'text' },
      { name: 'key', label: t.key, input: 'text' },
    ],
  },
  {
    kind: 'RetireSensor',
    group: 'cards',
    when: () => false,
    asks: () => [
      { name: 'sensor', label: t.sensor, input: 'choice', choices: [] },
      { name: 'reason', label: t.reason, input: 'text' },
    ],
  },
  { kind: 'KeyboardOn', permission: 'SwitchKeyboard', sends: { kind: 'SwitchKeyboard', is_on: true }, group: 'cards', when: (_, equipment) => equipment?.card_source?.by === 'reader', asks: () => [{ name: 'reason', label: t.reason, input: 'text' }] },
  { kind: 'KeyboardOff', permission: 'SwitchKeyboard', sends: { kind: 'SwitchKeyboard', is_on: false }, group: 'cards', when: (_, equipment) => equipment?.card_source?.by === 'keyboard', asks: () => [{ name: 'reason', label: t.reason, input: 'text' }] },
  {
    kind: 'ChangeDealing',
    group: 'cards',
    when: (tile) => isResting(tile) && !tile.summary.is_automatic,
    asks: (equipment) => [{ name: 'method', label: t.method, input: 'choice', choices: ['automated-shoe', 'manual-shoe', 'hand'].filter((method) => method !== equipment?.method) }],
  },
  { kind: 'ActivateSubmission', group: 'rules', when: (tile) => !tile.summary.is_automatic, asks: () => [], form: 'submitted' },
  { kind: 'Verify', group: 'rules', permission: 'RecallRounds', when: (tile) => tile.summary.round > 0, asks: () => [], form: 'rounds' },
]
