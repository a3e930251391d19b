"""Whatever commands a progressive gets, its meters balance after every event, and each round counts once."""

import json
import random
from collections import Counter, defaultdict
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from house.booked import DESK, PROGRESSIVE, PROGRESSIVES, TABLE, VOIDED, Books, funded, lucky
from house.metered import NAME, Metered, claim, link, staked
from pitboss.house.money import transfers
from pitboss.house.money.ledger import felt, inventory, pool
from pitboss.house.money.postings import transfer_of
from pitboss.house.progressive import (
    MeterTerms,
    ProgressiveState,
    after_entry,
    decide,
    drafts_of,
    evolve,
    link_of,
    tray_cents,
)
from pitboss.house.progressive import commands as asked
from pitboss.house.progressive import events as happened
from pitboss.house.progressive.meter_entries import event_from_data, state_from_data, state_to_data
from pitboss.house.stream_names import progressive_stream
from pitboss.record.entries import Circumstances, Head, chain
from pitboss.round.commands import PayMeter, ReportIrregularity
from pitboss.round.events import EnvyPaid, MeterPaid
from pitboss.round.state import AWAITING_METER
from pitboss.rules.plain import Malformed
from pitboss.rules.refusal import Refusal

pytestmark = pytest.mark.slow

TABLES = ("one", "two", "three")
TRIED = settings(max_examples=100, derandomize=True, deadline=None, database=None)
seeds = st.integers(0, 2**20)


