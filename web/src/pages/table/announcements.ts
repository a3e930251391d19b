/** What changed between two views, as sentences for screen readers. */
import { cardTitle, called } from '../../felt/names'
import type { Rules } from '../../felt/geometry'
import type { View } from '../../wire/live.svelte'
import { words } from '../../words'

type Seat = View['seats'][number]
const t = words.table.told

/** Return sentences for what is new in the later view. */
export function told(rules: Rules, before: View, now: View, mine: number[]): string[] {
  const said: string[] = []
  if (now.round_id !== before.round_id && now.phase === 'wagering') said.push(t.newRound(now.round))
  if (before.phase === 'wagering' && now.phase && now.phase !== 'wagering') said.push(t.closed)
  const isSameRound = now.round_id === before.round_id
  for (const place of rules.places) {
    const seen = isSameRound ? (before.cards[place.place] ?? []) : []
    const fresh = (now.cards[place.place] ?? []).filter((face, index) => face !== null && (seen[index] ?? null) === null)
    if (fresh.length) said.push(t.shows(place.title, fresh.map((face) => cardTitle(face, rules.card_titles))))
  }
  for (const seat of now.seats) {
    const was = before.seats.find((earlier) => earlier.seat === seat.seat)
    said.push(...ofSeat(rules, seat, was, { isSameRound, isOver: now.phase === 'over', isMine: mine.includes(seat.seat), isOneOfSeveral: mine.length > 1 }))
  }
  for (const gone of before.seats) if (!now.seats.some((seat) => seat.seat === gone.seat)) said.push(t.left(gone.seat))
  if (now.dealer_hand && !(isSameRound && before.dealer_hand)) said.push(t.dealer(now.dealer_hand, now.dealer_qualifies))
  if (now.outcome === 'void' && !(isSameRound && before.outcome)) said.push(t.void)
  const isAsked = now.seat_asked !== null && mine.includes(now.seat_asked)
  if (isAsked && !(isSameRound && before.seat_asked === now.seat_asked && before.actions.join() === now.actions.join()))
    said.push(t.yourTurn(now.actions.map((name) => actionTitle(rules, name))))
  return said
}

/** Return an action's title. */
export function actionTitle(rules: Rules, name: string): string {
  return rules.actions.find((action) => action.name === name)?.title ?? name
}

type Seen = { isSameRound: boolean; isOver: boolean; isMine: boolean; isOneOfSeveral: boolean }

function ofSeat(rules: Rules, seat: Seat, was: Seat | undefined, { isSameRound, isOver, isMine, isOneOfSeveral }: Seen): string[] {
  const said: string[] = []
  const who = isMine ? words.table.felt.you : `${words.table.felt.seat(seat.seat)}, ${called(seat)}`
  if (!was) said.push(isMine ? t.satYou(seat.seat) : t.sat(called(seat), seat.seat))
  if (!was && isOver) return said // a player who returns to the seat has heard the hand already
  const had = isSameRound ? was : undefined
  const fresh = seat.cards.filter((face, index) => face !== null && (had?.cards[index] ?? null) === null)
  if (fresh.length) {
    const titles = fresh.map((face) => cardTitle(face, rules.card_titles))
    said.push(isMine ? t.yours(titles) : t.shows(who, titles))
  }
  for (const action of seat.acted.slice(had?.acted.length ?? 0)) said.push(t.acted(who, actionTitle(rules, action)))
  const fallen = seat.results.filter((result) => !had?.results.some((of) => of.wager === result.wager))
  if (isMine && seat.hand && !had?.hand) said.push(t.hand(seat.hand))
  if (isMine && fallen.length) {
    for (const result of fallen) said.push(t.result(rules.wagers.find((wager) => wager.name === result.wager)?.title ?? result.wager, result.net, result.odds))
    if (seat.envy_cents) said.push(t.envy(seat.envy_cents))
    const isSettled = Object.keys(seat.stakes).every((wager) => seat.results.some((result) => result.wager === wager))
    if (isSettled) said.push(t.total(seat.results.reduce((sum, result) => sum + result.net, seat.envy_cents)))
  }
  return isMine && isOneOfSeveral && said.length ? [`${words.table.felt.seat(seat.seat)}.`, ...said] : said
}
