"""What a jurisdiction requires of a wager's figures, as data, and whether a wager meets it."""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from pitboss.lab.worth import Worth

PASS, FAIL, SHOW_ODDS = "pass", "fail", "pass if its odds are displayed"
RETURN, TOP_AWARD = "minimum return", "top award"


@dataclass(frozen=True, slots=True)
class Gate:
    """The least return of a wager, or the least chance of its top award, in one jurisdiction or in all of them."""

    demands: str
    least: Fraction
    source: str
    jurisdiction: str = ""  # empty: the general standard


GATES = (
    Gate(RETURN, Fraction(3, 4), "GLI-19 v3.0 §4.7"),
    Gate(RETURN, Fraction(4, 5), "205 CMR 143.01", "Massachusetts"),
    Gate(TOP_AWARD, Fraction(1, 100_000_000), "GLI-19 v3.0 §4.7"),
)


@dataclass(frozen=True, slots=True)
class Checked:
    """A gate, the figure it was compared with, and the result."""

    gate: Gate
    wager: str
    found: Fraction
    result: str

    def as_dict(self) -> dict[str, Any]:
        """Return the check as plain data."""
        return {
            "wager": self.wager,
            "demands": self.gate.demands,
            "jurisdiction": self.gate.jurisdiction or None,
            "least": str(self.gate.least),
            "found": str(self.found),
            "result": self.result,
            "source": self.gate.source,
        }


def gates_for(jurisdiction: str) -> Iterator[Gate]:
    """Yield the gates of a jurisdiction: its own, and the general one where it has none."""
    for gate in GATES:
        own = any(other.demands == gate.demands and other.jurisdiction == jurisdiction for other in GATES)
        if gate.jurisdiction == jurisdiction or (not gate.jurisdiction and not own):
            yield gate


def checked(worth: Worth, jurisdiction: str) -> Iterator[Checked]:
    """Check a wager against every gate of a jurisdiction; a progressive must be priced at its lowest meters."""
    for gate in gates_for(jurisdiction):
        if gate.demands == RETURN:
            # Of everything wagered: the main game's raises are wagers too.
            returned = 1 - worth.element_of_risk
            yield Checked(gate, worth.wager, returned, PASS if returned >= gate.least else FAIL)
        else:
            chance = Fraction(worth.distribution[max(worth.distribution)], worth.total)
            yield Checked(gate, worth.wager, chance, PASS if chance >= gate.least else SHOW_ODDS)