class Anyhow:
    """Makes up commands for three tables on one progressive, many of them out of order."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)
        self.rounds = 0
        self.metered = Metered.open(*self.terms(), tables=TABLES)

    def terms(self) -> tuple[MeterTerms, ...]:
        chance = self.chance
        names = ("mega", "major", "minor")[: chance.randint(1, 3)]
        return tuple(self.term(name, len(names)) for name in names)

    def term(self, name: str, share: int) -> MeterTerms:
        chance = self.chance
        reset = chance.choice((1, 250, 1_000, 99_999))
        initial = reset + chance.choice((0, 0, 1, 333))
        return MeterTerms(
            name,
            initial,
            reset,
            Fraction(chance.randint(1, 9), chance.choice((10, 21, 97)) * share),
            f"clause of {name}",
            Fraction(chance.choice((0, 0, 1)), chance.choice((20, 77)) * share),
            chance.choice((None, None, initial, initial + 40, initial + 1_000)),
        )

    def command(self) -> Any:
        """Return the next thing a table would ask, or now and then anything at all."""
        chance, state = self.chance, self.metered.state
        table = chance.choice(TABLES) if chance.random() < 0.97 else "nowhere"
        play = state.plays.get(table)
        if chance.random() < 0.2:
            return self.made_up(chance.randrange(13), table)
        if play is None:
            return self.made_up(0 if table in state.links else 9, table)
        if not play.is_locked:
            return self.made_up(1, table)
        if not play.is_counted:
            return self.made_up(2, table)
        return self.made_up(chance.choices((3, 4, 5, 6, 10), (12, 2, 2, 2, 1))[0], table)

    def made_up(self, kind: int, table: str) -> Any:
        chance, state = self.chance, self.metered.state
        play = state.plays.get(table)
        where = {
            "at": self.metered.at,
            "table": table,
            "round": play.round if play and chance.random() < 0.97 else "r0",
        }
        meter = chance.choice((*list(state.meters) * 5, "none"))
        match kind:
            case 0:
                self.rounds += 1
                return asked.OpenPlay(**(where | {"round": f"r{self.rounds}"}))
            case 1:
                return asked.LockOut(**where)
            case 2:
                stakes = {seat: chance.choice((100, 500, 1)) for seat in range(1, chance.randint(1, 8))}
                stakes |= {9: 0} if chance.random() < 0.1 else {}
                chips = chance.choice((None, len(stakes), len(stakes), 3))
                return asked.TakeContributions(**where, stakes=staked(stakes), chips_counted=chips)
            case 3:
                seat = chance.randint(1, min((hit.seat for hit in play.hits), default=6)) if play else 1
                percent = chance.choice((100, 100, 10, 50, 0))
                who = {"validated_by": chance.choice(("floor 1",) * 8 + ("dealer", ""))}
                return asked.PayHit(**(where | claim(table, where["round"], seat, meter, percent) | who))
            case 4:
                hand = {"hand": "royal flush", "cents": chance.choice((0, 30_000, 30_000)), "clause": "envy"}
                return asked.RecordEnvy(**where, seat=chance.randint(1, 6), from_seat=chance.randint(1, 6), **hand)
            case 5:
                return asked.TakeBack(**where, by="ann", second=chance.choice(("bob", "bob", "ann")), clause="void")
            case 6:
                return asked.ClosePlay(**where)
            case 7:
                people = {"reason": "new", "by": "ann", "second": "bob"}
                return asked.ChangeTerms(at=self.metered.at, terms=self.term(meter, len(state.meters)), **people)
            case 11:
                people = {"reason": "a new rate", "by": "ann", "second": chance.choice(("bob", "bob", "ann"))}
                to = {"to_progressive": "another", "to_meter": "meter"}
                return asked.MoveMoney(at=self.metered.at, meter=meter, retires=False, **to, **people)
            case 12:
                people = {"reason": "a new rate", "by": "ann", "second": "bob"}
                source = {"from_progressive": "another", "from_meter": "meter", "cents": chance.choice((1, 5_000))}
                return asked.ReceiveMoney(at=self.metered.at, meter=meter, **source, **people)
            case 10:
                return asked.ReturnWager(**where, seat=chance.randint(1, 6), by="floor 1")
            case 8:
                return asked.UnlinkTable(at=self.metered.at, table=table)
            case _:
                return asked.LinkTable(at=self.metered.at, link=link(table, *state.meters))

    def step(self) -> None:
        self.metered.at += self.chance.choice((0, 1, 1_000, 2_000_000, -500_000))
        decision = decide(self.metered.state, self.command())
        if isinstance(decision, Refusal):
            assert decision.reason
        else:
            self.metered.follow(decision)


@given(seed=seeds)
@TRIED
def test_the_equation_holds_after_every_event_and_the_pool_is_never_short(seed: int) -> None:
    anyhow = Anyhow(seed)
    for _ in range(120):
        anyhow.step()  # the equation, the account and the record are checked at each event
        for meter in anyhow.metered.state.meters.values():
            assert meter.shown_cents >= meter.terms.reset_cents
            assert meter.terms.limit_cents is None or meter.value <= meter.terms.limit_cents
            assert not meter.overflow or meter.value == meter.terms.limit_cents


@given(seed=seeds)
@TRIED
def test_a_round_is_counted_once_a_seat_paid_once_and_nothing_taken_back_twice(seed: int) -> None:
    anyhow = Anyhow(seed)
    for _ in range(120):
        anyhow.step()
    seen: Counter[Any] = Counter()
    fed: dict[Any, Fraction] = defaultdict(Fraction)
    trays: Counter[Any] = Counter()
    for event in anyhow.metered.events:
        where = (getattr(event, "table", None), getattr(event, "round", None))
        if isinstance(event, happened.WagersCounted | happened.PlayOpened | happened.PlayClosed):
            seen[type(event), where] += 1
        elif isinstance(event, happened.ContributionTaken):
            seen[type(event), where, event.meter] += 1
            fed[where, event.meter] += event.amount
            trays[where, event.meter] += event.from_tray_cents
        elif isinstance(event, happened.ContributionReversed):
            fed[where, event.meter] -= event.amount
            trays[where, event.meter] -= event.to_tray_cents
            assert fed[where, event.meter] >= 0
            assert trays[where, event.meter] >= 0
            assert fed[where, event.meter] or not trays[where, event.meter]
        elif isinstance(event, happened.MeterHit | happened.HitReversed | happened.WagerTakenOff):
            seen[type(event), where, event.seat] += 1
    assert all(count == 1 for count in seen.values())
    for kind, where, *rest in seen:
        if kind is happened.HitReversed:
            assert (happened.MeterHit, where, *rest) in seen


def test_the_commands_made_up_get_far_enough_to_matter() -> None:
    kinds: Counter[type] = Counter()
    overflowed = reserved = 0
    for seed in range(60):
        anyhow = Anyhow(seed)
        for _ in range(120):
            anyhow.step()
        kinds.update(map(type, anyhow.metered.events))
        overflowed += any(meter.overflow for meter in anyhow.metered.state.meters.values())
        reserved += any(meter.reserve for meter in anyhow.metered.state.meters.values())
    assert set(kinds) == set(happened.Event.__args__)
    assert kinds[happened.MeterHit] > 400
    assert kinds[happened.HitReversed] > 100
    assert overflowed > 5
    assert reserved > 5


@given(seed=seeds)
@TRIED
def test_the_entries_of_its_stream_and_a_snapshot_rebuild_the_progressive(seed: int) -> None:
    anyhow = Anyhow(seed)
    for _ in range(60):
        anyhow.step()
    drafts = drafts_of(ProgressiveState(NAME), anyhow.metered.events)
    assert {draft.stream for draft in drafts} == {progressive_stream(NAME)} == {"progressive/linked"}
    entries = chain(Head(), drafts, Circumstances("ann", "floorperson", "c1", 5))
    state = ProgressiveState(NAME)
    for number, entry in enumerate(entries):
        state = after_entry(state, entry)
        if number == len(entries) // 2:
            state = state_from_data(json.loads(json.dumps(state_to_data(state))))
    assert state == anyhow.metered.state


@given(seed=seeds)
@TRIED
def test_a_round_taken_back_leaves_the_meters_as_they_were_whatever_it_did(seed: int) -> None:
    anyhow = Anyhow(seed)
    metered, chance = anyhow.metered, anyhow.chance
    for _ in range(40):
        anyhow.step()
    table = next((table for table in TABLES if table in metered.state.links), None)
    if table is None:
        return
    if play := metered.state.plays.get(table):
        metered.do(asked.ClosePlay, table=table, round=play.round)
    before, held = metered.state.meters, metered.balances
    metered.bets(table, "last", {seat: chance.choice((100, 500)) for seat in range(1, 6)})
    for seat in sorted(chance.sample(range(1, 6), chance.randint(0, 3)), reverse=True):
        metered.hit(table, "last", seat, chance.choice(list(before)), chance.choice((10, 100)))
    metered.take_back(table, "last")
    assert {name: without_history(meter) for name, meter in metered.state.meters.items()} == {
        name: without_history(item) for name, item in before.items()
    }
    assert metered.balances == held


def without_history(meter: Any) -> Any:
    return replace(meter, growth=())


def test_an_unknown_event_of_a_progressive_is_malformed() -> None:
    with pytest.raises(Malformed):
        event_from_data("RoundClosed", {})
    with pytest.raises(Malformed):
        event_from_data("LockedOut", {"at": 1, "clause": None, "table": "one"})


def test_a_record_that_shows_another_amount_is_not_followed() -> None:
    metered = Metered.open()
    metered.bets("one", "r1", {1: 100})
    taken = next(event for event in metered.events if isinstance(event, happened.ContributionTaken))
    at = metered.events.index(taken)
    state = ProgressiveState(NAME)
    for event in metered.events[:at]:
        state = evolve(state, event)
    with pytest.raises(AssertionError, match="match the recorded amount"):
        evolve(state, replace(taken, amount=taken.amount + 5))


class Linked:
    """A round of a game with its money and its meters, as a house runs them together."""

    def __init__(self, game: str, seed: int) -> None:
        self.play = lucky(game, seed)
        found = link_of(TABLE, self.play.rules)
        assert found is not None
        meters = tuple(MeterTerms(name, 300_000, 100_000, Fraction(1, 9), "rate") for name in found.meters)
        self.metered = Metered.open(*meters, tables=())
        self.metered.do(asked.LinkTable, link=found)
        self.books = Books(balances=funded(behind_meters=self.metered.state.pool_cents))
        self.metered.do(asked.OpenPlay, table=TABLE, round="r1")
        table = self.play.open()
        self.state = self.books.book_all(table.states[0], table.events)
        self.metered.do(asked.LockOut, table=TABLE, round="r1")
        stakes = {seat: cents for (seat, wager), cents in self.state.stakes.items() if wager == self.play.wager}
        known = len(self.metered.events)
        self.metered.count(TABLE, "r1", stakes, len(stakes))
        self.fed = tray_cents(self.metered.events[known:])
        self.books.move(transfers.contribution(TABLE, PROGRESSIVE, self.fed))
        self.agree()

    def agree(self) -> None:
        """Check that the ledger's pool matches the meters."""
        assert self.books.balances.of(pool(PROGRESSIVE)) == self.metered.state.pool_cents

    def on(self) -> None:
        """Carry the round on by one command; meters answer at the value of the player's turn."""
        table = self.play.table
        if self.state.phase == AWAITING_METER:
            waiting = self.state.meter
            assert waiting is not None
            shown = self.metered.state.shown()[waiting.meter]
            before = self.metered.state.meters[waiting.meter].seed_cents
            paid = self.metered.hit(TABLE, "r1", waiting.seat, waiting.meter, waiting.percent)
            events = table.do(PayMeter(waiting.seat, shown, "floor 1"))
            assert isinstance(events[0], MeterPaid)
            assert events[0].paid == paid
            seed = self.metered.state.meters[waiting.meter].seed_cents - before
            self.book(events)
            if seed:
                self.books.move(transfers.seed(PROGRESSIVE, seed))
        else:
            self.book(table.do(self.play.next_command()))
        self.agree()

    def book(self, events: Any) -> None:
        for event in events:
            if isinstance(event, EnvyPaid):
                named = {"seat": event.seat, "from_seat": event.from_seat, "hand": event.hand, "cents": event.net}
                self.metered.do(asked.RecordEnvy, table=TABLE, round="r1", clause=event.clause, **named)
            self.state = self.books.book(self.state, event)

    def void(self) -> None:
        """Void the round: wagers by the round's own reversals, meters by taking it back."""
        seed = sum(meter.seed_cents for meter in self.metered.state.meters.values())
        self.book(self.play.table.do(ReportIrregularity(VOIDED)))
        undone = self.metered.take_back(TABLE, "r1")
        assert tray_cents(undone) == -self.fed
        self.books.move(transfers.contribution(TABLE, PROGRESSIVE, tray_cents(undone)))
        given_back = sum(meter.seed_cents for meter in self.metered.state.meters.values()) - seed
        if given_back:
            self.books.move(transfers.seed(PROGRESSIVE, given_back))
        self.agree()


