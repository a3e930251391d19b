"""Disputes at a table run by people where money is short or a progressive has a part in the round."""

import pytest

from house.floors import run
from house.live_table.staffed import CAGE, DEALER, FLOOR, PIT, StaffedTable, last, seated
from house.live_table.test_progressive_at_table import LINKED, wagered
from pitboss.games.catalogue import game_names
from pitboss.house.live_table import commands
from pitboss.house.money.postings import FillNeeded, is_paid_by_meter
from pitboss.house.running_tables import Done
from pitboss.round.state import OVER
from pitboss.rules.refusal import Refusal

NOTE = "the player asks for another look"
VOID = commands.ResolveDispute(outcome="void", note="nobody is sure")


async def settled(name: str, seed: int = 1) -> StaffedTable:
    table = await seated(name, seed)
    await table.begin()
    await table.until(OVER)
    await table.end()
    return table


def net_of(table: StaffedTable, seat: int) -> int:
    assert table.live.play is not None
    return sum(result.net for (number, _), result in table.live.play.results.items() if number == seat)


@pytest.mark.parametrize("name", game_names())
def test_a_tray_that_cannot_give_stakes_back_is_filled_first(name: str) -> None:
    async def short() -> bool:
        for seed in range(1, 9):
            table = await settled(name, seed)
            assert table.live.play is not None
            lost = [
                seat for seat in (1, 2) if sum(r.net for (s, _), r in table.live.play.results.items() if s == seat) < 0
            ]
            if not lost:
                continue
            await table.both(CAGE, FLOOR, commands.Credit(cents=table.live.tray_cents))
            await table.must(DEALER, commands.ReportDispute(seats=(lost[0],), note=NOTE))
            answer = await table.ask(FLOOR, VOID)
            assert isinstance(answer, FillNeeded)
            await table.both(CAGE, FLOOR, commands.Fill(cents=answer.fill_cents + 1_000_00))
            await table.both(FLOOR, PIT, VOID)
            return True
        return False

    assert run(short())


@pytest.mark.parametrize("name", game_names())
def test_a_player_who_carried_the_winnings_away_buys_in_first(name: str) -> None:
    async def gone() -> bool:
        for seed in range(1, 9):
            table = await settled(name, seed)
            assert table.live.play is not None
            for seat, player in ((1, "alice"), (2, "bob")):
                if net_of(table, seat) <= 0:
                    continue
                await table.must((player, "player"), commands.CashOut(cents=table.live.stack_cents(player)))
                await table.must(DEALER, commands.ReportDispute(seats=(seat,), note=NOTE))
                answer = await table.ask(FLOOR, VOID)
                assert isinstance(answer, Refusal)
                assert "buy in first" in answer.reason
                await table.must((player, "player"), commands.BuyIn(cents=500_00))
                assert isinstance(await table.both(FLOOR, PIT, VOID), Done)
                return True
        return False

    assert run(gone())


@pytest.mark.parametrize("name", game_names())
def test_no_correction_takes_chips_away_that_are_in_dispute(name: str) -> None:
    async def corrected() -> bool:
        for seed in range(1, 9):
            table = await settled(name, seed)
            for seat, player in ((1, "alice"), (2, "bob")):
                if net_of(table, seat) <= 0:
                    continue
                entries = table.floor.store.read(table.live.stream, kinds=("house.ChipsBought",))
                bought = next(entry for entry in entries if entry.body["player"] == player)
                most = table.live.stack_cents(player) - bought.body["cents"]
                if most > 0:
                    await table.must((player, "player"), commands.CashOut(cents=most))
                await table.must(DEALER, commands.ReportDispute(seats=(seat,), note=NOTE))
                correction = commands.Correct(entry=bought.sequence, reason="booked twice")
                answer = await table.ask(CAGE, correction)
                assert isinstance(answer, Refusal)
                assert "dispute" in answer.reason
                await table.both(FLOOR, PIT, commands.ResolveDispute(outcome="stands", note=NOTE))
                assert isinstance(await table.both(CAGE, FLOOR, correction), Done)
                return True
        return False

    assert run(corrected())


@pytest.mark.parametrize("name", LINKED)
def test_a_whole_round_taken_back_before_the_pick_up_takes_its_part_of_the_meters_back(name: str) -> None:
    async def voided() -> None:
        table = await wagered(name)
        before = {account: cents for account, cents in table.live.balances.items() if account != "felt:t"}
        stakes = dict.fromkeys(("alice", "bob"), 0)
        assert table.live.play is not None
        for (seat, _), cents in table.live.play.stakes.items():
            stakes[table.live.play.players[seat]] += cents
        await table.must(DEALER, commands.CloseBets(progressive_chips=2))
        await table.until(OVER)
        assert not any(map(is_paid_by_meter, table.live.play.results.values()))
        await table.must(FLOOR, commands.ReportDispute(seats=(1, 2), note=NOTE))
        await table.both(FLOOR, DEALER, VOID)
        for player, cents in stakes.items():
            assert table.live.stack_cents(player) == before[f"stack:t:{player}"] + cents
        assert table.live.tray_cents == before["inventory:t"], "what fed the meters came back too"
        assert last(table, "house.DisputeResolved").body["outcome"] == "void"
        await table.end()

    run(voided())
