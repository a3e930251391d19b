/** Why a wager had its result: the clauses in plain words, the paytable line, and the rulings that apply. */
import type { Rules } from '../../felt/geometry'
import { ask, type Schemas } from '../../wire/client'

type Clauses = Record<string, Schemas['ClauseShown']>
type Ruling = Schemas['RulingShown']
type Line = Schemas['PaytableLine']
export type Explained = { clause: string | null; odds: string | null; line: Line | null; lowest: Line | null; rulings: Ruling[] }

const kept = new Map<string, Promise<{ clauses: Clauses; rulings: Ruling[] }>>()

/** Return the explanation of a result under the rules of a table. */
export async function explained(rules: Rules, result: Schemas['Result']): Promise<Explained> {
  const { clauses, rulings } = await bookOf(rules.game)
  const cited = [result.clause, result.odds_clause].filter((clause) => clause !== null)
  const wager = rules.wagers.find((bet) => bet.name === result.wager)
  const lines = [...(wager?.paytable?.lines ?? []), ...(wager?.envy?.lines ?? [])]
  return {
    clause: summary(clauses, result.clause),
    odds: result.odds_clause ? summary(clauses, result.odds_clause) : null,
    line: result.odds_clause ? (lines.find((line) => line.clause === result.odds_clause) ?? null) : null,
    // The last line of the paytable says what a lost wager would have needed.
    lowest: result.net < 0 && wager?.paytable && !wager.required ? (wager.paytable.lines.at(-1) ?? null) : null,
    // A ruling on the whole section says nothing about this one line of it.
    rulings: rulings.filter((ruling) => rules.rulings.includes(ruling.id) && ruling.clauses.some((clause) => cited.includes(clause))),
  }
}

function bookOf(game: string): Promise<{ clauses: Clauses; rulings: Ruling[] }> {
  const known = kept.get(game)
  if (known) return known
  const values = { name: game }
  const asked = Promise.all([ask('get', '/api/games/{name}/clauses', { values }), ask('get', '/api/games/{name}/rulings', { values })]).then(
    ([clauses, rulings]) => ({ clauses: (clauses.done ?? {}) as Clauses, rulings: rulings.done ?? [] }),
  )
  kept.set(game, asked)
  return asked
}

function summary(clauses: Clauses, clause: string): string | null {
  return clauses[clause]?.summary ?? null
}
