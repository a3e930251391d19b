"""Disputes after settlement: reported, the hands reconstructed, and resolved by two people through reversals."""

from collections.abc import Mapping
from dataclasses import replace

from pitboss.cards.deck import Card, UnknownCard
from pitboss.house.live_table import commands as asked
from pitboss.house.live_table import progressive_play
from pitboss.house.live_table.event_writer import EventWriter
from pitboss.house.live_table.events import DisputeReported, DisputeResolved
from pitboss.house.live_table.state import LiveTable
from pitboss.house.money.postings import FillNeeded, is_paid_by_meter
from pitboss.house.people import house_rules as rule
from pitboss.round.disputed import RULING, is_settled, settled_again, voided
from pitboss.round.events import Event, Place
from pitboss.round.state import Round
from pitboss.rules.refusal import Refusal
from pitboss.table.commands import SpreadIdle
from pitboss.table.rack import Racked
from pitboss.table.state import RACKED

STANDS, VOID, RESETTLE = "stands", "void", "resettle"
OUTCOMES = (STANDS, VOID, RESETTLE)
NOTE_LETTERS = 500
_WAITS = (asked.BeginRound, asked.CloseTable, asked.CountTray, asked.ActivateSubmission, SpreadIdle)


def report(writer: EventWriter, command: asked.ReportDispute) -> Refusal | None:
    """Write that players dispute what their seats were paid, or not paid, in the round just settled."""
    live, state = writer.live, writer.live.play
    if live.dispute is not None:
        return Refusal("This round is already in dispute. Resolve that first", RULING)
    if state is None or not is_settled(state):
        reason = "A round can be disputed only after it is settled and before the next one begins"
        return Refusal(reason, RULING)
    refusal = _check(state, command.seats, command.note)
    if refusal:
        return refusal
    reported = DisputeReported(
        dispute=writer.means.fresh(),
        round=live.round,
        seats=tuple(sorted(set(command.seats))),
        note=command.note.strip(),
        by_clause=state.rules.settle.pickup_cite,
    )
    return writer.house(reported, clause=state.rules.settle.pickup_cite)


def resolve(writer: EventWriter, command: asked.ResolveDispute) -> Refusal | None:
    """Uphold the results, void seats, or settle them again with corrected cards."""
    live, state, second = writer.live, writer.live.play, writer.means.second
    if live.dispute is None or state is None:
        return Refusal("No dispute is open at this table", RULING)
    assert second is not None, "a dispute is resolved by two people"
    if command.outcome not in OUTCOMES:
        return Refusal(
            f"The outcome of a dispute must be {', '.join(OUTCOMES[:-1])} or {OUTCOMES[-1]}", RULING, "outcome"
        )
    seats = tuple(sorted(set(command.seats or live.dispute.seats)))
    refusal = _check(state, seats, command.note)
    if refusal:
        return refusal
    if command.cards and command.outcome != RESETTLE:
        return Refusal(f"The outcome {command.outcome!r} doesn't take corrected cards", RULING, "cards")
    cards: Mapping[Place, tuple[Card, ...]] = {}
    if command.outcome == VOID:
        refusal = _take_back_from_meters(writer, state, seats) or _write(writer, voided(state, seats))
    elif command.outcome == RESETTLE:
        refusal = _check_second_look(writer) if command.cards else None
        if refusal:
            return refusal
        found = _corrected(live, state, command.cards)
        if isinstance(found, Refusal):
            return found
        cards = found
        refusal = _write(writer, settled_again(state, seats, cards))
    if refusal:
        return refusal
    resolved = DisputeResolved(
        dispute=live.dispute.dispute,
        round=live.round,
        outcome=command.outcome,
        seats=seats,
        note=command.note.strip(),
        reported_by=live.dispute.by,
        second=second,
        by_clause=state.rules.settle.pickup_cite,
        cards={str(place): tuple(held) for place, held in cards.items()},
    )
    return writer.house(resolved, clause=state.rules.settle.pickup_cite)


def resettled(live: LiveTable, command: asked.ResolveDispute) -> tuple[Event, ...] | Refusal:
    """Return the events by which this answer to the open dispute settles seats again; none for another outcome."""
    if live.dispute is None or live.play is None or command.outcome != RESETTLE:
        return ()
    found = _corrected(live, live.play, command.cards)
    seats = set(command.seats or live.dispute.seats)
    return found if isinstance(found, Refusal) else settled_again(live.play, seats, found)


def waits(live: LiveTable, command: asked.Command) -> Refusal | None:
    """Return why a command waits until the dispute is resolved, or None; the rack stays as it is until then."""
    if live.dispute is None or live.cards is None:
        return None
    deck = live.cards.deck(str(getattr(command, "deck", "")))
    is_of_rack = not live.in_round and deck is not None and deck.stage == RACKED
    if not is_of_rack and not isinstance(command, _WAITS):
        return None
    seats = ", ".join(map(str, live.dispute.seats))
    reason = f"The last round is in dispute at seat {seats}. Resolve that first"
    return Refusal(reason, RULING)


def disputing(live: LiveTable) -> frozenset[str]:
    """Return the players whose seats are in dispute; they leave once it is resolved."""
    if live.dispute is None or live.play is None:
        return frozenset()
    return frozenset(live.play.players[seat] for seat in live.dispute.seats)


def disputed_cents(live: LiveTable, player: str) -> int:
    """Return how much of a player's stack the resolution of a dispute could take back."""
    state, dispute = live.play, live.dispute
    if dispute is None or state is None:
        return 0
    seats = {seat for seat in dispute.seats if state.players[seat] == player}
    paid = sum(result.paid + result.returned for (seat, _), result in state.results.items() if seat in seats)
    return paid + sum(bonus.net for bonus in state.envy if bonus.seat in seats)


