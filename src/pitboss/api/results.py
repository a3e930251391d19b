"""Python API results besides rows: strategies, simulations, settlements and checks, which print themselves."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from pitboss.rules.payoff import dollars
from pitboss.sheets.sheet import Rows, Sheet, Shown

if TYPE_CHECKING:
    from pitboss.lab.simulate import Hold, Simulation
    from pitboss.odds.charts import Chart, Section
    from pitboss.submission.explain import Explanation
    from pitboss.submission.fault import Fault, Note

SETTLED_COLUMNS = ("seat", "wager", "stake", "result", "odds", "net", "clause")
SIMULATED_COLUMNS = ("wager", "handle", "players' net", "win %", "theory", "z-score")
COMPLETE = "Complete: it plays every hand optimally."


@dataclass(frozen=True, slots=True)
class Choice:
    """An available action, its value in units of the Ante, and what it loses against the best."""

    action: str
    worth: Fraction
    cost: Fraction

    def as_dict(self) -> dict[str, str]:
        """Return the choice as plain data, with figures as fractions in lowest terms."""
        return {"action": self.action, "worth": str(self.worth), "cost": str(self.cost)}


class Strategy(Shown):
    """A strategy a person can memorize, section by section, with its cost against optimal play."""

    def __init__(self, title: str, chart: "Chart") -> None:
        self.title, self.chart = title, chart

    @property
    def cost(self) -> Fraction:
        """Return the cost of the strategy, in units of the Ante."""
        return self.chart.cost

    def as_dict(self) -> dict[str, Any]:
        """Return the strategy as plain data."""
        return {"sections": [section.as_dict() for section in self.chart.sections], "cost": str(self.cost)}

    def sheets(self) -> tuple[Sheet, ...]:
        """Return a sheet for each decision."""
        sections = tuple(map(_section, self.chart.sections))
        if len(sections) == 1:
            return (Sheet(self.title), *sections)
        return (Sheet(self.title), *sections, Sheet("The whole strategy", notes=(_costs(self.cost),)))


class Simulated(Rows["Hold"]):
    """The results of a simulation, a row for each wager; `simulation` has all of them."""

    def __init__(self, title: str, simulation: "Simulation") -> None:
        self.simulation = simulation
        won = simulation.house.total
        notes = (f"The house {'won' if won >= 0 else 'lost'} {dollars(abs(won))}.",)
        super().__init__(
            title,
            SIMULATED_COLUMNS,
            simulation.wagers,
            cells=_held,
            data=lambda hold: hold.as_dict(),
            numbers=frozenset(SIMULATED_COLUMNS[1:]),
            notes=notes,
        )

    def as_dict(self) -> dict[str, Any]:
        """Return everything as `pitboss simulate --json` prints it."""
        return self.simulation.as_dict()


class Settled(Shown, dict[str, Any]):
    """A settled hand: the mapping that `pitboss settle --json` prints, displayed as a table."""

    def sheets(self) -> tuple[Sheet, ...]:
        """Return a row for each wager of each seat."""
        dealer = self["dealer"]
        title = f"Dealer: {dealer['hand']}" if dealer else "Settled"
        if dealer and dealer["qualifies"] is False:
            title += ", does not qualify"
        rows = tuple(row for seat in self["seats"] for row in _settled(seat))
        return (Sheet(title, SETTLED_COLUMNS, rows, frozenset({"stake", "net"})),)


@dataclass(frozen=True, repr=False)
class Checked(Shown):
    """The result of checking a Rules Submission: its faults, or the choices it makes."""

    faults: tuple["Fault", ...]
    notes: tuple["Note", ...]
    choices: tuple["Explanation", ...]

    @property
    def accepted(self) -> bool:
        """Return whether the submission may be put in force."""
        return not self.faults

    def as_dict(self) -> dict[str, Any]:
        """Return everything as `pitboss check --json` prints it."""
        return {
            "accepted": self.accepted,
            "faults": [fault.as_dict() for fault in self.faults],
            "notes": [note.as_dict() for note in self.notes],
            "choices": [choice.as_dict() for choice in self.choices],
        }

    def sheets(self) -> tuple[Sheet, ...]:
        """Return the faults, or a sentence for each choice."""
        faults, notes = tuple(map(str, self.faults)), tuple(map(str, self.notes))
        if faults:
            many = f"{len(faults)} error{'s' * (len(faults) > 1)}"
            return (Sheet(f"The submission cannot be put in force: {many}", notes=faults + notes),)
        return (Sheet("The submission can be put in force", notes=(*map(str, self.choices), *notes)),)


def _section(section: "Section") -> Sheet:
    grid = section.grid
    hands = ", ".join(f"{action} {count:,}" for action, count in section.hands.items())
    notes = (
        *(f"{mark}: {meaning}" for mark, meaning in (grid.legend.items() if grid else ())),
        *section.rules,
        *((f"Hands: {hands}.",) if hands else ()),
        _costs(section.cost),
    )
    if grid is None:
        return Sheet(section.title, notes=notes)
    rows = tuple((head, *cells) for head, cells in zip(grid.rows, grid.cells, strict=True))
    return Sheet(section.title, ("", *grid.columns), rows, notes=notes)


def _costs(cost: Fraction) -> str:
    return f"Costs {float(cost):.4%} of the Ante against optimal play, exactly {cost}." if cost else COMPLETE


def _held(hold: "Hold") -> Sequence[str]:
    middle, away = hold.theoretical_cents, hold.deviation
    return (
        hold.wager,
        dollars(hold.sums.staked),
        dollars(hold.sums.net),
        f"{hold.hold:.3%}",
        "" if middle is None else f"{-middle / hold.sums.staked:.3%}",
        "" if away is None else f"{away:+.2f}",
    )


def _settled(seat: Mapping[str, Any]) -> Iterator[tuple[str, ...]]:
    number = str(seat["seat"])
    for wager, result in seat["wagers"].items():
        clauses = ", ".join(filter(None, (result["clause"], result["odds_clause"])))
        yield (
            number,
            wager,
            dollars(result["stake"]),
            result["result"],
            result["odds"] or "",
            dollars(result["net"]),
            clauses,
        )
    for bonus in seat["envy"]:
        yield number, "envy", "", bonus["hand"], "", dollars(bonus["net"]), f"seat {bonus['from_seat']}"
    yield number, "total", "", seat["hand"] or "", "", dollars(seat["net"]), ""
