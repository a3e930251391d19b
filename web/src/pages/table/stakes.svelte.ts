/** The chips a player puts down before betting: dependent wagers, what is missing, and undo. */
import type { Rules } from '../../felt/geometry'
import type { Schemas } from '../../wire/client'
import { words } from '../../words'

export type Stakes = Record<string, number>
type Wager = Schemas['WagerAtTable']

const t = words.table.bets

/** Return the stakes with wagers that must be equal set to the same amount. */
export function linked(rules: Rules, stakes: Stakes): Stakes {
  const found: Stakes = {}
  const most = (name: string) => Math.max(...tied(rules, name).map((each) => stakes[each] ?? 0))
  for (const wager of placeable(rules)) {
    const cents = wager.equals ? (wager.required || stakes[wager.name] ? most(wager.equals) : 0) : most(wager.name)
    if (cents) found[wager.name] = cents
  }
  return found
}

// A wager, and those that always equal it.
function tied(rules: Rules, name: string): string[] {
  return [name, ...placeable(rules).flatMap((wager) => (wager.equals === name && wager.required ? [wager.name] : []))]
}

/** Return the wagers that are placed before the deal. */
export function placeable(rules: Rules): Wager[] {
  return rules.wagers.filter((wager) => !wager.by_action)
}

/** Return what a wager takes, in words. */
export function limitsOf(rules: Rules, wager: Wager): string {
  if (wager.by_action) return t.byAction(wager.title)
  if (wager.equals) return t.follows(wager.title, titleOf(rules, wager.equals))
  if (wager.fixed_stakes) return t.takesOnly(wager.title, wager.fixed_stakes)
  return t.takes(wager.title, wager.minimum_cents, wager.maximum_cents)
}

/** Return the sum of stakes. */
export function sum(stakes: Stakes): number {
  return Object.values(stakes).reduce((all, stake) => all + stake, 0)
}

/** Return the wagers that take a match play coupon. */
export function couponWagers(rules: Rules): Wager[] {
  return rules.wagers.filter((wager) => wager.takes_coupon)
}

export function titleOf(rules: Rules, name: string): string {
  return rules.wagers.find((wager) => wager.name === name)?.title ?? name
}

const sorted = (coupons: Stakes) => Object.entries(coupons).sort(([name], [other]) => name.localeCompare(other))

export class StakePlan {
  put = $state.raw<Stakes>({})
  /** The faces of coupons put down with the chips, by wager. */
  private laid = $state.raw<Stakes>({})
  chip = $state(500)
  /** Why the last chip was refused. */
  note = $state<string | null>(null)
  last = $state.raw<Stakes>({})
  private past = $state.raw<{ put: Stakes; laid: Stakes }[]>([])

  constructor(
    readonly rules: Rules,
    lying: Stakes,
    coupons: Stakes = {},
    private readonly onchange: (put: Stakes, past: Stakes[]) => void = () => {},
  ) {
    this.put = lying
    this.laid = coupons
    this.chip = Math.max(500, [100, 500, 2500, 10_000].findLast((chip) => chip <= (rules.minimum_cents ?? 0)) ?? 100)
  }

  get stakes(): Stakes {
    return linked(this.rules, this.put)
  }

  /** The coupons on wagers that have chips. */
  get coupons(): Stakes {
    const stakes = this.stakes
    return Object.fromEntries(Object.entries(this.laid).filter(([name]) => stakes[name]))
  }

  get total(): number {
    return sum(this.stakes)
  }

  /** Say whether the chips put down differ from the placed bet. */
  differsFrom(lying: Stakes, coupons: Stakes = {}): boolean {
    return JSON.stringify(this.stakes) !== JSON.stringify(linked(this.rules, lying)) || JSON.stringify(sorted(this.coupons)) !== JSON.stringify(sorted(coupons))
  }

  /** Add a coupon to a wager, or note why that isn't possible. */
  lay(name: string, cents: number): boolean {
    const [wager, most] = [this.wager(name), this.rules.coupon_most_cents ?? Infinity]
    const staked = this.stakes[name] ?? 0
    this.note = !staked ? `${t.coupon.chipsFirst(wager.title)}.` : cents > most ? `${t.coupon.atMost(most)}.` : cents > staked ? `${t.coupon.needsChips(cents, wager.title, staked)}.` : null
    if (this.note) return false
    this.change(this.put, { ...this.laid, [name]: cents })
    return true
  }

  /** Remove a coupon. */
  takeCoupon(name: string): void {
    const { [name]: _, ...left } = this.laid
    this.change(this.put, left)
  }

