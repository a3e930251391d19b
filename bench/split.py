"""Seats split into edge, decisions and luck per second of CPU time, and how many fewer rounds a win without luck needs.

Each game has a ratio: how long playing and settling the same rounds by the cards takes in comparison.
"""

import sys
import time

from pitboss.games import game, game_names
from pitboss.lab.players import player_of, strategies_of
from pitboss.lab.simulated_seats import SimulatedSeats
from pitboss.lab.split import SettledSeat, Splitter
from pitboss.lab.split_sums import SplitSums
from pitboss.rules.in_force import RulesInForce

SEED, WARM_ROUNDS = 1, 200


def measured(name: str, rounds: int) -> dict[str, float]:
    """Split rounds of the weakest named player, after a short run that compiles and solves."""
    rules = RulesInForce(game(name))
    table = SimulatedSeats(rules, 1, player_of(rules, strategies_of(name)[-1].name))
    splitter = Splitter(rules)
    for (seat,) in table.rounds(SEED, 0, WARM_ROUNDS):
        splitter.split(seat)
    began = time.process_time()
    seats: list[SettledSeat] = [seat for (seat,) in table.rounds(SEED, WARM_ROUNDS, rounds)]
    played = time.process_time() - began
    began = time.process_time()
    parts = [splitter.split(seat) for seat in seats]
    took = time.process_time() - began
    sums = SplitSums()
    for seat, part in zip(seats, parts, strict=True):
        sums.add([(seat, part)])
    fewer = sums.line({}).fewer_rounds
    return {
        f"{name}, seats split per CPU s": round(rounds / took),
        f"{name}, times as fast as playing them by the cards": round(played / took, 2),
        f"{name}, times fewer rounds for a win without luck": round(fewer or 0),
    }


def main(rounds: int = 5000) -> dict[str, float]:
    """Measure every game with all its wagers."""
    found: dict[str, float] = {}
    for name in game_names():
        found |= measured(name, rounds)
    return found


if __name__ == "__main__":
    print(main(*map(int, sys.argv[1:])))
