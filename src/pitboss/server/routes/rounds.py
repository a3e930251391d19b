"""Round routes: a table's last rounds step by step, the caller's own rounds, and the dealer's console."""

from collections.abc import Callable, Collection, Mapping
from typing import Annotated, TypeVar

from fastapi import APIRouter, Query, Response

from pitboss.cards.deck import face
from pitboss.house import entry_kinds
from pitboss.house.bots import bot_number
from pitboss.house.live_table.console import console
from pitboss.house.live_table.disputes import hands
from pitboss.house.live_table.state import LiveTable
from pitboss.house.live_table.table_view import public_view
from pitboss.house.narrator import Narrator
from pitboss.house.people import house_rules as rule
from pitboss.house.people.authorization import Place, allowed, role_for
from pitboss.house.receipts import NotWitnessed, receipt_of
from pitboss.house.replay import DamagedRecord, ReplayedRound, Step, replay_recorded, rounds_of
from pitboss.house.running_tables import Asked
from pitboss.house.stream_names import stream_of
from pitboss.record.entries import MalformedEntry
from pitboss.record.evidence import UnknownRound
from pitboss.round import view
from pitboss.round.counted import counted
from pitboss.round.disputed import RULING
from pitboss.rules.plain import plain
from pitboss.rules.refusal import Refusal
from pitboss.server.open_floor import OpenFloor
from pitboss.server.round_search import Found, Summary, Wanted, search
from pitboss.server.routes.callers import Guest
from pitboss.server.routes.office import may
from pitboss.server.routes.tables import REFUSED, Floor, Person, RefusedHere, roles_now
from pitboss.server.schemas import rounds as shown
from pitboss.server.schemas.rules import TableRules
from pitboss.server.table_rules import rules_kept
from pitboss.table.people import Person as Somebody

router = APIRouter(prefix="/api")
LAST_BEGUN = (entry_kinds.ROUND_BEGUN,)
OWN_SHOWN, OWN_MOST = 20, 200
NO_CHECKPOINT = Refusal(
    "This round isn't covered by a signed checkpoint yet. Try again in a minute", rule.RECORD, "round"
)
# Players see what happened at the table in front of everyone, not what the house notes besides.
AT_THE_TABLE = (
    entry_kinds.ROUND_BEGUN,
    entry_kinds.DECK_COMMITTED,
    entry_kinds.ORDER_FIXED,
    entry_kinds.IRREGULARITY_REPORTED,
    entry_kinds.INCIDENT_ANSWERED,
    entry_kinds.PLAYER_RETURNED,
    entry_kinds.TIME_GIVEN,
    entry_kinds.SEAL_OPENED,
    entry_kinds.ROUND_ENDED,
    entry_kinds.DISPUTE_REPORTED,
    entry_kinds.DISPUTE_RESOLVED,
)
GROUPS: Mapping[str, shown.StepGroup] = {
    entry_kinds.CARD_READ: "cards",
    entry_kinds.READ_CORRECTED: "cards",
    entry_kinds.CARDS_DEALT: "cards",
    entry_kinds.CARDS_TURNED: "cards",
    entry_kinds.WAGERS_PLACED: "move",
    entry_kinds.ACTION_TAKEN: "move",
    entry_kinds.WAGERS_SETTLED: "money",
    entry_kinds.METER_PAID: "money",
    entry_kinds.ENVY_PAID: "money",
    entry_kinds.CONTRIBUTION_PAID: "money",
    entry_kinds.IRREGULARITY_REPORTED: "report",
    entry_kinds.DISPUTE_REPORTED: "report",
    entry_kinds.IRREGULARITY_RULED: "exception",
    entry_kinds.ROUND_VOIDED: "exception",
    entry_kinds.WAGERS_REVERSED: "exception",
    entry_kinds.WRONG_COUNT_RULED: "exception",
}
Answered = TypeVar("Answered")
TableName = Annotated[str | None, Query(max_length=80)]
Since = Annotated[int | None, Query(ge=0, le=2**53)]
Most = Annotated[int, Query(ge=1, le=OWN_MOST)]


@router.get("/tables/{table}/console", responses=REFUSED)
async def dealers_console(floor: Floor, person: Person, table: str) -> shown.DealersConsole:
    """Show the console of a table to the people who work there."""
    live = floor.house.live(table)
    roles = roles_now(floor, person)
    if role_for(roles, "ReportIrregularity") is None:
        raise RefusedHere(Refusal("Only people who work at the table can see its console", rule.ROLES, "by"))
    is_held = live.lease.is_held(floor.clock.now_ms())
    token = live.lease.token if is_held and live.lease.holder == person.name else None
    asked = Asked("", person.name, roles, {"kind": "BeginRound"}, token)
    worked = console(live, floor.house.means(live, asked))
    return shown.DealersConsole(console=worked, lease=token)


