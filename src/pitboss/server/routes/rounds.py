"""Round routes: a table's last rounds step by step, the caller's own rounds, and the dealer's console."""

from collections.abc import Callable, Collection
from typing import Annotated, Any, TypeVar

from fastapi import APIRouter, Query
from pydantic import BaseModel, Field

from pitboss.cards.deck import face
from pitboss.house.live_table.console import Console, console
from pitboss.house.live_table.disputes import hands
from pitboss.house.live_table.state import LiveTable
from pitboss.house.live_table.table_view import public_view
from pitboss.house.people import house_rules as rule
from pitboss.house.people.authorization import Place, allowed, role_for
from pitboss.house.replay import DamagedRecord, rounds_of
from pitboss.house.running_tables import Asked
from pitboss.record.entries import MalformedEntry
from pitboss.record.evidence import DECK_COMMITTED, ORDER_FIXED, UnknownRound
from pitboss.round import view
from pitboss.round.disputed import RULING
from pitboss.rules.plain import plain
from pitboss.rules.refusal import Refusal
from pitboss.server.narrator import told
from pitboss.server.open_floor import OpenFloor
from pitboss.server.recorded_rounds import PlayedRound, PlayedStep, Summary, Wanted, played_over, search
from pitboss.server.routes.callers import Guest
from pitboss.server.routes.office import may
from pitboss.server.routes.tables import REFUSED, Floor, Person, RefusedHere
from pitboss.server.schemas.rules import TableRules
from pitboss.server.slow_reads import TooManyQuestions
from pitboss.server.table_rules import rules_kept
from pitboss.table.people import Person as Somebody

router = APIRouter(prefix="/api")
LAST_BEGUN = ("house.RoundBegun",)
OWN_MOST = 20
OWN_SCANNED_MOST = 20_000  # entries examined, going back, for the caller's own rounds
# Players see what happened at the table in front of everyone, not what the house notes besides.
AT_THE_TABLE = (
    "house.RoundBegun",
    DECK_COMMITTED,
    ORDER_FIXED,
    "house.IrregularityReported",
    "house.IncidentAnswered",
    "house.PlayerReturned",
    "house.SealOpened",
    "house.RoundEnded",
    "house.DisputeReported",
    "house.DisputeResolved",
)
Answered = TypeVar("Answered")
TableName = Annotated[str | None, Query(max_length=80)]


class RecalledStep(BaseModel):
    """One step of a recorded round."""

    sequence: int
    at: int
    kind: str = Field(examples=["round.BetsClosed"])
    told: str = Field(examples=["No more bets"], description="what happened, in a sentence that names no hidden card")
    actor: str
    role: str
    clause: str | None
    seen: dict[str, Any] = Field(description="the round after it, as anybody at the table saw it")
    cards: dict[str, list[str]] | None = Field(description="all cards dealt by then, for auditors and regulators")


class RecalledRound(BaseModel):
    """A recorded round, step by step."""

    round: str
    table: str
    is_over: bool
    rules: str | None = Field(description="the version of the submission it was played under")
    agrees: bool = Field(description="whether the rules, asked again, give the same money and clauses")
    disagrees: list[str] = Field(description="where they do not, in sentences")
    commitments: int = Field(description="how many positions of the deck were committed before the first wager")
    steps: list[RecalledStep]


class OwnStep(BaseModel):
    """One step of a round as a player saw it."""

    sequence: int
    at: int
    kind: str = Field(examples=["round.BetsClosed"])
    told: str = Field(examples=["No more bets"])
    clause: str | None
    seen: dict[str, Any] = Field(description="the round after it, as this player saw it")


class OwnRound(BaseModel):
    """A round the caller has played, step by step."""

    round: str
    table: str
    is_over: bool
    seats: list[int] = Field(description="one's own")
    steps: list[OwnStep]


class OwnSummary(BaseModel):
    """A round the caller has played, in a line."""

    round: str
    table: str
    number: int
    at: int
    seats: list[int]
    staked_cents: int
    net_cents: int
    outcome: str | None = Field(examples=["settled"], description="none while it is played")


class DealersConsole(BaseModel):
    """A table as its dealer works it: the next step, its command, and what would be refused."""

    console: Console
    lease: int | None = Field(description="the number of the lease, to whoever holds it")


