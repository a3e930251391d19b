"""Settles a finished hand, given as a plain mapping, into money and clauses by the rules of a live round."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pitboss.cards.deck import Card, Deck, UnknownCard
from pitboss.round.events import WagerResult
from pitboss.round.money import meter_result, settle_wagers
from pitboss.round.settle import envy_amount, envy_counts
from pitboss.rules.choices import Choices, choices_from
from pitboss.rules.game import GameDefinition
from pitboss.rules.in_force import RulesInForce
from pitboss.rules.irregularity import WRONG_NUMBER
from pitboss.rules.play import UNDECIDED, Action, SeatStatus
from pitboss.rules.reading import SeatCards, SeatReading, TableCards
from pitboss.rules.refusal import Refusal
from pitboss.rules.wager import meter_payment

SEAT_FIELDS = ("seat", "cards", "wagers", "actions")
TABLE_FIELDS = ("game", "choices", "seats")


class _Refused(Exception):
    def __init__(self, refusal: Refusal) -> None:
        self.refusal = refusal


@dataclass(frozen=True, slots=True)
class FinishedSeat:
    """One seat of a finished hand, its wagers complete with what its actions staked."""

    seat: int
    held: SeatCards
    stakes: dict[str, int]


@dataclass(frozen=True, slots=True)
class FinishedHand:
    """A whole hand, checked and ready to be settled."""

    table: TableCards
    seats: tuple[FinishedSeat, ...]
    meters: dict[str, int]
    resets: dict[str, int]


def settle_hand(rules: RulesInForce, given: Mapping[str, Any]) -> dict[str, Any] | Refusal:
    """Return the result of a finished hand in its written form, or why it cannot be settled."""
    hand = read_hand(rules, given)
    return hand if isinstance(hand, Refusal) else _settle(rules, hand)


def read_hand(rules: RulesInForce, given: Mapping[str, Any]) -> FinishedHand | Refusal:
    """Return a finished hand from its written form, or why it cannot be settled."""
    try:
        return _read(rules, given)
    except _Refused as refused:
        return refused.refusal


def rules_for(game: GameDefinition, given: object, base: Choices | None = None) -> RulesInForce | Refusal:
    """Return the rules in force that a hand's own choices ask for."""
    if given is None:
        given = {}
    if not isinstance(given, Mapping):
        return Refusal("choices must map wagers to paytable letters and options to values", None, "choices")
    choices = choices_from(game, given, base)
    return choices if isinstance(choices, Refusal) else RulesInForce(game, choices)


def _settle(rules: RulesInForce, hand: FinishedHand) -> dict[str, Any]:
    readings = rules.game.readings
    dealer = readings.dealer(hand.table, rules.options)
    progressive = rules.game.progressive
    meters = dict(hand.meters)
    settled: dict[int, tuple[SeatReading, list[WagerResult]]] = {}
    for seat in sorted(hand.seats, key=lambda seat: seat.seat, reverse=True):
        reading = readings.seat(hand.table, dealer, seat.held, rules.options, seat.stakes)
        results, claim = settle_wagers(rules, reading, seat.stakes)
        if claim:
            wager, share, verdict = claim
            paid, meters[share.meter] = meter_payment(meters[share.meter], hand.resets[share.meter], share.percent)
            back = rules.stake_returned_on_meter(wager)
            results.append(meter_result(wager, seat.stakes[wager], verdict, paid, stake_returned=back))
        settled[seat.seat] = (reading, results)
    envy = _envy(rules, hand) if progressive and progressive.envy_cells else {}
    seats = []
    for seat in hand.seats:
        reading, results = settled[seat.seat]
        bonuses = envy.get(seat.seat, [])
        net = sum(result.net for result in results) + sum(bonus["net"] for bonus in bonuses)
        order = {result.wager: result for result in results}
        wagers = {wager: written(order[wager]) for wager in dict.fromkeys((*seat.stakes, *order))}
        seats.append({"seat": seat.seat, "hand": reading.hand, "net": net, "envy": bonuses, "wagers": wagers})
    shown = {"hand": dealer.hand, "qualifies": dealer.qualifies} if dealer.hand is not None else None
    result: dict[str, Any] = {"dealer": shown, "seats": seats}
    if hand.meters:
        result["meters"] = meters
    return result


def written(result: WagerResult) -> dict[str, Any]:
    """Return a wager's result in its written form; with the cut and the rounded fraction if there are any."""
    row: dict[str, Any] = {
        "stake": result.stake,
        "result": result.result,
        "net": result.net,
        "odds": result.odds,
        "clause": result.clause,
        "odds_clause": result.odds_clause,
    }
    if result.cut:
        row["limit"] = {"cut": result.cut, "clause": result.cut_clause}
    if result.remainder != "0":
        row["remainder"] = result.remainder
    return row


