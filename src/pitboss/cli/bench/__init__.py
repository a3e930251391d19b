"""`pitboss bench`: how fast this installation is on this machine, compared with peers in the same run."""

from collections.abc import Sequence
from typing import Any

from pitboss.cli.bench.commands import settle, start
from pitboss.cli.bench.measure import QUICK, WHOLE, Effort, Measure, Part
from pitboss.cli.bench.peers import INSTALL, missing
from pitboss.cli.bench.playing import rounds
from pitboss.cli.bench.ranking import Disagreement, evaluators
from pitboss.cli.bench.solving import exact, simulation
from pitboss.cli.bench.taken_on import machine, versions
from pitboss.cli.output import Failure, console, show_json, show_table
from pitboss.cli.waiting import waiting

PARTS: dict[str, Part] = {
    "evaluator": evaluators,
    "exact": exact,
    "simulation": simulation,
    "rounds": rounds,
    "settle": settle,
    "start": start,
}


def bench_command(parts: Sequence[str], *, quick: bool, as_json: bool) -> None:
    """Measure the requested parts, or all, and print the figures with the machine and versions."""
    for name in parts:
        if name not in PARTS:
            raise Failure(f"There is no benchmark called {name!r}. Choose one of: {', '.join(PARTS)}.", 2)
    found = measured(parts or tuple(PARTS), QUICK if quick else WHOLE)
    absent = missing()
    if as_json:
        show_json(
            {
                "machine": machine(),
                "versions": versions(),
                "missing": [{"package": name, "install": INSTALL} for name in absent],
                "quick": quick,
                "measures": [measure.as_dict() for measure in found],
            }
        )
        return
    _show(found, absent)


def measured(parts: Sequence[str], effort: Effort) -> list[Measure]:
    """Return all figures of these parts, measured now."""
    found: list[Measure] = []
    with waiting("Loading kernels (compiled on first use)") as announce:
        for name in parts:
            announce(f"Measuring: {name}")
            try:
                for measure in PARTS[name](effort):
                    found.append(measure)
                    announce(f"Measuring: {name}, after {measure.what}")
            except Disagreement as wrong:
                raise Failure(str(wrong)) from None
    return found


def _show(found: Sequence[Measure], absent: Sequence[str]) -> None:
    out = console()
    about: dict[str, Any] = machine()
    told = ", ".join(f"{name} {number}" for name, number in versions().items())
    out.print(f"{about['processor']}, {about['cores']} cores, {about['system']}; {told}", highlight=False, markup=False)
    out.print("Figures are CPU time on one core unless a part uses more. A ratio above 1 favors Pitboss.")
    columns = ("part", "what", "figure", "", "compared with", "theirs", "ratio")
    show_table("", columns, [_cells(measure) for measure in found], out)
    if absent:
        out.print(f"Not installed, so not compared: {', '.join(absent)}. Install with `{INSTALL}`.", markup=False)


def _cells(measure: Measure) -> tuple[str, ...]:
    theirs = "" if measure.theirs is None else number(measure.theirs)
    ratio = "" if measure.ratio is None else number(measure.ratio)
    return measure.part, measure.what, number(measure.figure), measure.unit, measure.beside or "", theirs, ratio


def number(value: float) -> str:
    """Return a figure with three significant digits, or all digits before the decimal point."""
    if value >= 100:
        return f"{value:,.0f}"
    return f"{value:.1f}" if value >= 10 else f"{value:.2f}" if value >= 1 else f"{value:.3f}"
