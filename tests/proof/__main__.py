"""Runs the proof at scale, chunk by chunk: it can be stopped at any time and goes on where it was.

`python -m proof` runs what is missing, `python -m proof write` writes docs/proof.md, and `python -m proof chunk
SUITE SEED` runs one chunk, such as one that failed, and shows where.
"""

import argparse
import json
import os
import resource
import signal
import subprocess
import sys
import threading
import time
import traceback
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from proof.figures import page
from proof.progress import Chunk, Code, Progress
from proof.suites import Suite, suites

ROOT = Path(__file__).parents[2]
FOLDER = Path(__file__).with_name("finished")
PAGE = ROOT / "docs" / "proof.md"
SAID_MOST = 2_000


def main() -> int:
    """Run what the command line asks for; 1 where anything did not hold."""
    parser = argparse.ArgumentParser(prog="python -m proof", description=__doc__)
    parser.add_argument("what", nargs="?", choices=("run", "chunk", "write"), default="run")
    parser.add_argument("named", nargs="*", help="for `chunk`: a suite and a seed; for `run`: the suites to run")
    parser.add_argument("--folder", type=Path, default=FOLDER, help="where the finished chunks are kept")
    parser.add_argument("--page", type=Path, default=PAGE, help="the page that is written from them")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--minutes", type=float, help="begin no further chunk after this time")
    asked = parser.parse_args()
    every = {suite.name: suite for suite in suites()}
    if asked.what == "chunk":
        return alone(every[asked.named[0]], int(asked.named[1]))
    progress = Progress(asked.folder)
    if asked.what == "write":
        asked.page.write_text(page(every.values(), progress), "utf-8")
        return 0
    chosen = [every[name] for name in asked.named] or list(every.values())

    def rewritten() -> None:
        asked.page.write_text(page(every.values(), progress), "utf-8")

    return run(chosen, progress, asked.workers, None if asked.minutes is None else asked.minutes * 60, rewritten)


def alone(suite: Suite, seed: int) -> int:
    """Run one chunk in this process and print what it counted, and the processor time of all its processes."""
    try:
        said: dict[str, Any] = {"counts": suite.run(seed, suite.chunk)}
    except Exception:
        said = {"fault": traceback.format_exc().replace(f"{ROOT}{os.sep}", "")[-SAID_MOST:]}
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    print(json.dumps({**said, "cpu_s": sum(usage.ru_utime + usage.ru_stime for usage in used)}))
    print(said.get("fault", ""), file=sys.stderr, end="")
    return 1 if "fault" in said else 0


def run(
    chosen: list[Suite],
    progress: Progress,
    workers: int,
    seconds: float | None,
    finished: Callable[[], None] = lambda: None,
) -> int:
    """Run the missing chunks of suites, those that are furthest behind first."""
    ends_at = None if seconds is None else time.monotonic() + seconds
    lock, failed, stopped = threading.Lock(), [], threading.Event()
    left = _missing(chosen, progress)

    def work() -> None:
        while not stopped.is_set() and (ends_at is None or time.monotonic() < ends_at):
            with lock:
                due = next(left, None)
            if due is None:
                return
            code = _code()
            chunk = _ran(*due, code)
            if chunk is None or _code() != code:
                continue  # stopped, or the code changed under it: it runs again next time
            with lock:
                progress.add(due[0].name, chunk)
                failed.extend([due] if chunk.fault else [])
                finished()
                _tell(due[0], progress, chunk)

    with ThreadPoolExecutor(workers) as pool:
        try:
            for ended in [pool.submit(work) for _ in range(workers)]:
                ended.result()
        finally:
            stopped.set()
    return 1 if failed else 0


def _missing(chosen: list[Suite], progress: Progress) -> Iterator[tuple[Suite, int]]:
    due = []
    for suite in chosen:
        done = progress.done(suite.name, suite.chunk)
        due += [
            (number / len(suite.seeds), suite.name, suite, seed)
            for number, seed in enumerate(suite.seeds)
            if seed not in done
        ]
    for _, _, suite, seed in sorted(due, key=lambda item: item[:2]):
        yield suite, seed


def _code() -> Code:
    changed = _git("status", "--porcelain", "--", "src", "tests", ":!tests/proof/finished")
    mark = "+" if changed else ""
    return Code(_git("rev-parse", "--short=10", "HEAD") + mark, _git("rev-parse", "--short=12", "HEAD:src") + mark)


def _git(*arguments: str) -> str:
    return subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=False).stdout.strip()


def _ran(suite: Suite, seed: int, code: Code) -> Chunk | None:
    # A process of its own: kills fork from it, nothing is left over, and one that dies is only a chunk that failed.
    day = datetime.now(UTC).date().isoformat()
    sources = os.pathsep.join(filter(None, (str(ROOT / "src"), os.environ.get("PYTHONPATH"))))
    ended = subprocess.run(
        [sys.executable, "-m", "proof", "chunk", suite.name, str(seed)],
        cwd=ROOT / "tests",
        env={**os.environ, "PYTHONHASHSEED": "0", "PYTHONPATH": sources},
        capture_output=True,
        text=True,
        check=False,
    )
    if -ended.returncode in (signal.SIGINT, signal.SIGTERM):
        return None
    try:
        said = json.loads(ended.stdout.splitlines()[-1])
    except (IndexError, json.JSONDecodeError):
        said = {"cpu_s": 0.0, "fault": ended.stderr[-SAID_MOST:] or f"ended with {ended.returncode}"}
    made = Chunk(seed, seed, suite.chunk, said.get("counts", {}), said["cpu_s"], code.commit, code.tree, day)
    return replace(made, units=0, fault=said["fault"]) if "fault" in said else made


def _tell(suite: Suite, progress: Progress, chunk: Chunk) -> None:
    units = sum(kept.units for kept in progress.chunks(suite.name, suite.chunk))
    said = f"{suite.name}: {units:,} of {suite.total:,}, seed {chunk.first} in {chunk.cpu_s:.1f} s of CPU"
    print(said if chunk.fault is None else f"{said}, FAILED\n{chunk.fault}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
