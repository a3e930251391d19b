/** Somebody at a table: the table as it stands, their seats and chips, what they last won, and what they ask of it. */
import { untrack } from 'svelte'
import type { Rules } from '../../felt/geometry'
import { session } from '../../session.svelte'
import { ask, type Refused } from '../../wire/client'
import { LiveTable, type View } from '../../wire/live.svelte'
import { words } from '../../words'
import { told } from './telling'
import { StakePlan, sum } from './stakes.svelte'
import { WatchedTable, type Followed } from './watched.svelte'

export type Seat = View['seats'][number]

/** A round one has wagers in, kept until the next one is settled. */
export type Kept = { round: number; seat: Seat; dealerHand: string | null; dealerQualifies: boolean | null; outcome: string | null; clause: string | null }

export class AtTable {
  rules = $state.raw<Rules | null>(null)
  plan = $state.raw<StakePlan | null>(null)
  refused = $state.raw<Refused | null>(null)
  isAsking = $state(false)
  chosenCard = $state<string | null>(null)
  kept = $state.raw<Kept | null>(null)
  said = $state.raw<string[]>([])
  /** What the floor ruled in this round. */
  notice = $state<string | null>(null)
  private chosenSeat = $state<number | null>(null)
  private followed = $state.raw<Followed | null>(null)
  // By name alone: a purse that changes is no reason to connect anew.
  private who = $derived(session.isKnown ? (session.me?.name ?? '') : null)
  private before: View | null = null
  private version: string | null = null

  constructor(readonly table: string) {
    $effect(() => {
      const who = this.who
      if (who === null) return
      return untrack(() => {
        const followed = who ? new LiveTable(table) : new WatchedTable(table)
        this.followed = followed
        return () => followed.stop()
      })
    })
    $effect(() => {
      const view = this.view
      if (view && view.rules !== this.version) untrack(() => void this.learn(view.rules))
    })
    $effect(() => {
      const [view, rules] = [this.view, this.rules]
      if (view && rules) untrack(() => this.seen(view, rules))
    })
  }

  get view(): View | null {
    return this.followed?.view ?? null
  }

  get connection() {
    return this.followed?.connection ?? 'connecting'
  }

  get cannotFollow(): Refused | null {
    return this.followed?.refused ?? null
  }

  /** How far the server's clock is ahead. */
  get ahead(): number {
    return this.followed?.ahead ?? 0
  }

  get mySeats(): number[] {
    const me = session.me?.name
    return me ? (this.view?.seats.filter((one) => one.player === me).map((one) => one.seat) ?? []) : []
  }

  /** The seat of one's own that is drawn large: the one that is asked, or the one chosen. */
  get mySeat(): number | null {
    const [mine, asked] = [this.mySeats, this.view?.seat_asked ?? null]
    if (asked !== null && mine.includes(asked)) return asked
    return this.chosenSeat !== null && mine.includes(this.chosenSeat) ? this.chosenSeat : (mine[0] ?? null)
  }

  get seat(): Seat | null {
    return this.view?.seats.find((one) => one.seat === this.mySeat) ?? null
  }

  get stackCents(): number {
    return this.seat?.stack_cents ?? 0
  }

  /** What lies on one's seat before bets are closed can be spent anew. */
  get spendableCents(): number {
    return this.stackCents + (this.view?.phase === 'wagering' ? sum(this.seat?.stakes ?? {}) : 0)
  }

  get isAsked(): boolean {
    return this.view?.seat_asked != null && this.view.seat_asked === this.mySeat && this.view.actions.length > 0
  }

  get canBet(): boolean {
    return this.mySeat !== null && this.view?.phase === 'wagering'
  }

  choose(seat: number): void {
    this.chosenSeat = seat
  }

  /** Ask something of the table; a refusal stays in view until the next. */
  async give(body: Record<string, unknown>): Promise<boolean> {
    if (!this.followed || this.isAsking) return false
    this.isAsking = true
    this.refused = null
    const outcome = await this.followed.give(body)
    this.isAsking = false
    this.refused = outcome.refused ?? null
    return outcome.done !== undefined
  }

  async bet(): Promise<void> {
    const plan = this.plan
    if (!plan || this.mySeat === null || !this.canBet) return
    const stakes = plan.stakes
    const isDone = Object.keys(stakes).length
      ? await this.give({ kind: 'PlaceWagers', seat: this.mySeat, stakes })
      : await this.give({ kind: 'WithdrawWagers', seat: this.mySeat })
    if (!isDone) return
    if (Object.keys(stakes).length) plan.last = plan.put
    plan.settle(plan.put)
  }

  async act(action: string, discards: boolean): Promise<void> {
    if (!this.isAsked) return
    const discard = discards ? { discard: this.chosenCard } : {}
    if (await this.give({ kind: 'Act', seat: this.mySeat, action, ...discard })) this.chosenCard = null
  }

  private async learn(version: string | null): Promise<void> {
    this.version = version
    const answer = await ask('get', '/api/tables/{table}/rules', { values: { table: this.table } })
    if (!answer.done) return
    this.rules = answer.done
    this.plan = new StakePlan(answer.done)
  }

  private seen(view: View, rules: Rules): void {
    const before = this.before
    this.before = view
    const said = before && before.sequence !== view.sequence ? told(rules, before, view, this.mySeats) : []
    if (said.length) this.said = said
    if (!before || before.round_id !== view.round_id) {
      const lying = this.seat?.stakes ?? {}
      this.plan?.settle(view.phase === 'wagering' ? { ...lying } : {})
      this.chosenCard = null
      this.notice = null
      if (before) this.refused = null
    }
    for (const one of this.followed?.events ?? []) {
      if (one.kind === 'round.IrregularityRuled') this.notice = words.table.now.irregularity(one.clause)
      if (one.kind === 'round.WagerReturned') this.notice = words.table.now.wagerReturned(one.clause)
    }
    const seat = this.seat
    const isVoid = view.outcome === 'void'
    if (seat && (seat.results.length || (isVoid && seat.status !== null))) {
      const clause = this.followed?.events.find((one) => one.kind === 'round.RoundVoided')?.clause ?? (this.kept?.round === view.round ? this.kept.clause : null)
      this.kept = { round: view.round, seat, dealerHand: view.dealer_hand, dealerQualifies: view.dealer_qualifies, outcome: view.outcome, clause }
    }
    if (before && before.phase !== 'over' && view.phase === 'over') void session.look()
  }
}
