/** The table's current status, in one sentence. */
import type { Rules } from '../../felt/geometry'
import { called } from '../../felt/names'
import type { View } from '../../wire/live.svelte'
import { words } from '../../words'
import { locale } from '../../words/locale.svelte'
import { actionTitle } from './announcements'
import type { Seat } from './at-table.svelte'
import { sum } from './stakes.svelte'

const t = words.table.now

/** Return the sentence for a player or a spectator. */
export function saying(rules: Rules, view: View, own: Seat[]): string {
  if (view.held) return t.held
  if (view.outcome === 'void') return t.void
  const staked = own.reduce((all, seat) => all + sum(seat.stakes), 0)
  switch (view.phase) {
    case 'wagering':
      return staked ? t.placed(staked) : t.wagering
    case 'dealing':
      return t.dealing
    case 'asking': {
      if (own.some((seat) => seat.seat === view.seat_asked)) return t.asksYou(questionOf(rules, view.actions), own.length > 1 ? view.seat_asked : null)
      const asked = view.seats.find((seat) => seat.seat === view.seat_asked)
      return asked ? t.asksOther(called(asked)) : t.dealing
    }
    case 'settling':
      return t.settling
    case 'awaiting-meter':
    case 'awaiting-verification':
      return t.meter
    case 'over':
      return own.some((seat) => seat.results.length) ? t.overWith(own.reduce((all, seat) => all + netOf(seat), 0)) : t.over
    default:
      return t.waiting
  }
}

/** Return what a seat has won or lost so far. */
export function netOf(seat: Seat): number {
  return seat.results.reduce((all, result) => all + result.net, seat.envy_cents)
}

// Two decisions can share an action; the current one has all that are offered.
function questionOf(rules: Rules, offered: string[]): string {
  // The question names its actions, in English; one that isn't offered now is not named.
  const titles = offered.map((name) => actionTitle(rules, name))
  const steps = [...new Set(rules.actions.map((action) => action.step))]
  const step = steps.find((each) => offered.every((name) => rules.actions.some((action) => action.step === each && action.name === name))) ?? ''
  const isComplete = rules.actions.filter((action) => action.step === step).every((action) => offered.includes(action.name))
  return isComplete && locale.language === 'en' ? step : words.table.either(titles).toLowerCase()
}
