"""The dealer's console as a value: what to do now, who does it, under which clause and with which command."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from pitboss.house import narrator as tell
from pitboss.house.live_table import commands as asked
from pitboss.house.live_table import play_commands
from pitboss.house.live_table.absent_players import ABSENCE, is_left, needs_ruling
from pitboss.house.live_table.card_readers import READER, CardSource, card_source
from pitboss.house.live_table.decide import decide
from pitboss.house.live_table.duty_order import blocking, reached
from pitboss.house.live_table.event_writer import Means
from pitboss.house.live_table.holds import NOT_WITHDRAWN, about_report, remedy_of
from pitboss.house.live_table.idle_table import check_first_wager, is_spread_due
from pitboss.house.live_table.patron_commands import repeatable
from pitboss.house.live_table.payouts import PaidOut, PayoutShown, paid, paid_cents, waiting
from pitboss.house.live_table.state import LiveTable, Trouble
from pitboss.house.live_table.tray_commands import is_tray_hidden
from pitboss.house.money.chips import shown
from pitboss.house.money.postings import FillNeeded
from pitboss.house.patrons import account_of_patron, is_patron
from pitboss.house.people import house_rules as rule
from pitboss.house.people.roles import PERMISSIONS
from pitboss.round import legal_actions
from pitboss.round.disputed import RULING
from pitboss.round.state import (
    ASKING,
    AWAITING_METER,
    AWAITING_VERIFICATION,
    DEALING,
    SETTLING,
    WAGERING,
    Phase,
    Round,
)
from pitboss.rules.dealing import AUTOMATED_SHOE
from pitboss.rules.irregularity import FLOOR_RULES, PROGRESSIVE_MISMATCH
from pitboss.rules.play import Ask
from pitboss.rules.procedure import DEALER, FLOORPERSON, PLAYER, Duty
from pitboss.rules.refusal import Refusal
from pitboss.table import next_duties
from pitboss.table.automaton import next_command
from pitboss.table.commands import MANUAL, SHOE, SHUFFLER, CountStub, RackStub, ShuffleDeck
from pitboss.table.conditions import JAMS
from pitboss.table.duties_now import DutyNow
from pitboss.table.people import PIT_MANAGER
from pitboss.table.state import ABSENT, FAILED, IN_SERVICE, LOADED, STUB_DISPUTED

# Duties that the table's own procedure names differently, because the live table does more with them.
_AT_THE_TABLE = {"OpenRound": "BeginRound", "CloseRound": "EndRound"}
# Shown alongside a round that can be opened; with two decks the other one is prepared first.
_WHEN_READY = ("OpenRound", "SpreadIdle", "RemoveDeck")
_BETWEEN_ROUNDS = {"OpenRound": 1, "SpreadIdle": 2, "RemoveDeck": 2}
_STUB = ("RackStub", "CountStub")
_FROM_THE_SHOE = ("LoadDeck", "BeginRound", "ReadCard", "ReaderSaw", "DealCards")  # what needs a working automated shoe
_OF_COUNTS = ("count-stub", "check-count", "count-deck")  # what remains to be done after a wrong count
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
class AnswerShown:
    """An action that a player may signal now."""

    action: str
    title: str
    discards: bool
    stake_cents: int  # what it puts down


@dataclass(frozen=True, slots=True)
class PatronShown:
    """A position of a player without a device: their chips, what is down now, and what was down before."""

    seat: int
    player: str
    account: str | None  # None for a patron nobody knows
    stack_cents: int
    stakes: Mapping[str, int]
    bet_before: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class DutyShown:
    """Something to be done now, and the command that records it, with as much of it as is known."""

    id: str
    text: str
    roles: tuple[str, ...]  # who does it: someone in one of these roles
    clause: str | None
    command: Mapping[str, Any]
    ruling: str | None = None
    since: int | None = None  # the earliest time for it, if that isn't now
    payout: PayoutShown | None = None  # for a payout that must be validated
    cards: int | None = None  # how many to read, deal or turn
    place: str | int | None = None  # the seat or table place they are for
    answers: tuple[AnswerShown, ...] = ()  # that the dealer enters for a player without a device
    device: str | None = None  # the device out of service that this waits for
    jam: str | None = None  # the irregularity to report if that device jammed on the round's cards
    by: str = ""  # the roles in words


@dataclass(frozen=True, slots=True)
class RefusedNow:
    """A command that would be refused at this moment, and why."""

    command: str
    reason: str
    clause: str | None
    field: str | None = None  # only needs to be filled in
    device: str | None = None  # the device out of service that is the reason


@dataclass(frozen=True, slots=True)
class WaitingProposal:
    """What waits for a second person."""

    proposal: str
    kind: str
    by: str
    until: int


@dataclass(frozen=True, slots=True)
class HeldShown:
    """The report that holds the table; `Decline` with its name and a reason turns it down."""

    incident: str
    irregularity: str
    seat: int | None
    by: str
    role: str
    at: int
    clause: str | None
    rulings: tuple[str, ...]  # the floor's choices, if it decides
    can_withdraw: bool  # by its reporter; otherwise only a floorperson who didn't report it may decline it


@dataclass(frozen=True, slots=True)
class Console:
    """A table as its dealer works it; no card is in it."""

    table: str
    sequence: int
    dealer: str | None
    phase: Phase | None
    duties: tuple[DutyShown, ...]
    proposals: tuple[WaitingProposal, ...]
    paid: tuple[PaidOut, ...]
    tray: str
    refused: tuple[RefusedNow, ...] = ()
    held: HeldShown | None = None
    patrons: tuple[PatronShown, ...] = ()
    card_source: CardSource | None = None  # None where the program draws the cards


def console(live: LiveTable, means: Means | None = None) -> Console:
    """Return a table's console; with the means of someone who works there, also what they would be refused now."""
    play = live.play if live.in_round else None
    at = means.at if means is not None else live.at
    no = refused(live, means) if means is not None else ()
    meters = means.progressive.shown() if means is not None and means.progressive else None
    is_hidden = means is not None and is_tray_hidden(means.controls, live)
    source = card_source(live, requires_readers=means is not None and means.requires_readers)
    return Console(
        table=live.table,
        sequence=live.head.sequence,
        dealer=live.lease.holder if live.lease.is_held(at) else None,
        phase=play.phase if play is not None else None,
        duties=tuple(
            _with_device(live, duty, _awaited(live, duty.command, no))
            for duty in _in_order(duties(live, at, meters, source, is_counted=is_hidden), no, is_playing=live.in_round)
        ),
        proposals=tuple(
            WaitingProposal(name, str(proposal.command["kind"]), proposal.by, proposal.until)
            for name, proposal in live.proposals.items()
        ),
        paid=tuple(paid(play, live.tray_with(paid_cents(play)))) if play is not None else (),
        tray="" if is_hidden else shown(live.tray),
        refused=no,
        held=_held(live, live.trouble) if live.trouble is not None else None,
        patrons=tuple(_patrons(live)),
        card_source=source,
    )