@router.get("/tables/{table}/hands", responses=REFUSED)
async def disputed_hands(floor: Floor, person: Person, table: str) -> shown.DisputedHands:
    """Reconstruct the hands of a disputed round, for the floor and surveillance."""
    may(floor, person, "RebuildHands")
    live = floor.house.live(table)
    racked = hands(live)
    if isinstance(racked, Refusal):
        raise RefusedHere(racked)
    assert live.dispute is not None
    assert live.play is not None
    return shown.DisputedHands(
        round=live.round,
        seats=list(live.dispute.seats),
        note=live.dispute.note,
        clause=live.play.rules.settle.pickup_cite,
        ruling=RULING,
        hands=[
            shown.RackedHand(place=str(hand.place), count=hand.count, cards=[face(card) for card in hand.cards])
            for hand in racked
        ],
    )


@router.get("/tables/{table}/rounds", responses=REFUSED)
async def last_rounds(floor: Floor, person: Person, table: str) -> list[str]:
    """List a table's last ten rounds and then the current one."""
    may(floor, person, "RecallRounds")
    stream = floor.house.live(table).stream
    return list(await floor.beside(lambda: rounds_of(floor.store.read(stream, kinds=LAST_BEGUN)), person.share))


@router.get("/tables/{table}/rounds/{round_id}", responses=REFUSED)
async def recalled(floor: Floor, person: Person, table: str, round_id: str) -> shown.RecalledRound:
    """Return a round step by step, even while the table is locked."""
    may(floor, person, "RecallRounds")
    floor.house.live(table)
    found = await in_record(floor, person.share, lambda: recalled_round(floor, person, round_id))
    if found.table != table:
        raise RefusedHere(Refusal(f"This table has no round {round_id}", None, "round"), 404)
    return found


@router.get("/me/rounds", responses=REFUSED)
async def own_rounds(
    floor: Floor, person: Person, table: TableName = None, since: Since = None, most: Most = OWN_SHOWN
) -> list[shown.OwnSummary]:
    """List the caller's own last rounds, newest first."""
    found = await found_for(floor, person, Wanted(table=table, since=since, player=person.name), most)
    return [own_summary(floor, summary, person.name) for summary in found.rounds]


@router.get("/me/rounds/{round_id}", responses=REFUSED)
async def own_round(floor: Floor, person: Person, round_id: str) -> shown.OwnRound:
    """Return a round the caller has played, step by step, with their own cards and the cards others showed."""
    found = await in_record(floor, person.share, lambda: own_replay(floor, person, round_id))
    seats = _seats(found, person.name)
    return shown.OwnRound(
        round=found.round,
        table=found.table,
        is_over=found.is_over,
        seats=list(seats),
        steps=[_own_step(found, step, seats) for step in found.steps if _is_at_the_table(step)],
    )


@router.get("/me/rounds/{round_id}/receipt", responses=REFUSED)
async def receipt_of_own_round(floor: Floor, person: Person, round_id: str, response: Response) -> shown.Receipt:
    """Return the caller's receipt for a settled round, which `pitboss verify` and verify.html check offline."""

    def made() -> shown.Receipt:
        note = floor.tree.witnessed() if floor.witnesses else floor.tree.latest
        if note is None:
            raise RefusedHere(NO_CHECKPOINT)
        size, text = note.checkpoint.size, note.text()
        try:
            receipt = receipt_of(floor.store, floor.tree, text, size, round_id, person.name)
        except NotWitnessed:
            raise RefusedHere(NO_CHECKPOINT) from None
        return shown.Receipt.model_validate(receipt)

    found = await in_record(floor, person.share, made)
    response.headers["Content-Disposition"] = 'attachment; filename="receipt.json"'
    return found


@router.get("/me/rounds/{round_id}/rules", responses=REFUSED)
async def rules_of_own_round(floor: Floor, person: Person, round_id: str) -> TableRules:
    """Show the rules that a round the caller played was under, which may differ from those in force now."""
    found = await in_record(floor, person.share, lambda: own_replay(floor, person, round_id))
    return rules_kept(found.table, found.terms)


async def found_for(floor: OpenFloor, person: Guest, wanted: Wanted, most: int) -> Found:
    """Search the record for the caller's own rounds, off the event loop."""
    return await in_record(floor, person.share, lambda: search(floor.store, floor.rounds, wanted, most))


async def in_record(floor: OpenFloor, by: str, look: Callable[[], Answered]) -> Answered:
    """Search the record off the event loop for a person or an address; refuse if it is missing or damaged."""
    try:
        return await floor.beside(look, by)
    except UnknownRound as fault:
        raise RefusedHere(Refusal(str(fault), None, "round"), 404) from None
    except (DamagedRecord, MalformedEntry) as fault:
        raise RefusedHere(Refusal(str(fault), rule.RECORD, "round")) from None


