"""Simulated seat-rounds per second of CPU time: optimal play, every side wager, one thread; also by part."""

import time
from collections.abc import Callable
from functools import partial

from pitboss.games import game
from pitboss.games.ultimate_texas_holdem.whole_tables import WholeTables
from pitboss.lab.simulate import simulate
from pitboss.odds.streams import deal
from pitboss.rules.in_force import RulesInForce

SEED = 1
SEAT_ROUNDS = 3_000_000
PART_ROUNDS = 200_000


def cpu_seconds(work: Callable[[], object]) -> float:
    """Return the CPU time that some work takes."""
    start = time.process_time()
    work()
    return time.process_time() - start


def main() -> dict[str, int]:
    """Compile and solve with a short run, then measure."""
    rules = RulesInForce(game("ultimate-texas-holdem"))
    whole = WholeTables(rules)
    found = {}
    for seats in (1, 6):
        simulate(rules, 100_000, seats, SEED)
        taken = cpu_seconds(partial(simulate, rules, SEAT_ROUNDS // seats, seats, SEED + 1))
        found[f"seats: {seats}, seat-rounds per CPU s"] = round(SEAT_ROUNDS / taken)
        dealing = partial(deal, SEED, 0, PART_ROUNDS, cards=len(rules.game.deck), drawn=2 * seats + 11)
        reading = partial(whole.codes, dealing(), seats)
        for part, work in (("dealing", dealing), ("deciding and reading", reading)):
            found[f"seats: {seats}, {part}, ns a seat-round"] = round(cpu_seconds(work) / (PART_ROUNDS * seats) * 1e9)
    return found


if __name__ == "__main__":
    for name, figure in main().items():
        print(f"{figure:12,}  {name}")
