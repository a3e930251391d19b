/** What goes on at the table now, in one sentence. */
import type { Rules } from '../../felt/geometry'
import { called } from '../../felt/names'
import type { View } from '../../wire/live.svelte'
import { words } from '../../words'
import type { Seat } from './at-table.svelte'
import { sum } from './stakes.svelte'

const t = words.table.now

/** Return the sentence for somebody at a seat, or watching. */
export function saying(rules: Rules, view: View, seat: Seat | null): string {
  if (view.outcome === 'void') return t.void
  const staked = sum(seat?.stakes ?? {})
  switch (view.phase) {
    case 'wagering':
      return staked ? t.placed(staked) : t.wagering
    case 'dealing':
      return t.dealing
    case 'asking': {
      if (seat && view.seat_asked === seat.seat) return t.asksYou(questionOf(rules, view.actions))
      const asked = view.seats.find((one) => one.seat === view.seat_asked)
      return asked ? t.asksOther(called(asked.player)) : t.dealing
    }
    case 'settling':
      return t.settling
    case 'awaiting-meter':
      return t.meter
    case 'over':
      return seat?.results.length ? t.overWith(seat.results.reduce((all, one) => all + one.net, seat.envy_cents)) : t.over
    default:
      return t.waiting
  }
}

// Two questions may share an answer; the one asked now has all that are offered.
function questionOf(rules: Rules, offered: string[]): string {
  const steps = [...new Set(rules.actions.map((one) => one.step))]
  return steps.find((step) => offered.every((name) => rules.actions.some((one) => one.step === step && one.name === name))) ?? ''
}
