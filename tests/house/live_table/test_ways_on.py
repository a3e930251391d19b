"""Everyone always has a next step: seats are freed, leases retaken, counts repeated, and stopped rounds continue."""

from typing import Any

import pytest

from house.floors import TRAY, Floor, run
from house.live_table.staffed import (
    BY,
    CAGE,
    DEALER,
    FLOOR,
    OPERATOR,
    SECOND_OPERATOR,
    StaffedTable,
    in_phase,
    last,
    seated,
)
from house.live_table.test_progressive_at_table import LINKED, report, wagered
from pitboss.games.catalogue import game_names
from pitboss.house.live_table import commands
from pitboss.house.live_table.console import console
from pitboss.house.live_table.table_view import view
from pitboss.house.people import leases
from pitboss.house.running_tables import Asked, Done
from pitboss.round.state import ASKING
from pitboss.rules import irregularity as wrong
from pitboss.rules.refusal import Refusal
from pitboss.table.state import LOADED

ONE = game_names()[-1]
ALICE = ("alice", "player")
OTHER_DEALER = ("eve", "dealer")


def duties(table: StaffedTable, person: tuple[str, str] = DEALER) -> list[str]:
    """Return what a person's console says to do now."""
    asked = Asked("", person[0], (person[1],), {"kind": "BeginRound"}, table.live.lease.token)
    shown = console(table.live, table.floor.house.means(table.live, asked))
    return [duty.id for duty in shown.duties]


def refused(answer: Any, saying: str) -> None:
    assert isinstance(answer, Refusal), answer
    assert saying in answer.reason, answer.reason


@pytest.mark.parametrize("name", LINKED)
@pytest.mark.parametrize("returned", [(), (1, 2)])
def test_a_recount_says_a_number_and_then_the_deal_goes_on(name: str, returned: tuple[int, ...]) -> None:
    async def recounted() -> None:
        table = await wagered(name)
        await table.must(DEALER, commands.CloseBets(progressive_chips=3))
        for seat in returned:
            await table.must(DEALER, report(wrong.PROGRESSIVE_MISMATCH, seat=seat))
        assert duties(table)[:2] == ["mismatch", "recount"]
        refused(await table.ask(DEALER, commands.CloseBets()), "how many progressive chips")
        await table.must(DEALER, commands.CloseBets(progressive_chips=2 - len(returned)))
        assert table.live.chips_found is None
        await table.next()
        assert table.live.play is not None
        assert table.live.play.drawn

    run(recounted())


def test_a_round_of_which_part_was_given_back_is_ruled_on_by_one_person_again() -> None:
    async def ruled() -> None:
        table = await seated(ONE, free_play=False)
        await table.begin()
        stakes = {"ante": 10_00, "blind": 10_00, "trips": 5_00, "progressive": 1_00}
        for seat, person in ((1, "alice"), (2, "bob")):
            await table.must((person, "player"), commands.PlaceWagers(seat=seat, stakes=stakes))
        await table.must(DEALER, commands.CloseBets(progressive_chips=2))
        await table.until(ASKING)
        await table.both(DEALER, FLOOR, report(wrong.DEALER_CARD_EXPOSED))
        assert table.live.play is not None
        assert table.live.play.only is not None
        await table.must(DEALER, report(wrong.PLAYER_LEFT, seat=1))
        await table.must(FLOOR, report(wrong.PLAYER_LEFT, seat=1, ruling="played-out"))
        assert table.live.trouble is None

    run(ruled())


def test_the_floor_frees_a_seat_and_the_chips_go_to_its_players_balance() -> None:
    async def freed() -> None:
        floor = Floor()
        await floor.open("t", ONE)
        await floor.sit("t", "alice", 1)
        purse = floor.house.money.state.get("purse:alice", 0)
        refused(await floor.ask("t", "dana", "dealer", commands.LeaveSeat(seat=1)), "")
        await floor.must("t", *FLOOR, commands.LeaveSeat(seat=1))
        assert floor.house.live("t").seats == {}
        assert floor.house.money.state.get("purse:alice", 0) == purse + 10_000_00

    run(freed())


def test_a_table_that_waits_for_wagers_which_do_not_come_is_closed() -> None:
    async def closed() -> None:
        floor = Floor()
        await floor.open("t", ONE)
        await floor.sit("t", "alice", 1)
        while not floor.house.live("t").in_round:
            await floor.step("t")
        assert await floor.step("t") is None
        tray = floor.house.live("t").tray_cents
        await floor.must("t", *FLOOR, commands.CloseTable(tray_cents=tray))
        live = floor.house.live("t")
        assert (live.is_open, live.in_round, live.seats) == (False, False, {})
        assert not live.balances.get("stack:t:alice")

    run(closed())


def test_a_round_with_wagers_keeps_its_table_open() -> None:
    async def kept() -> None:
        table = await in_phase(ONE, ASKING)
        refused(await table.ask(FLOOR, commands.CloseTable(tray_cents=table.live.tray_cents)), "A round is open")
        assert table.live.in_round

    run(kept())


