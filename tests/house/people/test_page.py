"""The page about people says what the program does."""

import re
import subprocess
import sys

from architecture.pages import section, table_rows
from architecture.tree import ROOT
from pitboss.house.people.decide import SignInRules
from pitboss.house.people.house_rules import HOUSE_RULES
from pitboss.house.people.passwords import LEAST_CHARACTERS, MOST_CHARACTERS
from pitboss.house.people.roles import (
    CHIPS,
    DEALER_OUT,
    DEPARTMENTS,
    FOUNDING,
    LEASE,
    OWN,
    PERMISSIONS,
    READER,
    ROUND_OVER,
    SELF_DEALING,
    Grants,
)

PAGE = ROOT / "docs" / "people.md"
WORDS = {
    "lease": LEASE,
    "own": OWN,
    "self-dealing": SELF_DEALING,
    "round over": ROUND_OVER,
    "founding": FOUNDING,
    "dealer out": DEALER_OUT,
    "reader": READER,
    "chips": CHIPS,
}


def grants_of(cell: str) -> Grants:
    """Return what a cell of the page grants."""
    named = re.findall(r"([a-z-]+)(?: \(([^)]*)\))?(?:, |$)", cell.strip())
    return {role: tuple(WORDS[word] for word in asked.split(", ")) if asked else () for role, asked in named}


def test_the_page_names_every_command_with_its_people() -> None:
    shown = {
        kind: (grants_of(who), grants_of(second) or None)
        for commands, who, second in table_rows(section(PAGE, "Who may do what"))
        for kind in re.findall(r"`(\w+)`", commands)
    }
    assert shown == {kind: (dict(permission.grants), permission.second) for kind, permission in PERMISSIONS.items()}


def test_the_page_names_the_departments() -> None:
    listed = re.search(r"one department: (.*?)\. The", section(PAGE, "Roles").replace("\n", " "))
    assert listed is not None
    departments = [tuple(re.findall(r"\*([a-z-]+)\*", part)) for part in listed[1].split("·")]
    assert departments == list(DEPARTMENTS)


def test_the_page_gives_every_house_rule() -> None:
    assert {row[0]: row[1] for row in table_rows(section(PAGE, "House rules"))} == HOUSE_RULES


def test_the_page_gives_the_doors_figures() -> None:
    rules, text = SignInRules(), " ".join(section(PAGE, "Signing in").split())
    assert f"{LEAST_CHARACTERS} to {MOST_CHARACTERS} characters" in text
    assert f"after {rules.idle_minutes} minutes without use, after {rules.session_hours} hours" in text
    assert (rules.failures_most, rules.link_minutes, rules.sessions_at_once) == (3, 60, 1)


def test_roles_and_sign_in_bring_no_heavy_package_with_them() -> None:
    code = (
        "import sys, pitboss.house.people.people_office, pitboss.house.people.authorization;"
        "print([name for name in ('argon2', 'sqlalchemy', 'fastapi', 'numba', 'numpy') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
