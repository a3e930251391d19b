/** A user at a table: the table's current view, their seats, chips and last results, and their commands. */
import { untrack } from 'svelte'
import type { Rules } from '../../felt/geometry'
import { play, type Sound } from '../../parts/sounds'
import { preferences } from '../../preferences.svelte'
import { session } from '../../session.svelte'
import { ask, type Refused } from '../../wire/client'
import { LiveTable, type View } from '../../wire/live.svelte'
import { words } from '../../words'
import { actionTitle, told } from './announcements'
import { heard } from './heard'
import { keepBets, keptBets } from './kept-bets'
import { placeable, StakePlan, sum, type Stakes } from './stakes.svelte'
import { WatchedTable, type Followed } from './watched.svelte'

export type Seat = View['seats'][number]

const AGAIN_MS = 1_000
const BUY_IN_TIMES = 50 // of the table's minimum
const PRESETS_MOST = 3
const LIT_MS = 1_600
const CAPTION_MS = 2_500
const BELL_MS = 1_200 // how close to the end of the time an action counts as taken by the clock

/** A round the user bet in, kept until the next one is settled. */
export type Kept = { round: number; rules: Rules; seats: Seat[]; dealerHand: string | null; dealerQualifies: boolean | null; outcome: string | null; clause: string | null }

export class AtTable {
  rules = $state.raw<Rules | null>(null)
  refused = $state.raw<Refused | null>(null)
  isAsking = $state(false)
  chosenCard = $state<string | null>(null)
  kept = $state.raw<Kept | null>(null)
  said = $state.raw<string[]>([])
  /** The paying wager that is shown now, and the faces that win it; one after another once a round is settled. */
  lit = $state.raw<{ wager: string; faces: string[] } | null>(null)
  private lighting = 0
  /** What is heard now, for captions. */
  heard = $state.raw<Sound[]>([])
  private hearing = 0
  /** Bets the player saved at this table. */
  presets = $state.raw<Stakes[]>([])
  /** What the floor ruled in this round. */
  notice = $state<string | null>(null)
  private answered = '' // the decision that was answered here
  private betsNext = false // Enter was pressed while a bet was under way
  private chosenSeat = $state<number | null>(null)
  private plans = $state.raw<Record<number, StakePlan>>({}) // by seat
  private followed = $state.raw<Followed | null>(null)
  // Only the name: a changed balance is no reason to reconnect. A user whose session ended sees that, and isn't switched to watching.
  private who = $derived(session.isKnown ? (session.me?.name ?? (this.connection === 'signed-out' ? null : '')) : null)
  /** The user's own seats. */
  own = $derived.by(() => {
    const me = session.me?.name
    return me ? (this.view?.seats.filter((seat) => seat.player === me) ?? []) : []
  })
  private before: View | null = null
  private inForce = $derived(this.view?.rules ?? null)

