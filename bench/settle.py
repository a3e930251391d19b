"""`pitboss settle --json` as a user runs it: seats per second, and memory for many lines."""

import json
import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

from pitboss.cards import SeededShuffle
from pitboss.games import game


def write_hands(path: Path, hands: int, seats: int = 6) -> None:
    """Write random six-seat hands as JSON Lines."""
    deck = game("ultimate-texas-holdem").deck
    shuffle = SeededShuffle(5)
    lines = []
    for index in range(1000):
        cards = list(shuffle.order(deck))
        hand = {
            "game": "ultimate-texas-holdem",
            "choices": {"blind": "AB"[index % 2], "trips": "ABCDE"[index % 5]},
            "dealer": [cards.pop(), cards.pop()],
            "board": [cards.pop() for _ in range(5)],
            "seats": [
                {
                    "seat": seat,
                    "cards": [cards.pop(), cards.pop()],
                    "wagers": {"ante": 1000, "blind": 1000, "trips": 500},
                    "actions": (["raise 4x"], ["check", "raise 2x"], ["check", "check", "fold"])[seat % 3],
                }
                for seat in range(1, seats + 1)
            ],
        }
        lines.append(json.dumps(hand) + "\n")
    with path.open("w") as file:
        for index in range(hands):
            file.write(lines[index % len(lines)])


def run(path: Path) -> tuple[float, int]:
    """Return the processor seconds and the peak memory in kB of one run of the command."""
    command = [str(Path(sys.executable).with_name("pitboss")), "settle", str(path), "--json"]
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env=environment)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, after.ru_maxrss


def main(lines: int = 20_000, seats: int = 6) -> dict[str, float]:
    """Measure a short and a long file."""
    with tempfile.TemporaryDirectory() as folder:
        short, long = Path(folder) / "short.jsonl", Path(folder) / "long.jsonl"
        write_hands(short, 1000, seats)
        write_hands(long, lines, seats)
        _, memory_short = run(short)
        seconds, memory_long = run(long)
    return {
        "seats/s": round(lines * seats / seconds),
        "lines": lines,
        "peak memory of 1,000 lines, kB": memory_short,
        f"peak memory of {lines:,} lines, kB": memory_long,
    }


if __name__ == "__main__":
    print(main(*map(int, sys.argv[1:])))