def _patrons(live: LiveTable) -> Iterator[PatronShown]:
    stakes = live.play.stakes if live.in_round and live.play is not None else {}
    for seat, player in sorted(live.seats.items()):
        if is_patron(player):
            down = {wager: cents for (other, wager), cents in stakes.items() if other == seat}
            before = live.bet_before.get(seat, {})
            chips = live.stack_cents(player)
            yield PatronShown(seat, player, account_of_patron(player), chips, down, before)


def _with_device(live: LiveTable, duty: DutyShown, device: str | None) -> DutyShown:
    jam = JAMS[device] if device is not None and live.in_round and live.play is not None else None
    known = live.play.rules.game.irregularities if live.play is not None else {}
    return replace(duty, device=device, jam=jam if jam in known else None, by=" or ".join(duty.roles))


def _in_order(found: Iterator[DutyShown], no: tuple[RefusedNow, ...], *, is_playing: bool) -> tuple[DutyShown, ...]:
    # A command that would be refused comes after what it waits for; one that only lacks a number isn't refused.
    waits = {refusal.command for refusal in no if refusal.field is None}
    waits |= {"TakeOutDevice"} if is_playing else set()  # in a round the card shows whom a failed device waits for
    return tuple(sorted(found, key=lambda duty: duty.command["kind"] in waits))


def refused(live: LiveTable, means: Means) -> tuple[RefusedNow, ...]:
    """Return the dealer's commands that would be refused now, each with its reason and clause."""
    found = []
    for command in _TRIED:
        answer = decide(live, command, means)
        # A refusal for a short tray would reveal the value of hands that aren't turned yet.
        if isinstance(answer, Refusal) and not isinstance(answer, FillNeeded):
            out = answer.device if _is_out(live, answer.device) else None
            found.append(RefusedNow(type(command).__name__, answer.reason, answer.clause, answer.field, out))
    return tuple(found)


def _is_out(live: LiveTable, device: str | None) -> bool:
    return device is not None and live.cards is not None and live.cards.device(device) not in (IN_SERVICE, ABSENT)