def recalled_round(floor: OpenFloor, person: Guest, round_id: str) -> shown.RecalledRound:
    """Return a round step by step, with all its cards if this person is entitled to see them."""
    found = replay_recorded(floor.store, round_id, floor.house.reading)
    may_open = Somebody(person.name, role_for(person.roles, "ReadSealed") or person.roles[0])
    is_entitled = found.is_over and allowed(may_open, "ReadSealed", Place(is_round_over=True)) is None
    altered = floor.store.alterations.stopped.get(stream_of(found.table))  # the round is read up to the altered row
    disagrees = [altered] if altered else []
    disagrees += [f"Event {disagreement.event + 1}: {disagreement.says}" for disagreement in found.disagreements()]
    return shown.RecalledRound(
        round=found.round,
        table=found.table,
        is_over=found.is_over,
        rules=found.steps[0].entry.rules,
        agrees=not disagrees,
        disagrees=disagrees,
        commitments=_committed(found),
        steps=[_step(found, step, is_entitled=is_entitled) for step in found.steps],
    )


def _committed(found: ReplayedRound) -> int:
    # Older records drew the order in the round itself; a real deck has none.
    is_committed = any(step.entry.kind in (entry_kinds.DECK_COMMITTED, entry_kinds.ORDER_FIXED) for step in found.steps)
    return len(found.terms.settings.game.deck) if is_committed else 0


def _step(found: ReplayedRound, step: Step, *, is_entitled: bool) -> shown.RecalledStep:
    entry = step.entry
    return shown.RecalledStep(
        sequence=entry.sequence,
        at=entry.at,
        kind=entry.kind,
        group=GROUPS.get(entry.kind, "other"),
        told=Narrator(step.play.rules).tell(*step),
        actor=entry.actor,
        role=entry.role,
        clause=entry.clause,
        seen=seen_at(found, step),
        cards={place: list(cards) for place, cards in found.cards(step).items()} if is_entitled else None,
    )


def seen_at(found: ReplayedRound, step: Step, seats: Collection[int] = ()) -> shown.RoundSeen:
    """Return the round after a step as the players of these seats saw it; without seats, as a spectator did."""
    # Called-out events and the dealer's open hand are described as they are at the table.
    table = public_view(LiveTable(found.table, terms=found.terms, play=step.play, in_round=True))
    seen = plain(view(step.play, seats))
    called_out = [
        {
            **seat,
            "acted": step.play.acted.get(seat["seat"], ()),
            "bot": bot_number(seat["player"], found.table),
            "counted": plain(counted(step.play, seat["seat"])) if seat["seat"] in seats else [],
        }
        for seat in seen["seats"]
    ]
    hand = {"dealer_hand": table.dealer_hand, "dealer_qualifies": table.dealer_qualifies}
    return shown.RoundSeen.model_validate({**seen, **hand, "seats": called_out})


def own_replay(floor: OpenFloor, person: Guest, round_id: str) -> ReplayedRound:
    """Return a round that a person played, or refuse."""
    found = replay_recorded(floor.store, round_id, floor.house.reading)
    if not _seats(found, person.name):
        raise RefusedHere(Refusal(f"You haven't played a round {round_id}", None, "round"), 404)
    return found


def _is_at_the_table(step: Step) -> bool:
    return step.event is not None or step.entry.kind in AT_THE_TABLE


def _seats(found: ReplayedRound, person: str) -> tuple[int, ...]:
    # A player who took their wagers back before bets were closed has not seen that seat's cards.
    return tuple(seat for seat, player in sorted(found.steps[-1].play.players.items()) if player == person)


def _own_step(found: ReplayedRound, step: Step, seats: Collection[int]) -> shown.OwnStep:
    entry = step.entry
    return shown.OwnStep(
        sequence=entry.sequence,
        at=entry.at,
        kind=entry.kind,
        told=Narrator(step.play.rules).tell(*step),
        clause=entry.clause,
        seen=seen_at(found, step, seats),
    )


def own_summary(floor: OpenFloor, summary: Summary, person: str) -> shown.OwnSummary:
    """Return a round in a line, with the money of one person's seats."""
    live = floor.house.live(summary.table)
    terms = live.terms
    seats = sorted(seat for seat, player in summary.players.items() if player == person)
    return shown.OwnSummary(
        round=summary.round,
        table=summary.table,
        game=terms.settings.game.name if terms is not None else "",
        title=terms.settings.game.title if terms is not None else summary.table,
        free_play=live.free_play,
        number=summary.number,
        at=summary.at if summary.ended_at is None else summary.ended_at,
        seats=seats,
        staked_cents=sum(sum(summary.stakes.get(seat, {}).values()) for seat in seats),
        net_cents=sum(summary.nets.get(seat, 0) for seat in seats),
        outcome=summary.outcome,
    )
