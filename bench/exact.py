"""Exact values with compiled kernels: CPU seconds to solve and price, evaluation rates, memory."""

import resource
import time
from collections.abc import Callable
from functools import partial

import numpy as np

from pitboss.games import game, game_names
from pitboss.games.ultimate_texas_holdem import exact, solution
from pitboss.lab.advice import advise
from pitboss.lab.edges import edges
from pitboss.lab.worth import worth_of
from pitboss.odds import enumerate as enumeration
from pitboss.odds.evaluator import rank_hands
from pitboss.odds.symmetry import deals
from pitboss.rules.choices import Choices
from pitboss.rules.in_force import RulesInForce
from pitboss.rules.payoff import payoff

HOLDEM = game("ultimate-texas-holdem")
HANDS = 2_000_000
SITUATIONS = {"before the flop": (), "flop": ("2c", "7d", "9h"), "river": ("2c", "7d", "9h", "Ts", "4d")}


def spent(work: Callable[[], object], times: int = 1) -> float:
    """Return the shortest CPU time of several runs."""
    found = []
    for _ in range(times):
        start = time.process_time()
        work()
        found.append(time.process_time() - start)
    return min(found)


def everything() -> None:
    """Price every wager and paytable of all games, with every count computed again."""
    solution._solve.cache_clear()
    enumeration.category_counts.cache_clear()
    for name in game_names():
        list(edges(game(name), recompute=True))


def repriced(wager: str, win: int) -> object:
    """Price a side wager with new odds, from known counts."""
    printed = HOLDEM.wagers_by_name[wager].paytables[0]
    own = printed.with_odds({printed.lines[-1].hand: payoff(f"{win} to 1")})
    return worth_of(RulesInForce(HOLDEM, Choices(own_tables={wager: own})), wager)


def main() -> dict[str, float]:
    """Run everything once to compile it, then measure."""
    everything()
    blind = RulesInForce(HOLDEM, Choices(paytables={"blind": "B"}))

    def solve() -> None:
        solution._solve.cache_clear()
        exact.solve(blind)

    found = {"exact main game, CPU s": round(spent(solve), 1)}
    found["every wager and paytable of all games, CPU s"] = round(spent(everything), 1)
    sides = [wager.name for wager in HOLDEM.wagers if not wager.required and not wager.by_action]
    found["a changed side wager, CPU ms"] = round(1000 * max(spent(partial(repriced, side, 7), 3) for side in sides), 2)
    rules = RulesInForce(HOLDEM)
    for name, board in SITUATIONS.items():
        found[f"every choice, {name}, CPU ms"] = round(1000 * spent(partial(advise, rules, ("As", "Kd"), board), 5), 2)
    drawn = np.argsort(np.random.default_rng(1).random((HANDS // 8, 52)), axis=1)[:, :7].astype(np.uint8)
    hands = np.random.default_rng(2).permuted(np.tile(drawn, (8, 1)), axis=1)
    found["random seven-card hands, M/s a thread"] = round(HANDS / spent(lambda: rank_hands(hands), 9) / 1e6)
    in_order = spent(lambda: enumeration.count_categories(7), 9)
    found["all seven-card hands in order, M/s a thread"] = round(deals(52, 7) / in_order / 1e6)
    found["peak memory, MB"] = round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000)
    return found


if __name__ == "__main__":
    for what, figure in main().items():
        print(f"{what}: {figure}")
