/** A step of a recorded round as the felt draws it: the round's own view, with the table's part left empty. */
import type { Schemas } from '../wire/client'
import type { View } from '../wire/live.svelte'

/** Return a recorded step as a view of the table. */
export function recorded(table: string, round: string, seen: Schemas['RoundSeen']): View {
  return {
    table,
    sequence: 0,
    at_bell: null,
    at: 0,
    game: seen.game,
    rules: null,
    is_open: true,
    free_play: false,
    analysis: false,
    held: null,
    dealer: null,
    round: 0,
    round_id: round,
    last_round: null,
    phase: seen.phase,
    seats: seen.seats.map((seat) => ({ ...seat, stack_cents: null, sitting_out: false, given_up: false })),
    cards: seen.table,
    dealer_hand: seen.dealer_hand,
    dealer_qualifies: seen.dealer_qualifies,
    seat_asked: seen.seat_asked,
    until: null,
    actions: [],
    outcome: seen.outcome,
    commitment: '',
    opened: [],
    meters: {},
  }
}
