"""Runs many seeds of the simulated floor, or many kills of real processes, and says what happened."""

import argparse
import contextlib
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from simulation.one_run import Run, Violated, run_seed

TELL_EVERY = 100


def main() -> int:
    """Run what the command line asks for; 1 where anything did not hold."""
    parser = argparse.ArgumentParser(prog="python -m simulation", description=__doc__)
    parser.add_argument("what", nargs="?", choices=("seeds", "kills"), default="seeds")
    parser.add_argument("--seeds", type=int, default=1000, help="how many seeds to run")
    parser.add_argument("--from", type=int, default=1, dest="first", help="the first of them")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--count", type=int, default=1000, help="how many kills")
    parser.add_argument("--database", help="the URL of an empty database for the kills; SQLite where none is given")
    parser.add_argument("--postgresql", action="store_true", help="kill on a PostgreSQL of the tests instead")
    parser.add_argument("--shared", action="store_true", help="let two processes share the floor, and kill both")
    asked = parser.parse_args()
    return _kills(asked) if asked.what == "kills" else _seeds(asked)


def _seeds(asked: argparse.Namespace) -> int:
    wanted = range(asked.first, asked.first + asked.seeds)
    faults: Counter[str] = Counter()
    accepted: Counter[str] = Counter()
    tried: Counter[str] = Counter()
    failed, rounds, entries = 0, 0, 0
    with ProcessPoolExecutor(asked.workers) as workers:
        for seed, done in zip(wanted, workers.map(_one, wanted, chunksize=4), strict=True):
            if (seed - asked.first + 1) % TELL_EVERY == 0:
                _tell(f"{seed - asked.first + 1:,} of {asked.seeds:,} seeds, {failed} failed")
            if isinstance(done, str):
                failed += 1
                print(done, file=sys.stderr, flush=True)
                continue
            faults += done.faults
            accepted += done.accepted
            tried += done.tried
            rounds, entries = rounds + done.rounds, entries + done.entries
    print(f"{len(wanted):,} seeds, {failed} failed; {rounds:,} rounds, {entries:,} entries")
    for title, counted in (("faults", faults), ("commands accepted", accepted), ("tried", tried)):
        print(f"{title}: " + ", ".join(f"{name} {count:,}" for name, count in sorted(counted.items())))
    return 1 if failed else 0


def _one(seed: int) -> Run | str:
    try:
        return run_seed(seed)
    except Violated as violated:
        return str(violated)


def _kills(asked: argparse.Namespace) -> int:
    from house.kill.killing import KillsFailed, kill_many

    with tempfile.TemporaryDirectory() as folder, _database(asked) as url:
        try:
            report = kill_many(Path(folder), asked.count, url, seed=asked.first, is_shared=asked.shared, tell=_tell)
        except KillsFailed as failed:
            print(failed, file=sys.stderr)
            return 1
    print(report)
    return 0


@contextlib.contextmanager
def _database(asked: argparse.Namespace) -> Iterator[str | None]:
    if not asked.postgresql:
        yield asked.database
        return
    from record.postgres import fresh_schema, server

    with server() as postgres, fresh_schema(postgres) as url:
        yield url


def _tell(progress: str) -> None:
    print(progress, file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
