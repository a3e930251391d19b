/** Bets kept in this browser, so that a reload loses neither the last bet nor the player's presets. */
import { session } from '../../session.svelte'
import type { Stakes } from './stakes.svelte'

/** The last bet, saved bets, and the chips put down in a round with the steps that undo takes back. */
export type KeptBets = { last: Stakes; presets: Stakes[]; round: string; put: Stakes; past: Stakes[] }
const NOTHING: KeptBets = { last: {}, presets: [], round: '', put: {}, past: [] }

const keyOf = (table: string) => `pitboss.bets.${session.me?.name ?? ''}.${table}`

/** Return what was kept for the signed-in player at a table; nothing if it can't be read. */
export function keptBets(table: string): KeptBets {
  try {
    return { ...NOTHING, ...(JSON.parse(localStorage.getItem(keyOf(table)) ?? '{}') as Partial<KeptBets>) }
  } catch {
    return NOTHING // an unreadable note is no reason not to play
  }
}

/** Keep the player's bets at a table. */
export function keepBets(table: string, bets: Partial<KeptBets>): void {
  try {
    localStorage.setItem(keyOf(table), JSON.stringify({ ...keptBets(table), ...bets }))
  } catch {
    // a full or forbidden storage only means that a reload forgets
  }
}