def test_rounds_meters_and_money_agree_at_every_step_and_after_a_void_everything_is_as_before() -> None:
    hits, voids, tens = 0, 0, 0
    for seed in range(60):
        for game in PROGRESSIVES:
            linked = Linked(game, seed)
            while linked.state.outcome is None:
                if linked.metered.state.hits and linked.state.phase == AWAITING_METER and seed % 2:
                    linked.void()
                    voids += 1
                else:
                    linked.on()
            hits += len(linked.metered.state.hits)
            tens += sum(hit.percent < 100 for hit in linked.metered.state.hits)
            assert linked.books.balances.of(felt(TABLE)) == 0
            linked.metered.do(asked.ClosePlay, table=TABLE, round="r1")
            if linked.state.outcome == "void":
                meters = linked.metered.state.meters.values()
                assert all(
                    (meter.shown_cents, meter.contributed, meter.paid_cents) == (300_000, 0, 0) for meter in meters
                )
                assert linked.books.balances.of(inventory(TABLE)) == funded().of(inventory(TABLE))
                assert all(linked.books.gained(player) == 0 for player in linked.books.stacks)
            else:
                assert linked.metered.state.envy_cents == sum(paid.net for paid in linked.state.envy)
    assert hits > 40
    assert tens > 3
    assert voids > 3


def test_a_meters_answer_and_the_rounds_payment_are_one_amount() -> None:
    linked = Linked(PROGRESSIVES[-1], 5)
    seed = 5
    while not linked.metered.state.hits:
        seed += 1
        linked = Linked(PROGRESSIVES[-1], seed)
        while linked.state.outcome is None and not linked.metered.state.hits:
            linked.on()
    (hit,) = linked.metered.state.hits
    paid = next(event for event in linked.play.table.events if isinstance(event, MeterPaid))
    assert (hit.paid_cents, hit.seat, hit.meter, hit.percent) == (paid.paid, paid.seat, paid.meter, paid.percent)
    before = next(state for state in linked.play.table.states if state.meter is not None)
    transfer = transfer_of(DESK, before, paid)
    assert transfer is not None
    assert dict(transfer.postings)[pool(PROGRESSIVE)] == -hit.paid_cents