@router.get("/tables/{table}/console", responses=REFUSED)
async def dealers_console(floor: Floor, person: Person, table: str) -> DealersConsole:
    """Show the console of a table to the people who work there."""
    live = floor.house.live(table)
    role = role_for(person.roles, "ReportIrregularity")
    if role is None:
        raise RefusedHere(Refusal("A console is for the people who work at the table", rule.ROLES, "by"))
    is_held = live.lease.is_held(floor.clock.now_ms())
    token = live.lease.token if is_held and live.lease.holder == person.name else None
    asked = Asked("", person.name, person.roles, {"kind": "BeginRound"}, token)
    shown = console(live, floor.house.means(live, asked))
    return DealersConsole(console=shown, lease=token)


class RackedHand(BaseModel):
    """The cards of one place as they lie in the discard rack."""

    place: str = Field(examples=["2", "dealer", "board", "stub"])
    count: int
    cards: list[str] = Field(description="none where nobody saw them, as those of the stub")


class DisputedHands(BaseModel):
    """The hands of a disputed round, reconstructed in the order of the rack."""

    round: str
    seats: list[int] = Field(description="in dispute")
    note: str
    clause: str = Field(description="by which the cards are picked up in this order")
    ruling: str
    hands: list[RackedHand]


@router.get("/tables/{table}/hands", responses=REFUSED)
async def disputed_hands(floor: Floor, person: Person, table: str) -> DisputedHands:
    """Reconstruct the hands of a disputed round, for the floor and surveillance."""
    may(floor, person, "RebuildHands")
    live = floor.house.live(table)
    racked = hands(live)
    if isinstance(racked, Refusal):
        raise RefusedHere(racked)
    assert live.dispute is not None
    assert live.play is not None
    return DisputedHands(
        round=live.round,
        seats=list(live.dispute.seats),
        note=live.dispute.note,
        clause=live.play.rules.settle.pickup_cite,
        ruling=RULING,
        hands=[
            RackedHand(place=str(hand.place), count=hand.count, cards=[face(card) for card in hand.cards])
            for hand in racked
        ],
    )


@router.get("/tables/{table}/rounds", responses=REFUSED)
async def last_rounds(floor: Floor, person: Person, table: str) -> list[str]:
    """List a table's last ten rounds and then the current one."""
    may(floor, person, "RecallRounds")
    stream = floor.house.live(table).stream
    return list(await floor.beside(lambda: rounds_of(floor.store.read(stream, kinds=LAST_BEGUN))))


@router.get("/tables/{table}/rounds/{round_id}", responses=REFUSED)
async def recalled(floor: Floor, person: Person, table: str, round_id: str) -> RecalledRound:
    """Return a round step by step, even while the table is locked."""
    may(floor, person, "RecallRounds")
    floor.house.live(table)
    found = await in_record(floor, person, lambda: recalled_round(floor, person, round_id))
    if found.table != table:
        raise RefusedHere(Refusal(f"This table has no round {round_id}", None, "round"), 404)
    return found


@router.get("/me/rounds", responses=REFUSED)
async def own_rounds(floor: Floor, person: Person, table: TableName = None) -> list[OwnSummary]:
    """List the caller's own last rounds, newest first."""
    wanted = Wanted(table=table, player=person.name)
    found = await in_record(floor, person, lambda: search(floor.store, wanted, OWN_MOST, OWN_SCANNED_MOST))
    return [_own_summary(summary, person.name) for summary in found.rounds]


@router.get("/me/rounds/{round_id}", responses=REFUSED)
async def own_round(floor: Floor, person: Person, round_id: str) -> OwnRound:
    """Return a round the caller has played, step by step, with their own cards and the cards others showed."""
    found = await in_record(floor, person, lambda: _own(floor, person, round_id))
    seats = _seats(found, person.name)
    return OwnRound(
        round=found.round,
        table=found.table,
        is_over=found.is_over,
        seats=list(seats),
        steps=[_own_step(found, step, seats) for step in found.steps if _is_at_the_table(step)],
    )


@router.get("/me/rounds/{round_id}/rules", responses=REFUSED)
async def rules_of_own_round(floor: Floor, person: Person, round_id: str) -> TableRules:
    """Show the rules that a round the caller played was under, which may differ from those in force now."""
    found = await in_record(floor, person, lambda: _own(floor, person, round_id))
    return rules_kept(found.table, found.terms)


