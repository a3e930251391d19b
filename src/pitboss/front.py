"""Pitboss for a person at a Python prompt or in a notebook: games, worths, settlements and rulings that read well."""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from html import escape
from importlib import import_module
from typing import TYPE_CHECKING, Any, Generic, TypeVar, overload

from pitboss.games import UnknownGame, catalogue, game, game_names
from pitboss.round.finished import rules_for, settle_hand
from pitboss.rules.choices import Choices, choices_from
from pitboss.rules.game import GameDefinition
from pitboss.rules.refusal import Refusal
from pitboss.rules.ruling import Ruling, general_rulings

if TYPE_CHECKING:
    from pitboss.lab.worth import Worth

__all__ = ["MissingExtra", "Rows", "WrongTerms", "edge", "game", "game_names", "rulings", "settle"]

Row = TypeVar("Row")
USUAL_STAKE_CENTS = 100
WORTH_COLUMNS = ("wager", "paytable", "house edge", "hits", "deviation", "risk", "average wager", "exact worth")
WORTH_NUMBERS = frozenset(WORTH_COLUMNS[2:-1])
RULING_COLUMNS = ("id", "clause", "option", "reading")


class MissingExtra(ImportError):
    """An optional package that this needs is not installed."""


class WrongTerms(ValueError):
    """What was asked does not fit the game: the sentence says why."""


class Rows(Sequence[Row], Generic[Row]):
    """Results in their order, shown as a table at a prompt and in a notebook."""

    def __init__(
        self,
        title: str,
        columns: Sequence[str],
        rows: Iterable[Row],
        *,
        cells: Callable[[Row], Sequence[str]],
        data: Callable[[Row], dict[str, Any]],
        numbers: frozenset[str] = frozenset(),
    ) -> None:
        self.title = title
        self._columns, self._rows = tuple(columns), tuple(rows)
        self._cells, self._data, self._numbers = cells, data, numbers

    def __len__(self) -> int:
        return len(self._rows)

    @overload
    def __getitem__(self, index: int) -> Row: ...

    @overload
    def __getitem__(self, index: slice) -> "Rows[Row]": ...

    def __getitem__(self, index: int | slice) -> "Row | Rows[Row]":
        if isinstance(index, int):
            return self._rows[index]
        kept = self._rows[index]
        return Rows(self.title, self._columns, kept, cells=self._cells, data=self._data, numbers=self._numbers)

    def __repr__(self) -> str:
        table = [self._columns, *map(self._cells, self._rows)]
        widths = [max(map(len, column)) for column in zip(*table, strict=True)]
        lines = (
            "  ".join(
                cell.rjust(width) if name in self._numbers else cell.ljust(width)
                for name, cell, width in zip(self._columns, row, widths, strict=True)
            ).rstrip()
            for row in table
        )
        return "\n".join((self.title, "", *lines))

    def _repr_html_(self) -> str:
        head = "".join(f"<th>{escape(name)}</th>" for name in self._columns)
        body = "".join(f"<tr>{self._html_cells(row)}</tr>" for row in self._rows)
        caption = f"<caption>{escape(self.title)}</caption>"
        return f"<table>{caption}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"

    def _html_cells(self, row: Row) -> str:
        return "".join(
            f'<td style="text-align: {"right" if name in self._numbers else "left"}">{escape(cell)}</td>'
            for name, cell in zip(self._columns, self._cells(row), strict=True)
        )

    def as_dicts(self) -> list[dict[str, Any]]:
        """Return each row as plain data, exact figures as fractions in lowest terms."""
        return [self._data(row) for row in self._rows]

    def to_polars(self) -> Any:
        """Return the rows as a polars data frame; a value that is itself a mapping is written as JSON."""
        try:
            polars = import_module("polars")
        except ImportError:
            raise MissingExtra("Data frames need polars, which `pip install pitboss[data]` brings.") from None
        rows = self.as_dicts()
        names = dict.fromkeys(name for row in rows for name in row)
        columns = {name: [_plain(row.get(name)) for row in rows] for name in names}
        return polars.DataFrame(columns, strict=False)


def edge(
    game: GameDefinition | str,
    *,
    paytables: Mapping[str, str] | None = None,
    options: Mapping[str, str | int] | None = None,
    wager: str | None = None,
    ties: str = "more",
    stake_cents: int | None = None,
    meters: Mapping[str, int] | None = None,
    others: int = 0,
) -> "Rows[Worth]":
    """Return the exact worth of a game's wagers, under every paytable of those for which none is named."""
    from pitboss.lab.edges import edges

    game = _game(game)
    paytables, options = dict(paytables or {}), dict(options or {})
    base = _choices(game, paytables, options)
    _check(game, wager, ties, stake_cents, meters or {}, others)
    echoed: dict[str, Any] = {**options}
    echoed |= {"ties": ties} if ties != "more" else {}
    echoed |= {"stake": stake_cents} if stake_cents is not None else {}
    echoed |= {"meter": dict(meters)} if meters else {}
    echoed |= {"others": others} if others else {}
    terms: dict[str, Any] = {"ties": ties, "stake_cents": stake_cents or USUAL_STAKE_CENTS, "meters": meters}
    rows: list[Worth] = []
    for name, letter in _asked(game, base, paytables, wager):
        rows += edges(game, base, wager=name, paytable=letter, settings=echoed, others=others, **terms)
    title = f"{game.title}: exact, per unit staked; the main game per unit of Ante"
    return Rows(title, WORTH_COLUMNS, rows, cells=_worth_cells, data=_worth_data, numbers=WORTH_NUMBERS)


