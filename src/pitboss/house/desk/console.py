"""The dealer's console as a value: what is to be done now, by whom, under which clause and by which command."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from pitboss.house.chips import fewest, shown
from pitboss.house.desk import commands as asked
from pitboss.house.desk.decide import decide
from pitboss.house.desk.moments import is_due, reached
from pitboss.house.desk.pen import Means
from pitboss.house.desk.state import Desk
from pitboss.house.people import house_rules as rule
from pitboss.house.people.roles import PERMISSIONS
from pitboss.house.postings import FillNeeded
from pitboss.round import legal_actions
from pitboss.round.state import ASKING, AWAITING_METER, DEALING, OVER, SETTLING, WAGERING, Round
from pitboss.rules.irregularity import FLOOR_RULES, PROGRESSIVE_MISMATCH
from pitboss.rules.play import Ask
from pitboss.rules.procedure import DEALER, FLOORPERSON, PLAYER
from pitboss.rules.refusal import Refusal
from pitboss.table import next_duties
from pitboss.table.automaton import next_command
from pitboss.table.commands import CountStub, RackStub
from pitboss.table.procedure import DutyNow

# What the table's own procedure calls otherwise, because the desk does more with it.
_AT_THE_DESK = {"OpenRound": "BeginRound", "CloseRound": "EndRound"}
# What is shown beside a round that can be opened; with two decks the other one is made ready first.
_WHEN_READY = ("OpenRound", "SpreadIdle", "RemoveDeck")
_TRIED = (
    asked.BeginRound(),
    asked.CloseBets(),
    asked.DealCards(),
    asked.TurnCards(),
    asked.Settle(),
    RackStub(by=asked.NOBODY, at=0),
    CountStub(by=asked.NOBODY, at=0, cards=0),
    asked.EndRound(),
)


@dataclass(frozen=True, slots=True)
class DutyShown:
    """Something to be done now, and the command that records it, with as much of it as is known."""

    id: str
    text: str
    by: str
    clause: str | None
    command: Mapping[str, Any]
    ruling: str | None = None
    since: int | None = None  # the time from which it may be done, where that is not now


@dataclass(frozen=True, slots=True)
class RefusedNow:
    """A command that would be refused at this moment, and why."""

    command: str
    reason: str
    clause: str | None


@dataclass(frozen=True, slots=True)
class PaidOut:
    """What a seat's wager was paid, as chips."""

    seat: int
    wager: str
    cents: int
    chips: str
    clause: str


@dataclass(frozen=True, slots=True)
class WaitingProposal:
    """What waits for a second person."""

    proposal: str
    kind: str
    by: str
    until: int


@dataclass(frozen=True, slots=True)
class Console:
    """A table as its dealer works it; no card is in it."""

    table: str
    sequence: int
    dealer: str | None
    phase: str | None
    duties: tuple[DutyShown, ...]
    proposals: tuple[WaitingProposal, ...]
    paid: tuple[PaidOut, ...]
    tray: str
    refused: tuple[RefusedNow, ...] = ()


def console(desk: Desk, means: Means | None = None) -> Console:
    """Return the console of a table; with the means of one who works there, also what they would be refused now."""
    play = desk.play if desk.in_round else None
    at = means.at if means is not None else desk.at
    return Console(
        table=desk.table,
        sequence=desk.head.sequence,
        dealer=desk.lease.holder if desk.lease.is_held(at) else None,
        phase=play.phase if play is not None else None,
        duties=tuple(duties(desk, at)),
        proposals=tuple(
            WaitingProposal(name, str(one.command["kind"]), one.by, one.until) for name, one in desk.proposals.items()
        ),
        paid=tuple(_paid(play)) if play is not None else (),
        tray=shown(desk.tray),
        refused=refused(desk, means) if means is not None else (),
    )


def refused(desk: Desk, means: Means) -> tuple[RefusedNow, ...]:
    """Return the dealer's commands that would be refused now, each with its reason and clause."""
    found = []
    for command in _TRIED:
        answer = decide(desk, command, means)
        # That a tray is short of something is known by what hands are worth that nobody has turned yet.
        if isinstance(answer, Refusal) and not isinstance(answer, FillNeeded):
            found.append(RefusedNow(type(command).__name__, answer.reason, answer.clause))
    return tuple(found)


def duties(desk: Desk, at: int) -> Iterator[DutyShown]:
    """Yield what is to be done now: what stops the table first, then the play, then the cards."""
    opening = _to_open(desk, at)
    if opening is not None:
        yield opening
        return
    for name, one in desk.proposals.items():
        text = f"Confirm or decline what {one.by} proposed: {one.command['kind']}."
        by = " or ".join(PERMISSIONS["Confirm"].grants)
        yield DutyShown("confirm", text, by, rule.ROLES, {"kind": "Confirm", "proposal": name})
    if desk.trouble is not None:
        yield _trouble(desk)
        return
    if desk.in_round and desk.play is not None:
        yield from _of_play(desk, desk.play)
    yield from _of_cards(desk)


def _to_open(desk: Desk, at: int) -> DutyShown | None:
    if desk.terms is None:
        text = "Have a submission put in force."
        return DutyShown("activate", text, "operator", rule.SUBMISSIONS, {"kind": "ActivateSubmission"})
    if not desk.is_open:
        text = "Open the table with its tray counted."
        return DutyShown("open-table", text, FLOORPERSON, rule.TABLES, {"kind": "OpenTable"})
    if not desk.lease.is_held(at):
        return DutyShown("take-lease", "Take the place behind the table.", DEALER, rule.LEASES, {"kind": "TakeLease"})
    return None


