"""The clause matrix has no gap: every id, a status, and code and tests that exist."""

import importlib
import subprocess
import sys
from pathlib import Path

import pytest

from pitboss.games import game_names
from pitboss.games.clauses import STATUSES, Clause, clauses, outline

ROOT = Path(__file__).parents[2]
# Where a test breaks a rule as a person would: commands given to the running house, over the wire or in a browser.
LIVE = ("tests/scenarios/", "tests/house/live_table/", "tests/server/", "tests/browser/")
EVERY = [pytest.param(name, clause, id=f"{name} {clause.id}") for name in game_names() for clause in clauses(name)]


def collected(files: set[str]) -> frozenset[str]:
    there = sorted(file for file in files if (ROOT / file).is_file())
    command = [sys.executable, "-m", "pytest", "--collect-only", "-q", "-p", "no:cacheprovider", *there]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    ids = {line.strip() for line in listed.splitlines() if "::" in line}
    return frozenset(ids | {name.partition("[")[0] for name in ids})


def exists(reference: str) -> bool:
    """Say whether a dotted name is a module, or something in one."""
    parts = reference.split(".")
    for cut in range(len(parts), 0, -1):
        try:
            found: object = importlib.import_module(".".join(parts[:cut]))
        except ModuleNotFoundError:
            continue
        for name in parts[cut:]:
            if not hasattr(found, name):
                return False
            found = getattr(found, name)
        return True
    return False


@pytest.mark.parametrize("name", game_names())
def test_the_matrix_holds_every_id_of_the_outline(name: str) -> None:
    assert outline(name), "the outline is kept beside the matrix"
    assert [clause.id for clause in clauses(name)] == list(outline(name))


def test_the_four_rulebooks_are_whole() -> None:
    counts = {name: len(clauses(name)) for name in game_names()}
    assert counts == {
        "colorado-holdem": 189,
        "dragon-poker": 211,
        "top-five-poker": 223,
        "ultimate-texas-holdem": 522,
    }


@pytest.mark.parametrize(("name", "clause"), EVERY)
def test_a_clause_is_shown_by_code_and_tests_or_has_a_reason(name: str, clause: Clause) -> None:
    assert clause.summary
    assert clause.status in STATUSES
    if clause.status == "beyond":
        assert clause.reason
        assert not clause.tests
    else:
        assert clause.code
        assert clause.tests
    assert [item for item in clause.code if not exists(item)] == []


@pytest.mark.parametrize(("name", "clause"), EVERY)
def test_only_what_the_running_house_shows_is_called_enforced(name: str, clause: Clause) -> None:
    is_live = any(test.startswith(LIVE) for test in clause.tests)
    if clause.status in ("enforced", "settled"):
        assert clause.status == ("enforced" if is_live else "settled")


def test_every_named_test_exists() -> None:
    named = {test for name in game_names() for clause in clauses(name) for test in clause.tests}
    assert named
    assert sorted(named - collected({text.partition("::")[0] for text in named})) == []
