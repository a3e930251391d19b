"""Progressives at a table run by people: chips counted, meters fed, hits claimed and validated, voids undone."""

from typing import Any

import pytest

from house.floors import read_terms, run
from house.live_table.staffed import BY, CAGE, DEALER, FLOOR, StaffedTable, last, seated
from pitboss.games.catalogue import game_names
from pitboss.house.live_table import commands
from pitboss.house.live_table.table_terms import LEAST_DECISION_MS
from pitboss.house.people import leases
from pitboss.house.progressive import Stake
from pitboss.house.progressive import commands as of_meters
from pitboss.round.state import ASKING, DEALING, WAGERING
from pitboss.rules import irregularity as wrong
from pitboss.rules.refusal import Refusal

GAMES = game_names()
LINKED = [name for name in GAMES if read_terms({"game": name}).progressive]


def report(kind: str, **rest: Any) -> commands.ReportIrregularity:
    return commands.ReportIrregularity(irregularity=kind, **rest)


async def wagered(name: str) -> StaffedTable:
    """Return a linked table of real chips where two players made the progressive wager."""
    table = await seated(name, free_play=False)
    await table.begin()
    assert table.live.terms is not None
    rules = table.live.terms.settings.rules
    assert rules.game.progressive is not None
    wager = rules.game.progressive.wager
    for seat, person in ((1, "alice"), (2, "bob")):
        main = {wager.name: 5_00 for wager in rules.game.wagers if wager.required and not wager.by_action}
        stakes = {**main, wager: rules.choices.stakes[wager]}
        await table.must((person, "player"), commands.PlaceWagers(seat=seat, stakes=stakes))
    return table


@pytest.mark.parametrize("name", LINKED)
def test_progressive_chips_are_counted_and_a_missing_one_is_returned_before_the_deal(name: str) -> None:
    async def counted() -> None:
        table = await wagered(name)
        state = table.floor.house.progressive("shared")
        assert isinstance(await table.ask(DEALER, commands.CloseBets()), Refusal), "chips are counted here"
        assert table.live.play is not None
        assert table.live.play.phase == WAGERING
        await table.must(DEALER, commands.CloseBets(progressive_chips=1))
        assert table.live.play.phase == DEALING, "no more bets was called all the same"
        refused = await table.ask(("alice", "player"), commands.PlaceWagers(seat=1, stakes={}))
        assert isinstance(refused, Refusal)
        due = table.live.play.due
        assert due is not None
        for early in (commands.ReadCard(card=table.order[0]), commands.DealCards()):
            blocked = await table.ask(DEALER, early)
            assert isinstance(blocked, Refusal)
            assert blocked.clause == state.state.links["t"].mismatch_clause
        assert not state.state.plays["t"].is_counted
        stack = table.live.stack_cents("alice")
        await table.must(DEALER, report(wrong.PROGRESSIVE_MISMATCH, seat=1))
        assert table.live.stack_cents("alice") > stack
        assert [stake.seat for stake in state.state.plays["t"].stakes] == [2]
        assert table.live.chips_found is None
        await table.read(due.cards)
        await table.must(DEALER, commands.DealCards())

    run(counted())


