/** The answers given in practice since the page was opened, with their scores. */
import { session } from '../../session.svelte'
import type { Schemas } from '../../wire/client'

export type Answered = { game: string; cards: string[]; action: Schemas['Choice']; best: Schemas['Choice']; score: number; isBest: boolean; cost_units: number }

class Score {
  private all = $state<Answered[]>([])
  /** The game that is practiced now; each game has its own score. */
  game = $state('')

  get answers(): Answered[] {
    return this.all.filter((answer) => answer.game === this.game)
  }

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
    this.all.push(answered)
  }

  /** Forget the answers of every game. */
  forget(): void {
    this.all = []
  }

  /** Start over in this game. */
  reset(): void {
    this.all = this.all.filter((answer) => answer.game !== this.game)
  }
}

export const score = new Score()
session.whenOther(() => score.forget())
