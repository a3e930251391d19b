"""Runs the proof at scale, chunk by chunk: it can be stopped at any time and goes on where it was.

`python -m proof` runs what is missing, `python -m proof write` writes docs/proof.md, and `python -m proof chunk
SUITE SEED` runs one chunk, such as one that failed, and shows where.
"""

import argparse
import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path

from proof.figures import page
from proof.progress import Chunk, Progress
from proof.suites import Suite, suites

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "build" / "proof"
PAGE = ROOT / "docs" / "proof.md"
SAID_MOST = 2_000


def main() -> int:
    """Run what the command line asks for; 1 where anything did not hold."""
    parser = argparse.ArgumentParser(prog="python -m proof", description=__doc__)
    parser.add_argument("what", nargs="?", choices=("run", "chunk", "write"), default="run")
    parser.add_argument("named", nargs="*", help="for `chunk`: a suite and a seed; for `run`: the suites to run")
    parser.add_argument("--folder", type=Path, default=FOLDER, help="where the finished chunks are kept")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--minutes", type=float, help="begin no further chunk after this time")
    asked = parser.parse_args()
    every = {suite.name: suite for suite in suites()}
    if asked.what == "chunk":
        suite = every[asked.named[0]]
        print(json.dumps(suite.run(int(asked.named[1]), suite.chunk)))
        return 0
    progress = Progress(asked.folder)
    if asked.what == "write":
        PAGE.write_text(page(every.values(), progress), "utf-8")
        return 0
    chosen = [every[name] for name in asked.named] or list(every.values())
    return run(chosen, progress, asked.workers, None if asked.minutes is None else asked.minutes * 60)


def run(chosen: list[Suite], progress: Progress, workers: int, seconds: float | None) -> int:
    """Run the missing chunks of suites, those that are furthest behind first."""
    ends_at = None if seconds is None else time.monotonic() + seconds
    commit = subprocess.run(
        ["git", "rev-parse", "--short", "HEAD"], cwd=ROOT, capture_output=True, text=True, check=False
    ).stdout.strip()
    lock, failed = threading.Lock(), []
    left = _missing(chosen, progress)

    def work() -> None:
        while ends_at is None or time.monotonic() < ends_at:
            with lock:
                due = next(left, None)
            if due is None:
                return
            chunk = _ran(*due, commit)
            with lock:
                progress.add(due[0].name, chunk)
                failed.extend([due] if chunk.fault else [])
                _tell(due[0], progress, chunk)

    with ThreadPoolExecutor(workers) as pool:
        for ended in [pool.submit(work) for _ in range(workers)]:
            ended.result()
    return 1 if failed else 0


def _missing(chosen: list[Suite], progress: Progress) -> Iterator[tuple[Suite, int]]:
    due = []
    for suite in chosen:
        done = progress.chunks(suite.name)
        due += [
            (number / len(suite.seeds), suite.name, suite, seed)
            for number, seed in enumerate(suite.seeds)
            if seed not in done or done[seed].units < suite.chunk
        ]
    for _, _, suite, seed in sorted(due, key=lambda item: item[:2]):
        yield suite, seed


def _ran(suite: Suite, seed: int, commit: str) -> Chunk:
    # A process of its own: kills fork from it, nothing is left over, and one that dies is only a chunk that failed.
    before, day = os.times(), datetime.now(UTC).date().isoformat()
    ended = subprocess.run(
        [sys.executable, "-m", "proof", "chunk", suite.name, str(seed)],
        cwd=ROOT / "tests",
        env={**os.environ, "PYTHONHASHSEED": "0"},
        capture_output=True,
        text=True,
        check=False,
    )
    after = os.times()
    cpu_s = after.children_user + after.children_system - before.children_user - before.children_system
    if ended.returncode:
        return Chunk(seed, 0, {}, cpu_s, commit, day, ended.stderr[-SAID_MOST:] or f"ended with {ended.returncode}")
    return Chunk(seed, suite.chunk, json.loads(ended.stdout.splitlines()[-1]), cpu_s, commit, day)


def _tell(suite: Suite, progress: Progress, chunk: Chunk) -> None:
    done = progress.chunks(suite.name)
    units = sum(kept.units for kept in done.values())
    failed = sum(kept.fault is not None for kept in done.values())
    said = f"{suite.name}: {units:,} of {suite.total:,}, seed {chunk.seed}, {failed} chunks failed"
    print(said if chunk.fault is None else f"{said}\n{chunk.fault}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
