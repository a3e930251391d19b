"""Whole floors with faults on, one seed a run: everything that must hold does, and every fault and command occurs."""

from collections import Counter

import pytest

from pitboss.house.live_table import commands
from simulation.one_run import BOUNDARIES, run_seed

SEEDS = 200
CHUNK = 50
FAULTS_LEAST = {
    **{f"killed {boundary}": 5 for boundary in BOUNDARIES},
    "killed sync failed": 3,
    "torn write": 2,
    "lost write": 1,
    "disk full": 5,
    "disk nearly full": 5,
    "bit flipped": 5,
    "old backup restored": 3,
    "clock forward": 5,
    "clock back": 5,
    "process stopped": 5,
    "table taken over": 1,
    "flood": 5,
    "slow reader dropped": 50,
    "two dealers": 50,
    "submission swapped in a round": 5,
    "command id reused": 50,
    "network drop": 30,
    "network duplicate": 50,
    "network delay": 30,
    "network reorder": 500,
}


@pytest.mark.slow
@pytest.mark.parametrize("first", range(1, SEEDS + 1, CHUNK))
def test_nothing_is_lost_doubled_shown_or_stuck_whatever_happens(first: int) -> None:
    faults: Counter[str] = Counter()
    accepted: Counter[str] = Counter()
    for seed in range(first, first + CHUNK):
        run = run_seed(seed)
        faults += run.faults
        accepted += run.accepted
        assert run.rounds > 5
    rare = {name: (faults[name], least) for name, least in FAULTS_LEAST.items() if faults[name] < least}
    assert not rare, f"faults that hardly happened: {rare}"
    never = sorted(set(commands.KINDS) - set(accepted))
    assert not never, f"commands that were never accepted: {never}"


def test_a_seed_is_one_run() -> None:
    first, again = run_seed(3), run_seed(3)
    assert first == again
    assert run_seed(4).heads != first.heads
