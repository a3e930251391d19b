"""What may be done with the cards of a round: open it, deal, count or rack the stub, pick up, close."""

from typing import assert_never

from pitboss.round.events import SETTLED, VOIDED
from pitboss.rules.dealing import Deal
from pitboss.rules.irregularity import (
    KEEP,
    REMOVE,
    RESHUFFLE,
    STUB_COUNT_MISDEALT,
    STUB_COUNT_MISDEALT_AND_SHORT,
    STUB_COUNT_WRONG,
    UNLISTED,
)
from pitboss.rules.procedure import DEALER, FLOORPERSON
from pitboss.rules.refusal import Refusal
from pitboss.table.commands import (
    IRREGULARITY,
    SHUFFLER,
    WRONG_COUNT,
    CloseRound,
    CountStub,
    FindMisdeal,
    OpenRound,
    RackStub,
    RemoveMiscounted,
    ReopenCount,
    ReportDealt,
    RoundCommand,
)
from pitboss.table.conditions import (
    awaits_count,
    cards_of,
    check_hours,
    check_method,
    check_turn,
    deck_opening,
    deck_title,
    is_count_due,
    is_count_overdue,
    pickup_cite,
    round_duties,
    rounds_uncounted,
    stub_count,
    stub_count_ruling,
    stub_duty,
)
from pitboss.table.events import (
    CardsLeftDeck,
    CountReopened,
    DeckRemoved,
    Event,
    RoundClosed,
    RoundOpened,
    StubCounted,
    StubRacked,
    WrongCountRuled,
)
from pitboss.table.people import check_role
from pitboss.table.rack import cards_in, check_pickup
from pitboss.table.state import (
    CUT,
    IN_SERVICE,
    LOADED,
    SHUFFLED,
    STACKED,
    STAGE_WORDS,
    STUB_DISPUTED,
    STUB_RACKED,
    WITH_DEALER,
    TableDeck,
    TableRound,
    TableState,
)

Decision = tuple[Event, ...] | Refusal


def decide_round(state: TableState, command: RoundCommand) -> Decision:
    """Return what a command about a round's cards leads to, or why it is refused."""
    if isinstance(command, OpenRound):
        return _open(state, command)
    played = state.round
    if played is None:
        return Refusal("No round is open", _play_cite(state))
    match command:
        case ReportDealt():
            return _report_dealt(state, command, played)
        case RackStub():
            return _rack_stub(state, command, played)
        case CountStub():
            return _count_stub(state, command, played)
        case FindMisdeal():
            return _find_misdeal(state, command, played)
        case ReopenCount():
            return _reopen_count(state, command, played)
        case RemoveMiscounted():
            return _remove_miscounted(state, command, played)
        case CloseRound():
            return _close(state, command, played)
        case _:
            assert_never(command)


def _play_cite(state: TableState) -> str:
    return state.settings.game.bets.cite


def _deal_cite(state: TableState) -> str:
    deal = next(step for step in state.settings.rules.play if isinstance(step, Deal))
    return deal.moves[state.method][0].cite


def _open(state: TableState, command: OpenRound) -> Decision:
    cite = _play_cite(state)
    if refusal := check_role(state.settings, command.by, DEALER, clause=cite):
        return refusal
    if state.round is not None:
        return Refusal(f"Round {state.round.name} is still open", cite, "round")
    deck = state.deck(command.deck)
    if deck is None:
        return Refusal(f"There is no deck {command.deck!r} at this table", None, "deck")
    if deck.stage != LOADED:
        return Refusal(
            f"{deck_opening(deck.name)} is {STAGE_WORDS[deck.stage]}, so it isn't ready to be dealt",
            _deal_cite(state),
            "deck",
        )
    if refusal := check_method(state, deck) or check_hours(state, deck, command.at) or _check_other_deck(state, deck):
        return refusal
    if is_count_overdue(state, deck):
        reason = f"The cards haven't been counted for {rounds_uncounted(state, deck)} rounds. Count the deck first"
        return Refusal(reason, stub_count(state).cite)
    return (
        RoundOpened(
            by=command.by, at=command.at, clause=cite, round=command.round, deck=deck.name, method=state.method
        ),
    )


