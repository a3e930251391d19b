/** A step of a recorded round as the felt draws it: the round's own view, with the table's part left empty. */
import type { View } from '../wire/live.svelte'

type Seen = { phase?: string; seats?: Partial<View['seats'][number]>[]; table?: View['cards']; cards?: View['cards']; seat_asked?: number | null; outcome?: string | null; dealer_hand?: string | null; dealer_qualifies?: boolean | null }

/** Return a recorded step as a view of the table. */
export function recorded(table: string, round: string, seen: Record<string, unknown>): View {
  const step = seen as Seen
  return {
    table,
    sequence: 0,
    at: 0,
    game: null,
    rules: null,
    is_open: true,
    free_play: false,
    analysis: false,
    held: null,
    dealer: null,
    round: 0,
    round_id: round,
    last_round: null,
    phase: step.phase ?? null,
    seats: (step.seats ?? []).map((one) => ({
      seat: one.seat ?? 0,
      player: one.player ?? '',
      stack_cents: null,
      status: one.status ?? null,
      stakes: one.stakes ?? {},
      cards: one.cards ?? [],
      discard: one.discard ?? null,
      hand: one.hand ?? null,
      results: one.results ?? [],
      envy_cents: one.envy_cents ?? 0,
      envy: one.envy ?? [],
      acted: one.acted ?? [],
      sitting_out: false,
      coupons: one.coupons ?? {},
      given_up: false,
    })),
    cards: step.table ?? step.cards ?? {},
    dealer_hand: step.dealer_hand ?? null,
    dealer_qualifies: step.dealer_qualifies ?? null,
    seat_asked: step.seat_asked ?? null,
    until: null,
    actions: [],
    outcome: step.outcome ?? null,
    commitment: '',
    opened: [],
    meters: {},
  }
}
