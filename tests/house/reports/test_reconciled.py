"""The trays' report against the ledger: what it sums from entries is what the accounts hold, to the cent."""

import random
from collections import Counter

import pytest

from house.floors import TRAY, Floor, read_terms, run
from house.live_table.staffed import CAGE, FLOOR, PIT, StaffedTable
from house.reports.test_hold import floor_of_all
from pitboss.games.catalogue import game_names
from pitboss.house.live_table import commands
from pitboss.house.reports.all_reports import AllReports
from pitboss.record.store import streams

BOOKED = (
    *("tray_cents", "opening_cents", "fills_cents", "credits_cents", "drop_cents"),
    *("won_cents", "contributed_cents", "counted_over_cents", "corrected_cents"),
)


def balances(floor: Floor) -> Counter[str]:
    """Return every account from all postings of the record, summed without any of the house's code."""
    found: Counter[str] = Counter()
    for stream in streams(floor.store):
        for entry in floor.store.read(stream):
            found.update(entry.body.get("postings", {}))
    return found


def report_of(floor: Floor) -> AllReports:
    live = AllReports(read_terms)
    live.catch_up(floor.store)
    return live


def held(accounts: Counter[str], *kinds: str) -> int:
    return sum(cents for account, cents in accounts.items() if account.partition(":")[0] in kinds)


def check(floor: Floor) -> None:
    accounts, live = balances(floor), report_of(floor)
    assert sum(accounts.values()) == 0
    lines = live.hold.reconciled()
    assert lines
    assert live.hold.differences == []
    for line in lines:
        assert line.tray_cents == accounts[f"inventory:{line.table}"]
        assert line.drop_cents == accounts[f"drop:{line.table}"]  # no box was emptied here
        assert line.unexplained_cents == 0
    # What players hold is what the cage gave them, less what trays won, and with what meters paid.
    purses = [stream for stream in floor.store.heads() if stream.startswith("money/purse:")]
    kinds = {"money.MoneyIssued"}
    issued = sum(entry.body["cents"] for stream in purses for entry in floor.store.read(stream, kinds=kinds))
    from_meters = sum(item.from_meters_cents for item in live.hold.staked.values())
    won = sum(line.won_cents for line in lines)
    assert held(accounts, "purse", "stack", "felt", "tips") == issued - won + from_meters
    contributed = sum(line.contributed_cents for line in lines)
    seeds = sum(row.seed_cents for row in live.meters.rows())
    assert held(accounts, "pool") == seeds + contributed - from_meters


@pytest.mark.parametrize("rounds", [1, 8])
def test_tables_that_deal_by_themselves_reconcile(rounds: int) -> None:
    check(run(floor_of_all(rounds)))


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("name", game_names())
def test_a_shift_with_fills_credits_counts_and_corrections_reconciles(name: str, seed: int) -> None:
    async def shift() -> Floor:
        chance = random.Random(seed)
        table = StaffedTable(Floor(seed), name)
        await table.open()
        await table.floor.sit("t", "alice", 1)
        for _ in range(12):
            match chance.randrange(7):
                case 0:
                    await table.both(FLOOR, CAGE, commands.Fill(cents=chance.randrange(1, 50) * 100_00))
                case 1:
                    await table.both(FLOOR, CAGE, commands.Credit(cents=chance.randrange(1, 20) * 100_00))
                case 2:
                    await table.must(("alice", "player"), commands.BuyIn(cents=chance.randrange(1, 9) * 100_00))
                case 3:
                    counted = table.live.tray_cents + chance.choice((-5_00, 0, 25_00))
                    await table.must(FLOOR, commands.CountInventory(tray_cents=counted))
                case 4:
                    await table.both(FLOOR, CAGE, commands.Fill(cents=300_00))
                    wrong = commands.Correct(entry=table.live.head.sequence, reason="written twice")
                    await table.both(CAGE, PIT, wrong)
                case 5:
                    await table.must(("alice", "player"), commands.BuyIn(cents=200_00))
                    wrong = commands.Correct(entry=table.live.head.sequence, reason="not paid")
                    await table.both(CAGE, PIT, wrong)
                case _:
                    await table.play_round()
            check(table.floor)
        return table.floor

    floor = run(shift())
    [line] = report_of(floor).hold.reconciled()
    assert line.opening_cents == TRAY
    ended = floor.house.live("t").shift
    assert ended is not None
    assert ended.unexplained_cents == 0
    assert ended.win_cents == line.win_cents
    for name in BOOKED:
        assert getattr(ended, name) == getattr(line, name), name
