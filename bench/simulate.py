"""Simulated seat-rounds per second of CPU time: optimal play, every side wager, one thread; also by part.

Every game is played at a full table too, and by the cards, round by round, so that each figure has its ratio.
"""

import time
from collections.abc import Callable, Iterator
from functools import partial

from pitboss.games import game, game_names
from pitboss.games.parts import has_part
from pitboss.lab.played import Table
from pitboss.lab.players import player_of, whole_tables_of
from pitboss.lab.simulate import simulate
from pitboss.odds.streams import deal
from pitboss.rules.in_force import RulesInForce

SEED = 1
SEAT_ROUNDS = 3_000_000
PART_ROUNDS = 200_000
BY_CARDS_ROUNDS = 300


def cpu_seconds(work: Callable[[], object]) -> float:
    """Return the CPU time that some work takes."""
    start = time.process_time()
    work()
    return time.process_time() - start


def measured(rules: RulesInForce, seats: int) -> Iterator[tuple[str, float]]:
    """Compile and solve with a short run, then measure."""
    name = rules.game.name
    simulate(rules, 100_000, seats, SEED)
    rate = SEAT_ROUNDS / cpu_seconds(partial(simulate, rules, SEAT_ROUNDS // seats, seats, SEED + 1))
    yield f"{name}, seats: {seats}, seat-rounds per CPU s", rate
    by_cards = Table(rules, seats, player_of(rules))
    by_cards.block(SEED, 0, BY_CARDS_ROUNDS)
    slow = BY_CARDS_ROUNDS * seats / cpu_seconds(partial(by_cards.block, SEED, BY_CARDS_ROUNDS, BY_CARDS_ROUNDS))
    yield f"{name}, seats: {seats}, times as fast as by the cards", rate / slow
    whole = whole_tables_of(rules)
    assert whole is not None, "only games with whole tables are measured"
    dealing = partial(deal, SEED, 0, PART_ROUNDS, cards=len(rules.game.deck), drawn=by_cards.drawn)
    reading = partial(whole.codes, dealing(), seats)
    for part, work in (("dealing", dealing), ("deciding and reading", reading)):
        yield f"{name}, seats: {seats}, {part}, ns a seat-round", cpu_seconds(work) / (PART_ROUNDS * seats) * 1e9


def main() -> dict[str, int]:
    """Measure every game that has whole tables, with one seat and with all of them."""
    found: dict[str, int] = {}
    for name in game_names():
        if has_part(name, "whole_tables"):
            rules = RulesInForce(game(name))
            for seats in (1, rules.seats_most):
                found |= {figure: round(value) for figure, value in measured(rules, seats)}
    return found


if __name__ == "__main__":
    for name, figure in main().items():
        print(f"{figure:12,}  {name}")
