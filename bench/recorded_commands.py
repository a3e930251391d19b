"""The record: commands acknowledged after fsync, the disk's own sync rate, and the restart of a hundred tables."""

import asyncio
import os
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from pitboss.record.entries import Circumstances, Draft, Entry, Head, head_of
from pitboss.record.group_commit import GroupCommit
from pitboss.record.keys import Keyring, MasterKey
from pitboss.record.row_tags import RowTags
from pitboss.record.snapshots import Fold, Snapshots
from pitboss.record.sql_store import SqlStore
from pitboss.record.store import Batch, Committed, body_digest
from pitboss.record.system import SystemRandomness, ThreadRunner

TABLES = 100
KEY = bytes(32)


def drafts(table: int, number: int) -> tuple[Draft, ...]:
    """Return the entries of an ordinary command: two for the table, one of them with money."""
    stream = f"table/{table:03}"
    postings = {f"felt:{table}": 2000, f"stack:{table}:player-{number % 6}": -2000}
    placed = {"seat": number % 6, "player": f"player-{number % 6}", "stakes": {"ante": 1000, "blind": 1000}}
    return (
        Draft(stream, "round.WagersPlaced", {**placed, "postings": postings}, "Ch. 7 §F(1)"),
        Draft(stream, "house.Noted", {"number": number}),
    )


def batch(table: int, number: int, expected: Head | None) -> Batch:
    """Return one command of a table."""
    written = drafts(table, number)
    by = Circumstances(f"player-{number % 6}", "player", f"{table}-{number}", 1_700_000_000_000 + number, "v1")
    return Batch(written, {written[0].stream: expected}, by, body_digest(by.actor, {"number": number}))


def syncs_per_second(folder: Path, seconds: float = 2.0) -> float:
    """Return how often the disk confirms a small appended write."""
    descriptor = os.open(folder / "syncs", os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    started, count = time.perf_counter(), 0
    while time.perf_counter() - started < seconds:
        os.write(descriptor, bytes(4096))
        os.fsync(descriptor)
        count += 1
    os.close(descriptor)
    return count / (time.perf_counter() - started)


async def commands(url: str, each: int, make: Callable[[str], SqlStore] = SqlStore) -> dict[str, float]:
    """Send commands from every table, the next one when the last is on disk."""
    store, runner = make(url), ThreadRunner("record")
    groups: list[int] = []
    commit = store.commit

    def counted(batches, snapshots=()):  # type: ignore[no-untyped-def]
        groups.append(len(batches))
        return commit(batches, snapshots)

    store.commit = counted  # type: ignore[method-assign]
    writer = GroupCommit(store, runner)

    async def table(index: int) -> None:
        head = Head()
        for number in range(each):
            outcome = await writer.commit(batch(index, number, head))
            assert isinstance(outcome, Committed)
            head = head_of(outcome.entries[-1])

    started, spent = time.perf_counter(), time.process_time()
    await asyncio.gather(*(table(index) for index in range(TABLES)))
    elapsed, spent = time.perf_counter() - started, time.process_time() - spent
    await writer.close()
    runner.close()
    store.close()
    count = TABLES * each
    return {
        "commands": count,
        "commands/s acknowledged after fsync": round(count / elapsed),
        "commands per second of CPU time": round(count / spent),
        "commands per sync": round(count / len(groups), 1),
        "syncs/s of the record": round(len(groups) / elapsed),
    }


def tagged(url: str) -> SqlStore:
    """Return a store whose rows carry tags, as a floor's do."""
    return SqlStore(url, RowTags(Keyring((MasterKey(KEY),)), SystemRandomness()))


def evolve(state: dict[str, int], entry: Entry) -> dict[str, int]:
    """Add up what players have staked."""
    after = dict(state)
    for account, cents in entry.body.get("postings", {}).items():
        after[account] = after.get(account, 0) + cents
    return after


FOLD: Fold[dict[str, int]] = Fold("stakes 1", dict, evolve, dict, dict)


def write_events(url: str, events: int) -> None:
    """Write events evenly over the tables, with a snapshot where one is due."""
    store = SqlStore(url)
    snapshots = Snapshots(store, KEY)
    for table in range(TABLES):
        number, head, state = 0, Head(), FOLD.empty()
        while head.sequence < events // TABLES:
            outcomes = store.commit([batch(table, number + other, None) for other in range(500)])
            number += 500
            for outcome in outcomes:
                assert isinstance(outcome, Committed)
                before = head
                for entry in outcome.entries:
                    state = evolve(state, entry)
                head = head_of(outcome.entries[-1])
                if snapshots.is_due(before, head) and number * 2 >= events // TABLES - 1000:
                    snapshots.keep(f"table/{table:03}", head, FOLD, state)
        # A table is rarely stopped right after a snapshot.
        for other in range(49):
            store.commit([batch(table, number + other, None)])
    store.close()


def restart(url: str) -> dict[str, float]:
    """Open the record and restore every table, checking each link of the chain that is folded."""
    started, spent = time.perf_counter(), time.process_time()
    store = SqlStore(url)
    snapshots = Snapshots(store, KEY)
    heads = store.heads()
    restored = {stream: snapshots.restore(stream, FOLD) for stream in heads}
    elapsed, spent = time.perf_counter() - started, time.process_time() - spent
    assert all(restored[stream].head == head for stream, head in heads.items())
    store.close()
    return {
        "tables": len(heads),
        "events": sum(head.sequence for head in heads.values()),
        "events folded after snapshots": sum(item.folded for item in restored.values()),
        "restart s": round(elapsed, 2),
        "restart processor s": round(spent, 2),
    }


def main(events: int = 1_000_000, each: int = 200) -> dict[str, float]:
    """Measure both in a temporary folder."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        before = syncs_per_second(folder)
        figures: dict[str, float] = {"syncs/s of the disk": round(before)}
        # A floor's rows carry tags; without them, only the hash chain is written. By turns, since the pace varies.
        for make, name in ((SqlStore, " without tags"), (tagged, "")) * 2:
            found = asyncio.run(commands(f"sqlite:///{folder / os.urandom(4).hex()}.db", each, make))
            for figure, value in found.items():
                figures[f"{figure}{name}"] = max(value, figures.get(f"{figure}{name}", 0))
        write_events(f"sqlite:///{folder / 'events.db'}", events)
        return figures | restart(f"sqlite:///{folder / 'events.db'}")


if __name__ == "__main__":
    print(main(*map(int, sys.argv[1:])))
