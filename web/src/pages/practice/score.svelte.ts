/** What somebody answered in practice since they came to the page, and how well. */
import { session } from '../../session.svelte'

export type Answered = { cards: string[]; action: string; best: string; score: number; isBest: boolean; cost_units: number }

class Score {
  answers = $state<Answered[]>([])

  get hands(): number {
    return this.answers.length
  }

  get mean(): number {
    return this.hands ? Math.round(this.answers.reduce((sum, one) => sum + one.score, 0) / this.hands) : 0
  }

  get right(): number {
    return this.answers.filter((one) => one.isBest).length
  }

  get cost_units(): number {
    return this.answers.reduce((sum, one) => sum + one.cost_units, 0)
  }

  /** Take in an answer. */
  add(answered: Answered): void {
    this.answers.push(answered)
  }

  /** Begin again at nothing. */
  reset(): void {
    this.answers = []
  }
}

export const score = new Score()
session.whenOther(() => score.reset())
