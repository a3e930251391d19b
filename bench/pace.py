"""A floor at human pace: `python bench/pace.py 300 5 30` seats five players at each of 300 tables for 30 seconds.

Players think before they bet and before they answer. It prints the server's CPU time for each command and each frame,
its share of a core, the delay of the acknowledgments, and its memory for each table with its sockets.
"""

import asyncio
import json
import random
import sys
import time
from typing import Any

import held_sockets

PACE = {"wagers_ms": 8_000, "decision_ms": 20_000, "step_ms": 700, "between_rounds_ms": 3_000}
THINKS_S = (1.0, 4.0)
SETTLING_S = 12.0  # until the tables have drifted apart
STAKES = {"ante": 10_00, "blind": 10_00, "ante-bonus": 10_00}
AT_ONCE = 20


class Person:
    """A player who thinks for a while, then bets or answers."""

    def __init__(self, table: str, seat: int, chance: random.Random) -> None:
        self.table, self.seat, self.chance = table, seat, chance
        self.number = self.placed = self.answered = 0
        self.sent: dict[str, float] = {}
        self.delays_ms: list[float] = []
        self.frames = self.refused = 0

    async def play(self, live: Any) -> None:
        """Bet and answer until the socket closes."""
        under_way: set[asyncio.Task[None]] = set()
        async for text in live:
            if text.startswith('{"v":1,"done"'):
                command = json.loads(text)["done"]["id"]
                self.delays_ms.append((time.perf_counter() - self.sent.pop(command)) * 1000)
            elif text.startswith('{"v":1,"refused"'):
                self.refused += 1
            elif '"view"' in text:
                self.frames += 1
                frame = json.loads(text)
                body = self._answer(frame["view"], frame["sequence"])
                if body:
                    task = asyncio.create_task(self._give(live, body))
                    under_way.add(task)
                    task.add_done_callback(under_way.discard)

    def _answer(self, view: dict[str, Any], sequence: int) -> dict[str, Any] | None:
        if view["phase"] == "wagering" and self.placed != view["round"]:
            self.placed = view["round"]
            stakes = {name: STAKES[name] for name in held_sockets.GAMES[view["game"]]}
            return {"kind": "PlaceWagers", "seat": self.seat, "stakes": stakes}
        if view["actions"] and self.answered != sequence:
            self.answered = sequence
            action = self.chance.choice(view["actions"])
            body = {"kind": "Act", "seat": self.seat, "action": action}
            if view["game"] == "colorado-holdem" and action not in ("fold", "declare"):
                own = next(seat for seat in view["seats"] if seat["seat"] == self.seat)
                body["discard"] = own["cards"][0]
            return body
        return None

    async def _give(self, live: Any, body: dict[str, Any]) -> None:
        await asyncio.sleep(self.chance.uniform(*THINKS_S))
        self.number += 1
        name = f"{self.table}-{self.seat}-p{self.number}"
        self.sent[name] = time.perf_counter()
        await live.send(json.dumps({"id": name, "body": body}))


async def paced(seconds: float, address: str, links: list[list[str]], process: int) -> dict[str, float]:
    """Seat everyone, let the tables play, and measure for some seconds."""
    import httpx
    from websockets.asyncio.client import connect

    base = address.replace("http", "ws")
    people: list[Person] = []
    tasks: list[asyncio.Task[None]] = []
    opened: list[Any] = []
    gate = asyncio.Semaphore(AT_ONCE)

    async def arrive(http: Any, table: int, seat: int, link: str) -> None:
        async with gate:
            name = f"table-{table}"
            cookie = await held_sockets.Player(address, name, seat, held_sockets.Measures()).join(http, link)
            ticket = (await http.post(f"/api/tables/{name}/ticket", headers={"cookie": cookie})).json()["ticket"]
            target = f"{base}/api/tables/{name}/live?ticket={ticket}"
            live = await connect(target, origin=address, compression=None, max_queue=None, ping_interval=None)  # type: ignore[arg-type]
            opened.append(live)
            people.append(Person(name, seat, random.Random(f"{name} {seat}")))
            tasks.append(asyncio.create_task(people[-1].play(live)))

    # The server closes idle connections after some seconds, and a slow generator would use one just then.
    limits = httpx.Limits(keepalive_expiry=1)
    async with httpx.AsyncClient(base_url=address, timeout=120, headers=held_sockets.CLIENT, limits=limits) as http:
        before = held_sockets.memory_kb(process)
        await asyncio.gather(
            *(
                arrive(http, table, seat, link)
                for table, own in enumerate(links)
                for seat, link in enumerate(own, start=1)
            )
        )
        await asyncio.sleep(SETTLING_S)
        spent, own_spent, began = held_sockets.cpu_seconds(process), time.process_time(), time.perf_counter()
        for person in people:
            person.delays_ms.clear()
            person.frames = person.refused = 0
        await asyncio.sleep(seconds)
        elapsed = time.perf_counter() - began
        spent, own_spent = held_sockets.cpu_seconds(process) - spent, time.process_time() - own_spent
        delays = sorted(delay for person in people for delay in person.delays_ms)
        frames = sum(person.frames for person in people)
        after = held_sockets.memory_kb(process)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        for live in opened:
            live.transport.abort()
    return {
        "tables": len(links),
        "players": len(people),
        "commands/s": round(len(delays) / elapsed, 1),
        "commands refused": sum(person.refused for person in people),
        "frames/s": round(frames / elapsed),
        "CPU ms a command": round(spent / len(delays) * 1000, 3),
        "CPU ms a frame": round(spent / frames * 1000, 4),
        "share of a core, server": round(spent / elapsed, 3),
        "share of a core, generator": round(own_spent / elapsed, 3),
        "acknowledged ms, median": round(delays[len(delays) // 2], 1),
        "acknowledged ms, p99": round(delays[int(len(delays) * 0.99)], 1),
        "memory kB a table with its sockets": round((after - before) / len(links), 1),
    }


def main(tables: int = 300, seats: int = 5, seconds: float = 30.0) -> dict[str, float]:
    """Measure a server in its own process, with the generator in this one."""
    held_sockets.more_files()
    held_sockets.stakes_by_game()
    held_sockets.TABLES, held_sockets.SEATS = tables, seats
    with held_sockets.running(PACE) as (address, links, process, _):
        return asyncio.run(paced(seconds, address, links, process))


if __name__ == "__main__":
    for name, figure in main(*(int(item) for item in sys.argv[1:])).items():
        print(f"{name}: {figure}")
