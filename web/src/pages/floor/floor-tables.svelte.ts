/** The tables of the floor that the user may see, reloaded every two seconds, and what the user may do there. */
import { words } from '../../words'
import { irregularityTitle } from '../../words/irregularities'
import { ask, type Refused, type Schemas } from '../../wire/client'
import { timeThere } from '../../wire/clock'

export type Tile = Omit<Schemas['Tile'], 'today'> & { today: Schemas['Takings'] | null }
export type Equipped = Schemas['TableEquipped']

const EVERY_MS = 2_000

export class FloorTables {
  tiles = $state.raw<Tile[] | null>(null)
  equipped = $state.raw<Equipped[]>([]) // to those who look after chips and devices without running the floor
  private elsewhere = $state.raw<Schemas['AlertShown'][]>([]) // alerts about no table
  noWagers = $state.raw<string | null>(null)
  officeWaits = $state(0) // what waits for a second person in the back office
  dayBeganAt = $state.raw<number | null>(null)
  can = $state.raw<Map<string, Schemas['CommandOpen']> | null>(null)
  refused = $state.raw<Refused | null>(null)
  now = $state(timeThere())

  private timer = 0

  constructor() {
    void this.begin()
  }

  /** Say whether the user may give a command, alone or as one of two people. */
  may(...kinds: string[]): boolean {
    return kinds.some((kind) => this.can?.has(kind))
  }

  /** The alerts held, the newest first: at all tables, and those about accounts, the cage and the record. */
  get alerts(): Schemas['AlertShown'][] {
    return [...this.elsewhere, ...(this.tiles ?? []).flatMap((tile) => tile.alerts)].sort((alert, other) => other.since - alert.since)
  }

  /** Reload the tables. */
  async look(): Promise<void> {
    await (this.may('SeeFloor') ? this.lookOver() : this.lookAfter())
    this.now = timeThere()
  }

  stop(): void {
    clearInterval(this.timer)
  }

  private async begin(): Promise<void> {
    const answer = await ask('get', '/api/me/can')
    this.can = new Map((answer.done ?? []).map((command) => [command.command, command]))
    await this.look()
    this.timer = window.setInterval(() => void this.look(), EVERY_MS)
  }

  private async lookOver(): Promise<void> {
    const answer = await ask('get', '/api/floor')
    this.refused = answer.refused ?? null
    if (!answer.done) return
    this.tiles = answer.done.tables
    this.elsewhere = answer.done.alerts
    this.noWagers = answer.done.no_wagers
    this.dayBeganAt = answer.done.day_began_at
    if (!this.may('ChangeProgressive')) return
    const office = await ask('get', '/api/office/proposals')
    if (office.done) this.officeWaits = office.done.length
  }

  // The cage and technicians see of a table what they look after; administrators nothing.
  private async lookAfter(): Promise<void> {
    if (!this.may('Fill', 'ReturnDevice')) return
    const answer = await ask('get', '/api/floor/equipment')
    this.refused = answer.refused ?? null
    if (!answer.done) return
    this.equipped = answer.done
    this.tiles = answer.done.map(fromEquipped)
  }
}

function fromEquipped({ summary, equipment, tray_low_cents, proposals }: Equipped): Tile {
  return {
    summary,
    dealer: summary.dealer,
    dealer_name: '',
    dealer_badge: '',
    phase: summary.phase,
    sequence: summary.round,
    rules: summary.game,
    decks: equipment.decks.map((deck) => ({ name: deck.deck, stage: deck.stage, since: deck.received_at, due_at: summary.is_automatic ? null : deck.due_at, clause: deck.clause })),
    devices: Object.fromEntries(equipment.devices.map((device) => [device.device, device.state])),
    tray_cents: equipment.tray_cents,
    tray_low_cents,
    today: null,
    proposals,
    todo: [],
    alerts: [],
    trouble: null,
    trouble_kind: null,
    trouble_seats: [],
    trouble_clause: null,
    unconfirmed: [],
  }
}

type Taken = { handle_cents: number; drop_cents: number; win_cents: number }

/** What all tables took in since the gaming day began; of play money only where no table is played for money. */
export function takings(tiles: Tile[]): Taken {
  const money = tiles.filter((tile) => tile.summary.game && !tile.summary.free_play)
  const counted = money.length ? money : tiles
  const sum = (name: keyof Taken) => counted.reduce((total, tile) => total + (tile.today?.[name] ?? 0), 0)
  return { handle_cents: sum('handle_cents'), drop_cents: sum('drop_cents'), win_cents: sum('win_cents') }
}

/** Win to drop as a percentage, where anything was dropped. */
export function holdOf(taken: Schemas['Takings']): number | null {
  if (taken.drop_cents === null || taken.win_cents === null) return null
  return taken.drop_cents > 0 ? (100 * taken.win_cents) / taken.drop_cents : null
}

/** A tile's state, as a shape and a word. */
export type Standing = 'trouble' | 'deserted' | 'closed' | 'noRules' | 'noDealer' | 'between' | 'idle' | 'playing'

export function standing(tile: Tile): Standing {
  if (tile.trouble) return 'trouble'
  if (!tile.summary.game) return 'noRules'
  if (!tile.summary.is_open) return 'closed'
  if (!tile.dealer && !tile.summary.is_automatic) return tile.phase ? 'deserted' : 'noDealer'
  if (tile.phase && (tile.phase !== 'wagering' || tile.summary.players.length)) return 'playing'
  return tile.summary.players.length ? 'between' : 'idle'
}

/** What a table waits to have ruled on, with the seats it concerns. */
export function troubleOf({ trouble_kind, trouble_seats }: Tile): string {
  const title = irregularityTitle(trouble_kind ?? '')
  return trouble_seats.length ? words.dealer.atSeats(title, trouble_seats) : title
}

/** Tables that need attention first: trouble, alerts, proposals; the rest in their own order. */
export function byNeed(tiles: Tile[]): Tile[] {
  const need = (tile: Tile) => (tile.trouble || standing(tile) === 'deserted' ? 4 : 0) + (tile.alerts.length ? 2 : 0) + (tile.proposals || tile.todo.length ? 1 : 0)
  return [...tiles].sort((tile, other) => need(other) - need(tile))
}
