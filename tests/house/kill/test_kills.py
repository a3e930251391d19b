"""Real processes killed with SIGKILL at every boundary and any moment, on both databases: nothing lost or doubled."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from house.kill.child import BOUNDARIES
from house.kill.killing import ANY_MOMENT

TESTS = Path(__file__).parents[2]
KILLS = 27


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "fork"), reason="the killed processes are forked")
def test_nothing_is_lost_or_twice_after_kills_at_every_boundary(database_url: str) -> None:
    # A process of its own forks the ones that are killed: it has no threads, and coverage counts nothing in it.
    command = [sys.executable, "-m", "simulation", "kills", "--count", str(KILLS), "--database", database_url]
    environment = {**os.environ, "PYTHONPATH": str(TESTS)}
    ended = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=300, check=False)
    assert ended.returncode == 0, ended.stderr
    for boundary in (*BOUNDARIES, ANY_MOMENT):
        assert f"{boundary} {KILLS // 9}" in ended.stdout
    found = re.search(r"([\d,]+) commands acknowledged, (\d+) given again of which (\d+) were there", ended.stdout)
    assert found is not None, ended.stdout
    acknowledged, given_again, there_already = (int(group.replace(",", "")) for group in found.groups())
    assert acknowledged > KILLS * 5
    assert given_again > there_already > 0


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "fork"), reason="the killed processes are forked")
def test_nothing_is_lost_or_twice_where_two_processes_share_the_floor_and_both_are_killed() -> None:
    command = [sys.executable, "-m", "simulation", "kills", "--count", "18", "--postgresql", "--shared"]
    environment = {**os.environ, "PYTHONPATH": str(TESTS)}
    ended = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=300, check=False)
    assert ended.returncode == 0, ended.stderr
    assert "18 kills (acknowledged unsent 1, applied unacknowledged 1, at any moment 10" in ended.stdout