def _trouble(desk: Desk) -> DutyShown:
    trouble = desk.trouble
    assert trouble is not None
    text = f"Rule on {trouble.irregularity}; the round waits."
    command = {"kind": "ReportIrregularity", "irregularity": trouble.irregularity, "seat": trouble.seat}
    assert desk.play is not None
    remedies = desk.play.rules.game.irregularities.get(trouble.irregularity, ())
    floor = any(one.then == FLOOR_RULES for one in remedies)
    return DutyShown("rule", text, FLOORPERSON if floor else f"{DEALER} or {FLOORPERSON}", trouble.clause, command)


def _of_play(desk: Desk, play: Round) -> Iterator[DutyShown]:
    bets = play.rules.game.bets
    if play.phase == WAGERING:
        if play.players:
            yield DutyShown("close-bets", 'Call "no more bets".', DEALER, bets.cite, {"kind": "CloseBets"})
        else:
            text = "Take wagers; a round without any is called off."
            yield DutyShown("wager", text, PLAYER, bets.cite, {"kind": "PlaceWagers"})
    elif play.phase == DEALING:
        yield from _to_deal(desk, play)
    elif play.phase == ASKING:
        yield from _to_ask(desk, play)
    elif play.phase == SETTLING:
        yield DutyShown("settle", "Settle the wagers.", DEALER, play.rules.settle.cite, {"kind": "Settle"})
    elif play.phase == AWAITING_METER:
        waiting, progressive = play.meter, play.rules.game.progressive
        assert waiting is not None
        cite = (progressive.validation_cite if progressive else "") or waiting.clause
        text = f"Validate the progressive payout of seat {waiting.seat}."
        yield DutyShown("validate", text, FLOORPERSON, cite, {"kind": "ValidateMeter", "seat": waiting.seat})


def _to_deal(desk: Desk, play: Round) -> Iterator[DutyShown]:
    assert play.due is not None
    assert desk.terms is not None
    place, count, _, clause = play.due
    if desk.chips_found is not None:
        text = "The progressive chips do not agree with the wagers: report the seat whose chip is missing, or recount."
        command = {"kind": "ReportIrregularity", "irregularity": PROGRESSIVE_MISMATCH}
        yield DutyShown("mismatch", text, DEALER, rule.METERS, command)
        yield DutyShown("recount", "Count the progressive chips again.", DEALER, rule.METERS, {"kind": "CloseBets"})
        return
    where = f"seat {place}" if isinstance(place, int) else f"the {place}"
    if count < 0:
        yield DutyShown("turn", f"Turn up {-count} of {where}.", DEALER, clause, {"kind": "TurnCards"})
    elif desk.terms.real_cards and len(desk.waiting) < count:
        text = f"Draw {count - len(desk.waiting)} for {where}; the reader reports each."
        yield DutyShown("read", text, DEALER, clause, {"kind": "ReadCard"})
    else:
        yield DutyShown("deal", f"Deal {count} to {where}.", DEALER, clause, {"kind": "DealCards"})


def _to_ask(desk: Desk, play: Round) -> Iterator[DutyShown]:
    assert desk.terms is not None
    seat, here = play.cursor, play.rules.play[play.step]
    assert isinstance(here, Ask)
    answers = " or ".join(one.title.lower() for one in legal_actions(play))
    yield DutyShown("ask", f"Ask seat {seat}: {answers}.", PLAYER, here.cite, {"kind": "Act", "seat": seat})
    since = None if play.players[seat] in desk.gone else desk.asked_at + desk.terms.pace.decision_ms
    absent = {"kind": "ActForAbsent", "seat": seat}
    yield DutyShown("absent", f"Answer for seat {seat} where nobody does.", DEALER, "G-5", absent, "G-5", since)


def _of_cards(desk: Desk) -> Iterator[DutyShown]:
    assert desk.cards is not None
    assert desk.terms is not None
    now, found = reached(desk), next_duties(desk.cards)
    if not desk.terms.real_cards and not desk.in_round:
        # Nobody inspects or washes cards that the program draws; they are prepared as a self-dealing table's are.
        prepared = next_command(desk.cards, asked.NOBODY, max(desk.at, desk.cards.at))
        if prepared is not None:
            yield from (_shown(duty) for duty in found if duty.command == "TakeOutDevice")
            data, cite = asked.data_of(prepared), desk.terms.settings.game.bets.cite  # type: ignore[arg-type]
            yield DutyShown("prepare", "Have the program prepare the cards.", DEALER, cite, data)
            return
    is_ready = all(duty.command in _WHEN_READY for duty in found)
    for duty in found:
        if is_due(duty, now) and (is_ready or duty.command != "OpenRound"):
            yield _shown(duty)


def _shown(duty: DutyNow) -> DutyShown:
    kind = _AT_THE_DESK.get(duty.command, duty.command)
    command: dict[str, Any] = {"kind": kind}
    if kind == "ConfirmDuty":
        command["duty"] = duty.id
    if kind == "TakeOutDevice":
        command["device"], _, command["how"] = duty.id.partition("-")
    if duty.deck is not None:
        command["deck"] = duty.deck
    return DutyShown(duty.id, duty.text, duty.by, duty.cite, command, duty.ruling)


def _paid(play: Round) -> Iterator[PaidOut]:
    if play.phase not in (SETTLING, AWAITING_METER, OVER):
        return
    for (seat, wager), result in play.results.items():
        if result.paid:
            yield PaidOut(seat, wager, result.paid, shown(fewest(result.paid)), result.clause)
