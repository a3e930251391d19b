"""The server: commands acknowledged after fsync, sockets held with tables in play, their delay and memory."""

import asyncio
import contextlib
import json
import multiprocessing
import os
import resource
import socket
import sys
import tempfile
import time
from collections.abc import Iterator
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

TABLES = 40
CLIENT = {"x-pitboss-client": "bench"}
SEATS = 3
PACE = {"wagers_ms": 1_000, "decision_ms": 20_000, "step_ms": 700, "between_rounds_ms": 2_000}
QUICK = {"wagers_ms": 60_000, "decision_ms": 60_000, "step_ms": 60_000, "between_rounds_ms": 100}


def syncs_per_second(folder: Path, seconds: float = 1.0) -> float:
    """Return how often the disk confirms a small appended write."""
    descriptor = os.open(folder / "syncs", os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    started, count = time.perf_counter(), 0
    while time.perf_counter() - started < seconds:
        os.write(descriptor, bytes(4096))
        os.fsync(descriptor)
        count += 1
    os.close(descriptor)
    return count / (time.perf_counter() - started)


def more_files() -> None:
    """Raise this process's limit to as many sockets as the system allows."""
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def serve(data: Path, listening: socket.socket, pace: dict[str, int], pipe: Connection) -> None:
    """Run a server in a process of its own, and send the sign-in links of its players once it is open."""
    from pitboss.server import interpreter
    from pitboss.server.app import make_app
    from pitboss.server.demonstration import demo_documents, link_for
    from pitboss.server.live import sockets as sockets_of_server
    from pitboss.server.open_floor import FloorSettings, OpenFloor
    from pitboss.server.request_limits import Rates
    from pitboss.server.web_server import WebServer

    more_files()
    # Each player of this generator sends as many commands as several people, so the limits are lifted.
    sockets_of_server.FRAMES_PER_SECOND = sockets_of_server.FRAMES_AT_ONCE = 1e9
    sockets_of_server.SOCKETS_MOST = 10**9

    async def opening(floor: OpenFloor) -> None:
        documents = list(demo_documents().values())
        links = []
        for number in range(TABLES):
            await floor.open_free_play(f"table-{number}", {**documents[number % 4], "pace": pace}, 500_000_00)
            links.append([await link_for(floor, f"player-{number}-{other}", "player") for other in range(SEATS)])
        interpreter.settle()
        pipe.send(links)

    address = f"http://127.0.0.1:{listening.getsockname()[1]}"
    app = make_app(FloorSettings(data), frozenset({address}), opening, Rates(1e9, 1e9, 1e9, 1e9))
    WebServer(app).run(sockets=[listening])


@contextlib.contextmanager
def running(pace: dict[str, int]) -> Iterator[tuple[str, list[list[str]], int, Path]]:
    """Run a server and yield its address, its players' links, its process and its folder."""
    with tempfile.TemporaryDirectory() as name:
        listening = socket.create_server(("127.0.0.1", 0), backlog=4096)
        ours, theirs = multiprocessing.Pipe()
        context = multiprocessing.get_context("fork")
        process = context.Process(target=serve, args=(Path(name), listening, pace, theirs))
        process.start()
        theirs.close()  # so that a server that fails to open is noticed
        try:
            yield f"http://127.0.0.1:{listening.getsockname()[1]}", ours.recv(), process.pid or 0, Path(name)
        finally:
            process.terminate()
            process.join(30)
            listening.close()


def memory_kb(process: int) -> int:
    """Return the private memory of a process."""
    fields = Path(f"/proc/{process}/smaps_rollup").read_text("ascii").split()
    return int(fields[fields.index("Private_Dirty:") + 1])


def cpu_seconds(process: int) -> float:
    """Return the CPU time a process has used."""
    fields = Path(f"/proc/{process}/stat").read_text("ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class Player:
    """A player who acts over a socket as soon as it is their turn."""

    def __init__(self, address: str, table: str, seat: int, measures: "Measures") -> None:
        self.address, self.table, self.seat, self.measures = address, table, seat, measures
        self.number = 0
        self.placed = 0
        self.answered = 0

    async def join(self, http: Any, link: str) -> str:
        """Sign in, sit down and return the session's cookie."""
        answer = await http.post("/api/links", json={"token": link})
        cookie = f"pitboss_session={answer.cookies['pitboss_session']}"
        http.cookies.clear()
        for body in ({"kind": "TakeSeat", "seat": self.seat}, {"kind": "BuyIn", "cents": 9_000_00}):
            self.number += 1
            asked = {"id": f"{self.table}-{self.seat}-{self.number}", "body": body}
            done = await http.post(f"/api/tables/{self.table}/commands", json=asked, headers={"cookie": cookie})
            assert done.status_code == 200, done.text
        return cookie

    async def play(self, live: Any) -> None:
        """Wager and act until the socket closes, timing every command."""
        async for text in live:
            now = time.perf_counter()
            frame = json.loads(text)
            if "done" in frame:
                self.measures.done(self.table, frame["done"])
            if "view" not in frame:
                continue
            self.measures.arrived(self.table, frame["sequence"], now)
            view = frame["view"]
            body: dict[str, Any] | None = None
            if view["phase"] == "wagering" and self.placed != view["round"]:
                self.placed = view["round"]
                main = {"ante": 10_00, "blind": 10_00, "ante-bonus": 10_00}
                game = GAMES[view["game"]]
                body = {"kind": "PlaceWagers", "seat": self.seat, "stakes": {name: main[name] for name in game}}
            elif view["actions"] and self.answered != frame["sequence"]:
                own = next(seat for seat in view["seats"] if seat["seat"] == self.seat)
                action = view["actions"][-1]
                body = {"kind": "Act", "seat": self.seat, "action": action}
                if view["game"] == "colorado-holdem" and action not in ("fold", "declare"):
                    body["discard"] = own["cards"][0]
                self.answered = frame["sequence"]
            if body:
                self.number += 1
                name = f"{self.table}-{self.seat}-{self.number}"
                self.measures.sent(name)
                await live.send(json.dumps({"id": name, "body": body}))


class Measures:
    """Which frames follow which command, and how long the last screen of the table waited for it."""

    def __init__(self) -> None:
        self.waiting: dict[str, float] = {}
        self.last: dict[tuple[str, int], float] = {}
        self.began: dict[tuple[str, int], float] = {}
        self.frames = 0
        self.commands = 0

    def sent(self, command: str) -> None:
        """Note that a command was sent."""
        self.commands += 1
        self.waiting[command] = time.perf_counter()

    def done(self, table: str, told: dict[str, Any]) -> None:
        """Note which entry was a command's last, so that its frames are known."""
        last = max(entry["sequence"] for entry in told["entries"])
        self.began[table, last] = self.waiting.pop(told["id"])

    def arrived(self, table: str, sequence: int, at: float) -> None:
        """Note that a frame reached a screen."""
        self.frames += 1
        self.last[table, sequence] = at

    def delays_ms(self) -> list[float]:
        """Return each command's delay to the last screen."""
        return sorted((self.last[key] - sent) * 1000 for key, sent in self.began.items() if key in self.last)


GAMES: dict[str, tuple[str, ...]] = {}


def stakes_by_game() -> None:
    """Fill in each game's required wagers, from the catalog."""
    from pitboss.games.catalogue import games

    for game in games():
        GAMES[game.name] = tuple(wager.name for wager in game.wagers if wager.required and not wager.by_action)


async def sockets(count: int, seconds: float, address: str, links: list[list[str]], process: int) -> dict[str, float]:
    """Hold this many sockets, including three players at each table, and measure while all tables play."""
    import httpx
    from websockets.asyncio.client import connect

    measures = Measures()
    base = address.replace("http", "ws")
    opened: list[Any] = []

    async def follow(http: Any, cookie: str, table: str) -> Any:
        ticket = (await http.post(f"/api/tables/{table}/ticket", headers={"cookie": cookie})).json()["ticket"]
        target = f"{base}/api/tables/{table}/live?ticket={ticket}"
        live = await connect(target, origin=address, compression=None, max_queue=None, ping_interval=None)  # type: ignore[arg-type]
        opened.append(live)
        return live

    async def watch(live: Any, table: str) -> None:
        async for text in live:
            if '"view"' in text[:400] or "sequence" in text[:40]:
                number = text[len('{"v":1,"sequence":') :].partition(",")[0]
                if number.isdigit():
                    measures.arrived(table, int(number), time.perf_counter())

    async with httpx.AsyncClient(
        base_url=address, timeout=60, headers=CLIENT, limits=httpx.Limits(keepalive_expiry=1)
    ) as http:
        cookies: list[str] = []
        tasks: list[asyncio.Task[None]] = []
        # Memory first, while nothing happens: no one is seated, so no round begins.
        before = memory_kb(process)
        admitted = await http.post("/api/links", json={"token": links[0].pop()})
        watcher = f"pitboss_session={admitted.cookies['pitboss_session']}"
        http.cookies.clear()
        watching = count - sum(map(len, links))
        for start in range(0, watching, 50):
            numbers = range(start, min(start + 50, watching))
            tables = [f"table-{number % TABLES}" for number in numbers]
            following = await asyncio.gather(*(follow(http, watcher, table) for table in tables))
            tasks += [asyncio.create_task(watch(live, table)) for live, table in zip(following, tables, strict=True)]
        await asyncio.sleep(2)
        idle = memory_kb(process)
        each_kb = (idle - before) / watching
        for number, own in enumerate(links):
            for seat, link in enumerate(own, start=1):
                player = Player(address, f"table-{number}", seat, measures)
                cookies.append(await player.join(http, link))
                live = await follow(http, cookies[-1], f"table-{number}")
                tasks.append(asyncio.create_task(player.play(live)))
        await asyncio.sleep(3)
        measures.last.clear()
        measures.began.clear()
        measures.frames = measures.commands = 0
        spent, started = cpu_seconds(process), time.perf_counter()
        own_spent = time.process_time()
        await asyncio.sleep(seconds)
        elapsed = time.perf_counter() - started
        spent = cpu_seconds(process) - spent
        own_spent = time.process_time() - own_spent
        delays = measures.delays_ms()
        alive = sum(1 for opening in opened if opening.close_code is None)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        for live in opened:
            live.transport.abort()
    return {
        "sockets held": alive,
        "tables in play": len(links),
        "memory kB an idle socket": round(each_kb, 1),
        "frames/s received": round(measures.frames / elapsed),
        "commands/s given by players": round(measures.commands / elapsed, 1),
        "command to last screen ms, median": round(delays[len(delays) // 2], 1) if delays else 0.0,
        "command to last screen ms, p99": round(delays[int(len(delays) * 0.99)], 1) if delays else 0.0,
        "processor share of the server": round(spent / elapsed, 2),
        "processor share of the generator": round(own_spent / elapsed, 2),
    }


async def commands(seconds: float, address: str, links: list[list[str]], process: int) -> dict[str, float]:
    """Send commands from one player at each table over a socket, several at a time, the next when one is on disk."""
    import httpx
    from websockets.asyncio.client import connect

    base = address.replace("http", "ws")
    done = refused = 0
    end = 0.0

    async def sender(live: Any, table: str) -> None:
        nonlocal done, refused
        number = 0
        stakes = GAMES[list(GAMES)[int(table.rpartition("-")[2]) % len(GAMES)]]
        under_way = asyncio.Semaphore(8)

        async def give() -> None:
            nonlocal number
            while time.perf_counter() < end:
                await under_way.acquire()
                number += 1
                body: dict[str, Any] = {"kind": "WithdrawWagers", "seat": 1}
                if number % 2:
                    body = {"kind": "PlaceWagers", "seat": 1, "stakes": dict.fromkeys(stakes, 10_00)}
                await live.send(json.dumps({"id": f"{table} {number}", "body": body}))

        giving = asyncio.create_task(give())
        while time.perf_counter() < end:
            text = await live.recv()
            if text.startswith('{"v":1,"done"'):
                done += 1
                under_way.release()
            elif text.startswith('{"v":1,"refused"'):
                refused += 1
                under_way.release()
        giving.cancel()

    async with httpx.AsyncClient(
        base_url=address, timeout=60, headers=CLIENT, limits=httpx.Limits(keepalive_expiry=1)
    ) as http:
        opened = []
        for number, own in enumerate(links):
            player = Player(address, f"table-{number}", 1, Measures())
            cookie = await player.join(http, own[0])
            ticket = (await http.post(f"/api/tables/table-{number}/ticket", headers={"cookie": cookie})).json()[
                "ticket"
            ]
            target = f"{base}/api/tables/table-{number}/live?ticket={ticket}"
            opened.append(await connect(target, origin=address, compression=None, max_queue=None))  # type: ignore[arg-type]
        await asyncio.sleep(25 * QUICK["between_rounds_ms"] / 1000)  # until every table has bets open
        spent, started = cpu_seconds(process), time.perf_counter()
        end = started + seconds
        await asyncio.gather(*(sender(live, f"table-{number}") for number, live in enumerate(opened)))
        elapsed, spent = time.perf_counter() - started, cpu_seconds(process) - spent
        for live in opened:
            live.transport.abort()
    assert not refused, f"{refused} commands were refused"
    return {
        "commands/s acknowledged after fsync": round(done / elapsed),
        "commands/s of the server's processor time": round(done / spent),
    }


def main(count: int = 2_400, seconds: float = 10.0) -> dict[str, float]:
    """Measure a server in its own process, with the generator in this one; 0 sockets skips the sockets."""
    more_files()
    stakes_by_game()
    figures: dict[str, float] = {}
    with running(QUICK) as (address, links, process, folder):
        figures["syncs/s of the disk"] = round(syncs_per_second(folder))
        figures |= asyncio.run(commands(seconds, address, links, process))
    if not count:
        return figures
    with running(PACE) as (address, links, process, _):
        figures |= asyncio.run(sockets(count, seconds, address, links, process))
    return figures


if __name__ == "__main__":
    for name, figure in main(*(int(item) for item in sys.argv[1:])).items():
        print(f"{name}: {figure}")
