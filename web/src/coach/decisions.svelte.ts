/** The player's decisions the coach has scored since the page was opened, and their cost. */
import { session } from '../session.svelte'

export type Decided = { action: string; best: string; cost_cents: number; isBest: boolean }

class CoachedSession {
  decisions = $state<Decided[]>([])

  get last(): Decided | undefined {
    return this.decisions.at(-1)
  }

  get total_cents(): number {
    return this.decisions.reduce((sum, decision) => sum + decision.cost_cents, 0)
  }

  get right(): number {
    return this.decisions.filter((decision) => decision.isBest).length
  }

  /** Add a decision. */
  add(decided: Decided): void {
    this.decisions.push(decided)
  }

  /** Start over. */
  reset(): void {
    this.decisions = []
  }
}

export const coached = new CoachedSession()
session.whenOther(() => coached.reset())
