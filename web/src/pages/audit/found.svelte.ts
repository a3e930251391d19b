/** A search of the record and its results. */
import { ask, type Refused, type Schemas } from '../../wire/client'

export type Listed = Schemas['RoundInList']
export type Wanted = { table: string; player: string; outcome: '' | 'settled' | 'void'; from: string; to: string }

export const ANY: Wanted = { table: '', player: '', outcome: '', from: '', to: '' }

/** Rounds that fit a search, page by page. */
export class Rounds {
  wanted = $state<Wanted>({ ...ANY })
  rounds = $state.raw<Listed[]>([])
  next = $state.raw<string | null>(null)
  isLooking = $state(false)
  refused = $state.raw<Refused | null>(null)
  #asked = 0

  /** Search again. */
  look(): Promise<void> {
    return this.#page(null)
  }

  /** Add the next page to what is listed. */
  more(): Promise<void> {
    return this.#page(this.next)
  }

  async #page(after: string | null): Promise<void> {
    const number = ++this.#asked
    this.isLooking = true
    const { table, player, outcome, from, to } = this.wanted
    const values = { table, player: player.trim(), outcome, from: time(from), to: time(to), after }
    const answer = await ask('get', '/api/audit/rounds', { values })
    if (number !== this.#asked) return
    this.isLooking = false
    this.refused = answer.refused ?? null
    if (!answer.done) return
    this.rounds = after === null ? answer.done.rounds : [...this.rounds, ...answer.done.rounds]
    this.next = answer.done.next
  }
}

/** The record of a table as it was last verified here. */
export class Verification {
  found = $state.raw<Schemas['Verified'] | null>(null)
  isVerifying = $state(false)
  refused = $state.raw<Refused | null>(null)
  #asked = 0

  /** Check a table's record with all its rounds, or the record of a round's table with only that round. */
  async verify(what: { table: string } | { round: string }): Promise<void> {
    const number = ++this.#asked
    this.isVerifying = true
    this.found = null
    const answer = await ask('post', '/api/audit/verify', { values: what })
    if (number !== this.#asked) return
    this.isVerifying = false
    this.found = answer.done ?? null
    this.refused = answer.refused ?? null
  }
}

/** The moment chosen, read as UTC like all times in the record. */
export function time(chosen: string): number | undefined {
  const at = chosen ? Date.parse(`${chosen}Z`) : NaN
  return Number.isNaN(at) ? undefined : at
}