def _check_other_deck(state: TableState, deck: TableDeck) -> Refusal | None:
    two_decks = state.settings.procedures.two_decks
    other = next((other for other in state.decks if other.name != deck.name), None)
    if other is None:
        return None
    if state.shuffler != IN_SERVICE:
        return Refusal(
            f"Two decks need the {SHUFFLER}, which is out of service. Remove one deck", two_decks.cite, "deck"
        )
    if state.rack:
        return Refusal(
            f"The discard rack still holds cards of {deck_title(other.name)}", two_decks.one_in_rack_cite, "deck"
        )
    if refusal := _check_waiting(state, other):
        return refusal
    missing = [duty for duty in two_decks.duties if duty.id not in state.two_decks_confirmed]
    if missing:
        return Refusal(f"Confirm this for two decks first: {missing[0].text}", missing[0].cite, "deck")
    return None


def _check_waiting(state: TableState, other: TableDeck) -> Refusal | None:
    two_decks = state.settings.procedures.two_decks
    waits = (SHUFFLED, CUT) if two_decks.is_stored else (STACKED, SHUFFLED, CUT)
    if other.stage not in waits or (two_decks.is_stored and awaits_count(state, other)):
        how = "shuffled and kept ready" if two_decks.is_stored else "opened and put in the shuffler"
        return Refusal(
            f"{deck_opening(other.name)} must be {how} before the other deck is played", two_decks.device_cite, "deck"
        )
    return check_turn(state, other)


def _report_dealt(state: TableState, command: ReportDealt, played: TableRound) -> Decision:
    cite = _deal_cite(state)
    if refusal := check_role(state.settings, command.by, DEALER, clause=cite):
        return refusal
    if played.stub != WITH_DEALER:
        return Refusal("The stub was racked, so no more cards can be dealt", stub_duty(state).cite, "cards")
    deck = state.deck(played.deck)
    if deck is None or deck.stage != LOADED:
        return Refusal(f"{deck_opening(played.deck)} isn't ready to be dealt", cite, "cards")
    if refusal := check_method(state, deck):
        return refusal
    left = cards_of(state) - played.dealt
    if not 0 < command.cards <= left:
        return Refusal(f"There are {left} cards left to deal, not {command.cards}", cite, "cards")
    return (CardsLeftDeck(by=command.by, at=command.at, clause=cite, cards=command.cards),)


def _rack_stub(state: TableState, command: RackStub, played: TableRound) -> Decision:
    duty = stub_duty(state)
    if refusal := check_role(state.settings, command.by, duty.by, clause=duty.cite) or _check_stub(state, played):
        return refusal
    if is_count_due(state):
        return Refusal("Count this round's stub before you rack it", stub_count(state).cite)
    left = cards_of(state) - played.dealt
    if command.cards is not None and command.cards != left:
        reason = f"{played.dealt} cards left the deck, so the stub has {left}, not {command.cards}. Count the stub"
        return Refusal(reason, stub_count(state).check_cite, "cards")
    return (StubRacked(by=command.by, at=command.at, clause=duty.cite, ruling=duty.ruling, cards=left),)


def _check_stub(state: TableState, played: TableRound) -> Refusal | None:
    if not played.dealt:
        return Refusal("No card was dealt yet, so there is no stub", stub_duty(state).cite)
    if played.stub != WITH_DEALER:
        return Refusal("The stub was racked or its count is being checked", stub_duty(state).cite)
    return None


def _count_stub(state: TableState, command: CountStub, played: TableRound) -> Decision:
    count = stub_count(state)
    if refusal := check_role(state.settings, command.by, DEALER, clause=count.cite):
        return refusal
    recount = played.stub == STUB_DISPUTED and not played.irregularity
    if not recount and (refusal := _check_stub(state, played)):
        return refusal
    if command.cards < 0:
        return Refusal(f"A stub can't have {command.cards} cards", count.how_cite or count.cite, "cards")
    expected = cards_of(state) - played.dealt
    clause = count.right_cite if command.cards == expected else count.check_cite
    return (
        StubCounted(
            by=command.by,
            at=command.at,
            clause=clause,
            ruling=stub_count_ruling(state),
            cards=command.cards,
            expected=expected,
        ),
    )


