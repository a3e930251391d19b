"""A whole casino: tables with seated players at human pace, floor and cage at work; what more tables would take."""

import argparse
import asyncio
import contextlib
import json
import os
import random
import time
from dataclasses import dataclass, field
from typing import Any

from floors import CLIENT, Floor, Plan, empty_database, floor_of, postgres
from held_sockets import GAMES, memory_kb, stakes_by_game
from websockets.typing import Origin

# A round of five players takes about a minute.
PACE = {"wagers_ms": 15_000, "decision_ms": 30_000, "step_ms": 900, "between_rounds_ms": 4_000}
STAFF = (("floor-1", "floorperson"), ("floor-2", "floorperson"), ("cage-1", "cage"), ("cage-2", "cage"))
THINKS_S = (1.5, 6.0)
FLOOR_LOOKS_S, CAGE_WORKS_S = 5.0, 4.0
BUSY = 0.5  # of a core: the most that one process should be given
SIZES = (300, 3_000, 10_000)
AT_ONCE = 8  # people who come in at the same moment


@dataclass
class Figures:
    """What the generator counts while it plays."""

    commands: int = 0
    refused: int = 0
    frames: int = 0
    waits: list[float] = field(default_factory=list)
    sent: dict[str, float] = field(default_factory=dict)


class Guest:
    """A player who sits at a table and thinks before each answer."""

    def __init__(self, floor: Floor, table: int, seat: int, figures: Figures) -> None:
        self.table, self.seat, self.name = f"table-{table}", seat, f"player-{table}-{seat}"
        self.address = floor.addresses[(table + seat) % len(floor.addresses)]
        self.link, self.figures = floor.links[self.name], figures
        self.chance = random.Random(self.name)
        self.number = 0
        self.live: Any = None
        self.doing: set[asyncio.Task[None]] = set()

    async def come_in(self, http: Any) -> None:
        """Sign in, sit down, buy in and open the table's socket."""
        from websockets.asyncio.client import connect

        answer = await http.post(f"{self.address}/api/links", json={"token": self.link})
        cookie = {"cookie": f"pitboss_session={answer.cookies['pitboss_session']}"}
        for body in ({"kind": "TakeSeat", "seat": self.seat}, {"kind": "BuyIn", "cents": 9_000_00}):
            self.number += 1
            asked = {"id": f"{self.name} {self.number}", "body": body}
            done = await http.post(f"{self.address}/api/tables/{self.table}/commands", json=asked, headers=cookie)
            assert done.status_code == 200, done.text
        ticket = (await http.post(f"{self.address}/api/tables/{self.table}/ticket", headers=cookie)).json()["ticket"]
        target = f"{self.address.replace('http', 'ws')}/api/tables/{self.table}/live?ticket={ticket}"
        self.live = await connect(
            target,
            origin=Origin(self.address),
            compression=None,
            max_queue=None,
            ping_interval=None,
        )

    async def play(self) -> None:
        """Wager once a round and answer when asked, until the socket closes."""
        placed = -1
        answered: tuple[int, int, str] | None = None
        async for text in self.live:
            self.figures.frames += 1
            if text.startswith('{"v":1,"done"') or text.startswith('{"v":1,"refused"'):
                said = json.loads(text)
                self.figures.refused += "refused" in said
                sent = self.figures.sent.pop((said.get("done") or said["refused"])["id"], None)
                if sent is not None:
                    self.figures.waits.append(time.perf_counter() - sent)
                continue
            frame = json.loads(text)
            view = frame.get("view")
            if view is None:
                continue
            if view["phase"] == "wagering" and placed != view["round"]:
                placed = view["round"]
                stakes = dict.fromkeys(GAMES[view["game"]], 10_00)
                self._later({"kind": "PlaceWagers", "seat": self.seat, "stakes": stakes})
            elif view["actions"] and answered != (view["round"], len(view["actions"]), view["phase"]):
                answered = (view["round"], len(view["actions"]), view["phase"])
                action = self.chance.choice(view["actions"])
                body: dict[str, Any] = {"kind": "Act", "seat": self.seat, "action": action}
                if view["game"] == "colorado-holdem" and action not in ("fold", "declare"):
                    body["discard"] = next(s for s in view["seats"] if s["seat"] == self.seat)["cards"][0]
                self._later(body)

    def _later(self, body: dict[str, Any]) -> None:
        task = asyncio.create_task(self._give(body))
        self.doing.add(task)
        task.add_done_callback(self.doing.discard)

    async def _give(self, body: dict[str, Any]) -> None:
        await asyncio.sleep(self.chance.uniform(*THINKS_S))
        self.number += 1
        name = f"{self.name} {self.number}"
        self.figures.commands += 1
        self.figures.sent[name] = time.perf_counter()
        with contextlib.suppress(Exception):  # the socket may be closed meanwhile
            await self.live.send(json.dumps({"id": name, "body": body}))