def _envy(rules: RulesInForce, hand: FinishedHand) -> dict[int, list[dict[str, Any]]]:
    progressive = rules.game.progressive
    assert progressive is not None
    wager = progressive.wager
    receivers = [seat for seat in hand.seats if wager in seat.stakes]
    found: dict[int, list[dict[str, Any]]] = {}
    if not receivers:
        return found
    dealer = rules.game.readings.dealer(hand.table, rules.options)
    for holder in sorted(hand.seats, key=lambda seat: seat.seat, reverse=True):
        if not envy_counts(rules, holder.held.status, holder.stakes):
            continue
        cell = rules.game.readings.seat(hand.table, dealer, holder.held, rules.options, (wager,)).cells[wager]
        if cell not in progressive.envy_cells:
            continue
        for receiver in receivers:
            if receiver.seat != holder.seat:
                cents, _ = envy_amount(rules, receiver.stakes[wager], cell)
                bonus = {"from_seat": holder.seat, "hand": cell.replace("-", " "), "net": cents}
                found.setdefault(receiver.seat, []).append(bonus)
    return found


def _read(rules: RulesInForce, given: Mapping[str, Any]) -> FinishedHand:
    game = rules.game
    allowed = {*TABLE_FIELDS, *game.table_cards, *(("meters", "resets") if game.progressive else ())}
    for name in given:
        if name not in allowed:
            raise _Refused(Refusal(f"{name!r} is not a field of a {game.name} hand", None, str(name)))
    taken: set[Card] = set()
    places = {
        place: _cards(rules, given.get(place), count, taken, place)
        for place, count in game.table_cards.items()
        if place in given or place not in rules.optional_places
    }
    rows = given.get("seats")
    if not isinstance(rows, list) or not rows:
        raise _Refused(Refusal("A hand needs a list of seats with at least one seat", None, "seats"))
    seats: list[FinishedSeat] = []
    for index, row in enumerate(rows):
        seat = _seat(rules, row, f"seats[{index}]", taken)
        if any(seat.seat == other.seat for other in seats):
            raise _Refused(Refusal(f"Seat {seat.seat} appears twice", game.positions.cite, f"seats[{index}].seat"))
        for place, wager in rules.optional_places.items():
            if wager in seat.stakes and place not in places:
                cite = game.wagers_by_name[wager].dealing_cite or game.wagers_by_name[wager].cite
                raise _Refused(Refusal(f"{wager} needs the cards of the {place}", cite, place))
        refusal = rules.check_progressive_stake(seat.stakes, (other.stakes for other in seats))
        if refusal:
            raise _Refused(refusal.at(f"seats[{index}].wagers.{refusal.field}"))
        seats.append(seat)
    meters, resets = _meters(rules, given, seats)
    return FinishedHand(TableCards(**places), tuple(seats), meters, resets)


def _seat(rules: RulesInForce, row: object, field: str, taken: set[Card]) -> FinishedSeat:
    if not isinstance(row, Mapping):
        raise _Refused(Refusal("A seat must be an object with seat, cards, wagers and actions", None, field))
    for name in row:
        if name not in SEAT_FIELDS:
            raise _Refused(Refusal(f"{name!r} is not a field of a seat", None, f"{field}.{name}"))
    number = row.get("seat")
    if isinstance(number, bool) or not isinstance(number, int) or not 1 <= number <= rules.seats_most:
        reason = f"A seat must be a number from 1 to {rules.seats_most}, not {number!r}"
        raise _Refused(Refusal(reason, rules.game.positions.cite, f"{field}.seat"))
    cards = _cards(rules, row.get("cards"), rules.game.cards_each, taken, f"{field}.cards")
    stakes = row.get("wagers")
    if not isinstance(stakes, Mapping):
        raise _Refused(Refusal("wagers must map wagers to stakes in cents", None, f"{field}.wagers"))
    refusal = rules.check_stakes(stakes)
    if refusal:
        raise _Refused(refusal.at(f"{field}.wagers.{refusal.field}"))
    ordered = {wager.name: stakes[wager.name] for wager in rules.game.wagers if wager.name in stakes}
    return _actions(rules, number, cards, ordered, row.get("actions"), f"{field}.actions")


def _cards(rules: RulesInForce, given: object, count: int, taken: set[Card], field: str) -> tuple[Card, ...]:
    deck: Deck = rules.game.deck
    deck_clause = rules.game.procedures.cards.one_deck_cite if rules.game.procedures.cards else None
    if not isinstance(given, list):
        raise _Refused(Refusal(f"{field} must be a list of {count} cards", _wrong_number_clause(rules), field))
    cards: list[Card] = []
    for index, name in enumerate(given):
        if not isinstance(name, str):
            raise _Refused(Refusal(f"{name!r} is not a card", deck_clause, f"{field}[{index}]"))
        try:
            cards.extend(deck.pick((name,), taken))
        except UnknownCard as unknown:
            raise _Refused(Refusal(str(unknown), deck_clause, f"{field}[{index}]")) from None
    if len(cards) != count:
        raise _Refused(
            Refusal(f"{field} must have {count} cards, not {len(cards)}", _wrong_number_clause(rules), field)
        )
    return tuple(cards)


