/** The answers given in practice since the page was opened, with their scores. */
import { session } from '../../session.svelte'
import type { Schemas } from '../../wire/client'

export type Answered = { cards: string[]; action: Schemas['Choice']; best: Schemas['Choice']; score: number; isBest: boolean; cost_units: number }

class Score {
  answers = $state<Answered[]>([])

  get hands(): number {
    return this.answers.length
  }

  get mean(): number {
    return this.hands ? Math.round(this.answers.reduce((sum, answer) => sum + answer.score, 0) / this.hands) : 0
  }

  get right(): number {
    return this.answers.filter((answer) => answer.isBest).length
  }

  get cost_units(): number {
    return this.answers.reduce((sum, answer) => sum + answer.cost_units, 0)
  }

  /** Record an answer. */
  add(answered: Answered): void {
    this.answers.push(answered)
  }

  /** Start over. */
  reset(): void {
    this.answers = []
  }
}

export const score = new Score()
session.whenOther(() => score.reset())
