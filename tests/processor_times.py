"""Counts the processor time of every test, with that of the processes it started, where a folder is named for it.

`PITBOSS_TEST_TIMES=folder make test` writes it down; `python tests/processor_times.py folder` sums it up by file.
"""

import os
import resource
import sys
from collections import defaultdict
from collections.abc import Generator
from pathlib import Path

import pytest

FOLDER = os.environ.get("PITBOSS_TEST_TIMES")
MOST_FILES = 40


def seconds() -> float:
    """Return the processor time of this process and of its children that have ended."""
    used = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(part.ru_utime + part.ru_stime for part in used)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """Write down what a test took, its fixtures included."""
    if not FOLDER:
        return (yield)
    folder = Path(FOLDER)
    folder.mkdir(parents=True, exist_ok=True)
    before = seconds()
    try:
        return (yield)
    finally:
        with (folder / f"{os.getpid()}.txt").open("a", encoding="utf-8") as written:
            written.write(f"{seconds() - before:.3f} {item.nodeid}\n")


def main(folder: Path) -> None:
    """Print the sum of all tests, and of the files that took the most."""
    lines = [line for file in folder.glob("*.txt") for line in file.read_text("utf-8").splitlines()]
    files: dict[str, float] = defaultdict(float)
    for line in lines:
        took, _, test = line.partition(" ")
        files[test.partition("::")[0]] += float(took)
    print(f"{sum(files.values()):8.0f} s  {len(lines):,} tests")
    for name, spent in sorted(files.items(), key=lambda item: -item[1])[:MOST_FILES]:
        print(f"{spent:8.1f} s  {name}")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