  constructor(readonly table: string, comesToSit = false) {
    $effect(() => {
      const who = this.who
      if (who === null) return
      return untrack(() => {
        this.forget()
        const followed = who ? new LiveTable(table, comesToSit) : new WatchedTable(table)
        this.followed = followed
        return () => followed.stop()
      })
    })
    $effect(() => {
      const version = this.inForce
      return untrack(() => (version === null || version === this.rules?.version ? undefined : this.learn()))
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

  /** What players said a moment ago, in words, by seat. */
  get reactions(): Record<number, string> {
    if (!preferences.reactions) return {}
    return Object.fromEntries(Object.entries(this.followed?.reactions ?? {}).map(([seat, reaction]) => [seat, words.table.reactions.said[reaction]]))
  }

  /** How far the server's clock is ahead. */
  get ahead(): number {
    return this.followed?.ahead ?? 0
  }

  get mySeats(): number[] {
    return this.own.map((seat) => seat.seat)
  }

  /** The user's seat that is drawn large: the one to act, or the one chosen. */
  get mySeat(): number | null {
    const [mine, asked] = [this.mySeats, this.view?.seat_asked ?? null]
    if (asked !== null && mine.includes(asked)) return asked
    return this.chosenSeat !== null && mine.includes(this.chosenSeat) ? this.chosenSeat : (mine[0] ?? null)
  }

  get seat(): Seat | null {
    return this.own.find((seat) => seat.seat === this.mySeat) ?? null
  }

  /** What is put down on that seat. */
  get plan(): StakePlan | null {
    return this.mySeat === null ? null : (this.plans[this.mySeat] ?? null)
  }

  get mayPlay(): boolean {
    return session.is('player')
  }

  /** The empty seats next to the user's own, or all empty seats if they have none. */
  get beside(): number[] {
    const [view, rules, mine] = [this.view, this.rules, this.mySeats]
    if (!view?.is_open || !rules || !this.mayPlay) return []
    const empty = Array.from({ length: rules.seats }, (_, index) => index + 1).filter((seat) => !view.seats.some((taken) => taken.seat === seat))
    return mine.length ? empty.filter((seat) => mine.some((own) => Math.abs(own - seat) === 1)) : empty
  }

  /** The seats that may be taken. */
  get free(): number[] {
    return this.mySeats.length < (this.rules?.per_player ?? 1) ? this.beside : []
  }

  get stackCents(): number {
    return this.seat?.stack_cents ?? 0
  }

  /** The chips put down on one of the user's seats. */
  planOf(seat: number): StakePlan | null {
    return this.plans[seat] ?? null
  }

  /** The user's seats whose chips differ from the placed bet. */
  get changed(): { seat: Seat; plan: StakePlan }[] {
    if (!this.canBet) return []
    return this.own.flatMap((seat) => {
      const plan = this.plans[seat.seat]
      return plan?.differsFrom(seat.stakes, seat.coupons) ? [{ seat, plan }] : []
    })
  }

  /** What may be put down on a seat: until bets close, chips already bet can be moved. */
  spendableCents(seat: number): number {
    if (this.view?.phase !== 'wagering') return this.stackCents
    const elsewhere = this.own.filter((other) => other.seat !== seat).reduce((all, other) => all + (this.plans[other.seat]?.total ?? 0), 0)
    return this.stackCents + this.own.reduce((all, own) => all + sum(own.stakes), 0) - elsewhere
  }

  get isAsked(): boolean {
    if (this.view?.held) return false // no actions or bets until the floor has ruled
    return this.view?.seat_asked != null && this.view.seat_asked === this.mySeat && this.view.actions.length > 0
  }

  get canBet(): boolean {
    return this.mySeat !== null && this.view?.phase === 'wagering' && !this.view.held
  }

  choose(seat: number): void {
    const [here, there] = [this.plan, this.plans[seat]]
    if (here && there) there.chip = here.chip
    this.chosenSeat = seat
  }

  /** Send a command; a refusal stays in view until the next one. */
  async give(body: Record<string, unknown>): Promise<boolean> {
    const isDone = (await this.giveAll([body])) === 1
    if (this.betsNext) void this.bet()
    return isDone
  }

  /** Take a seat with chips, in one step. */
  async sitDown(seat: number): Promise<void> {
    const cents = Math.min(BUY_IN_TIMES * (this.rules?.minimum_cents ?? 500), session.held(this.rules?.free_play))
    if (!(await this.give({ kind: 'TakeSeat', seat }))) return
    this.choose(seat)
    if (cents > 0) await this.give({ kind: 'BuyIn', cents })
    void session.look()
  }

  /** Place the bets of all the user's seats. */
  async bet(): Promise<void> {
    // Pressed while the last bet is being sent: the chips put down by then are bet next.
    if (this.isAsking) return void (this.betsNext = true)
    const changed = this.changed.map(({ seat, plan }) => ({ seat: seat.seat, plan, put: plan.put, stakes: plan.stakes, coupons: plan.coupons }))
    const bodies = changed.map(({ seat, stakes, coupons }) => (sum(stakes) ? { kind: 'PlaceWagers', seat, stakes, ...(sum(coupons) ? { coupons } : {}) } : { kind: 'WithdrawWagers', seat }))
    this.betsNext = false
    if (!changed.length || (await this.giveAll(bodies)) < changed.length) return
    const isMore = changed.some(({ plan, stakes, coupons }) => plan.differsFrom(stakes, coupons))
    for (const { plan, put, stakes, coupons } of changed) {
      if (sum(stakes)) {
        plan.last = put
        keepBets(this.table, { last: put })
      }
      if (!plan.differsFrom(stakes, coupons)) plan.settle(plan.put, coupons)
    }
    if (this.betsNext && isMore) await this.bet()
  }

  async act(action: string, discards: boolean): Promise<void> {
    if (!this.isAsked) return
    this.answered = `${this.view?.round_id} ${this.mySeat} ${this.seat?.acted.length}`
    const discard = discards ? { discard: this.chosenCard } : {}
    if (await this.give({ kind: 'Act', seat: this.mySeat, action, ...discard })) this.chosenCard = null
  }

  // One user's data isn't shown to the next.
  private forget(): void {
    this.before = this.kept = this.refused = this.notice = this.chosenCard = null
    this.plans = {}
    this.said = []
  }

  // Retry until the rules are loaded, other rules are in force, or the page is closed.
  private learn(): () => void {
    let isWanted = true
    let again = 0
    const read = async (): Promise<void> => {
      const answer = await ask('get', '/api/tables/{table}/rules', { values: { table: this.table } })
      if (!isWanted) return
      if (!answer.done) return void (again = window.setTimeout(() => void read(), AGAIN_MS))
      this.plans = {}
      this.rules = answer.done
    }
    void read()
    return () => {
      isWanted = false
      clearTimeout(again)
    }
  }

  // At the same time, because bets may close as soon as the first one is placed.
  private async giveAll(bodies: Record<string, unknown>[]): Promise<number> {
    const followed = this.followed
    if (!followed || this.isAsking) return 0
    this.isAsking = true
    this.refused = null
    const outcomes = await Promise.all(bodies.map((body) => followed.give(body)))
    this.isAsking = false
    if (followed === this.followed) this.refused = outcomes.find((outcome) => outcome.refused)?.refused ?? null
    return outcomes.filter((outcome) => outcome.done).length
  }

  // Chips put down on a seat are forgotten when the user leaves it.
  private planFor(seats: Seat[], rules: Rules, lying: (seat: Seat) => [Stakes, Stakes]): void {
    if (seats.length === Object.keys(this.plans).length && seats.every((seat) => this.plans[seat.seat])) return
    this.plans = Object.fromEntries(seats.map((seat) => [seat.seat, this.plans[seat.seat] ?? this.newPlan(seat, rules, lying(seat))]))
  }

  // What a reload would lose is kept in this browser: for the first seat, which is the only one of most players.
  private newPlan(seat: Seat, rules: Rules, lying: [Stakes, Stakes]): StakePlan {
    const [kept, round] = [keptBets(this.table), this.view?.round_id ?? '']
    const isFirst = seat.seat === this.own[0]?.seat
    const plan = new StakePlan(rules, ...lying, (put, past) => isFirst && keepBets(this.table, { put, past, round: this.view?.round_id ?? '' }))
    const known = (stakes: Stakes) => Object.fromEntries(Object.entries(stakes).filter(([name]) => placeable(rules).some((wager) => wager.name === name)))
    plan.last = known(kept.last)
    this.presets = kept.presets.map(known)
    if (isFirst && kept.round === round && this.view?.phase === 'wagering') plan.resume(known(kept.put), kept.past.map(known))
    return plan
  }

  /** Save a bet to put down again with one press; the oldest makes room. */
  savePreset(stakes: Stakes): void {
    const others = this.presets.filter((preset) => JSON.stringify(preset) !== JSON.stringify(stakes))
    this.presets = [...others, stakes].slice(-PRESETS_MOST)
    keepBets(this.table, { presets: this.presets })
  }

  private sound(sounds: Sound[]): void {
    if (!sounds.length) return
    sounds.forEach(play)
    clearTimeout(this.hearing)
    this.heard = sounds
    this.hearing = window.setTimeout(() => (this.heard = []), CAPTION_MS)
  }

  // Each paying wager in turn, with the cards that win it.
  private light(wagers: string[], seat: Seat | null = null): void {
    clearTimeout(this.lighting)
    const [wager, ...rest] = wagers
    const count = seat?.counted.find((of) => of.wager === wager)?.seat
    this.lit = wager ? { wager, faces: count ? count.cards.filter((_, index) => count.counting[index]) : [] } : null
    if (wager) this.lighting = window.setTimeout(() => this.light(rest, seat), LIT_MS * preferences.slowness)
  }

  // Chips that could not be bet when betting closed go back, and the player is told why.
  private leftOnLayout(own: Seat[]): string | null {
    for (const seat of own) {
      const plan = this.plans[seat.seat]
      if (!plan?.total || sum(seat.stakes) > 0) continue
      const fault = plan.fault(this.stackCents)
      return words.table.now.notBet(plan.total, fault ?? '')
    }
    return null
  }

  // An action that nobody took here, at the end of the time: the clock took it.
  private actedByClock(rules: Rules, before: View, own: Seat[]): string | null {
    const seat = own.find((each) => each.seat === before.seat_asked)
    const was = before.seats.find((each) => each.seat === before.seat_asked)
    const action = was && seat?.acted[was.acted.length]
    if (!action || !before.until || this.answered === `${before.round_id} ${seat.seat} ${was.acted.length}`) return null
    const isLate = Date.now() + this.ahead > before.until - BELL_MS
    return isLate ? words.table.now.bell(actionTitle(rules, action)) : null
  }

  private seen(view: View, rules: Rules): void {
    const before = this.before
    this.before = view
    const own = this.own
    const lying = (seat: Seat): [Stakes, Stakes] => (view.phase === 'wagering' ? [{ ...seat.stakes }, { ...seat.coupons }] : [{}, {}])
    this.planFor(own, rules, lying)
    const said = before && before.sequence !== view.sequence ? told(rules, before, view, this.mySeats) : []
    if (said.length) this.said = said
    if (before && before.sequence !== view.sequence) this.sound(heard(before, view, this.mySeats))
    const isNewRound = !before || before.round_id !== view.round_id
    const left = before?.phase === 'wagering' && (isNewRound || view.phase !== 'wagering') ? this.leftOnLayout(own) : null
    for (const seat of own) {
      const [plan, was] = [this.plans[seat.seat], before?.seats.find((of) => of.seat === seat.seat)]
      const isOther = was?.stakes !== seat.stakes || was.coupons !== seat.coupons
      // Bets changed elsewhere, on another device or by a ruling, are taken over unless the user is changing them here.
      if ((before && isNewRound) || (isOther && !plan?.differsFrom(was?.stakes ?? {}, was?.coupons ?? {}))) plan?.settle(...lying(seat))
    }
    if (isNewRound) {
      this.chosenCard = null
      if (!before || view.phase !== 'wagering' || sum(own[0]?.stakes ?? {})) this.notice = null
      if (before) this.refused = null
    }
    if (before && left) this.notice = left
    const bell = before && !isNewRound ? this.actedByClock(rules, before, own) : null
    if (bell) this.notice = bell
    const events = this.followed?.events ?? []
    for (const event of events) {
      if (event.kind === 'round.IrregularityRuled') this.notice = words.table.now.irregularity(event.clause)
      if (event.kind === 'round.WagerReturned') this.notice = words.table.now.wagerReturned(event.clause)
    }
    const isVoid = view.outcome === 'void'
    const seats = own.filter((seat) => seat.status !== null || seat.results.length)
    if (seats.some((seat) => seat.results.length || isVoid)) {
      const clause = events.find((event) => event.kind === 'round.RoundVoided')?.clause ?? (this.kept?.round === view.round ? this.kept.clause : null)
      const playedBy = this.kept?.round === view.round ? this.kept.rules : rules // other rules may be in force now
      this.kept = { round: view.round, rules: playedBy, seats, dealerHand: view.dealer_hand, dealerQualifies: view.dealer_qualifies, outcome: view.outcome, clause }
    }
    if (isNewRound) this.light([])
    const [seat, had] = [this.seat, before?.seats.find((of) => of.seat === this.mySeat)]
    if (seat && before && seat.results.length > (isNewRound ? 0 : (had?.results.length ?? 0))) this.light(seat.results.filter((result) => result.net > 0).map((result) => result.wager), seat)
    if (before && before.phase !== 'over' && view.phase === 'over') void session.look()
  }
}
