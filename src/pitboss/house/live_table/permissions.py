"""Who may give a command at a live table: the roles' conditions, checked against the table's state."""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from pitboss.cards.deck import face
from pitboss.house import entry_kinds
from pitboss.house.live_table import commands as asked
from pitboss.house.live_table.absent_players import needs_absence, needs_ruling
from pitboss.house.live_table.event_writer import Means
from pitboss.house.live_table.state import LiveTable
from pitboss.house.live_table.table_terms import AUTOMATON
from pitboss.house.patrons import is_patron
from pitboss.house.people.accounts import NAME
from pitboss.house.people.authorization import Place, check_first, check_second
from pitboss.house.people.roles import PERMISSIONS
from pitboss.record.entries import Draft
from pitboss.rules.irregularity import (
    FORFEIT,
    PLAYER_LEFT,
    PROGRESSIVE_MISMATCH,
    SET_ASIDE,
    SETTLE_ONLY,
    UNLISTED,
    VOID,
)
from pitboss.rules.procedure import DEALER
from pitboss.rules.refusal import Refusal
from pitboss.table import Person
from pitboss.table.commands import ConfirmDuty, DirectShuffle, OrderRecut

VOID_ROUND = "VoidRound"
RULE_UNLISTED = "RuleUnlisted"
RULE_OWN_REPORT = "RuleOwnReport"
RULE_ABSENCE = "RuleAbsence"
DRAW_AGAIN = "DrawAgain"
TAKE_MUCH_CASH = "TakeMuchCash"
_BY_DEVICE = (asked.ReaderSaw, asked.SensorSaw)


def asked_as(live: LiveTable, command: asked.Command) -> str:
    """Return the kind of a command for the roles before the rules have answered it."""
    if isinstance(command, asked.ActForAbsent) and needs_ruling(live, command.seat):
        return RULE_ABSENCE
    if isinstance(command, asked.BuyIn) and is_much_cash(live, command):
        return TAKE_MUCH_CASH
    return DRAW_AGAIN if draws_again(live, command) else type(command).__name__


def is_much_cash(live: LiveTable, command: asked.BuyIn) -> bool:
    """Say whether a buy-in for cash reaches the amount that takes a floorperson."""
    is_cash = command.seat is not None and is_patron(live.seats.get(command.seat, ""))
    return is_cash and live.terms is not None and command.cents >= live.terms.verification.cash_from_cents


def draws_again(live: LiveTable, command: asked.Command) -> bool:
    """Say whether a command redraws cards that were drawn for the round but not dealt."""
    return isinstance(command, OrderRecut | DirectShuffle) and live.is_drawn_from(command.deck)


def kind_of(command: asked.Command, drafts: Iterable[Draft], live: LiveTable, actor: str) -> str:
    """Return the kind of a command for the roles: a report that voids wagers, or that rules, is more than a report."""
    if isinstance(command, asked.ReportIrregularity):
        if any(
            draft.kind == entry_kinds.IRREGULARITY_RULED and draft.body["remedy"] in (VOID, SETTLE_ONLY)
            for draft in drafts
        ):
            return VOID_ROUND
        if any(needs_absence(live, seat) for seat in _departed(live, drafts)):
            return RULE_ABSENCE
        if any(draft.kind == entry_kinds.IRREGULARITY_RULED and draft.body["remedy"] == FORFEIT for draft in drafts):
            return VOID_ROUND  # it takes a player's money, so one person isn't enough
        if command.irregularity == PROGRESSIVE_MISMATCH and any(
            draft.kind == entry_kinds.WAGER_TAKEN_OFF for draft in drafts
        ):
            return VOID_ROUND  # it contradicts a count that is on the record, and takes its part out of the meters
        if _sets_aside_drawn(live, command, drafts):
            return DRAW_AGAIN
        if command.ruling is not None:
            is_unlisted = any(
                draft.kind == entry_kinds.IRREGULARITY_RULED and UNLISTED in draft.body["rests_on"] for draft in drafts
            )
            if is_unlisted:
                return RULE_UNLISTED
            is_own = command.irregularity != PLAYER_LEFT and _is_own_report(live, actor)
            return RULE_OWN_REPORT if is_own else "RuleIrregularity"
    if any(draft.kind == entry_kinds.ACTION_TAKEN and draft.body["ruled_by"] for draft in drafts):
        return RULE_ABSENCE
    return asked_as(live, command)


