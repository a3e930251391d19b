"""CPU time of a command with one and with several processes on PostgreSQL, players connected to any process."""

import asyncio
import json
import sys
import time
from typing import Any

from floors import CLIENT, Floor, Plan, empty_database, floor_of, postgres, recorded_commands
from held_sockets import GAMES, stakes_by_game
from websockets.typing import Origin

TABLES, SEATS, SECONDS = 40, 3, 15.0
WAIT = {"wagers_ms": 3_600_000, "decision_ms": 3_600_000, "step_ms": 3_600_000, "between_rounds_ms": 100}
SHARED_OUT_S = 9.0  # until every process runs its share of the tables


async def seated(floor: Floor, http: list[Any], table: int, seat: int) -> tuple[Any, str]:
    """Sign a player in at any process, seat them, and return their socket."""
    from websockets.asyncio.client import connect

    at = (table + seat) % len(http)
    person, name = f"player-{table}-{seat}", f"table-{table}"
    answer = await http[at].post("/api/links", json={"token": floor.links[person]})
    cookie = {"cookie": f"pitboss_session={answer.cookies['pitboss_session']}"}
    http[at].cookies.clear()
    for number, body in enumerate(({"kind": "TakeSeat", "seat": seat}, {"kind": "BuyIn", "cents": 9_000_00})):
        asked = {"id": f"{person} {number} joins", "body": body}
        done = await http[at].post(f"/api/tables/{name}/commands", json=asked, headers=cookie)
        assert done.status_code == 200, done.text
    ticket = (await http[at].post(f"/api/tables/{name}/ticket", headers=cookie)).json()["ticket"]
    address = floor.addresses[at]
    target = f"{address.replace('http', 'ws')}/api/tables/{name}/live?ticket={ticket}"
    socket = await connect(target, origin=Origin(address), compression=None, max_queue=None, ping_interval=None)
    return socket, person


async def play(live: Any, person: str, waits: list[float], rate: float) -> None:
    """Place and withdraw a wager in turn, each when the last one is on disk, at most so many a second."""
    _, table, seat = person.split("-")
    stakes = dict.fromkeys(GAMES[list(GAMES)[int(table) % len(GAMES)]], 10_00)
    number = 0
    while True:
        number += 1
        body: dict[str, Any] = {"kind": "WithdrawWagers", "seat": int(seat)}
        if number % 2:
            body = {"kind": "PlaceWagers", "seat": int(seat), "stakes": stakes}
        sent = time.perf_counter()
        await live.send(json.dumps({"id": f"{person} {number}", "body": body}))
        while True:
            text = await live.recv()
            assert not text.startswith('{"v":1,"refused"'), text
            if text.startswith('{"v":1,"done"'):
                break
        waits.append(time.perf_counter() - sent)
        if rate:
            await asyncio.sleep(max(0.0, 1 / rate - waits[-1]))


async def measured(floor: Floor, seconds: float, rate: float) -> str:
    """Return a line of figures for a floor whose players place and withdraw wagers."""
    import httpx

    http = [httpx.AsyncClient(base_url=address, timeout=120, headers=CLIENT) for address in floor.addresses]
    await asyncio.sleep(SHARED_OUT_S * (len(http) > 1))
    players = [await seated(floor, http, table, seat) for table in range(TABLES) for seat in range(1, SEATS + 1)]
    await asyncio.sleep(3)  # until every table has bets open
    waits: list[float] = []
    tasks = [asyncio.create_task(play(live, person, waits, rate)) for live, person in players]
    await asyncio.sleep(2)
    assert floor.database
    waits.clear()
    threads = floor.thread_seconds()
    before, cpu, began = recorded_commands(floor.database), floor.cpu_s(), time.perf_counter()
    await asyncio.sleep(seconds)
    elapsed = time.perf_counter() - began
    spent = [after - at for after, at in zip(floor.cpu_s(), cpu, strict=True)]
    threads = floor.thread_seconds() - threads
    count, ordered = recorded_commands(floor.database) - before, sorted(waits)
    failed = [task for task in tasks if task.done()]
    assert not failed, failed
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    for live, _ in players:
        live.transport.abort()
    for client in http:
        await client.aclose()
    by_thread = ", ".join(f"{name} {spent_s * 1_000 / count:.2f}" for name, spent_s in threads.most_common(8))
    shares = "+".join(f"{part / elapsed:.2f}" for part in spent)
    return (
        f"{len(floor.processes)} processes: {count / elapsed:,.0f} commands/s, "
        f"{sum(spent) * 1_000 / count:.2f} ms of CPU each over all processes ({shares} cores), "
        f"acknowledged p50 {ordered[len(ordered) // 2] * 1_000:,.0f} ms, "
        f"p99 {ordered[int(len(ordered) * 0.99)] * 1_000:,.0f} ms; ms by thread: {by_thread}"
    )


def main(counts: list[int], seconds: float = SECONDS, rate: float = 0.0) -> None:
    """Measure with each number of processes on an empty database."""
    stakes_by_game()
    with postgres() as url:
        for count in counts:
            with (
                empty_database(url, f"processes_{count}") as database,
                floor_of(Plan(TABLES, SEATS, WAIT), count, database) as floor,
            ):
                print(asyncio.run(measured(floor, seconds, rate)), flush=True)


if __name__ == "__main__":
    named = dict(item.split("=") for item in sys.argv[1:] if "=" in item)
    wanted = [int(item) for item in sys.argv[1:] if "=" not in item] or [1, 3]
    main(wanted, float(named.get("seconds", SECONDS)), float(named.get("rate", 0)))
