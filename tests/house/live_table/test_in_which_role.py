"""Which of their roles people act in: one that is allowed here, and never an account as an automaton."""

from typing import Any

import pytest

from house.floors import Floor, run
from house.live_table.staffed import BY, FLOOR, StaffedTable, in_phase
from pitboss.games.catalogue import game_names
from pitboss.house.bots import bot_name
from pitboss.house.live_table import commands
from pitboss.house.live_table.table_terms import AUTOMATON
from pitboss.house.people.accounts import NAME
from pitboss.house.people.leases import TakeLease, WithdrawLease
from pitboss.house.running_tables import Asked, Done
from pitboss.round.state import ASKING
from pitboss.rules import irregularity
from pitboss.rules.refusal import Refusal

BOTH = ("dealer", "floorperson")


async def given(
    table: StaffedTable, person: str, roles: tuple[str, ...], command: Any, token: int | None = None
) -> Any:
    asked = Asked(table.floor.command_id(), person, roles, commands.data_of(command), token)
    return await table.floor.house.do("t", asked)


@pytest.mark.parametrize("roles", [BOTH, BOTH[::-1]])
def test_who_is_dealer_and_floorperson_reports_as_the_one_who_may(roles: tuple[str, ...]) -> None:
    async def reported() -> None:
        table = await in_phase(game_names()[0], ASKING)
        wrong = commands.ReportIrregularity(irregularity=irregularity.PLAYER_LEFT, seat=1, ruling="abandoned")
        answer = await given(table, "fay", roles, wrong)
        assert isinstance(answer, Done), answer
        assert {entry.role for entry in answer.entries} == {"floorperson"}
        assert {entry.actor for entry in answer.entries} == {"fay"}

    run(reported())


def test_the_same_person_deals_by_lease_as_a_dealer() -> None:
    async def dealt() -> None:
        table = StaffedTable(Floor(3), game_names()[0])
        await table.open()
        await table.must(FLOOR, WithdrawLease(by=BY, at=0, reason="relief"))
        taken = await given(table, "fay", BOTH[::-1], TakeLease(by=BY, at=0))
        assert isinstance(taken, Done), taken
        assert {entry.role for entry in taken.entries} == {"dealer"}
        for kind in ("BeginRound", "OpenTable"):
            refused = await given(table, "fay", ("player",), commands.command_of({"kind": kind} | _rest(kind)))
            assert isinstance(refused, Refusal)
            assert refused.clause

    run(dealt())


def _rest(kind: str) -> dict[str, Any]:
    return {"tray_cents": 1} if kind == "OpenTable" else {}


def test_a_refusal_tells_of_the_first_role_that_takes_part() -> None:
    async def refused() -> None:
        table = await in_phase(game_names()[0], ASKING)
        answer = await given(table, "fay", ("dealer",), commands.Settle())
        again = await given(table, "fay", BOTH, commands.Settle())
        assert isinstance(answer, Refusal)
        assert answer == again

    run(refused())


def test_an_automaton_has_no_name_that_an_account_could_have() -> None:
    async def seated() -> None:
        floor = Floor(5)
        await floor.open("t", game_names()[0])
        for name in ("alice", "bot-1-t", "house-dealer"):
            answer = await floor.ask("t", name, AUTOMATON, commands.TakeSeat(seat=1))
            assert isinstance(answer, Refusal)
            assert answer.clause == "H-15"
        name = bot_name(1, "t")
        assert NAME.fullmatch(name) is None
        await floor.must("t", name, AUTOMATON, commands.TakeSeat(seat=1))

    run(seated())