def _find_misdeal(state: TableState, command: FindMisdeal, played: TableRound) -> Decision:
    count = stub_count(state)
    if refusal := check_role(state.settings, command.by, DEALER, clause=count.check_cite):
        return refusal
    if played.stub != STUB_DISPUTED or played.irregularity:
        return Refusal("There is no wrong count to look into", count.check_cite)
    complete = command.cards_in_deck == cards_of(state)
    if complete and not command.misdealt:
        reason = "A complete deck and correct hands contradict the count. Count the stub again"
        return Refusal(reason, count.check_cite, "cards_in_deck")
    # Misdealt from a deck that is short or over as well: the deck cannot stay either.
    stays = complete and command.misdealt
    short = STUB_COUNT_MISDEALT_AND_SHORT if command.misdealt else STUB_COUNT_WRONG
    kind = STUB_COUNT_MISDEALT if stays else short
    return (
        WrongCountRuled(
            by=command.by,
            at=command.at,
            clause=count.misdealt_cite if stays else count.wrong_cite,
            ruling=count.misdealt_ruling if stays else UNLISTED if command.misdealt else None,
            misdealt=command.misdealt,
            cards_in_deck=command.cards_in_deck,
            irregularity=kind,
            fate=RESHUFFLE if stays else REMOVE,
        ),
    )


def _reopen_count(state: TableState, command: ReopenCount, played: TableRound) -> Decision:
    cite = stub_count(state).check_cite
    if refusal := check_role(state.settings, command.by, FLOORPERSON, clause=cite):
        return refusal
    if played.stub != STUB_DISPUTED or not played.irregularity:
        return Refusal("There is no wrong count to reopen", cite)
    return (CountReopened(by=command.by, at=command.at, clause=cite),)


def _remove_miscounted(state: TableState, command: RemoveMiscounted, played: TableRound) -> Decision:
    if refusal := check_role(state.settings, command.by, DEALER, FLOORPERSON, clause=played.miscounted or None):
        return refusal
    if not played.miscounted:
        return Refusal("The count of this round's deck wasn't wrong", stub_count(state).cite)
    clause, deck = played.miscounted, played.deck
    return (DeckRemoved(by=command.by, at=command.at, clause=clause, deck=deck, reason=WRONG_COUNT),)


def _close(state: TableState, command: CloseRound, played: TableRound) -> Decision:
    cite = pickup_cite(state)
    if refusal := check_role(state.settings, command.by, DEALER, clause=cite):
        return refusal
    if command.ended not in (SETTLED, VOIDED):
        return Refusal(f"A round must end {SETTLED} or {VOIDED}, not {command.ended!r}", cite, "ended")
    if command.fate not in (KEEP, RESHUFFLE, REMOVE):
        return Refusal(f"The deck must be {KEEP}, {RESHUFFLE} or {REMOVE}, not {command.fate!r}", cite, "fate")
    if refusal := _check_settled(state, command, played) if command.ended == SETTLED else None:
        return refusal
    if played.stub == STUB_DISPUTED and not played.irregularity:
        return Refusal(
            "The stub count is wrong. Determine first whether cards were misdealt", stub_count(state).check_cite
        )
    if played.fate and command.fate != played.fate:
        return Refusal(f"After this count the deck must be {played.fate}", played.fate_clause, "fate")
    if command.pickup:
        # After a wrong count the hands are picked up as they were found.
        expected = cards_in(command.pickup) if played.irregularity else played.dealt
        if refusal := check_pickup(command.pickup, expected, state.settings.game.deck, cite):
            return refusal
    clause = played.fate_clause or command.clause or cite
    closed = RoundClosed(
        by=command.by,
        at=command.at,
        clause=clause,
        round=played.name,
        ended=command.ended,
        fate=command.fate,
        pickup=command.pickup,
        unconfirmed=tuple(
            duty.id
            for duty in round_duties(state)
            if duty.id not in played.confirmed and (command.moments is None or duty.moment.name in command.moments)
        ),
    )
    if command.fate != REMOVE or state.deck(played.deck) is None:
        return (closed,)
    removed = DeckRemoved(by=command.by, at=command.at, clause=clause, deck=played.deck, reason=IRREGULARITY)
    return (closed, removed)


def _check_settled(state: TableState, command: CloseRound, played: TableRound) -> Refusal | None:
    cite = pickup_cite(state)
    if played.irregularity:
        return Refusal("A round with a wrong count must be voided", played.fate_clause, "ended")
    if not played.dealt:
        return Refusal("A round without cards must be voided, not settled", cite, "ended")
    if is_count_due(state):
        return Refusal("Count this round's stub first", stub_count(state).cite)
    if played.stub != STUB_RACKED:
        return Refusal("Rack the stub before the hands", stub_duty(state).cite)
    return check_pickup(command.pickup, played.dealt, state.settings.game.deck, cite)
