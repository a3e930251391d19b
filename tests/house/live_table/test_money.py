"""Chips by denomination, counts, corrections by reversal and coupons at a table run by people."""

from typing import Any

import pytest

from house.floors import TRAY, Floor, run
from house.live_table.staffed import BY, CAGE, DEALER, FLOOR, PIT, StaffedTable
from pitboss.games.catalogue import game, game_names
from pitboss.house.live_table import commands
from pitboss.house.money.chips import total
from pitboss.house.running_tables import Done
from pitboss.rules.refusal import Refusal
from pitboss.table import commands as of_cards

GAMES = game_names()


async def seated(name: str = GAMES[0], **document: Any) -> StaffedTable:
    table = StaffedTable(Floor(1), name, **document)
    await table.open()
    await table.floor.sit("t", "alice", 1)
    await table.floor.sit("t", "bob", 2)
    return table


def sequence_of(done: Done, kind: str) -> int:
    return next(entry.sequence for entry in done.entries if entry.kind == kind)


def test_fills_and_credits_go_by_denomination() -> None:
    async def moved() -> None:
        table = await seated()
        before = dict(table.live.tray)
        wrong = await table.ask(CAGE, commands.Fill(cents=100_00, chips={25_00: 3}))
        assert isinstance(wrong, Refusal)
        assert wrong.clause == "H-22"
        unknown = await table.ask(CAGE, commands.Fill(cents=99, chips={33: 3}))
        assert isinstance(unknown, Refusal)
        await table.both(CAGE, FLOOR, commands.Fill(cents=100_00, chips={25_00: 4}))
        assert table.live.tray[25_00] == before.get(25_00, 0) + 4
        lacking = await table.ask(CAGE, commands.Credit(cents=50_00, chips={50: 100}))
        assert isinstance(lacking, Refusal)
        await table.both(CAGE, FLOOR, commands.Credit(cents=50_00, chips={25_00: 2}))
        assert table.live.tray[25_00] == before.get(25_00, 0) + 2
        assert total(table.live.tray) == table.live.tray_cents

    run(moved())


def test_the_tray_can_be_counted_between_rounds() -> None:
    async def counted() -> None:
        table = await seated()
        held = table.live.tray_cents
        await table.must(CAGE, commands.CountInventory(tray_cents=held - 3_00))
        assert table.live.tray_cents == held - 3_00
        assert table.live.shift is not None
        assert table.live.shift.counted_over_cents == -3_00
        assert table.live.shift.unexplained_cents == 0
        assert isinstance(await table.ask(DEALER, commands.CountInventory(tray_cents=1)), Refusal)
        await table.begin()
        assert isinstance(await table.ask(FLOOR, commands.CountInventory(tray_cents=1)), Refusal)

    run(counted())


def test_a_fill_is_corrected_once_by_two_people_for_a_reason() -> None:
    async def corrected() -> None:
        table = await seated()
        before = table.live.balances
        filled = await table.both(CAGE, FLOOR, commands.Fill(cents=100_00))
        entry = sequence_of(filled, "house.TrayFilled")
        for stranger in (DEALER, ("alice", "player"), ("olga", "operator")):
            assert isinstance(await table.ask(stranger, commands.Correct(entry=entry, reason="twice")), Refusal)
        assert isinstance(await table.ask(CAGE, commands.Correct(entry=entry, reason=" ")), Refusal)
        await table.must(CAGE, commands.Correct(entry=entry, reason="brought twice"))
        proposal = next(iter(table.live.proposals))
        assert isinstance(await table.ask(CAGE, commands.Confirm(proposal=proposal)), Refusal)
        done = await table.must(PIT, commands.Confirm(proposal=proposal))
        assert table.live.balances == before
        body = next(entry.body for entry in done.entries if entry.kind == "house.Corrected")
        assert (body["entry"], body["reason"]) == (entry, "brought twice")
        assert {body["second"], done.entries[0].actor} == {"cathy", "pete"}
        again = await table.ask(CAGE, commands.Correct(entry=entry, reason="again"))
        assert isinstance(again, Refusal)
        assert again.clause == "H-12"
        other = await table.ask(CAGE, commands.Correct(entry=1, reason="no money there"))
        assert isinstance(other, Refusal)
        assert table.live.shift is not None
        assert (table.live.shift.fills_cents, table.live.shift.corrected_cents) == (0, 0)
        assert table.live.shift.unexplained_cents == 0

    run(corrected())


