"""The exact main game, kernels already compiled: processor seconds and peak memory."""

import resource
import time

from pitboss.games import game
from pitboss.games.ultimate_texas_holdem import exact
from pitboss.rules.choices import Choices
from pitboss.rules.in_force import RulesInForce


def main() -> dict[str, float]:
    """Solve one Blind paytable to compile, then measure the other."""
    definition = game("ultimate-texas-holdem")
    exact.solve(RulesInForce(definition, Choices(paytables={"blind": "B"})))
    start, wall = time.process_time(), time.perf_counter()
    exact.solve(RulesInForce(definition))
    return {
        "exact main game, CPU s": round(time.process_time() - start, 1),
        "wall s": round(time.perf_counter() - wall, 1),
        "peak memory, MB": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000),
    }


if __name__ == "__main__":
    print(main())