def _awaited(live: LiveTable, command: Mapping[str, Any], no: tuple[RefusedNow, ...]) -> str | None:
    """Return the out-of-service device that a command waits for, or None."""
    kind, cards = command["kind"], live.cards
    if cards is None:
        return None
    refused_for = next((refusal.device for refusal in no if refusal.command == kind), None)
    if refused_for is None and cards.method == AUTOMATED_SHOE and kind in _FROM_THE_SHOE and _is_out(live, SHOE):
        return SHOE
    # Cards are shuffled by hand only after a failed shuffler is out of the way.
    is_by_hand = kind == ShuffleDeck.__name__ and command.get("way") == MANUAL
    return SHUFFLER if is_by_hand and cards.device(SHUFFLER) == FAILED else refused_for


def duties(
    live: LiveTable,
    at: int,
    meters: Mapping[str, int] | None = None,
    source: CardSource | None = None,
    *,
    is_counted: bool = False,
) -> Iterator[DutyShown]:
    """Yield what to do now: what stops the table first, then the play, then the cards."""
    opening = _to_open(live, at, is_counted=is_counted)
    if opening is not None:
        yield opening
        return
    for name, proposal in live.proposals.items():
        text, roles = tell.to_confirm(proposal.by, proposal.command), tuple(PERMISSIONS["Confirm"].grants)
        yield DutyShown("confirm", text, roles, rule.ROLES, {"kind": "Confirm", "proposal": name})
    if live.trouble is not None:
        if not about_report(live):
            yield _trouble(live)
        return
    if _is_disputed(live):
        assert live.cards is not None
        yield from (_shown(duty) for duty in next_duties(live.cards) if duty.id in _OF_COUNTS)
        return
    if live.dispute is not None:
        text = tell.to_resolve(live.dispute.seats, live.dispute.note)
        yield DutyShown("dispute", text, (FLOORPERSON,), rule.DISPUTES, {"kind": "ResolveDispute"}, RULING)
        if not live.in_round:
            return
    if live.in_round and live.play is not None:
        yield from _of_play(live, live.play, at, meters, source)
    yield from _of_cards(live, at)


def waits_for_floor(live: LiveTable, at: int) -> tuple[DutyShown, ...]:
    """Return the duties at an open table that only somebody from the floor can do, other than rulings."""
    if not live.is_open or (live.terms is not None and live.terms.automatic):
        return ()
    found = (duty for duty in duties(live, at) if duty.roles and set(duty.roles) <= {FLOORPERSON, PIT_MANAGER})
    return tuple(duty for duty in found if duty.command["kind"] not in ("ResolveDispute", "ReportIrregularity"))


def _is_disputed(live: LiveTable) -> bool:
    played = live.cards.round if live.cards is not None else None
    if played is None:
        return False
    return bool(played.miscounted) or (played.stub == STUB_DISPUTED and not played.irregularity)


def _to_open(live: LiveTable, at: int, *, is_counted: bool) -> DutyShown | None:
    if live.terms is None:
        text = "Put a submission in force."
        return DutyShown("activate", text, ("operator",), rule.SUBMISSIONS, {"kind": "ActivateSubmission"})
    if not live.is_open and is_counted and live.lease.is_held(at):
        text = "Count the tray. The dealer and a floorperson each enter a count, without seeing the other's."
        return DutyShown("count-tray", text, (DEALER, FLOORPERSON), rule.TRAY_COUNTS, {"kind": "CountTray"})
    if not live.is_open and not is_counted:
        text = "Count the tray and open the table."
        return DutyShown("open-table", text, (FLOORPERSON,), rule.TABLES, {"kind": "OpenTable"})
    if not live.lease.is_held(at):
        return DutyShown("take-lease", "Take your place at the table.", (DEALER,), rule.LEASES, {"kind": "TakeLease"})
    return None


def _trouble(live: LiveTable) -> DutyShown:
    trouble = live.trouble
    assert trouble is not None
    text = tell.to_rule(trouble.irregularity, trouble.by)
    command: dict[str, Any] = {"kind": "ReportIrregularity", "irregularity": trouble.irregularity, "seat": trouble.seat}
    assert live.play is not None
    remedies = live.play.rules.game.irregularities.get(trouble.irregularity, ())
    now = remedy_of(live, trouble.irregularity, is_other=trouble.other_deck)
    floor = any(remedy.then == FLOOR_RULES for remedy in (*remedies, *((now,) if now else ())))
    roles = (FLOORPERSON,) if floor else (DEALER, FLOORPERSON)
    return DutyShown("rule", text, roles, trouble.clause, command)


