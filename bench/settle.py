"""`pitboss settle --json` over files of different lengths: seats per second, and peak memory, which doesn't grow."""

import sys
import tempfile
from pathlib import Path

from pitboss.cli.bench.commands import PITBOSS, run, write_hands
from pitboss.games import game

SHORT = 1000


def main(lines: int = 20_000, seats: int = 6, name: str = "ultimate-texas-holdem") -> dict[str, float]:
    """Measure a short and a long file."""
    with tempfile.TemporaryDirectory() as folder:
        took = {}
        for count in (SHORT, lines):
            path = Path(folder) / f"{count}.jsonl"
            write_hands(path, game(name), count, seats)
            took[count] = run((*PITBOSS, "settle", str(path), "--json"))
    return {
        "seats/s": round(lines * seats / took[lines].seconds),
        "lines": lines,
        "peak memory of 1,000 lines, kB": took[SHORT].peak_kilobytes,
        f"peak memory of {lines:,} lines, kB": took[lines].peak_kilobytes,
    }


if __name__ == "__main__":
    given = sys.argv[1:]
    print(main(*map(int, given[:2]), *given[2:]))  # type: ignore[arg-type]  # two numbers, then a name
