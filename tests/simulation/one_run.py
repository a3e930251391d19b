"""One seed's run: a floor opens, plays with faults, is checked after each, and must be able to continue."""

import asyncio
import hashlib
from collections import Counter
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from house.floors import PROGRESSIVE
from pitboss.house.live_table import commands
from pitboss.house.live_table.stream_balances import account_drafts
from pitboss.house.live_table.table_terms import AUTOMATON, HOUSE_DEALER
from pitboss.house.money import transfers
from pitboss.house.money.ledger import purse
from pitboss.house.progressive import MeterTerms, drafts_of, link_of
from pitboss.house.progressive import commands as of_meters
from pitboss.house.progressive import decide as decide_meters
from pitboss.house.running_tables import Answer, Asked, Done
from pitboss.rules.refusal import Refusal
from simulation.counted_money import CountedMoney
from simulation.counted_people import Known, open_house
from simulation.documents import read_terms
from simulation.network import Weather
from simulation.people import Player
from simulation.pit import Pit
from simulation.process import Process
from simulation.staff import TRAY_CENTS, Staff
from simulation.virtual_loop import NothingHappens, run_virtually
from simulation.world import World

BOUNDARIES = (
    "received",
    "validated",
    "half-written",
    "written unsynced",
    "synced",
    "synced unapplied",
    "applied unacknowledged",
    "acknowledged unsent",
    "during recovery",
)
OTHER_FAULTS = (
    "disk full",
    "disk nearly full",
    "sync failed",
    "bit flipped",
    "old backup",
    "clock forward",
    "clock back",
    "process stopped",
    "flood",
    "bad network",
)
FAULTS_A_RUN = 4
GO_ON_S = 120
STOPPED_S = 9  # longer than a lease
ROUNDS_AFTER = 1


class Violated(AssertionError):
    """Something did not hold in a run."""


@dataclass(frozen=True)
class Run:
    """What happened in a seed's run."""

    seed: int
    faults: Counter[str]
    accepted: Counter[str]
    tried: Counter[str]  # reports, remedies, disputes, departures, and what a held table refused
    refused: int
    entries: int
    rounds: int
    heads: str  # one hash for where all streams ended


def run_seed(seed: int) -> Run:
    """Run a seed and return what happened, or raise Violated with the way to run it again."""
    world = World(seed)
    try:
        run_virtually(_lived(world))
    except NothingHappens:
        world.tell("everybody waits for somebody who does not come")
    if world.violations:
        told = "\n  ".join(world.violations[:5])
        faults = ", ".join(sorted(world.happened))
        again = f"PYTHONHASHSEED=0 PYTHONPATH=tests python -m simulation --seeds 1 --from {seed}"
        raise Violated(f"seed {seed}:\n  {told}\n  faults: {faults}\n  again: {again}")
    ends = hashlib.sha256(repr(sorted(world.checker.heads.items())).encode()).hexdigest()
    rounds = sum(live.rounds for live in world.checker.live_tables.values())
    tried = world.tried + world.checker.tried
    return Run(seed, world.happened, world.accepted, tried, world.refused, world.checker.entries, rounds, ends)


async def _lived(world: World) -> None:
    process = world.start("one")
    await _open(world, process)
    players = [
        Player(world, table, f"{name}-{table}", seat)
        for table in world.tables
        for name, seat in (("alice", 1), ("bob", 2), ("carol", 4))[: 2 + (world.seed % 2)]
    ]
    for player in players:
        await _issue(world, process, player.name, free_play=bool(world.tables[player.table].get("free_play", True)))
    world.checker.follow(process.store)
    tasks = [asyncio.ensure_future(player.play()) for player in players]
    for table, document in world.tables.items():
        staff = Staff(world, table)
        if document["automatic"]:
            tasks.append(asyncio.ensure_future(staff.oversee()))
        else:
            works = (staff.work(), staff.rival(), Pit(staff).work())
            tasks += [asyncio.ensure_future(work) for work in works]
            if staff.is_counted:
                tasks.append(asyncio.ensure_future(CountedMoney(staff).work()))
    tasks.append(asyncio.ensure_future(_read_slowly(world)))
    if world.seed % 2:
        world.start("two")
    world.backup = world.disk.crash().read()
    await asyncio.sleep(1)
    await _faults(world, players)
    await _go_on(world)
    for task in tasks:
        if task.done() and task.exception() is not None:
            world.tell(f"somebody fell over: {task.exception()!r}")
    if not world.violations:
        world.check_all()
        world.check_verifier()


async def _read_slowly(world: World) -> None:
    while True:
        await asyncio.sleep(1.5)
        live = world.live("a")
        if live is not None and not world.reader.read(live.head.sequence):
            world.tell("a reader saw the table go back")


async def _faults(world: World, players: list[Player]) -> None:
    every = (*BOUNDARIES, *OTHER_FAULTS)
    for number in range(FAULTS_A_RUN):
        # Every seed begins elsewhere, so that few seeds bring every fault, each among different others.
        kind = every[(world.seed * FAULTS_A_RUN + number) % len(every)]
        await _fault(world, kind, players)
        await asyncio.sleep(world.chance.uniform(1, 3))
        world.check_all()
        if world.violations:
            return