async def in_record(floor: OpenFloor, person: Guest, look: Callable[[], Answered]) -> Answered:
    """Search the record off the event loop and return the result; refuse if it is missing or damaged."""
    try:
        return await floor.beside(look, person.name)
    except TooManyQuestions:
        raise RefusedHere(Refusal("Your last questions are still being answered; ask again in a moment"), 429) from None
    except UnknownRound as fault:
        raise RefusedHere(Refusal(str(fault), None, "round"), 404) from None
    except (DamagedRecord, MalformedEntry) as fault:
        raise RefusedHere(Refusal(str(fault), rule.RECORD, "round")) from None


def recalled_round(floor: OpenFloor, person: Guest, round_id: str) -> RecalledRound:
    """Return a round step by step, with all its cards if this person is entitled to see them."""
    found = played_over(floor.store, round_id, floor.house.reading)
    may_open = Somebody(person.name, role_for(person.roles, "ReadSealed") or person.roles[0])
    is_entitled = found.is_over and allowed(may_open, "ReadSealed", Place(is_round_over=True)) is None
    disagrees = [f"Event {disagreement.event + 1}: {disagreement.says}" for disagreement in found.disagreements()]
    return RecalledRound(
        round=found.round,
        table=found.table,
        is_over=found.is_over,
        rules=found.steps[0].entry.rules,
        agrees=not disagrees,
        disagrees=disagrees,
        commitments=_committed(found),
        steps=[_step(found, step, is_entitled=is_entitled) for step in found.steps],
    )


def _committed(found: PlayedRound) -> int:
    # Older records drew the order in the round itself; a real deck has none.
    is_committed = any(step.entry.kind in (DECK_COMMITTED, ORDER_FIXED) for step in found.steps)
    return len(found.terms.settings.game.deck) if is_committed else 0


def _step(found: PlayedRound, step: PlayedStep, *, is_entitled: bool) -> RecalledStep:
    entry = step.entry
    return RecalledStep(
        sequence=entry.sequence,
        at=entry.at,
        kind=entry.kind,
        told=told(entry, step.event, step.play.rules),
        actor=entry.actor,
        role=entry.role,
        clause=entry.clause,
        seen=_seen(found, step),
        cards=dict(found.cards(step)) if is_entitled else None,
    )


def _seen(found: PlayedRound, step: PlayedStep, seats: Collection[int] = ()) -> dict[str, Any]:
    # Called-out events and the dealer's open hand are described as they are at the table.
    table = public_view(LiveTable(found.table, terms=found.terms, play=step.play, in_round=True))
    seen: dict[str, Any] = plain(view(step.play, seats))
    called_out = [{**seat, "acted": list(step.play.acted.get(seat["seat"], ()))} for seat in seen["seats"]]
    hand = {"dealer_hand": table.dealer_hand, "dealer_qualifies": table.dealer_qualifies}
    return {**seen, **hand, "seats": called_out}


def _own(floor: OpenFloor, person: Guest, round_id: str) -> PlayedRound:
    found = played_over(floor.store, round_id, floor.house.reading)
    if not _seats(found, person.name):
        raise RefusedHere(Refusal(f"You have played no round {round_id}", None, "round"), 404)
    return found


def _is_at_the_table(step: PlayedStep) -> bool:
    return step.event is not None or step.entry.kind in AT_THE_TABLE


def _seats(found: PlayedRound, person: str) -> tuple[int, ...]:
    # A player who took their wagers back before bets were closed has not seen that seat's cards.
    return tuple(seat for seat, player in sorted(found.steps[-1].play.players.items()) if player == person)


def _own_step(found: PlayedRound, step: PlayedStep, seats: Collection[int]) -> OwnStep:
    entry = step.entry
    return OwnStep(
        sequence=entry.sequence,
        at=entry.at,
        kind=entry.kind,
        told=told(entry, step.event, step.play.rules),
        clause=entry.clause,
        seen=_seen(found, step, seats),
    )


def _own_summary(summary: Summary, person: str) -> OwnSummary:
    seats = sorted(seat for seat, player in summary.players.items() if player == person)
    return OwnSummary(
        round=summary.round,
        table=summary.table,
        number=summary.number,
        at=summary.at,
        seats=seats,
        staked_cents=sum(sum(summary.stakes.get(seat, {}).values()) for seat in seats),
        net_cents=sum(summary.nets.get(seat, 0) for seat in seats),
        outcome=summary.outcome,
    )
