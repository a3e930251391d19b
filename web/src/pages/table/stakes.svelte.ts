/** The stakes somebody puts down before they bet: what follows what, what is missing, and the way back. */
import type { Rules } from '../../felt/geometry'
import type { Schemas } from '../../wire/client'
import { words } from '../../words'

export type Stakes = Record<string, number>
type Wager = Schemas['WagerAtTable']

const t = words.table.bets

/** Return the stakes with every wager that equals another made equal to it. */
export function linked(rules: Rules, stakes: Stakes): Stakes {
  const found: Stakes = {}
  for (const wager of placeable(rules)) {
    const cents = wager.equals ? (wager.required || stakes[wager.name] ? stakes[wager.equals] : undefined) : stakes[wager.name]
    if (cents) found[wager.name] = cents
  }
  return found
}

/** Return the wagers that are placed before the deal. */
export function placeable(rules: Rules): Wager[] {
  return rules.wagers.filter((one) => !one.by_action)
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
  return Object.values(stakes).reduce((all, one) => all + one, 0)
}

export function titleOf(rules: Rules, name: string): string {
  return rules.wagers.find((one) => one.name === name)?.title ?? name
}

export class StakePlan {
  put = $state.raw<Stakes>({})
  chip = $state(500)
  /** Why the last chip was not taken. */
  note = $state<string | null>(null)
  last = $state.raw<Stakes>({})
  private past: Stakes[] = []

  constructor(
    readonly rules: Rules,
    lying: Stakes,
  ) {
    this.put = lying
    this.chip = Math.max(500, [100, 500, 2500, 10_000].findLast((one) => one <= (rules.minimum_cents ?? 0)) ?? 100)
  }

  get stakes(): Stakes {
    return linked(this.rules, this.put)
  }

  get total(): number {
    return sum(this.stakes)
  }

  /** Say whether what is put down is not what lies on the layout. */
  differsFrom(lying: Stakes): boolean {
    return JSON.stringify(this.stakes) !== JSON.stringify(linked(this.rules, lying))
  }

  /** Put the chosen chip on an area, or say why it cannot lie there. */
  add(name: string, chip = this.chip): void {
    const asked = this.wager(name)
    const wager = asked.equals && asked.required ? this.wager(asked.equals) : asked
    const now = this.put[wager.name] ?? 0
    const lacks = wager.needs.filter((one) => !this.stakes[one])
    if (lacks.length) return void (this.note = `${t.needs(wager.title, lacks.map((one) => titleOf(this.rules, one)))}. (${wager.cite})`)
    const next = this.raised(wager, now, chip)
    if (next === now) return void (this.note = `${limitsOf(this.rules, wager)}.`)
    this.change({ ...this.put, [wager.name]: next })
  }

  /** Take the chosen chip, or what is left, off an area. */
  take(name: string): void {
    const asked = this.wager(name)
    const wager = asked.equals && asked.required ? this.wager(asked.equals) : asked
    const now = this.put[wager.name] ?? 0
    if (!now) return
    const next = { ...this.put }
    if (wager.fixed_stakes || now <= this.chip) delete next[wager.name]
    else next[wager.name] = now - this.chip
    this.change(this.without(next))
  }

  clear(): void {
    if (Object.keys(this.put).length) this.change({})
  }

  undo(): void {
    const before = this.past.pop()
    if (before) this.put = before
    this.note = null
  }

  get canUndo(): boolean {
    return this.past.length > 0 && this.put !== undefined
  }

  repeat(): void {
    if (Object.keys(this.last).length) this.change({ ...this.last })
  }

  /** Forget the way back: a round begins, or the stakes lie on the layout. */
  settle(stakes: Stakes): void {
    this.past = []
    this.note = null
    this.put = stakes
  }

  /** Return what stands in the way of betting these stakes, or null. */
  fault(stackCents: number): string | null {
    const stakes = this.stakes
    for (const wager of placeable(this.rules)) {
      const cents = stakes[wager.name]
      if (!cents) {
        if (wager.required && !wager.equals) return `${t.missing(wager.title, limitsOf(this.rules, wager))}.`
        continue
      }
      const lacks = wager.needs.filter((one) => !stakes[one])
      if (lacks.length) return `${t.needs(wager.title, lacks.map((one) => titleOf(this.rules, one)))}.`
      if (wager.fixed_stakes ? !wager.fixed_stakes.includes(cents) : cents < (wager.minimum_cents ?? 0) || cents > (wager.maximum_cents ?? Infinity))
        return `${limitsOf(this.rules, wager)}.`
      if (wager.step_cents && cents % wager.step_cents) return `${t.steps(wager.title, wager.step_cents)}.`
    }
    return sum(stakes) > stackCents ? `${t.stack(stackCents)}.` : null
  }

  private wager(name: string): Wager {
    return this.rules.wagers.find((one) => one.name === name)!
  }

  private raised(wager: Wager, now: number, chip: number): number {
    if (wager.fixed_stakes) return wager.fixed_stakes.find((one) => one > now) ?? now
    return Math.min(now + chip, wager.maximum_cents ?? Infinity)
  }

  private without(stakes: Stakes): Stakes {
    const whole = linked(this.rules, stakes)
    const standing = Object.entries(stakes).filter(([name]) => this.wager(name).needs.every((one) => whole[one]))
    const left = Object.fromEntries(standing)
    return standing.length === Object.keys(stakes).length ? left : this.without(left)
  }

  private change(next: Stakes): void {
    this.past = [...this.past, this.put]
    this.note = null
    this.put = next
  }
}