def _held(live: LiveTable, trouble: Trouble) -> HeldShown:
    is_known = live.play is not None
    remedy = remedy_of(live, trouble.irregularity, is_other=trouble.other_deck) if is_known else None
    rulings = remedy.rulings if remedy is not None else ()
    return HeldShown(
        trouble.incident,
        trouble.irregularity,
        trouble.seat,
        trouble.by,
        trouble.role,
        trouble.at,
        trouble.clause,
        rulings,
        trouble.irregularity not in NOT_WITHDRAWN,
    )


def _of_play(
    live: LiveTable, play: Round, at: int, meters: Mapping[str, int] | None, source: CardSource | None
) -> Iterator[DutyShown]:
    bets = play.rules.game.bets
    if play.phase == WAGERING:
        if (late := check_first_wager(live, at)) is not None:
            yield DutyShown("call-off", f"{late.reason}.", (DEALER,), late.clause, {"kind": "EndRound"})
            return
        if play.players:
            yield DutyShown("close-bets", 'Call "no more bets".', (DEALER,), bets.cite, {"kind": "CloseBets"})
        if repeatable(live):
            text = "Repeat last round's bets where the same chips are down."
            yield DutyShown("repeat", text, (DEALER,), rule.PATRONS, {"kind": "RepeatWagers"})
        elif not play.players:
            text = "Take bets. If there are none, the round is called off."
            yield DutyShown("wager", text, (PLAYER,), bets.cite, {"kind": "PlaceWagers"})
    elif play.phase == DEALING:
        yield from _to_deal(live, play, source)
    elif play.phase == ASKING:
        yield from _to_ask(live, play)
    elif play.phase == SETTLING:
        if play_commands.awaits_stub(live):
            assert live.cards is not None
            yield from (_shown(duty) for duty in next_duties(live.cards) if duty.command in _STUB)
            return
        first = _first(live)
        if first is not None:
            yield _to_confirm(first)
            return
        yield DutyShown("settle", "Settle all wagers.", (DEALER,), play.rules.settle.cite, {"kind": "Settle"})
    elif play.phase in (AWAITING_METER, AWAITING_VERIFICATION):
        yield _to_validate(play, meters)


def _to_validate(play: Round, meters: Mapping[str, int] | None) -> DutyShown:
    payout = waiting(play, meters)
    assert payout is not None
    cents = payout.cents or sum(bonus.cents for bonus in payout.envy)
    text = tell.to_validate(payout.seat, payout.hand, cents, is_progressive=payout.is_progressive)
    kind = "ValidateMeter" if play.meter is not None else "ValidatePayout"
    command = {"kind": kind, "seat": payout.seat}
    return DutyShown("validate", text, (FLOORPERSON,), payout.clause, command, payout.ruling, payout=payout)


def _to_deal(live: LiveTable, play: Round, source: CardSource | None) -> Iterator[DutyShown]:
    assert play.due is not None
    assert live.terms is not None
    place, count, _, clause, is_turned = play.due
    if live.chips_found is not None:
        text = "The progressive chips don't match the wagers. Report the seat whose chip is missing, or recount."
        command = {"kind": "ReportIrregularity", "irregularity": PROGRESSIVE_MISMATCH}
        yield DutyShown("mismatch", text, (DEALER,), rule.METERS, command)
        yield DutyShown("recount", "Recount the progressive chips.", (DEALER,), rule.METERS, {"kind": "CloseBets"})
        return
    first = _first(live)
    if first is not None:
        yield _to_confirm(first)
    elif is_turned:
        text = tell.to_turn(count, place, play.rules)
        yield DutyShown("turn", text, (DEALER,), clause, {"kind": "TurnCards"}, cards=count, place=place)
    elif not _is_loaded(live):
        return  # the deck is shuffled, cut and loaded again first
    elif live.terms.real_cards and len(live.waiting) < count:
        left = count - len(live.waiting)
        is_read = source is not None and source.by == READER
        text = tell.to_draw(left, place, play.rules, is_read=is_read)
        # A dealer who may not enter cards isn't asked to; the duty is the reader's.
        by, kind = (READER, "ReaderSaw") if is_read else (DEALER, "ReadCard")
        yield DutyShown("read", text, (by,), clause, {"kind": kind}, cards=left, place=place)
    else:
        text = tell.to_deal(count, place, play.rules)
        yield DutyShown("deal", text, (DEALER,), clause, {"kind": "DealCards"}, cards=count, place=place)


