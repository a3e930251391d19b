/** The coach's advice on the present decision, and the decisions it has scored since the page was opened, with their cost. */
import { session } from '../session.svelte'
import type { Schemas } from '../wire/client'

export type Decided = { action: string; best: string; cost_cents: number; isBest: boolean }
export type Given = { round: string; seat: number; answered: number; advice: Schemas['Coached'] }

class CoachedSession {
  decisions = $state<Decided[]>([])
  /** The advice on the decision that is asked now; shared by the panel and the line above the actions. */
  advice = $state.raw<Schemas['Coached'] | null>(null)
  /** Why there is none. */
  refused = $state('')
  /** The last advice and the number of decisions before it, until the table shows what the player did; scored once, however many panels are open. */
  given: Given | null = null

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
    this.advice = this.given = null
  }
}

export const coached = new CoachedSession()
session.whenOther(() => coached.reset())
