"""`pitboss strategy`: what each action is worth with given cards, or a chart a person can use."""

from collections.abc import Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pitboss.cli.chosen import changed, submitted
from pitboss.cli.games import known_game
from pitboss.cli.output import Failure, console, show_json, show_table
from pitboss.rules.game import GameDefinition
from pitboss.rules.in_force import RulesInForce

if TYPE_CHECKING:
    from pitboss.lab.advice import Advice
    from pitboss.odds.charts import Chart, Grid


def strategy_command(
    name: str,
    *,
    cards: str | None,
    board: str | None,
    settings: Sequence[str],
    paytables: Sequence[str],
    submission: Path | None,
    table: str | None,
    as_json: bool,
) -> None:
    """Print what each action is worth with these cards, or the game's chart if there are none."""
    game = known_game(name)
    given = _given(settings, game.options_by_name, game, "{} isn't valid for --set. Write OPTION=VALUE with an option")
    given |= _given(
        paytables, game.wagers_by_name, game, "{} isn't valid for --paytable. Write WAGER=LETTER with a wager"
    )
    choices = changed(game, submitted(game, submission, table).choices, given)
    if board and not cards:
        raise Failure("--board needs --cards as well.", 2)
    rules = RulesInForce(game, choices)
    if cards is not None:
        _show_advice(game, _advice(rules, tuple(cards.split()), tuple((board or "").split())), as_json=as_json)
    else:
        _show_chart(game, given, _chart(rules), as_json=as_json)


def _given(texts: Sequence[str], known: Mapping[str, object], game: GameDefinition, sentence: str) -> dict[str, str]:
    found = {}
    for text in texts:
        key, equals, value = text.partition("=")
        if not equals or key not in known:
            names = ", ".join(known) or "it has none"
            raise Failure(f"{sentence.format(repr(text))} of {game.name}: {names}.", 2)
        found[key] = value
    return found


def _advice(rules: RulesInForce, cards: tuple[str, ...], board: tuple[str, ...]) -> "Advice":
    from pitboss.cli.waiting import waiting
    from pitboss.lab.advice import WrongCards, advise
    from pitboss.lab.exact_counts import NotAnalysed

    with waiting("Evaluating every action (kernels are compiled and the game is solved on first use)"):
        try:
            return advise(rules, cards, board)
        except WrongCards as wrong:
            raise Failure(str(wrong), 2) from None
        except NotAnalysed as missing:
            raise Failure(str(missing)) from None


def _chart(rules: RulesInForce) -> "Chart":
    from pitboss.cli.waiting import waiting
    from pitboss.lab.advice import chart_of
    from pitboss.lab.exact_counts import NotAnalysed

    with waiting("Finding the strategy (kernels are compiled and the game is solved on first use)"):
        try:
            return chart_of(rules)
        except NotAnalysed as missing:
            raise Failure(str(missing)) from None


def _show_advice(game: GameDefinition, advice: "Advice", *, as_json: bool) -> None:
    if as_json:
        show_json(advice.as_dict())
        return
    board = f", board {' '.join(advice.board)}" if advice.board else ""
    rows = [
        (
            "best" if name == advice.best else "equal" if not advice.cost(name) else "",
            name,
            f"{_decimal(worth, 6):+}",
            f"{_decimal(advice.cost(name), 6)}" if advice.cost(name) else "",
            str(worth),
        )
        for name, worth in advice.worths.items()
    ]
    title = f"{game.title}, {advice.asked}: {' '.join(advice.cards)}{board}; in units of the Ante"
    out = console()
    out.print(title, style="bold")
    show_table("", ("", "action", "value", "cost", "exact value"), rows, out)


def _show_chart(game: GameDefinition, given: dict[str, str], chart: "Chart", *, as_json: bool) -> None:
    if as_json:
        sections = [each.as_dict() for each in chart.sections]
        data: dict[str, Any] = {"game": game.name, "choices": given, "sections": sections, "cost": str(chart.cost)}
        show_json(data)
        return
    out = console()
    out.print(f"{game.title}: a strategy to memorize, with its exact cost", style="bold")
    for section in chart.sections:
        out.print()
        out.print(section.title, style="bold")
        if section.grid:
            _show_grid(section.grid)
        for rule in section.rules:
            out.print(f"  {rule}", markup=False)
        if section.hands:
            out.print(f"  Hands: {', '.join(f'{action} {count:,}' for action, count in section.hands.items())}.")
        out.print(f"  Cost compared with optimal play: {_percent(section.cost)}")
    if len(chart.sections) > 1:
        out.print()
        out.print(f"Cost of the whole strategy: {_percent(chart.cost)}")


def _show_grid(grid: "Grid") -> None:
    out = console()
    width = max(len(cell) for row in (grid.columns, *grid.cells) for cell in row)
    margin = max(map(len, grid.rows))
    out.print("  " + " " * margin + "".join(f" {column:>{width}}" for column in grid.columns), markup=False)
    for head, row in zip(grid.rows, grid.cells, strict=True):
        out.print(f"  {head:>{margin}}" + "".join(f" {cell:>{width}}" for cell in row), markup=False)
    for mark, meaning in grid.legend.items():
        out.print(f"  {mark}: {meaning}", markup=False)


def _percent(cost: Fraction) -> str:
    if not cost:
        return "none; every hand is played optimally."
    return f"{_decimal(100 * cost, 4)}% of the Ante, exactly {cost}."


def _decimal(value: Fraction, places: int) -> Decimal:
    return (Decimal(value.numerator) / Decimal(value.denominator)).quantize(Decimal(1).scaleb(-places))
