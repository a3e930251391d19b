"""A payout waiting at a running table survives a restart, is paid once, and outlasts a change of dealer."""

import json

import pytest

from house.floors import Floor, run
from house.live_table.staffed import BY, FLOOR, StaffedTable, last, seated
from pitboss.games.catalogue import game_names
from pitboss.house.live_table import commands
from pitboss.house.live_table.evolve import evolve
from pitboss.house.live_table.state import LiveTable
from pitboss.house.live_table.table_snapshot import table_from_data, table_to_data
from pitboss.house.live_table.table_terms import PayoutLimits
from pitboss.house.people import leases
from pitboss.record.entries import Entry
from pitboss.round.state import AWAITING_VERIFICATION
from pitboss.rules.refusal import Refusal

GAMES = game_names()
EVERYTHING = {"payout_from_cents": 1}


async def waiting(name: str) -> StaffedTable:
    """Return a table at which a payout waits."""
    table = await seated(name, verification=EVERYTHING)
    for _ in range(40):
        await table.begin()
        while table.live.in_round:
            if table.live.play is not None and table.live.play.phase == AWAITING_VERIFICATION:
                return table
            await table.next()
    raise AssertionError("nobody won in forty rounds")


@pytest.mark.parametrize("name", GAMES)
def test_a_payout_that_waits_is_in_the_fold_and_is_paid_once(name: str) -> None:
    async def restarted() -> None:
        table = await waiting(name)
        live = table.live
        again = LiveTable("t")
        for entry in table.floor.store.read("table/t"):
            again = evolve(again, entry, table.floor.house.reading)
        back = table_from_data(json.loads(json.dumps(table_to_data(live))), table.floor.house.reading)
        assert live.play is not None
        assert live.play.payout is not None
        for found in (again, back):
            assert found.play is not None
            assert found._replace(play=found.play._replace(rules=live.play.rules)) == live
        seat = live.play.payout.seat
        await table.must(FLOOR, commands.ValidatePayout(seat=seat))
        paid = dict(table.live.balances)
        is_next = table.live.play is not None and table.live.play.payout is not None
        if not is_next:
            assert isinstance(await table.ask(FLOOR, commands.ValidatePayout(seat=seat)), Refusal)
            assert dict(table.live.balances) == paid

    run(restarted())


def test_a_relieved_dealers_claim_is_made_again() -> None:
    async def relieved() -> None:
        table = await waiting(GAMES[0])
        assert table.live.play is not None
        assert table.live.play.payout is not None
        seat = table.live.play.payout.seat
        await table.must(FLOOR, leases.WithdrawLease(by=BY, at=0, reason="a break"))
        other = ("dov", "dealer")
        await table.must(other, leases.TakeLease(by=BY, at=0))
        before = dict(table.live.balances)
        await table.must(FLOOR, commands.ValidatePayout(seat=seat))
        assert dict(table.live.balances) == before, "the new dealer has claimed nothing yet"
        proposal = list(table.live.proposals)[-1]
        await table.must(other, commands.Confirm(proposal=proposal))
        assert last(table, "round.PayoutValidated").body["validated_by"] == FLOOR[0]

    run(relieved())


def test_a_table_that_deals_by_itself_goes_on_with_its_supervisor() -> None:
    async def played() -> None:
        floor = Floor(3)
        await floor.open("t", GAMES[0], verification=EVERYTHING)
        await floor.sit("t", "alice", 1)
        validated: list[Entry] = []
        for _ in range(100):  # until someone wins
            await floor.rounds("t", 1)
            validated = [entry for entry in floor.store.read("table/t") if entry.kind == "round.PayoutValidated"]
            if validated:
                break
        assert validated
        assert {entry.body["validated_by"] for entry in validated} == {"automatic supervisor"}

    run(played())


@pytest.mark.parametrize(
    ("limits", "says"),
    [
        (PayoutLimits(payout_from_times=0), "payout_from_times"),
        (PayoutLimits(payout_from_cents=-1), "payout_from_cents"),
        (PayoutLimits(progressive_from_cents=10**15), "progressive_from_cents"),
    ],
)
def test_impossible_limits_are_reported(limits: PayoutLimits, says: str) -> None:
    assert says in str(limits.fault())
    assert PayoutLimits().fault() is None