def _is_loaded(live: LiveTable) -> bool:
    played = live.cards.round if live.cards is not None else None
    deck = live.cards.deck(played.deck) if live.cards is not None and played is not None else None
    return deck is not None and deck.stage == LOADED


def _to_ask(live: LiveTable, play: Round) -> Iterator[DutyShown]:
    assert live.terms is not None
    seat, here = play.cursor, play.rules.play[play.step]
    assert isinstance(here, Ask)
    text = tell.to_ask(seat, (action.title.lower() for action in legal_actions(play)))
    command: dict[str, Any] = {"kind": "Act", "seat": seat}
    if is_patron(play.players[seat]):
        yield DutyShown("ask", text, (DEALER,), here.cite, command, answers=tuple(_answers(play, seat)))
    else:
        yield DutyShown("ask", text, (PLAYER,), here.cite, command)
    since = None if is_left(live, seat) else live.asked_at + live.terms.pace.decision_ms
    absent = {"kind": "ActForAbsent", "seat": seat}
    is_ruled = needs_ruling(live, seat)
    text, roles = tell.to_answer_for(seat, needs_ruling=is_ruled), (DEALER, FLOORPERSON) if is_ruled else (DEALER,)
    yield DutyShown("absent", text, roles, ABSENCE, absent, ABSENCE, since)


def _answers(play: Round, seat: int) -> Iterator[AnswerShown]:
    for action in legal_actions(play):
        times = action.stakes
        cents = times.times * play.stakes.get((seat, times.of), 0) if times is not None else 0
        yield AnswerShown(action.name, action.title, action.discards, cents)


def _of_cards(live: LiveTable, at: int) -> Iterator[DutyShown]:
    assert live.cards is not None
    assert live.terms is not None
    now, found = reached(live), next_duties(live.cards)
    if not live.terms.real_cards and not live.in_round:
        # No one inspects or washes cards that the program draws; they are prepared as at an automatic table.
        prepared = next_command(live.cards, asked.NOBODY, max(live.at, live.cards.at))
        if prepared is not None:
            yield from (_shown(duty) for duty in found if duty.command == "TakeOutDevice")
            data, cite = asked.data_of(prepared), live.terms.settings.game.bets.cite  # type: ignore[arg-type]
            yield DutyShown("prepare", "Have the program prepare the cards.", (DEALER,), cite, data)
            return
    if is_spread_due(live, at):
        spread = live.terms.settings.procedures.idle.duties[-1]
        yield DutyShown(spread.id, spread.text, (spread.by,), spread.cite, {"kind": "SpreadIdle"}, spread.ruling)
        found = tuple(duty for duty in found if duty.command == "RemoveDeck")
    is_ready = all(duty.command in _WHEN_READY for duty in found)
    if not live.in_round:
        # What the next round needs comes first; spreading cards and changing a deck can be done at any time.
        found = tuple(sorted(found, key=lambda duty: _BETWEEN_ROUNDS.get(duty.command, 0)))
    if live.in_round and live.play is not None and live.play.phase == SETTLING and play_commands.awaits_stub(live):
        found = tuple(duty for duty in found if duty.command not in _STUB)  # shown first, in place of settling
    if live.in_round and not _is_loaded(live):
        found = tuple(sorted(found, key=lambda duty: duty.deck is None))  # no card is drawn before the deck is ready
    first = _first(live)  # shown earlier, in place of what it blocks
    for duty in found:
        if duty.is_due(now) and (is_ready or duty.command != "OpenRound") and (first is None or duty.id != first.id):
            yield _shown(duty)


def _first(live: LiveTable) -> Duty | None:
    play = live.play if live.in_round else None
    if play is not None and play.phase == SETTLING:
        return blocking(live, "Settle")
    is_turned = play is not None and play.due is not None and play.due.is_turned
    return blocking(live, "TurnCards") if is_turned else None


def _to_confirm(duty: Duty) -> DutyShown:
    command = {"kind": "ConfirmDuty", "duty": duty.id}
    return DutyShown(duty.id, duty.text, (duty.by,), duty.cite, command, duty.ruling)


def _shown(duty: DutyNow) -> DutyShown:
    kind = _AT_THE_TABLE.get(duty.command, duty.command)
    command: dict[str, Any] = {"kind": kind}
    if kind == "ConfirmDuty":
        command["duty"] = duty.id
    if kind == "TakeOutDevice":
        command["device"], _, command["how"] = duty.id.partition("-")
    if duty.deck is not None:
        command["deck"] = duty.deck
    return DutyShown(duty.id, duty.text, (duty.by,), duty.cite, command, duty.ruling)
