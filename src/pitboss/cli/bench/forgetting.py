"""Exact work done in a separate process, which keeps nothing in memory but compiled kernels."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

CHILD = "from pitboss.cli.bench.forgetting import report; report()"
KERNELS = "kernels-*"
EVERYTHING, MAIN_GAME = "everything", "main"


class Solved(NamedTuple):
    """Processor seconds and memory used for solving, and the number of outcomes weighed if known."""

    seconds: float
    outcomes: int
    peak_megabytes: float | None


def solved(what: str, games: Sequence[str], *, compiled: bool) -> Solved:
    """Return the resources used to price everything in some games or to solve the main game of one.

    With `compiled`, the work runs twice and the second run counts, so that no kernel is compiled in it.
    """
    from pitboss.odds.compiled import cache_folder

    with tempfile.TemporaryDirectory() as folder:
        for kept in cache_folder().glob(KERNELS):
            _share(kept, Path(folder) / kept.name)
        environment = os.environ | {"PITBOSS_CACHE": folder}
        command = [sys.executable, "-c", CHILD, what, *games]
        for _ in range(2 if compiled else 1):
            _forget(Path(folder))
            printed = subprocess.run(command, env=environment, stdout=subprocess.PIPE, check=True).stdout
    return Solved(**json.loads(printed))


def report() -> None:
    """Do the work that the command line names, and print the resources it used."""
    what, *games = sys.argv[1:]
    outcomes, seconds = (_everything if what == EVERYTHING else _main)(games)
    print(json.dumps(Solved(seconds, outcomes, _peak_megabytes())._asdict()))


def _everything(games: Sequence[str]) -> tuple[int, float]:
    from pitboss.games import game
    from pitboss.lab.edges import edges

    start = time.process_time()
    for name in games:
        list(edges(game(name), recompute=True))
    return 0, time.process_time() - start


def _main(games: Sequence[str]) -> tuple[int, float]:
    from pitboss.games import game
    from pitboss.lab.exact_counts import exact_of
    from pitboss.rules.in_force import RulesInForce

    (name,) = games
    exact, rules = exact_of(name), RulesInForce(game(name))
    start = time.process_time()
    outcomes = exact.main_counts(rules).total
    return outcomes, time.process_time() - start


def _peak_megabytes() -> float | None:
    try:
        import resource
    except ImportError:  # this system has no such count
        return None
    unit = 1_000_000 if sys.platform == "darwin" else 1_000
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / unit


def _share(kept: Path, name: Path) -> None:
    try:
        name.symlink_to(kept, target_is_directory=True)
    except OSError:  # on systems that don't allow links
        shutil.copytree(kept, name)


def _forget(folder: Path) -> None:
    kernels = set(folder.glob(KERNELS))
    for kept in set(folder.iterdir()) - kernels:
        shutil.rmtree(kept)