def _wrong_number_clause(rules: RulesInForce) -> str | None:
    remedy = rules.remedy(WRONG_NUMBER, ())
    return remedy.cite if remedy else None


def _actions(
    rules: RulesInForce, seat: int, cards: tuple[Card, ...], stakes: dict[str, int], given: object, field: str
) -> FinishedSeat:
    if not isinstance(given, list) or not all(isinstance(item, str) for item in given):
        raise _Refused(Refusal("actions must be a list of actions in the order they were taken", None, field))
    status: SeatStatus = UNDECIDED
    discard, at = None, 0
    clause = ""
    for ask in rules.asks:
        if status != UNDECIDED:
            break
        action = _action(rules, ask.name, given, at, ask.answers_cite, field)
        clause, status, at = action.cite, action.becomes, at + 1
        if action.stakes:
            stakes = stakes | {action.stakes.wager: stakes[action.stakes.of] * action.stakes.times}
        if action.discards:
            discard = _discard(given, at, cards, action, field)
            at += 1
    if at < len(given):
        raise _Refused(Refusal(f"{given[at]!r} comes after the hand was already decided", clause, f"{field}[{at}]"))
    ordered = {wager.name: stakes[wager.name] for wager in rules.game.wagers if wager.name in stakes}
    return FinishedSeat(seat, SeatCards(cards, status, discard), ordered)


def _action(rules: RulesInForce, ask: str, given: list[str], at: int, clause: str, field: str) -> Action:
    legal = rules.actions[ask]
    if at >= len(given):
        raise _Refused(Refusal(f"An action is missing: {' or '.join(legal)}", clause, field))
    if given[at] not in legal:
        reason = f"{given[at]!r} isn't available at this point. Choose {' or '.join(legal)}"
        raise _Refused(Refusal(reason, clause, f"{field}[{at}]"))
    return legal[given[at]]


def _discard(given: list[str], at: int, cards: tuple[Card, ...], action: Action, field: str) -> Card:
    if at >= len(given):
        raise _Refused(Refusal(f"{action.name!r} must be followed by the card to discard", action.cite, field))
    word, _, name = given[at].partition(" ")
    if word != "discard" or name not in cards:
        reason = f"{given[at]!r} must be discard and one of {' '.join(cards)}"
        raise _Refused(Refusal(reason, action.cite, f"{field}[{at}]"))
    return Card(name)


def _meters(
    rules: RulesInForce, given: Mapping[str, Any], seats: list[FinishedSeat]
) -> tuple[dict[str, int], dict[str, int]]:
    progressive = rules.game.progressive
    if progressive is None or progressive.wager not in rules.paytables:
        for name in ("meters", "resets"):
            if name in given:
                raise _Refused(Refusal(f"No progressive is defined here. Leave {name} out", None, name))
        return {}, {}
    table = rules.paytables[progressive.wager]
    least = {meter.name: meter for meter in progressive.meters.get(table.letter or "", ())}
    wagered = any(progressive.wager in seat.stakes for seat in seats)
    meters = _amounts(given, "meters", table.meters)
    resets = _amounts(given, "resets", table.meters)
    for name in table.meters:
        minimum = least[name].minimum_cents if name in least else 0
        cite = least[name].cite if name in least else progressive.rate_cite
        resets.setdefault(name, rules.choices.resets.get(name, minimum))
        if resets[name] < minimum:
            reason = f"The reset of {name} must be at least {minimum} cents, not {resets[name]}"
            raise _Refused(Refusal(reason, cite, f"resets.{name}"))
        if name not in meters:
            if wagered or meters:
                reason = f"A progressive wager is placed, so meters must give {name} in cents"
                raise _Refused(Refusal(reason, cite, "meters" if "meters" not in given else f"meters.{name}"))
        elif meters[name] < resets[name]:
            reason = f"{name} shows {meters[name]} cents, below its reset of {resets[name]}"
            raise _Refused(Refusal(reason, cite, f"meters.{name}"))
    return meters, resets


def _amounts(given: Mapping[str, Any], field: str, known: tuple[str, ...]) -> dict[str, int]:
    amounts = given.get(field, {})
    if not isinstance(amounts, Mapping):
        raise _Refused(Refusal(f"{field} must map meters to cents", None, field))
    for name, cents in amounts.items():
        if name not in known:
            raise _Refused(
                Refusal(
                    f"There is no meter called {name!r}. This paytable has {', '.join(known)}", None, f"{field}.{name}"
                )
            )
        if isinstance(cents, bool) or not isinstance(cents, int) or cents < 0:
            raise _Refused(Refusal(f"{name} must be an amount in cents, not {cents!r}", None, f"{field}.{name}"))
    return dict(amounts)