  /** Put the chosen chip on an area, or note why that isn't possible. */
  add(name: string, chip = this.chip): void {
    const wager = this.wager(name)
    const limits = wager.equals && wager.required ? this.wager(wager.equals) : wager
    const now = this.put[name] ?? 0
    const lacks = wager.needs.filter((needed) => !this.stakes[needed] && needed !== limits.name)
    if (lacks.length) return void (this.note = `${t.needs(wager.title, lacks.map((needed) => titleOf(this.rules, needed)))}. (${wager.cite})`)
    const next = this.raised(limits, now, chip)
    if (next === now) return void (this.note = `${limitsOf(this.rules, limits)}.`)
    const before = this.stakes[limits.name]
    this.change({ ...this.put, [name]: next })
    // The chips are already there, from the wager it must equal.
    const other = tied(this.rules, limits.name).find((each) => each !== name)
    if (other && before && before === this.stakes[limits.name]) this.note = t.equal(wager.title, titleOf(this.rules, other), before)
  }

  /** Take the chosen chip, or what is left, off an area and off those that equal it. */
  take(name: string): void {
    const asked = this.wager(name)
    const wager = asked.equals && asked.required ? this.wager(asked.equals) : asked
    const now = this.stakes[wager.name] ?? 0
    if (!now) return
    const left = wager.fixed_stakes ? 0 : Math.max(0, now - this.chip)
    const next = { ...this.put }
    for (const each of tied(this.rules, wager.name)) {
      if (left) next[each] = left
      else delete next[each]
    }
    this.change(this.without(next))
  }

  clear(): void {
    if (Object.keys(this.put).length) this.change({}, {})
  }

  undo(): void {
    const before = this.past.at(-1)
    this.past = this.past.slice(0, -1)
    if (before) [this.put, this.laid] = [before.put, before.laid]
    this.note = null
    this.tell()
  }

  get canUndo(): boolean {
    return this.past.length > 0
  }

  repeat(): void {
    this.layOut(this.last)
  }

  /** Put down a whole bet. */
  layOut(stakes: Stakes): void {
    if (Object.keys(stakes).length) this.change({ ...stakes })
  }

  /** Go on where a reload broke off: the chips put down, and the steps that undo takes back. */
  resume(put: Stakes, past: Stakes[]): void {
    this.put = put
    this.past = past.map((step) => ({ put: step, laid: {} }))
  }

  /** Clear the undo history: a round starts, or the bet is placed. */
  settle(stakes: Stakes, coupons: Stakes = {}): void {
    this.past = []
    this.note = null
    this.put = stakes
    this.laid = coupons
  }

  /** Return why these stakes can't be bet, or null. */
  fault(stackCents: number): string | null {
    const stakes = this.stakes
    for (const wager of placeable(this.rules)) {
      const cents = stakes[wager.name]
      if (!cents) {
        if (wager.required && !wager.equals) return `${t.missing(wager.title, limitsOf(this.rules, wager))}.`
        continue
      }
      const lacks = wager.needs.filter((needed) => !stakes[needed])
      if (lacks.length) return `${t.needs(wager.title, lacks.map((needed) => titleOf(this.rules, needed)))}.`
      if (wager.fixed_stakes ? !wager.fixed_stakes.includes(cents) : cents < (wager.minimum_cents ?? 0) || cents > (wager.maximum_cents ?? Infinity))
        return `${limitsOf(this.rules, wager)}.`
      if (wager.step_cents && cents % wager.step_cents) return `${t.steps(wager.title, wager.step_cents)}.`
    }
    for (const [name, face] of Object.entries(this.coupons)) {
      if (face > stakes[name]!) return `${t.coupon.needsChips(face, titleOf(this.rules, name), stakes[name]!)}.`
    }
    return sum(stakes) > stackCents ? `${t.stack(stackCents)}.` : null
  }

  private wager(name: string): Wager {
    return this.rules.wagers.find((wager) => wager.name === name)!
  }

  private raised(wager: Wager, now: number, chip: number): number {
    if (wager.fixed_stakes) return wager.fixed_stakes.find((stake) => stake > now) ?? now
    return Math.min(now + chip, wager.maximum_cents ?? Infinity)
  }

  private without(stakes: Stakes): Stakes {
    const whole = linked(this.rules, stakes)
    const standing = Object.entries(stakes).filter(([name]) => whole[name] && this.wager(name).needs.every((needed) => whole[needed]))
    const left = Object.fromEntries(standing)
    return standing.length === Object.keys(stakes).length ? left : this.without(left)
  }

  private change(next: Stakes, laid = this.laid): void {
    this.past = [...this.past, { put: this.put, laid: this.laid }]
    this.note = null
    this.put = next
    this.laid = laid
    this.tell()
  }

  private tell(): void {
    this.onchange(this.put, this.past.map((step) => step.put))
  }
}