def _sets_aside_drawn(live: LiveTable, command: asked.ReportIrregularity, drafts: Iterable[Draft]) -> bool:
    # Whoever drew the card may have seen it, and another one takes its place.
    card = command.card or (live.trouble.card if live.trouble is not None else None)
    is_drawn = any(card in (drawn, face(drawn)) for drawn in live.waiting)
    return is_drawn and any(
        draft.kind == entry_kinds.IRREGULARITY_RULED and draft.body["remedy"] == SET_ASIDE for draft in drafts
    )


def _is_own_report(live: LiveTable, actor: str) -> bool:
    # Nobody rules alone on what they reported, whether the report came first or comes with the ruling.
    return live.trouble is None or live.trouble.by == actor


def _departed(live: LiveTable, drafts: Iterable[Draft]) -> Iterator[int]:
    # A ruling that a player left covers all of that player's positions, whichever seat the command names.
    players = live.play.players if live.play is not None else {}
    for draft in drafts:
        if draft.kind == entry_kinds.IRREGULARITY_RULED and draft.body["irregularity"] == PLAYER_LEFT:
            gone = players.get(draft.body["seat"])
            yield from (seat for seat, player in players.items() if player == gone)


def place_of(live: LiveTable, command: asked.Command, means: Means) -> Place:
    """Return what a permission may require at this table."""
    seat = getattr(command, "seat", None)
    concerns = live.seats.get(seat) if isinstance(seat, int) else means.actor
    if isinstance(command, asked.TakeSeat):
        concerns = means.actor
    if isinstance(command, ConfirmDuty) and means.actor not in live.seats.values():
        concerns = None  # only the players themselves may do what players at the table do
    return Place(
        game=live.terms.settings.game if live.terms else None,
        is_self_dealing=_is_self_dealing(live, command, means),
        lease=live.lease,
        token=means.token,
        at=means.at,
        concerns=concerns,
        is_round_over=not live.in_round,
        is_dealer_out=_is_dealer_out(live, means),
        is_patrons=isinstance(seat, int) and is_patron(live.seats.get(seat, "")),
        is_reader=isinstance(command, _BY_DEVICE) and means.actor == _device(command),
    )


def _device(command: asked.ReaderSaw | asked.SensorSaw) -> str:
    return f"reader {command.reader}" if isinstance(command, asked.ReaderSaw) else f"sensor {command.sensor}"


def check_pair(person: Person, other: Person, kind: str, place: Place, token: int | None) -> Refusal | None:
    """Return why two people may not do this together, or None; the place is the other's, the token the first one's."""
    first_place = replace(place, token=token)
    refusal = check_first(person, kind, first_place) or check_second(person, other, kind, place)
    if refusal is None:
        return None
    swapped = check_first(other, kind, place) or check_second(other, person, kind, first_place)
    # A proposer who can only be the second person gets the reason for that place.
    return swapped and (refusal if person.role in PERMISSIONS[kind].grants else swapped)


def _is_dealer_out(live: LiveTable, means: Means) -> bool:
    holder = live.lease.holder
    if holder is None or (live.terms is not None and live.terms.automatic):
        return False
    return means.standing(Person(holder, DEALER)) is not None


def _is_self_dealing(live: LiveTable, command: asked.Command, means: Means) -> bool:
    if means.role == AUTOMATON and NAME.fullmatch(means.actor):
        return False  # an account may have this name, and its money belongs to it
    if live.terms is not None and not live.terms.automatic:
        return False
    if not isinstance(command, asked.ActivateSubmission):
        return live.terms is not None
    if means.role != AUTOMATON:
        return False  # people need their role for it, and a document is read only for those who have it
    try:
        return means.reading.read_terms(command.document).automatic
    except ValueError:
        return False  # the activation reports what is wrong with it
