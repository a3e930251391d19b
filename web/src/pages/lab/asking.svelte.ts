/** An answer from the lab, requested again whenever the question changes; the latest one is shown. */
import type { Answer } from '../../wire/client'
import { untilAnswered } from '../../wire/lab-requests'

export class Asking<T> {
  answer = $state.raw<T | null>(null)
  refused = $state.raw<{ reason: string; clause?: string | null } | null>(null)
  waiting = $state('')
  busy = $state(false)
  private last = 0

  /** Send the request; the old answer stays until the new one arrives. */
  async ask(asking: () => Promise<Answer<T>>): Promise<T | null> {
    const number = ++this.last
    this.busy = true
    const answer = await untilAnswered(asking, { isWanted: () => number === this.last, onwait: (reason) => (this.waiting = reason) })
    if (!answer) return null
    this.busy = false
    this.waiting = ''
    this.refused = answer.refused ?? null
    // A refused question has no answer: the last one would be a figure of something else.
    this.answer = answer.done ?? null
    return answer.done ?? null
  }

  /** Stop waiting for an answer. */
  forget(): void {
    this.last++
    this.busy = false
    this.waiting = ''
  }
}