@pytest.mark.parametrize("name", LINKED)
def test_a_recount_that_agrees_goes_on_and_a_late_mismatch_gives_the_contribution_back(name: str) -> None:
    async def recounted() -> None:
        table = await wagered(name)
        tray = table.live.tray_cents
        await table.must(DEALER, commands.CloseBets(progressive_chips=3))
        await table.must(DEALER, commands.CloseBets(progressive_chips=2))
        state = table.floor.house.progressive("shared")
        assert state.state.plays["t"].is_counted
        pool = state.state.pool_cents
        stake = state.state.plays["t"].stakes[0].cents  # its chip lies in the tray since the count agreed
        fed = tray + 2 * stake - table.live.tray_cents
        assert fed > 0
        await table.both(DEALER, FLOOR, report(wrong.PROGRESSIVE_MISMATCH, seat=2))
        assert not state.state.plays["t"].has_wager(2)
        assert pool - state.state.pool_cents in (fed // 2, fed - fed // 2)
        assert tray + stake - table.live.tray_cents in (fed // 2, fed - fed // 2)

    run(recounted())


@pytest.mark.parametrize("name", LINKED)
def test_a_meters_terms_are_frozen_from_the_first_progressive_wager(name: str) -> None:
    async def changed() -> None:
        table = await wagered(name)
        assert table.floor.house.progressive("shared").state.plays["t"].round == table.live.round
        quiet = await seated(name, seed=2)
        await quiet.begin()
        assert not quiet.floor.house.progressive("shared").state.plays, "rounds without such wagers cost no meter"

    run(changed())


@pytest.mark.parametrize("name", LINKED)
def test_a_void_gives_the_tray_what_it_gave_the_meters(name: str) -> None:
    async def voided() -> None:
        table = await wagered(name)
        before = dict(table.live.balances)
        await table.must(DEALER, commands.CloseBets(progressive_chips=2))
        await table.next()
        await table.both(DEALER, FLOOR, report(wrong.WRONG_NUMBER))
        assert table.live.tray_cents == before["inventory:t"]
        await table.end()
        assert table.floor.house.progressive("shared").state.plays == {}

    run(voided())


async def hit(name: str) -> StaffedTable:
    """Return a linked table at which a royal flush of seat 1 waits for its meter."""
    table = await wagered(name)
    await table.must(DEALER, commands.CloseBets(progressive_chips=2))
    wanted: dict[Any, list[str]] = {1: ["As", "Ks"], "board": ["Qs", "Js", "Ts", "2d", "3d"]}
    others = [card for card in table.order if not any(card in cards for cards in wanted.values())]
    while table.live.play is not None and table.live.play.phase != "awaiting-meter":
        play = table.live.play
        if play.phase == DEALING and play.due is not None and not play.due.is_turned:
            heap = wanted.get(play.due.place) or others
            table.order = [heap.pop(0) for _ in range(play.due.cards)]  # type: ignore[misc]
        elif play.phase == ASKING:
            table.floor.clock.now += LEAST_DECISION_MS
            await table.both(DEALER, FLOOR, commands.ActForAbsent(seat=play.cursor))
            continue
        await table.next()
    return table


@pytest.mark.parametrize("name", LINKED)
def test_a_meter_is_claimed_by_the_dealer_and_validated_by_the_floor(name: str) -> None:
    async def validated() -> None:
        table = await hit(name)
        state = table.floor.house.progressive("shared")
        shown = next(iter(state.state.shown().values()))
        for stranger in (CAGE, ("alice", "player"), ("olga", "operator")):
            assert isinstance(await table.ask(stranger, commands.ValidateMeter(seat=1)), Refusal)
        await table.must(DEALER, commands.ValidateMeter(seat=1))
        assert not state.state.hits, "the dealer alone pays nothing"
        stack = table.live.stack_cents("alice")
        await table.must(FLOOR, commands.ValidateMeter(seat=1))
        last_hit = state.state.hits[-1]
        assert (last_hit.claimed_by, last_hit.validated_by) == ("dana", "flo")
        assert last_hit.paid_cents == shown
        assert table.live.stack_cents("alice") >= stack + shown
        while table.live.in_round:
            await table.next()

    run(validated())


@pytest.mark.parametrize("name", LINKED)
def test_a_relieved_dealers_claim_is_made_again_by_the_next(name: str) -> None:
    async def validated() -> None:
        table = await hit(name)
        state = table.floor.house.progressive("shared")
        await table.must(FLOOR, leases.WithdrawLease(by=BY, at=0, reason="break", dealer="dora"))
        await table.must(FLOOR, commands.ValidateMeter(seat=1))
        assert not state.state.hits
        await table.must(("dora", "dealer"), commands.Confirm(proposal=next(iter(table.live.proposals))))
        last_hit = state.state.hits[-1]
        assert (last_hit.claimed_by, last_hit.validated_by) == ("dora", "flo")
        assert last(table, "round.MeterPaid").body["validated_by"] == "flo"

    run(validated())


@pytest.mark.parametrize("name", LINKED)
def test_a_void_after_another_table_hit_the_meter_gives_back_what_this_one_gave(name: str) -> None:
    async def voided() -> None:
        table = await wagered(name)
        before = table.live.tray_cents
        await table.must(DEALER, commands.CloseBets(progressive_chips=2))
        stakes = table.floor.house.progressive("shared").state.plays["t"].stakes
        fed = before + sum(stake.cents for stake in stakes) - table.live.tray_cents
        floor = table.floor
        other = StaffedTable(floor, name, table="u", free_play=False)
        floor.house.open("u")
        await other.open(("dora", "dealer"))
        shared = floor.house.progressive("shared")
        pool = shared.state.pool_cents
        await floor.meters(of_meters.OpenPlay(at=0, table="u", round="r"))
        await floor.meters(of_meters.LockOut(at=0, table="u", round="r"))
        await floor.meters(of_meters.TakeContributions(at=0, table="u", round="r", stakes=(Stake(1, 1_00),)))
        meter = next(iter(shared.state.meters))
        paid = of_meters.PayHit(
            at=0,
            table="u",
            round="r",
            seat=1,
            player="carl",
            meter=meter,
            percent=100,
            hand="royal flush",
            claimed_by="one",
            validated_by="two",
            clause="x",
        )
        await floor.meters(paid)
        assert shared.state.pool_cents != pool
        await table.next()
        await table.both(DEALER, FLOOR, report(wrong.WRONG_NUMBER))
        assert fed > 0
        assert table.live.tray_cents == before

    run(voided())