def hands(live: LiveTable) -> tuple[Racked, ...] | Refusal:
    """Return the reconstructed hands of the disputed round: as the rack holds them, or else as they are picked up."""
    if live.dispute is None or live.play is None or live.cards is None:
        return Refusal("Hands can be reconstructed only while a dispute is open", RULING)
    racked = live.cards.rack if not live.in_round and live.cards.rack else picked_up(live.play)
    # An earlier dispute may have found other cards in a place than were read there.
    return tuple(replace(hand, cards=live.play.cards.get(hand.place, hand.cards)) for hand in racked)


def picked_up(state: Round) -> tuple[Racked, ...]:
    """Return a round's cards in pick-up order."""
    places = dict.fromkeys((*state.collected, *state.cards))
    picked = [Racked(place, len(held), held) for place in places if (held := state.cards.get(place, ()))]
    aside = tuple(sorted(card for card in state.drawn if not any(card in hand.cards for hand in picked)))
    return (*picked, Racked("set-aside", len(aside), aside)) if aside else tuple(picked)


def _check(state: Round, seats: tuple[int, ...], note: str) -> Refusal | None:
    strangers = [seat for seat in seats if seat not in state.players]
    if not seats or strangers:
        reason = f"Seat {strangers[0]} was not in this round" if strangers else "Enter the seats in dispute"
        return Refusal(reason, RULING, "seats")
    if not note.strip() or len(note) > NOTE_LETTERS:
        return Refusal(f"Say what the dispute is about, in up to {NOTE_LETTERS} characters", RULING, "note")
    return None


def _check_second_look(writer: EventWriter) -> Refusal | None:
    # The dealer and a floorperson who let the dealer enter the cards would both be correcting their own.
    people = {writer.means.actor, writer.means.second} - {writer.live.lease.holder, *writer.live.keyboard_by}
    if people or not writer.live.keyboard_by:
        return None
    reason = "You switched keyboard entry on here, so another floorperson has to correct these cards"
    return Refusal(reason, rule.CARD_READERS, "by")


def _corrected(
    live: LiveTable, state: Round, stated: Mapping[str, tuple[str, ...]]
) -> Mapping[Place, tuple[Card, ...]] | Refusal:
    assert live.terms is not None
    if not live.terms.real_cards:
        return Refusal("The program drew these cards, so none can have been misread", rule.READERS, "cards")
    if live.in_round:
        reason = "Pick up the cards first. Hands are reconstructed from the discard rack"
        return Refusal(reason, state.rules.settle.pickup_cite)
    if live.cards is None or not live.cards.rack:
        reason = "The discard rack was taken apart, so no hand can be reconstructed from it"
        return Refusal(f"{reason}. Void the seats, or let the results stand", RULING)
    places: dict[str, Place] = {str(place): place for place in state.cards}
    unknown = [name for name in stated if name not in places]
    if not stated or unknown:
        reason = f"{unknown[0]} had no cards in this round" if unknown else "Enter the misread cards, by place"
        return Refusal(reason, RULING, "cards")
    taken = {card for card in state.drawn if not any(card in state.cards[places[name]] for name in stated)}
    found: dict[Place, tuple[Card, ...]] = {}
    for name, faces in stated.items():
        count = len(state.cards[places[name]])
        if len(faces) != count:
            return Refusal(f"{name} had {count} cards, not {len(faces)}", RULING, "cards")
        try:
            found[places[name]] = state.rules.game.deck.pick(faces, taken)
        except UnknownCard as fault:
            return Refusal(f"{fault}. Every card must be in this deck, in one place only", RULING, "cards")
    return found


def _take_back_from_meters(writer: EventWriter, state: Round, seats: tuple[int, ...]) -> Refusal | None:
    progressive = state.rules.game.progressive
    if progressive is None or not state.rules.draws_on_meter(progressive.wager):
        return None
    staked = {seat for seat, wager in state.stakes if wager == progressive.wager}
    if not staked.intersection(seats):
        return None
    is_in_play, clause = progressive_play.is_in_play(writer), state.rules.settle.pickup_cite
    if staked <= set(seats) and is_in_play:
        return progressive_play.take_all_back(writer, clause)
    envied = [bonus.seat for bonus in state.envy if bonus.seat in seats or bonus.from_seat in seats]
    if envied:
        reason = f"Seat {envied[0]} won an envy bonus on another seat's hand"
        reason = f"{reason}. Void every seat before the cards are picked up, or let the result stand"
        return Refusal(reason, RULING, "seats")
    if is_in_play:
        return progressive_play.take_all_back(writer, clause, seats)
    paid = [seat for (seat, _), result in state.results.items() if seat in seats and is_paid_by_meter(result)]
    if not paid:
        return None  # what a stake fed the meters stays there; the tray returns the stake
    reason = f"Seat {paid[0]} was paid from the progressive, which other tables have played for since"
    return Refusal(f"{reason}. That payout can be reversed only before the cards are picked up", RULING, "seats")


def _write(writer: EventWriter, answer: tuple[Event, ...] | Refusal) -> Refusal | None:
    if isinstance(answer, Refusal):
        return answer
    refusal = writer.ruled(answer)
    if refusal is None or isinstance(refusal, FillNeeded):
        return refusal
    reason = "A player in this dispute doesn't have enough chips here to return the payout"
    return Refusal(f"{reason}. Have the player buy in first, or let the result stand", RULING, "seats")
