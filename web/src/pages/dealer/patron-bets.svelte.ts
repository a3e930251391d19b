/** The chips that players without a device put down, as the dealer enters them: planned by key, then sent in order. */
import { DENOMINATIONS } from '../../felt/chips'
import type { Rules } from '../../felt/geometry'
import type { Refused } from '../../wire/client'
import { keysFor } from '../table/keys'
import { linked, placeable, StakePlan, sum, type Stakes } from '../table/stakes.svelte'
import type { Command, Patron } from './duties'
import type { WorkedTable } from './worked-table.svelte'

/** The key of each chip: the first letter of its color. */
export const CHIP_KEYS: Record<string, number> = { w: DENOMINATIONS[0], r: DENOMINATIONS[1], g: DENOMINATIONS[2], b: DENOMINATIONS[3], p: DENOMINATIONS[4] }
export const SAME = '='
/** The key, with Shift, of each way money or chips come and go. */
export const MONEY_KEYS: Record<string, string> = { cash: 'c', brought: 'b', color: 'u', out: 'o', tip: 't', leave: 'l' }

/** The key of each betting area beside the first, by wager. */
export function patronAreas(rules: Rules): Map<string, string> {
  const wagers = placeable(rules).filter((wager) => !(wager.equals && wager.required))
  const keys = keysFor(wagers.map((wager) => wager.title.replace(/[0-9]/g, '')), Object.keys(CHIP_KEYS))
  return new Map(wagers.flatMap((wager) => { const key = keys.get(wager.title.replace(/[0-9]/g, '')); return key ? [[key, wager.name] as [string, string]] : [] }))
}

export class PatronBets {
  seat = $state<number | null>(null)
  area = $state('')
  refused = $state.raw<Refused | null>(null)
  private plans = $state.raw<Record<number, StakePlan>>({})
  private sent: Promise<void> = Promise.resolve()

  constructor(
    private readonly desk: WorkedTable,
    private readonly rulesNow: () => Rules,
  ) {}

  private get rules(): Rules {
    return this.rulesNow()
  }

  /** What a seat has down, with what isn't sent yet. */
  stakes(patron: Patron): Stakes {
    return this.plans[patron.seat]?.stakes ?? patron.stakes
  }

  isPlanned(seat: number): boolean {
    return this.plans[seat] !== undefined
  }

  get hasPlans(): boolean {
    return Object.keys(this.plans).length > 0
  }

  /** Why the last chip was refused. */
  get note(): string | null {
    return (this.seat !== null && this.plans[this.seat]?.note) || null
  }

  /** Turn to a seat; what was put down at another one is sent. */
  choose(seat: number): void {
    if (seat !== this.seat) this.send()
    this.seat = seat
    this.area = placeable(this.rules).find((wager) => wager.required)?.name ?? ''
  }

  /** Put a chip on the chosen area of the chosen seat. */
  add(patron: Patron, cents: number): void {
    this.plan(patron).add(this.area, cents)
  }

  /** Put a fixed stake on an area, or turn to it so that the next chips go there. */
  turnTo(patron: Patron, wager: string): void {
    this.area = wager
    const fixed = this.rules.wagers.find((each) => each.name === wager)?.fixed_stakes
    if (fixed) this.plan(patron).add(wager)
  }

  /** Take all chips of a seat back. */
  clear(patron: Patron): void {
    this.plan(patron).clear()
  }

  /** Send what isn't sent, in the order of the seats. */
  send(): void {
    const plans = this.plans
    this.plans = {}
    for (const [seat, plan] of Object.entries(plans)) {
      const stakes = linked(this.rules, plan.stakes)
      this.give(sum(stakes) ? { kind: 'PlaceWagers', seat: Number(seat), stakes } : { kind: 'WithdrawWagers', seat: Number(seat) })
    }
  }

  /** Give commands after those before them; where one is refused, those behind it in the same breath aren't given. */
  give(...commands: Command[]): void {
    this.sent = this.sent.then(async () => {
      for (const command of commands) {
        this.refused = (await this.desk.give(command)).refused ?? null
        if (this.refused) return
      }
    })
  }

  /** Forget what wasn't sent: bets are closed. */
  forget(): void {
    this.plans = {}
  }

  private plan(patron: Patron): StakePlan {
    const known = this.plans[patron.seat]
    if (known) return known
    const made = new StakePlan(this.rules, patron.stakes)
    this.plans = { ...this.plans, [patron.seat]: made }
    return made
  }
}
