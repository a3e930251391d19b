"""Expected results of a table's wagers from the lab's exact counts, computed in a separate process."""

import json
import subprocess
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple

from pitboss.house.reports.theory import COUNTED_TO, Counted, NetResult, Theory
from pitboss.record.system import ThreadRunner
from pitboss.rules.in_force import RulesInForce
from pitboss.rules.plain import made, plain
from pitboss.server.lab.priority import give_way
from pitboss.server.table_documents import read_terms

if TYPE_CHECKING:
    from pitboss.odds.outcomes import Counts, Outcome

# Two stakes separate what grows with the stake from what doesn't.
LOW_CENTS, HIGH_CENTS = 1_00, 500_00
WINDOW = 1 << 12  # points of the lattice on which a range is found: enough for a drawing
ROUNDED = 1e-6  # of a unit
POLITENESS = 10  # the process that runs tables comes first


class NotWorkedOut(Exception):
    """The process that computes the theory failed or was ended."""


class Reckoner:
    """Computes theories one after another in a separate process, so that compiling kernels delays no command."""

    def __init__(self) -> None:
        self._runner = ThreadRunner("theory")
        self._child: subprocess.Popen[bytes] | None = None
        self._is_closed = False

    async def theories(self, document: Mapping[str, Any]) -> tuple[Theory, ...]:
        """Return the expected results of a document's wagers, or raise NotWorkedOut."""
        return await self._runner.run(lambda: self._theories(document))

    def close(self) -> None:
        """End the computation in progress."""
        self._is_closed = True
        if self._child is not None:
            self._child.kill()
        self._runner.close()

    def _theories(self, document: Mapping[str, Any]) -> tuple[Theory, ...]:
        if self._is_closed:
            raise NotWorkedOut("the floor is closed")
        command = [sys.executable, "-m", __spec__.name]
        pipe = subprocess.PIPE
        with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL) as child:
            self._child = child
            out, _ = child.communicate(json.dumps(document).encode())
        if child.returncode:
            raise NotWorkedOut(f"the process ended with status {child.returncode}")
        return tuple(made(Theory, theory) for theory in json.loads(out))


def range_of(nets: tuple[tuple[Fraction, Fraction], ...], rounds: int) -> tuple[float, float]:
    """Return the totals between which 95 of 100 sums of that many results lie, in units."""
    from pitboss.lab.session_spread import range_95

    return range_95(nets, rounds, window=WINDOW)


def chance_of(nets: tuple[tuple[Fraction, Fraction], ...], rounds: int, total: float) -> tuple[float, float]:
    """Return the chances that a sum of that many results is at most this total, and at least this total, in units."""
    from pitboss.lab.session_spread import session_of

    session = session_of(nets, rounds)
    return session.at_most(total + ROUNDED), 1 - session.at_most(total - ROUNDED)


def theories_of(document: Mapping[str, Any]) -> tuple[Theory, ...]:
    """Return the expected result of each wager of a document that can be counted exactly."""
    from pitboss.lab.exact_counts import NotAnalysed, counts_of
    from pitboss.lab.meters import meters_at
    from pitboss.lab.played import groups_of

    submitted = read_terms(document).settings.rules
    # Payout limits are left out: what they cut is in the record, and the report adds it back.
    rules = RulesInForce(submitted.game, replace(submitted.choices, amounts={}))
    found = []
    for group, wagers in groups_of(rules).items():
        try:
            counts = counts_of(rules, group)
        except NotAnalysed:
            continue
        found.append(_theory(rules, wagers, counts, tuple(meters_at(rules, group, {}))))
    return tuple(found)


def _theory(rules: RulesInForce, wagers: tuple[str, ...], counts: "Counts", meters: Sequence[str]) -> Theory:
    nets = [_net(rules, wagers, outcome, dict.fromkeys(meters, 0)) for outcome in counts.outcomes]
    times = [outcome.count for outcome in counts.outcomes]
    expected, variance = _moments([net.units for net in nets], times)
    cents = _moments([net.cents for net in nets], times)
    counted = [net.counted for net in nets if net.counted is not None]
    known = None
    if len(counted) == len(nets):
        total, capped = sum(times), Counter[Fraction]()
        for net, count in zip(counted, times, strict=True):
            capped[net] += count
        chances = tuple((net, Fraction(count, total)) for net, count in sorted(capped.items()) if count)
        known = Counted(*_moments(counted, times), max(counted), chances)
    return Theory(wagers[0], expected, variance, known, wagers[1:], *cents, _results(nets, times))


def _results(nets: Sequence["_Net"], times: Sequence[int]) -> tuple[NetResult, ...]:
    counts: dict[tuple[Fraction, Fraction], int] = {}
    for net, count in zip(nets, times, strict=True):
        counts[net.units, net.cents] = counts.get((net.units, net.cents), 0) + count
    total = sum(times)
    return tuple(NetResult(*net, Fraction(count, total)) for net, count in sorted(counts.items()) if count)


class _Net(NamedTuple):
    cents: Fraction  # paid regardless of the stake
    units: Fraction  # for each unit staked
    counted: Fraction | None  # in units, each win capped at a multiple of its stake; None if it depends on the stake


def _net(rules: RulesInForce, wagers: tuple[str, ...], outcome: "Outcome", meters: Mapping[str, int]) -> _Net:
    from pitboss.lab.nets import net_of

    staked = dict(outcome.stakes)
    placed = [name for name in wagers if name in staked]
    low, high = (
        {name: net_of(rules, outcome, stake_cents=stake, meters=meters, wagers=(name,)) for name in placed}
        for stake in (LOW_CENTS, HIGH_CENTS)
    )
    at_low, at_high = LOW_CENTS * sum(low.values(), Fraction(0)), HIGH_CENTS * sum(high.values(), Fraction(0))
    units = (at_high - at_low) / (HIGH_CENTS - LOW_CENTS)
    most = {name: Fraction(COUNTED_TO * staked[name]) for name in placed}
    counted = [sum((min(nets[name], most[name]) for name in placed), Fraction(0)) for nets in (low, high)]
    return _Net(at_low - units * LOW_CENTS, units, counted[0] if counted[0] == counted[1] else None)


def _moments(nets: Sequence[Fraction], times: Sequence[int]) -> tuple[Fraction, Fraction]:
    total = sum(times)
    mean = sum((net * count for net, count in zip(nets, times, strict=True)), Fraction(0)) / total
    square = sum((net * net * count for net, count in zip(nets, times, strict=True)), Fraction(0)) / total
    return mean, square - mean * mean


if __name__ == "__main__":
    give_way(POLITENESS)
    json.dump([plain(theory) for theory in theories_of(json.load(sys.stdin))], sys.stdout)
