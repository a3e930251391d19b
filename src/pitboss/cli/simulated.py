"""Prints the results of a simulation."""

import math
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from pitboss.cli.output import console
from pitboss.rules.game import GameDefinition
from pitboss.rules.payoff import dollars, signed

if TYPE_CHECKING:
    from rich.console import Console

    from pitboss.lab.result import Hold, MeterRun, Simulation
    from pitboss.lab.runs import Row, Swing

HOLD = ("wager", "stake", "handle", "paid", "win %", "theory", "players' net", "95% range", "z-score", "one hit in")
METERS = (
    "meter",
    "start",
    "added",
    "paid",
    "end",
    "hits",
    "rounds per hit",
    "theory",
    "longest wait",
    "since last hit",
)
LINES = ("line", "hands", "one in", "theory", "share", "theory")


def show_simulation(game: GameDefinition, result: "Simulation", *, lines: bool) -> None:
    """Print the win of each wager in percent of its handle, then the house's course, runs, shifts and meters."""
    out = console()
    seats = f"{result.seats} seat{'s' * (result.seats > 1)}"
    out.print(
        f"{game.title}: {result.rounds:,} rounds of {seats}, seed {result.seed}, strategy {result.strategy}",
        style="bold",
    )
    _table(HOLD, [_hold(hold) for hold in result.wagers], out)
    if any(hold.theory is None for hold in result.wagers):
        out.print("A blank theory means that no exact value is known for the wager as it was staked and played here.")
    if lines:
        for hold in result.wagers:
            _show_lines(hold, out)
    _pairs("The house", _house(result), out)
    _pairs("Streaks of a single seat", _seat(result), out)
    if result.shifts.count:
        _pairs(f"Shifts of {result.shifts.rounds:,} rounds: {result.shifts.count:,}", _shifts(result), out)
    if result.meter_runs:
        _table(METERS, [_meter(run) for run in result.meter_runs], out)
    if result.envies:
        out.print(f"Envy bonuses: {result.envies:,}, {dollars(result.envy_cents)} in total.")


def _hold(hold: "Hold") -> tuple[str, ...]:
    band = hold.band_cents
    return (
        hold.wager,
        dollars(hold.stake_cents),
        dollars(hold.sums.staked),
        dollars(hold.paid_cents),
        f"{hold.hold:.3%}",
        "" if hold.theoretical_hold is None else f"{hold.theoretical_hold:.3%}",
        _rounded(hold.sums.net),
        f"{_rounded(band[0])} to {_rounded(band[1])}" if band else "",
        "" if hold.deviation is None else f"{hold.deviation:+.2f}",
        "no hit" if hold.interval is None else f"{hold.interval:,.1f}",
    )


def _show_lines(hold: "Hold", out: "Console") -> None:
    for wager in dict.fromkeys(line.wager for line in hold.lines):
        rows = [
            (
                line.line,
                f"{line.hands:,}",
                f"{hold.hands / line.hands:,.1f}" if line.hands else "never",
                f"{float(1 / line.chance):,.1f}" if line.chance else "",
                f"{line.hands / hold.hands:.4%}",
                "" if line.chance is None else f"{float(line.chance):.4%}",
            )
            for line in hold.lines
            if line.wager == wager
        ]
        out.print(wager, style="bold")
        _table(LINES, rows, out)
    found = hold.fit
    if found:
        out.print(f"Chi-square {found.chi_square:.2f} with {found.degrees} degrees of freedom, p {found.p:.4f}.\n")


def _house(result: "Simulation") -> Iterator[tuple[str, str]]:
    house, theory = result.house, result.theoretical_cents
    yield "won", signed(house.total) + ("" if theory is None else f", {_rounded(theory)} in theory")
    yield "lowest and highest", f"{signed(house.lowest)} and {signed(house.highest)}"
    yield "largest drawdown", _swing(house.drawdown)
    yield "largest run-up", _swing(house.rise)
    yield "worst and best round", f"{signed(result.worst_round)} and {signed(result.best_round)}"
    yield "longest losing streak", _row(result.house_lost)
    yield "longest winning streak", _row(result.house_won)


def _seat(result: "Simulation") -> Iterator[tuple[str, str]]:
    for title, row in (("longest losing streak", result.seat_lost), ("longest winning streak", result.seat_won)):
        yield title, _row(row) + (f", seat {row.seat}" if row.rounds and result.seats > 1 else "")


def _shifts(result: "Simulation") -> Iterator[tuple[str, str]]:
    shifts, theory = result.shifts, result.theoretical_cents
    assert shifts.mean is not None
    assert shifts.variance is not None
    expected = "" if theory is None else f", {_rounded(theory / result.rounds * shifts.rounds)} in theory"
    yield "mean", _rounded(float(shifts.mean)) + expected
    yield "standard deviation", dollars(round(math.sqrt(shifts.variance)))
    yield "worst and best", f"{signed(shifts.worst or 0)} and {signed(shifts.best or 0)}"
    yield "losing shifts", f"{shifts.lost:,}, {shifts.lost / shifts.count:.1%}"


def _meter(run: "MeterRun") -> tuple[str, ...]:
    data = run.as_dict()
    wait = data["wait"]
    return (
        run.name,
        dollars(run.began_cents),
        dollars(round(run.contributed)),
        dollars(data["paid"]),
        dollars(math.floor(run.shows)),
        f"{len(run.paid):,}",
        "no hit" if wait["mean"] is None else f"{wait['mean']:,.0f}",
        "" if wait["expected"] is None else f"{wait['expected']:,.0f}",
        "" if wait["longest"] is None else f"{wait['longest']:,}",
        f"{wait['since_last']:,}",
    )


def _swing(swing: "Swing") -> str:
    rounds = f", rounds {swing.after_round + 1:,} to {swing.round:,}" if swing.cents else ""
    return dollars(swing.cents) + rounds


def _row(row: "Row") -> str:
    return f"{row.rounds:,} rounds, ending in round {row.last_round:,}" if row.rounds else "none"


def _rounded(cents: float) -> str:
    return signed(round(cents / 100) * 100)


def _pairs(title: str, pairs: Iterator[tuple[str, str]], out: "Console") -> None:
    out.print(title, style="bold")
    for name, value in pairs:
        out.print(f"  {name:<24}{value}", markup=False)


def _table(columns: Sequence[str], rows: Sequence[Sequence[str]], out: "Console") -> None:
    from rich import box
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for at, column in enumerate(columns):
        table.add_column(column, justify="right" if at else "left", overflow="fold")
    for row in rows:
        table.add_row(*(Text(cell) for cell in row))
    out.print(table)
