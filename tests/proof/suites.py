"""The suites of `make prove`: what each one repeats, how often, and in which chunks; a chunk is known by its seed."""

import asyncio
import random
import tempfile
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

Counts = Counter[str]


@dataclass(frozen=True)
class Suite:
    """Something that is repeated many times; `run` takes a seed and a number of units, and raises where it fails."""

    name: str
    says: str
    total: int
    chunk: int
    run: Callable[[int, int], Counts]

    @property
    def seeds(self) -> range:
        """Return the seeds of its chunks."""
        return range(1, -(-self.total // self.chunk) + 1)


def floors(seed: int, units: int) -> Counts:
    """Simulate whole floors with faults; the seeds follow one another over the chunks."""
    from simulation.one_run import run_seed

    counts: Counts = Counter()
    for number in range((seed - 1) * units + 1, seed * units + 1):
        run = run_seed(number)
        counts.update({"rounds": run.rounds, "entries": run.entries, "commands refused": run.refused})
        counts.update({f"fault: {name}": times for name, times in run.faults.items()})
    return counts


def kills_on_sqlite(seed: int, units: int) -> Counts:
    """Kill processes of a floor on SQLite, one after the other."""
    with tempfile.TemporaryDirectory() as folder:
        return _killed(Path(folder), seed, units, None, is_shared=False)


def kills_on_postgresql(seed: int, units: int) -> Counts:
    """Kill processes on PostgreSQL, two of which share the floor at any time."""
    from record.postgres import fresh_schema, server

    with tempfile.TemporaryDirectory() as folder, server() as postgres, fresh_schema(postgres) as url:
        return _killed(Path(folder), seed, units, url, is_shared=True)


def _killed(folder: Path, seed: int, units: int, url: str | None, *, is_shared: bool) -> Counts:
    from house.kill.killing import kill_many

    killed = kill_many(folder, units, url, seed=seed, is_shared=is_shared)
    counts: Counts = Counter({f"killed {name}": times for name, times in killed.kills.items()})
    counts.update({"entries": killed.entries, "rounds": killed.rounds, "commands acknowledged": killed.acknowledged})
    counts.update({"commands given again": killed.given_again, "of those there already": killed.already_there})
    return counts


def commands(seed: int, units: int) -> Counts:
    """Send random commands by random people to tables of every game."""
    from house.live_table.test_anything import wild
    from pitboss.games.catalogue import game_names

    names, at_a_table = game_names(), 500
    counts: Counts = Counter()
    for part in range(units // at_a_table):
        cards = "reader" if part % 2 else "shuffle"
        name = names[(seed + part // 2) % len(names)]
        watch = asyncio.run(wild(name, seed * 1_000_000 + part, at_a_table, cards=cards))
        counts.update({"accepted": watch.done.total(), "refused": watch.refused.total()})
        counts.update({"rounds": watch.table.live.rounds})
    return counts


def pairs(seed: int, units: int) -> Counts:
    """Play rounds twice with other hidden cards and compare what everyone is sent."""
    from pitboss.games.catalogue import game_names
    from secrets_check.pairs import compared

    names = game_names()
    found = asyncio.run(compared(names[seed % len(names)], units, seed, real_cards=seed % 5 == 0))
    return Counter(
        {
            "texts equal": found.texts,
            "refusals equal": found.refusals,
            "hidden cards dealt otherwise": found.hidden_dealt,
        }
    )


def frames(seed: int, units: int) -> Counts:
    """Send malformed frames to an open floor."""
    from pitboss.server.app import make_floor
    from pitboss.server.live.sockets import answered
    from pitboss.server.live.views import table_view
    from pitboss.server.open_floor import FloorSettings
    from server.live.test_sockets import malformed, somebody

    async def sent(folder: Path) -> None:
        floor = make_floor(FloorSettings(folder))
        await floor.start()
        try:
            floor.run_table("table")
            before, heads = table_view(floor, floor.house.live("table"), None), floor.store.heads()
            chance, guest = random.Random(seed), somebody()
            for number in range(units):
                frame = malformed(chance)
                assert list(await answered(floor, guest, "table", frame)) == ["refused"], (number, frame)
            assert table_view(floor, floor.house.live("table"), None) == before
            assert floor.store.heads() == heads
        finally:
            await floor.stop()

    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(sent(Path(folder)))
    return Counter({"refused": units})


def cells(seed: int, units: int) -> Counts:
    """Try every role, in every circumstance, with every command."""
    from house.people import test_roles
    from pitboss.house.people.roles import PERMISSIONS, ROLES

    assert units == len(PERMISSIONS), "a command was added: change the number of cells below"
    for kind in test_roles.SINGLE:
        test_roles.test_a_role_may_do_what_the_table_says_and_nothing_else(kind)
    for kind in test_roles.PAIRED:
        test_roles.test_two_people_may_do_what_the_table_says_and_nothing_else(kind)
        test_roles.test_each_of_two_is_asked_in_their_own_place(kind)
        test_roles.test_one_person_in_two_roles_is_not_two_people(kind)
        test_roles.test_one_person_alone_is_not_enough(kind)
    roles, ways = len(ROLES), len(test_roles.CIRCUMSTANCES)
    return Counter(
        {
            "cells of one person": len(test_roles.SINGLE) * roles,
            "cells of two people": len(test_roles.PAIRED) * roles * roles,
            "decisions": len(test_roles.SINGLE) * roles * ways + len(test_roles.PAIRED) * roles * roles * ways * 2,
        }
    )


def suites() -> tuple[Suite, ...]:
    """Return every suite."""
    from pitboss.house.people.roles import PERMISSIONS
    from proof.tampers import edits, rows, witnessed

    every = len(PERMISSIONS)
    return (
        Suite("floors", "whole floors simulated with faults", 10_000, 50, floors),
        Suite("kills-sqlite", "processes killed with `kill -9` on SQLite", 10_000, 100, kills_on_sqlite),
        Suite(
            "kills-postgresql",
            "processes killed with `kill -9` on PostgreSQL, two sharing the floor",
            2_000,
            100,
            kills_on_postgresql,
        ),
        Suite("commands", "random commands by random people", 10_000_000, 50_000, commands),
        Suite("edits", "edits and cuts of an exported record", 96_000, 4_000, edits),
        Suite("rows", "rows of the database altered, forged, deleted or put back", 3_900, 65, rows),
        Suite("witnessed", "records cut or rewritten with every key of the house", 100, 20, witnessed),
        Suite("pairs", "paired rounds with other hidden cards, compared byte for byte", 100_000, 1_000, pairs),
        Suite("frames", "malformed frames", 1_000_000, 100_000, frames),
        Suite("cells", "commands, each with every role in every circumstance", every, every, cells),
    )
