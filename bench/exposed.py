"""CPU seconds of every exposure of cards, one paytable each, with compiled kernels, against the limit set for it.

Each exposure is computed in a process of its own, on one thread; with `--compile` a first run is thrown away.
"""

import json
import os
import subprocess
import sys

from pitboss.games.catalogue import game, game_names
from pitboss.lab.exposures import usual_exposures
from pitboss.odds.exposure import Exposure
from pitboss.rules.in_force import RulesInForce

LIMIT_S, BOTH_CARDS_LIMIT_S, ONE_DECISION_LIMIT_S = 60, 120, 10
MEASURE = """
import json, sys, time
from pitboss.games.catalogue import game
from pitboss.lab.exposures import exposed_worth
from pitboss.odds.exposure import exposure_of
from pitboss.rules.in_force import RulesInForce
rules = RulesInForce(game(sys.argv[1]))
exposure = exposure_of(rules, sys.argv[2:])
began = time.process_time()
found = exposed_worth(rules, exposure, recompute=True)
print(json.dumps([time.process_time() - began, float(found.ev), found.method]))
"""


def measured(name: str, exposure: Exposure) -> tuple[float, float, str]:
    """Return the CPU seconds, the player's edge and the method of one exposure."""
    command = [sys.executable, "-c", MEASURE, name, *exposure.words]
    environment = {**os.environ, "NUMBA_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, env=environment)
    seconds, edge, method = json.loads(done.stdout)
    return seconds, edge, method


def limit_of(name: str, exposure: Exposure) -> int:
    """Return the most CPU seconds an exposure may take."""
    if len(RulesInForce(game(name)).asks) == 1:
        return ONE_DECISION_LIMIT_S
    return BOTH_CARDS_LIMIT_S if exposure.dealer > 1 else LIMIT_S


def main(*names: str) -> None:
    """Measure every exposure of some games, or of all, and print a line for each."""
    compiles = "--compile" in names
    for name in [name for name in names if name != "--compile"] or game_names():
        for exposure in usual_exposures(RulesInForce(game(name))):
            if compiles:
                measured(name, exposure)
            seconds, edge, method = measured(name, exposure)
            limit = limit_of(name, exposure)
            line = {"game": name, "seen": " ".join(exposure.words), "edge": round(100 * edge, 4), "method": method}
            print(json.dumps({**line, "cpu_s": round(seconds, 2), "limit": limit, "ratio": round(limit / seconds, 2)}))


if __name__ == "__main__":
    main(*sys.argv[1:])