async def staff(floor: Floor, http: Any, name: str, figures: Figures) -> None:
    """Work as a floorperson who looks at every table, or as a cashier who issues money."""
    address = floor.addresses[len(name) % len(floor.addresses)]
    answer = await http.post(f"{address}/api/links", json={"token": floor.links[name]})
    cookie = {"cookie": f"pitboss_session={answer.cookies['pitboss_session']}"}
    chance, players = random.Random(name), sorted(person for person in floor.links if person.startswith("player-"))
    number = 0
    while True:
        if name.startswith("floor"):
            await asyncio.sleep(FLOOR_LOOKS_S)
            looked = await http.get(f"{address}/api/floor", headers=cookie)
            assert looked.status_code == 200, looked.text
            continue
        await asyncio.sleep(CAGE_WORKS_S)
        number += 1
        body = {"kind": "IssueMoney", "person": chance.choice(players), "cents": 100_00, "free_play": True}
        asked = {"id": f"{name} {number}", "body": body}
        figures.commands += 1
        await http.post(f"{address}/api/office/commands", json=asked, headers=cookie)


async def measured(floor: Floor, plan: Plan, seconds: float) -> dict[str, float]:
    """Return the costs of tables, sockets and commands, each from the difference it makes."""
    import httpx

    figures = Figures()
    limits = httpx.Limits(max_connections=AT_ONCE * 2, keepalive_expiry=2)
    async with httpx.AsyncClient(timeout=300, headers=CLIENT, limits=limits) as http:
        http.cookies.jar.set_policy(_no_cookies())
        await asyncio.sleep(9 * (len(floor.processes) > 1))
        idle_s, idle_kb = await _spent(floor, min(seconds, 15)), sum(map(memory_kb, floor.processes))
        guests = [
            Guest(floor, table, seat, figures) for table in range(plan.tables) for seat in range(1, plan.seats + 1)
        ]
        gate = asyncio.Semaphore(AT_ONCE)

        async def come_in(guest: Guest) -> None:
            async with gate:
                await guest.come_in(http)

        began = time.perf_counter()
        await asyncio.gather(*map(come_in, guests))
        seated_s = time.perf_counter() - began
        seated_kb = sum(map(memory_kb, floor.processes))
        tasks = [asyncio.create_task(guest.play()) for guest in guests]
        tasks += [asyncio.create_task(staff(floor, http, name, figures)) for name, _ in plan.staff]
        await asyncio.sleep(20)
        figures.commands = figures.frames = figures.refused = 0
        figures.waits.clear()
        cpu, own, began = sum(floor.cpu_s()), time.process_time(), time.perf_counter()
        await asyncio.sleep(seconds)
        elapsed = time.perf_counter() - began
        cpu, own = sum(floor.cpu_s()) - cpu, time.process_time() - own
        waits = sorted(figures.waits)
        ended = [task for task in tasks if task.done()]
        assert not ended, ended[0].exception()
        for task in (*tasks, *(task for guest in guests for task in guest.doing)):
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        for guest in guests:
            guest.live.transport.abort()
    cores, idle = cpu / elapsed, idle_s
    return {
        "tables": plan.tables,
        "players": len(guests),
        "processes": len(floor.processes),
        "commands/s of people": round(figures.commands / elapsed, 1),
        "frames/s": round(figures.frames / elapsed),
        "refused": figures.refused,
        "acknowledged p50 ms": round(waits[len(waits) // 2] * 1_000, 1) if waits else 0,
        "acknowledged p99 ms": round(waits[int(len(waits) * 0.99)] * 1_000, 1) if waits else 0,
        "share of a core, empty tables": round(idle, 3),
        "share of a core, in play": round(cores, 3),
        "CPU ms a command of people (dealer's work and screens included)": round(
            (cores - idle) * elapsed * 1_000 / max(1, figures.commands), 2
        ),
        "memory MB, no tables": round(floor.memory_kb_before() / 1_024),
        "memory kB an empty table": round((idle_kb - floor.memory_kb_before()) / plan.tables, 1),
        "memory kB a seated player": round((seated_kb - idle_kb) / max(1, len(guests)), 1),
        "seconds until everyone sat": round(seated_s, 1),
        "share of a core, generator": round(own / elapsed, 2),
    }


async def _spent(floor: Floor, seconds: float) -> float:
    before: float = sum(floor.cpu_s())
    began = time.perf_counter()
    await asyncio.sleep(seconds)
    return (sum(floor.cpu_s()) - before) / (time.perf_counter() - began)


def _no_cookies() -> Any:
    from http.cookiejar import DefaultCookiePolicy

    return DefaultCookiePolicy(allowed_domains=[])


def projection(found: dict[str, float]) -> list[str]:
    """Return what more tables would take, from what these cost."""
    tables, commands = found["tables"], found["commands/s of people"] / found["tables"]
    idle_ms = found["share of a core, empty tables"] * 1_000 / tables
    each_ms = found["CPU ms a command of people (dealer's work and screens included)"]
    players_mb = found["memory kB a seated player"] * found["players"] / 1_024
    memory_mb = (found["memory kB an empty table"] * tables / 1_024 + players_mb) / tables
    lines = ["| tables | commands/s | cores of the program | processes at half a core | memory | entries a day |"]
    lines.append("|---|---|---|---|---|---|")
    for size in SIZES:
        cores = size * (idle_ms + commands * each_ms) / 1_000
        entries = size * commands * 2.5 * 86_400
        lines.append(
            f"| {size:,} | {size * commands:,.0f} | {cores:.1f} | {max(1, -(-cores // BUSY)):.0f} "
            f"| {size * memory_mb / 1_024:.1f} GB | {entries / 1e6:,.0f} million |"
        )
    return lines


def main() -> None:
    """Run the casino with the sizes given, and print figures and the projection."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--tables", type=int, default=300)
    asked.add_argument("--players", type=int, default=5, help="at each table")
    asked.add_argument("--processes", type=int, default=1)
    asked.add_argument("--seconds", type=float, default=60.0)
    asked.add_argument("--sqlite", action="store_true", help="one process on SQLite instead of PostgreSQL")
    given = asked.parse_args()
    stakes_by_game()
    plan = Plan(given.tables, given.players, PACE, STAFF)
    with contextlib.ExitStack() as stack:
        database = None
        if not given.sqlite:
            database = stack.enter_context(empty_database(stack.enter_context(postgres()), f"casino{os.getpid()}"))
        floor = stack.enter_context(floor_of(plan, 1 if given.sqlite else given.processes, database))
        found = asyncio.run(measured(floor, plan, given.seconds))
    for name, figure in found.items():
        print(f"{name}: {figure}")
    print("\n".join(projection(found)))


if __name__ == "__main__":
    main()
