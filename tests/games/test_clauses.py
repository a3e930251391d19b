"""The clause matrix has no gap: every id, a status, and code and tests that exist."""

import importlib
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from pitboss.games import game_names
from pitboss.games.clauses import STATUSES, Clause, clauses, outline

ROOT = Path(__file__).parents[2]
# Where a test breaks a rule as a person would: commands given to the running house, over the wire or in a browser.
LIVE = ("tests/scenarios/", "tests/house/live_table/", "tests/server/", "tests/browser/")
EVERY = pytest.mark.parametrize("name", game_names())


def known(session: pytest.Session) -> frozenset[str]:
    """Return the tests that this run has collected itself, and their names without a case."""
    found: set[str] = set()
    for item in session.items:
        groups = sorted({str(marked.args[0]) for marked in item.iter_markers("xdist_group")})
        found.add(item.nodeid.removesuffix(f"@{'_'.join(groups)}"))  # which a worker adds to its name
    return frozenset(found | {name.partition("[")[0] for name in found})


def collected(files: set[str]) -> frozenset[str]:
    """Return the tests in some files, and their names without a case."""
    there = sorted(file for file in files if (ROOT / file).is_file())
    command = [sys.executable, "-m", "pytest", "--collect-only", "-q", "-p", "no:cacheprovider", *there]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    ids = {line.strip() for line in listed.splitlines() if "::" in line}
    return frozenset(ids | {name.partition("[")[0] for name in ids})


@cache
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


def gaps(clause: Clause) -> Iterator[str]:
    """Yield what is missing from a clause's entry, or too much in it."""
    if not clause.summary:
        yield "has no summary"
    if clause.status not in STATUSES:
        yield f"has the unknown status {clause.status!r}"
    if clause.status == "beyond":
        if not clause.reason:
            yield "has no reason for being beyond the program"
        if clause.tests:
            yield "is beyond the program and names tests"
    else:
        if not clause.code:
            yield "names no code"
        if not clause.tests:
            yield "names no tests"
    for reference in clause.code:
        if not exists(reference):
            yield f"names {reference}, which doesn't exist"


def misnamed(clause: Clause) -> Iterator[str]:
    """Yield which status a clause should have, if it has another."""
    shown = "enforced" if any(test.startswith(LIVE) for test in clause.tests) else "settled"
    if clause.status in ("enforced", "settled") and clause.status != shown:
        yield f"is called {clause.status} and is {shown}"


@EVERY
def test_a_clause_is_shown_by_code_and_tests_or_has_a_reason(name: str) -> None:
    assert [f"{clause.id} {gap}" for clause in clauses(name) for gap in gaps(clause)] == []


@EVERY
def test_only_what_the_running_house_shows_is_called_enforced(name: str) -> None:
    assert [f"{clause.id} {gap}" for clause in clauses(name) for gap in misnamed(clause)] == []


WHOLE = Clause("§1(a)", "A clause.", "settled", code=("pitboss.games",), tests=("tests/games/test_clauses.py::x",))


@pytest.mark.parametrize(
    ("changes", "gap"),
    [
        ({"summary": ""}, "has no summary"),
        ({"status": "done"}, "has the unknown status 'done'"),
        ({"status": "beyond", "tests": ()}, "has no reason for being beyond the program"),
        ({"status": "beyond", "reason": "Elsewhere."}, "is beyond the program and names tests"),
        ({"code": ()}, "names no code"),
        ({"tests": ()}, "names no tests"),
        ({"code": ("pitboss.games.nowhere",)}, "names pitboss.games.nowhere, which doesn't exist"),
        ({"status": "enforced"}, "is called enforced and is settled"),
        ({"tests": (f"{LIVE[0]}x",)}, "is called settled and is enforced"),
    ],
)
def test_a_gap_in_an_entry_is_found_and_named(changes: dict[str, Any], gap: str) -> None:
    assert [*gaps(WHOLE), *misnamed(WHOLE)] == []
    entry = replace(WHOLE, **changes)
    assert [*gaps(entry), *misnamed(entry)] == [gap]


def test_every_named_test_exists(request: pytest.FixtureRequest) -> None:
    named = {test for name in game_names() for clause in clauses(name) for test in clause.tests}
    assert named
    named -= known(request.session)
    if named:  # a run of fewer tests has to ask what else there is
        assert sorted(named - collected({text.partition("::")[0] for text in named})) == []
