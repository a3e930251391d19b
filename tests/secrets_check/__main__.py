"""Plays thousands of paired rounds of every game and reports whether anyone could tell hidden cards apart."""

import argparse
import asyncio
import sys
from concurrent.futures import ProcessPoolExecutor

from pitboss.games.catalogue import game_names
from secrets_check.pairs import Found, Leak, compared

CHUNK = 100


def main() -> int:
    """Run what the command line asks for; 1 where a leak was found."""
    parser = argparse.ArgumentParser(prog="python -m secrets_check", description=__doc__)
    parser.add_argument("--rounds", type=int, default=5000, help="paired rounds of each game")
    parser.add_argument("--from", type=int, default=1, dest="first", help="the first seed; each gives a hundred rounds")
    parser.add_argument("--workers", type=int, default=1)
    asked = parser.parse_args()
    seeds = range(asked.first, asked.first + -(-asked.rounds // CHUNK))
    leaks = 0
    with ProcessPoolExecutor(asked.workers) as workers:
        for name in game_names():
            jobs = [(name, seed) for seed in seeds]
            total = Found()
            for (_, seed), done in zip(jobs, workers.map(_one, jobs), strict=True):
                if isinstance(done, str):
                    leaks += 1
                    print(f"{name}, seed {seed}: {done}", file=sys.stderr, flush=True)
                else:
                    total = total.with_more(done)
            print(f"{name}: {total}", flush=True)
    return 1 if leaks else 0


def _one(job: tuple[str, int]) -> Found | str:
    name, seed = job
    try:
        return asyncio.run(compared(name, CHUNK, seed, real_cards=seed % 5 == 0))
    except Leak as leak:
        return str(leak)


if __name__ == "__main__":
    sys.exit(main())
