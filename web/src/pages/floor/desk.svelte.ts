/** The floor as the one at its desk may see it, asked for again every two seconds, and what they may do. */
import { ask, type Refused, type Schemas } from '../../wire/client'

export type Tile = Omit<Schemas['Tile'], 'tray_cents' | 'tray_low_cents'> & { tray_cents: number | null; tray_low_cents: number }

const EVERY_MS = 2_000

export class FloorDesk {
  tiles = $state.raw<Tile[] | null>(null)
  noWagers = $state.raw<string | null>(null)
  can = $state.raw<Map<string, Schemas['CommandOpen']> | null>(null)
  refused = $state.raw<Refused | null>(null)
  now = $state(Date.now())

  private timer = 0

  constructor() {
    void this.begin()
  }

  /** Say whether the one at the desk may give a command, alone or as one of two. */
  may(...kinds: string[]): boolean {
    return kinds.some((one) => this.can?.has(one))
  }

  /** The alerts held at all tables, the newest first. */
  get alerts(): Schemas['AlertShown'][] {
    return (this.tiles ?? []).flatMap((one) => one.alerts).sort((one, other) => other.since - one.since)
  }

  /** Ask for the tables anew. */
  async look(): Promise<void> {
    this.now = Date.now()
    if (!this.may('SeeFloor')) return this.lookFromOutside()
    const answer = await ask('get', '/api/floor')
    this.refused = answer.refused ?? null
    if (!answer.done) return
    this.tiles = answer.done.tables
    this.noWagers = answer.done.no_wagers
  }

  stop(): void {
    clearInterval(this.timer)
  }

  private async begin(): Promise<void> {
    const answer = await ask('get', '/api/me/can')
    this.can = new Map((answer.done ?? []).map((one) => [one.command, one]))
    await this.look()
    this.timer = window.setInterval(() => void this.look(), EVERY_MS)
  }

  // The cage, technicians and administrators see of a table what the lobby shows.
  private async lookFromOutside(): Promise<void> {
    const answer = await ask('get', '/api/tables')
    this.refused = answer.refused ?? null
    if (answer.done) this.tiles = answer.done.map(fromSummary)
  }
}

function fromSummary(summary: Schemas['TableSummary']): Tile {
  return {
    summary,
    dealer: summary.dealer,
    phase: summary.phase,
    sequence: summary.round,
    rules: null,
    decks: [],
    devices: {},
    tray_cents: null,
    tray_low_cents: 0,
    proposals: 0,
    alerts: [],
    trouble: null,
    trouble_clause: null,
  }
}

/** How a tile stands, as a shape and a word. */
export type Standing = 'trouble' | 'closed' | 'noRules' | 'noDealer' | 'between' | 'idle' | 'playing'

export function standing(tile: Tile): Standing {
  if (tile.trouble) return 'trouble'
  if (!tile.summary.game) return 'noRules'
  if (!tile.summary.is_open) return 'closed'
  if (!tile.dealer && !tile.summary.is_automatic) return 'noDealer'
  if (tile.phase && (tile.phase !== 'wagering' || tile.summary.players.length)) return 'playing'
  return tile.summary.players.length ? 'between' : 'idle'
}

/** What needs somebody comes first: trouble, alerts, proposals; the rest stays in its order. */
export function byNeed(tiles: Tile[]): Tile[] {
  const need = (one: Tile) => (one.trouble ? 4 : 0) + (one.alerts.length ? 2 : 0) + (one.proposals ? 1 : 0)
  return [...tiles].sort((one, other) => need(other) - need(one))
}
