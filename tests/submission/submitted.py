"""Clean submissions to edit: one table of each game, and a way to change one value of a parsed file."""

import re
import tomllib
from copy import deepcopy
from typing import Any

from pitboss.submission.check import check
from pitboss.submission.document import Submission
from pitboss.submission.fault import Fault
from pitboss.submission.read import submission_from

HOLDEM = """
[facility]
name = "Harbor Casino"
jurisdiction = "Maryland"

[[table]]
name = "UTH 1"
game = "ultimate-texas-holdem"
positions = 6
dealing = "automated-shoe"
shuffler = "counting"
decks = 2
minimum = 1000
maximum = 50000

[table.wagers]
blind = "A"
trips = { paytable = "B", minimum = 500, maximum = 10000 }
progressive = { paytable = "A", rate = "0.20", initial = 1000000, reset = 1000000, envy = "A" }

[table.options]
envy-needs-wager = "yes"
payout-limit = 5000000
"""
TOP_FIVE = """
[facility]
name = "Harbor Casino"
jurisdiction = "Maryland"

[[table]]
name = "Top Five 1"
game = "top-five-poker"
dealing = "manual-shoe"
minimum = 1000
maximum = 50000

[table.wagers]
top-five-bonus = "A"
poker-bonus = "B"

[table.options]
adjacent-boxes = 2
"""
DRAGON = """
[facility]
name = "Harbor Casino"
jurisdiction = "Maryland"

[[table]]
name = "Dragon 1"
game = "dragon-poker"
dealing = "automated-shoe"
shuffler = "continuous"
minimum = 1000
maximum = 50000

[table.wagers]
ante-bonus = "A"
three-card-bonus = "B"
dragon-bet = true

[table.wagers.progressive]
hand = "dragons"
rate = "0.25"
initial = 500000
reset = 250000
odds = { three-dragons-with-gold = "100 % of meter", pair-of-dragons = "5 for 1" }
"""
COLORADO = """
[facility]
name = "Bay Casino"
jurisdiction = "Massachusetts"

[[table]]
name = "Colorado 1"
game = "colorado-holdem"
positions = 6
dealing = "hand"
shuffler = "counting"
minimum = 1000
maximum = 50000

[table.wagers]
bonus = { odds = { flush = "30 to 1" } }

[table.options]
version = "required-bet"
payout-limit = 5000000
"""
CLEAN = {"holdem": HOLDEM, "top-five": TOP_FIVE, "dragon": DRAGON, "colorado": COLORADO}
GONE = object()
WAGERS = "table[0].wagers"
OPTIONS = "table[0].options"
PROGRESSIVE = f"{WAGERS}.progressive"
TRIPS = f"{WAGERS}.trips"
LIMIT = f"{OPTIONS}.payout-limit"
THREE_METERS: dict[str, Any] = {
    "paytable": "C",
    "rate": {"mega": "0.1", "major": "0.1", "minor": "0.05"},
    "initial": {"mega": 1000000, "major": 100000, "minor": 25000},
    "reset": {"mega": 1000000, "major": 100000, "minor": 25000},
    "envy": "C",
}

Edits = dict[str, Any]


def edited(name: str, edits: Edits | None = None) -> dict[str, Any]:
    """Return a clean file as parsed, changed at the places named; GONE takes a key away."""
    content = tomllib.loads(CLEAN[name])
    for where, value in (edits or {}).items():
        *path, last = [int(key) if key.isdigit() else key for key in re.findall(r"[^.\[\]]+", where)]
        inside: Any = content
        for key in path:
            inside = inside[key] if isinstance(key, int) else inside.setdefault(key, {})
        if value is GONE:
            del inside[last]
        else:
            inside[last] = deepcopy(value)
    return content


def submitted(name: str, edits: Edits | None = None) -> Submission:
    """Return a clean submission with the places named changed."""
    return submission_from(edited(name, edits))


def faults_of(name: str, edits: Edits | None = None) -> tuple[Fault, ...]:
    """Return what the check says of a clean submission with the places named changed."""
    return check(submitted(name, edits))