@pytest.mark.parametrize("who", [DEALER, OTHER_DEALER])
def test_a_place_whose_hold_ran_out_is_offered_to_any_dealer(who: tuple[str, str]) -> None:
    async def taken() -> None:
        table = await in_phase(ONE, ASKING)
        table.floor.clock.now += leases.LEASE_MS + 1
        refused(await table.ask(ALICE, commands.Tip(cents=5_00)), "This table has no dealer to tip")
        assert duties(table, who) == ["take-lease"]
        await table.must(who, leases.TakeLease(by=BY, at=0))
        assert "ask" in duties(table, who)

    run(taken())


def test_a_dealer_leaves_a_table_that_deals_itself_by_now() -> None:
    async def left() -> None:
        table = await seated(ONE, cards="shuffle", free_play=True)
        document = {"game": ONE, "automatic": True, "cards": "shuffle"}
        await table.both(OPERATOR, SECOND_OPERATOR, commands.ActivateSubmission(document=document))
        assert isinstance(await table.floor.step("t"), Refusal)  # there is a dealer already
        await table.must(DEALER, leases.ReleaseLease(by=BY, at=0, token=table.live.lease.token))
        refused(await table.ask(DEALER, leases.TakeLease(by=BY, at=0)), "automatic free-play table")
        assert isinstance(await table.floor.step("t"), Done)
        relieved = leases.WithdrawLease(by=BY, at=0, reason="a break")
        refused(await table.ask(FLOOR, relieved), "automatic free-play table")

    run(left())


def test_the_decision_time_restarts_when_a_stopped_round_continues() -> None:
    async def waited() -> None:
        table = await in_phase(ONE, ASKING, pace=10_000)
        assert table.live.terms is not None
        decision_ms = table.live.terms.pace.decision_ms
        assert table.live.play is not None
        asked = table.live.play.seat_asked
        other = 3 - asked  # type: ignore[operator]
        await table.must(DEALER, report(wrong.PLAYER_LEFT, seat=other))
        table.floor.clock.now += decision_ms + 1
        await table.must(FLOOR, report(wrong.PLAYER_LEFT, seat=other, ruling="played-out"))
        refused(await table.ask(DEALER, commands.ActForAbsent(seat=asked)), "seconds to decide")

    run(waited())


def test_a_round_that_was_called_off_takes_no_wagers() -> None:
    async def called_off() -> None:
        table = await seated(ONE)
        await table.begin()
        await table.must(DEALER, commands.EndRound())
        for person in ("alice", None):
            assert view(table.live, person).phase is None

    run(called_off())


def test_no_card_of_a_round_that_can_be_called_off_was_read() -> None:
    async def called_off() -> None:
        table = await seated(ONE)
        await table.begin()
        refused(await table.ask(DEALER, commands.ReadCard(card=table.order[0])), "no more bets")
        await table.must(DEALER, commands.EndRound())
        assert table.live.cards is not None
        assert table.live.cards.decks[0].stage == LOADED

    run(called_off())


def test_chips_of_somebody_who_has_gone_do_not_stay_on_the_table() -> None:
    async def corrected() -> None:
        table = await seated(ONE, free_play=False)
        money = table.floor.house.money
        await table.must(ALICE, commands.Tip(cents=500_00))
        tipped = last(table, "house.TipGiven").sequence
        await table.must(ALICE, commands.LeaveSeat(seat=1))
        carried = last(table, "house.ChipsCarriedAway").sequence
        before = money.state.get("deposit:alice", 0)
        await table.both(CAGE, FLOOR, commands.Correct(entry=tipped, reason="meant for the cage"))
        assert table.live.stack_cents("alice") == 0
        assert money.state.get("deposit:alice", 0) == before + 500_00
        refused(await table.ask(CAGE, commands.Correct(entry=carried, reason="she is back")), "no longer has a seat")
        await table.must(FLOOR, commands.CloseTable(tray_cents=table.live.tray_cents))
        assert not any(cents for account, cents in table.live.balances.items() if account.startswith("stack:"))

    run(corrected())


def test_what_a_count_has_put_right_is_not_put_right_again() -> None:
    async def corrected() -> None:
        table = await seated(ONE, free_play=False)
        await table.both(FLOOR, CAGE, commands.Fill(cents=1_000_00))
        filled = last(table, "house.TrayFilled").sequence
        await table.must(FLOOR, commands.CountInventory(tray_cents=table.live.tray_cents - 1_000_00))
        refused(await table.ask(CAGE, commands.Correct(entry=filled, reason="never came")), "counted after this entry")
        await table.must(FLOOR, commands.CloseTable(tray_cents=table.live.tray_cents))
        closing = last(table, "house.TrayCredited").sequence
        await table.must(FLOOR, commands.OpenTable(tray_cents=TRAY))
        refused(await table.ask(CAGE, commands.Correct(entry=closing, reason="too much")), "counted after this entry")
        await table.both(FLOOR, CAGE, commands.Fill(cents=1_000_00))
        filled = last(table, "house.TrayFilled").sequence
        await table.both(CAGE, FLOOR, commands.Correct(entry=filled, reason="brought twice"))
        assert table.live.tray_cents == TRAY

    run(corrected())