def settle(hand: Mapping[str, Any]) -> dict[str, Any] | Refusal:
    """Return what a finished hand comes to, wager by wager with clauses, or why it cannot be settled."""
    name = hand.get("game")
    if not isinstance(name, str):
        return Refusal("A hand names its game", None, "game")
    try:
        rules = rules_for(game(name), hand.get("choices"))
    except UnknownGame as unknown:
        return Refusal(str(unknown).rstrip("."), None, "game")
    return rules if isinstance(rules, Refusal) else settle_hand(rules, hand)


def rulings(name: GameDefinition | str) -> Rows[Ruling]:
    """Return how the unclear clauses of a game are read, those of every game last."""
    one = _game(name)
    found = (*catalogue.rulings(one.name), *general_rulings())
    title = f"{one.title}: where the rulebook is unclear, and how it is read"
    return Rows(title, RULING_COLUMNS, found, cells=_ruling_cells, data=asdict)


def _game(given: GameDefinition | str) -> GameDefinition:
    return game(given) if isinstance(given, str) else given


def _choices(game: GameDefinition, paytables: Mapping[str, str], options: Mapping[str, str | int]) -> Choices:
    known = (("paytables", paytables, game.wagers_by_name), ("options", options, game.options_by_name))
    for kind, given, names in known:
        for name in given:
            if name not in names:
                raise WrongTerms(f"{game.name} has no {kind[:-1]} for {name!r}; {kind} are for {', '.join(names)}.")
    choices = choices_from(game, {**paytables, **options})
    if isinstance(choices, Refusal):
        raise WrongTerms(f"{choices}.")
    return choices


def _check(
    game: GameDefinition, wager: str | None, ties: str, stake_cents: int | None, meters: Mapping[str, int], others: int
) -> None:
    from pitboss.lab.edges import cases

    names = dict.fromkeys(name for name, _ in cases(game, Choices()))
    if wager is not None and wager not in names:
        raise WrongTerms(f"{game.name} prices {', '.join(names)}, not {wager!r}.")
    if ties not in ("more", "less"):
        raise WrongTerms(f"ties is 'more' or 'less', not {ties!r}.")
    if stake_cents is not None and stake_cents <= 0:
        raise WrongTerms(f"stake_cents is a positive number of cents, not {stake_cents}.")
    if not 0 <= others < game.positions.most:
        raise WrongTerms(f"others is from 0 to {game.positions.most - 1}, not {others}.")
    progressive = game.progressive
    known = {meter.name for shown in (progressive.meters.values() if progressive else ()) for meter in shown}
    if unknown := sorted(set(meters) - known):
        raise WrongTerms(f"{game.name} has no meter {unknown[0]!r}; it has {', '.join(sorted(known)) or 'none'}.")
    allowed = tuple(progressive.envy_cents) if progressive else ()
    if others and allowed and stake_cents is not None and stake_cents not in allowed:
        raise WrongTerms(f"Envy is priced for stakes of {' or '.join(map(str, allowed))} cents, not {stake_cents}.")


def _asked(
    game: GameDefinition, base: Choices, paytables: Mapping[str, str], wager: str | None
) -> Iterator[tuple[str, str | None]]:
    from pitboss.lab.edges import cases
    from pitboss.lab.exact import MAIN, main_wagers
    from pitboss.rules.in_force import RulesInForce

    chosen = dict(paytables)
    for name in main_wagers(RulesInForce(game, base)):
        if name in paytables:
            chosen[MAIN] = paytables[name]
    for name, letter in cases(game, base):
        if wager in (None, name) and letter == chosen.get(name, letter):
            yield name, letter


def _worth_cells(row: "Worth") -> tuple[str, ...]:
    return (
        row.wager,
        row.paytable or "",
        f"{float(row.house_edge):.4%}",
        f"{float(row.hit_frequency):.4%}",
        f"{row.standard_deviation:.4f}",
        f"{float(row.element_of_risk):.4%}",
        f"{float(row.average_wager):.4f}",
        str(row.ev),
    )


def _worth_data(row: "Worth") -> dict[str, Any]:
    return row.as_dict()


def _ruling_cells(row: Ruling) -> tuple[str, ...]:
    return row.id, row.clause, row.option or "", row.reading


def _plain(value: object) -> object:
    return json.dumps(value, ensure_ascii=False) if isinstance(value, Mapping) else value