async def _fault(world: World, kind: str, players: list[Player]) -> None:
    chance = world.chance
    if kind in BOUNDARIES:
        await _killed_at(world, kind)
    elif kind in ("bit flipped", "old backup"):
        world.flips_a_bit, world.restores_backup = kind == "bit flipped", kind == "old backup"
        await _killed_at(world, "applied unacknowledged")
    elif kind in ("disk full", "disk nearly full"):
        room = chance.randint(0, 600) if kind == "disk full" else chance.randint(1_500, 2_900)
        world.disk.capacity_bytes = world.disk.length + room
        await asyncio.sleep(chance.uniform(1, 3))
        world.happened[kind] += 1
        world.disk.capacity_bytes = None
    elif kind == "sync failed":
        world.disk.fails_sync = True
        await asyncio.sleep(3)
    elif kind.startswith("clock"):
        jump = chance.randint(5_000, 60_000)
        world.clock.set_by_ms += jump if kind == "clock forward" else -jump
        world.happened[kind] += 1
    elif kind == "process stopped":
        await _stopped(world)
    elif kind == "flood":
        chance.choice(players).flood()
    else:
        world.network.weather = Weather(drop=0.15, duplicate=0.3, delay_s=0.15, long_delay=0.1)
        await asyncio.sleep(chance.uniform(4, 8))
        world.network.weather = Weather()


async def _killed_at(world: World, boundary: str) -> None:
    before = sum(world.happened.values())
    world.planned = boundary
    if boundary == "during recovery":
        world.planned = "applied unacknowledged"
        await _until(lambda: world.planned is None, 20)
        world.planned = boundary
    await _until(lambda: world.planned is None, 20)
    world.planned = None
    if sum(world.happened.values()) == before:
        world.happened["nothing to kill"] += 1
    await asyncio.sleep(2.5)


async def _stopped(world: World) -> None:
    if not world.processes:
        return
    process = max(world.processes.values(), key=lambda process: len(process.house.tables))
    process.awake.clear()
    tables = set(process.house.tables)
    await asyncio.sleep(STOPPED_S)
    taken = any(
        table in other.house.tables for other in world.processes.values() if other is not process for table in tables
    )
    if taken:
        world.happened["table taken over"] += 1
    process.awake.set()
    world.happened["process stopped"] += 1


async def _until(is_so: Any, seconds: float) -> bool:
    for _ in range(round(seconds / 0.1)):
        if is_so():
            return True
        await asyncio.sleep(0.1)
    return bool(is_so())


async def _go_on(world: World) -> None:
    # With the faults over, every table must finish its round and play another.
    if world.violations:
        return
    world.finishing = True
    world.network.weather = Weather()
    await _until(lambda: all(world.live(table) for table in world.tables), 120)
    started = {table: live.rounds for table in world.tables if (live := world.live(table)) is not None}
    wanted = {table: rounds + ROUNDS_AFTER for table, rounds in started.items()}

    def is_done(table: str) -> bool:
        live = world.live(table)
        if live is None or live.rounds < wanted[table] or (live.rounds == wanted[table] and live.in_round):
            return table in world.done
        world.done.add(table)
        return True

    def are_all_done() -> bool:
        return {table for table in wanted if is_done(table)} == set(world.tables)

    if not await _until(are_all_done, GO_ON_S):
        for table in world.tables:
            live = world.live(table)
            if table not in wanted or not is_done(table):
                where = (live.play.phase if live.play else None, live.in_round) if live else "nowhere"
                world.tell(f"the table {table} cannot go on: {where}; {world.last_refusals.get(table)}")


def _asked(world: World, kind: str) -> Asked:
    return Asked(world.command_id("supervisor"), "supervisor", (AUTOMATON,), {"kind": kind})


def _must(answer: Answer) -> None:
    assert isinstance(answer, Done), answer


async def _open(world: World, process: Process) -> None:
    await asyncio.sleep(0.01)
    if isinstance(process.people, Known):
        await open_house(process.office, process.people, world.command_id)
    for table, document in world.tables.items():
        if document["automatic"]:
            for command in (
                commands.ActivateSubmission(document=document),
                commands.OpenTable(tray_cents=TRAY_CENTS),
            ):
                asked = Asked(world.command_id("house"), HOUSE_DEALER, (AUTOMATON,), commands.data_of(command))
                _must(await process.house.do(table, asked))
    for table, document in world.tables.items():
        link = link_of(table, read_terms(document).settings.rules)
        if link is not None:
            clause = read_terms(document).settings.game.bets.cite
            if not process.house.progressive(PROGRESSIVE).state.meters:
                meters = tuple(MeterTerms(meter, 10_000_00, 10_000_00, Fraction(1, 7), clause) for meter in link.meters)
                await _meters(world, process, of_meters.OpenMeters(at=0, meters=meters, by="one", second="two"))
            await _meters(world, process, of_meters.LinkTable(at=0, link=link))


async def _meters(world: World, process: Process, command: Any) -> None:
    shared = process.house.progressive(PROGRESSIVE)

    def decided(at: int) -> Any:
        answer = decide_meters(shared.state, replace(command, at=at))
        return answer if isinstance(answer, Refusal) else drafts_of(shared.state, answer)

    _must(await process.house.at_streams((shared,), decided, _asked(world, type(command).__name__)))


async def _issue(world: World, process: Process, person: str, *, free_play: bool) -> None:
    moved = transfers.issue(person, 50_000_00, free_play=free_play)
    issued = account_drafts("money.MoneyIssued", {"person": person, "cents": 50_000_00}, moved.postings, None)
    purses = (process.house.money.of(purse(person, free_play=free_play)),)
    _must(await process.house.at_streams(purses, lambda at: issued, _asked(world, "IssueMoney")))
