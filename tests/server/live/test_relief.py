"""A dealer who is revoked, locked or no longer a dealer loses the table."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from pitboss.games.catalogue import game_names
from pitboss.house.live_table import commands
from pitboss.house.people import commands as of_people
from pitboss.house.running_tables import Asked, Done
from pitboss.rules.refusal import Refusal
from pitboss.server.app import add_dealers, make_floor
from pitboss.server.demonstration import demo_documents
from pitboss.server.open_floor import SUPERVISOR, FloorSettings, OpenFloor
from pitboss.table.people import AUTOMATON, Person

TABLE = game_names()[0]
PEOPLE = {
    "dea": "dealer",
    "dan": "dealer",
    "flo": "floorperson",
    "ona": "operator",
    "ola": "operator",
    "adam": "administrator",
}
ADAM = Person("adam", "administrator")


async def opened(folder: Path) -> OpenFloor:
    floor = make_floor(FloorSettings(folder, requires_readers=False))
    add_dealers(floor)
    await floor.start()
    by = Person(SUPERVISOR, AUTOMATON)
    for name, role in PEOPLE.items():
        await put(floor, of_people.AddPerson(by=by, at=0, person=name, roles=(role,)))
    document: dict[str, Any] = {**demo_documents()[TABLE], "dealer": "people"}
    await office(floor, "ona", {"kind": "SubmitRules", "table": TABLE, "document": document})
    await must(floor, "ona", commands.ActivateSubmission(document=document))
    await must(floor, "ola", commands.Confirm(proposal=next(iter(floor.house.live(TABLE).proposals))))
    await must(floor, "flo", commands.OpenTable(tray_cents=1_000_00))
    await must(floor, "dea", commands.command_of({"kind": "TakeLease"}))
    assert floor.house.live(TABLE).lease.holder == "dea"
    return floor


async def put(floor: OpenFloor, command: of_people.Command) -> None:
    recorded = await floor.office.put(command)
    assert not isinstance(recorded, Refusal), recorded


async def office(floor: OpenFloor, person: str, body: dict[str, Any]) -> None:
    answer = await floor.at_office(Asked(floor.fresh(), person, (PEOPLE[person],), body))
    assert isinstance(answer, Done), answer


async def given(floor: OpenFloor, person: str, command: commands.Command) -> Any:
    token = floor.house.live(TABLE).lease.token
    asked = Asked(floor.fresh(), person, (PEOPLE[person],), commands.data_of(command), token)
    return await floor.house.do(TABLE, asked)


async def must(floor: OpenFloor, person: str, command: commands.Command) -> None:
    answer = await given(floor, person, command)
    assert isinstance(answer, Done), answer


async def relieved(floor: OpenFloor) -> None:
    while floor.house.live(TABLE).lease.holder is not None:
        await asyncio.sleep(0.01)


def in_peace(folder: Path, work: Callable[[OpenFloor], Awaitable[None]]) -> None:
    async def whole() -> None:
        floor = await opened(folder)
        try:
            await asyncio.wait_for(work(floor), 120)
        finally:
            await floor.stop()

    asyncio.run(whole())


OUT = {
    "revoked": of_people.RevokePerson(by=ADAM, at=0, person="dea", reason="left the house"),
    "locked": of_people.LockPerson(by=ADAM, at=0, person="dea", reason="asked for"),
    "another role": of_people.ChangeRoles(by=ADAM, at=0, person="dea", roles=("floorperson",)),
}


@pytest.mark.parametrize("how", OUT)
def test_the_lease_is_withdrawn_at_once_and_another_may_take_it(tmp_path: Path, how: str) -> None:
    async def work(floor: OpenFloor) -> None:
        await put(floor, OUT[how])
        await relieved(floor)
        (entry,) = [entry for entry in floor.store.read(f"table/{TABLE}") if entry.kind == "house.LeaseWithdrawn"]
        assert (entry.actor, entry.role, entry.clause) == (SUPERVISOR, AUTOMATON, "H-16")
        assert entry.body["dealer"] == "dea"
        await must(floor, "dan", commands.command_of({"kind": "TakeLease"}))
        assert floor.house.live(TABLE).lease.holder == "dan"

    in_peace(tmp_path, work)


def test_only_people_relieve_a_dealer_in_good_standing(tmp_path: Path) -> None:
    async def work(floor: OpenFloor) -> None:
        body = {"kind": "WithdrawLease", "reason": "because"}
        answer = await floor.house.do(TABLE, Asked(floor.fresh(), SUPERVISOR, (AUTOMATON,), body))
        assert isinstance(answer, Refusal)
        assert answer.clause == "H-16"
        await put(floor, of_people.LockPerson(by=ADAM, at=0, person="dan", reason="another dealer"))
        await asyncio.sleep(0.1)
        assert floor.house.live(TABLE).lease.holder == "dea"

    in_peace(tmp_path, work)


def test_who_was_revoked_while_nobody_looked_is_relieved_when_the_table_is_run_again(tmp_path: Path) -> None:
    async def work(floor: OpenFloor) -> None:
        floor.office.stream.followers.pop()  # as where the process ends between the two
        await put(floor, OUT["revoked"])
        await asyncio.sleep(0.1)
        assert floor.house.live(TABLE).lease.holder == "dea"

    in_peace(tmp_path, work)

    async def again() -> None:
        floor = make_floor(FloorSettings(tmp_path))
        add_dealers(floor)
        await floor.start()
        await asyncio.wait_for(relieved(floor), 120)
        await floor.stop()

    asyncio.run(again())