def test_a_purchase_of_chips_is_reversed_in_balance_and_box_too() -> None:
    async def corrected() -> None:
        table = await seated()
        money = table.floor.house.money
        before, held = dict(money.state), dict(table.live.balances)
        bought = await table.must(("alice", "player"), commands.BuyIn(cents=40_00))
        entry = sequence_of(bought, "house.ChipsBought")
        await table.both(PIT, CAGE, commands.Correct(entry=entry, reason="sold to another"))
        assert {name: cents for name, cents in money.state.items() if cents} == {
            name: cents for name, cents in before.items() if cents
        }
        assert table.live.balances == held
        assert table.live.shift is not None
        assert table.live.shift.unexplained_cents == 0

    run(corrected())


def test_what_is_no_longer_in_an_account_cannot_be_called_back() -> None:
    async def corrected() -> None:
        table = await seated()
        carried = await table.must(("alice", "player"), commands.CashOut(cents=40_00))
        entry = sequence_of(carried, "house.ChipsCarriedAway")
        await table.must(("alice", "player"), commands.BuyIn(cents=table.floor.house.money.state["purse:alice"]))
        answer = await table.ask(CAGE, commands.Correct(entry=entry, reason="miscounted"))
        assert isinstance(answer, Refusal)
        assert "alice's play-money account" in answer.reason

    run(corrected())


@pytest.mark.parametrize("name", GAMES)
def test_a_coupon_is_refused_and_booked_nowhere(name: str) -> None:
    async def staked() -> None:
        table = await seated(name)
        await table.begin()
        stakes = table.floor.stakes(table.live)
        for coupon in (*game(name).procedures.instruments.if_submitted, "a-song"):
            wager = commands.PlaceWagers(seat=1, stakes=stakes, instrument=coupon)
            answer = await table.ask(("alice", "player"), wager)
            assert isinstance(answer, Refusal)
        assert "felt:t" not in table.live.balances

    run(staked())


def test_a_short_tray_asks_for_a_fill() -> None:
    async def short() -> None:
        table = await seated()
        everything = table.live.tray_cents
        assert everything == TRAY - 2 * 10_000_00
        more = await table.ask(CAGE, commands.Credit(cents=everything + 1))
        assert isinstance(more, Refusal)
        await table.both(CAGE, FLOOR, commands.Credit(cents=everything))
        assert table.live.tray == {}
        bought = await table.ask(("alice", "player"), commands.BuyIn(cents=5_00))
        assert isinstance(bought, Refusal)
        assert bought.field == "fill"

    run(short())


def test_a_table_opens_again_and_a_removed_deck_stays_away() -> None:
    async def reopened() -> None:
        table = await seated()
        await table.play_round()
        await table.must(FLOOR, of_cards.RemoveDeck(by=BY, at=0, deck="deck 1"))
        await table.must(FLOOR, commands.CloseTable(tray_cents=table.live.tray_cents))
        late = await table.ask(CAGE, commands.Fill(cents=1_00))
        assert isinstance(late, Refusal)
        document = {"game": GAMES[1], "automatic": False, "cards": "reader"}
        await table.both(("olga", "operator"), ("otto", "operator"), commands.ActivateSubmission(document=document))
        assert table.live.play is None, "the last round was played by other rules"
        await table.must(FLOOR, commands.OpenTable(tray_cents=10_000_00, chips={100_00: 100}))
        assert table.live.tray == {100_00: 100}
        back = await table.ask(DEALER, of_cards.ReceiveDeck(by=BY, at=0, deck="deck 1"))
        assert isinstance(back, Refusal)
        table.name = GAMES[1]
        await table.must(("alice", "player"), commands.TakeSeat(seat=1))

    run(reopened())
