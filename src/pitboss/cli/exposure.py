"""`pitboss edge --seen` and `pitboss exposure`: what cards that are seen too early are worth to a player."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pitboss.cli.chosen import changed, settings_of, submitted
from pitboss.cli.games import known_game
from pitboss.cli.output import Failure, console, show_json, show_table
from pitboss.rules.choices import Choices
from pitboss.rules.game import GameDefinition
from pitboss.rules.payoff import dollars

if TYPE_CHECKING:
    from pitboss.cli.edge import Asked
    from pitboss.lab.exposures import ExposedWorth
    from pitboss.lab.vulnerability import SheetRow, Vulnerability
    from pitboss.rules.in_force import RulesInForce

SEEN_COLUMNS = ("seen", "paytable", "player's edge", "hit frequency", "std. dev.", "average wager", "expected value")


SHEET_COLUMNS = ("seen", "player's edge", "gain over fair play", "an hour at {}", "an hour at {}", "method")


def exposure_command(
    name: str,
    settings: Sequence[str],
    submission: Path | None,
    table: str | None,
    hands_an_hour: int,
    *,
    recompute: bool,
    as_json: bool,
) -> None:
    """Print the vulnerability sheet of a game."""
    from pitboss.cli.waiting import waiting
    from pitboss.lab.exact_counts import NotAnalysed
    from pitboss.lab.vulnerability import vulnerability
    from pitboss.rules.in_force import RulesInForce

    if hands_an_hour < 1:
        raise Failure("--hands must be a positive number of hands per hour.", 2)
    game = known_game(name)
    held = submitted(game, submission, table)
    rules = RulesInForce(game, changed(game, held.choices, settings_of(game, settings)))
    limits = _limits(rules)
    with waiting("Loading kernels (compiled on first use)") as announce:
        try:
            sheet = vulnerability(rules, hands_an_hour=hands_an_hour, recompute=recompute, announce=announce, **limits)
        except NotAnalysed as missing:
            raise Failure(str(missing)) from None
    if as_json:
        show_json([row.as_dict() for row in sheet.rows])
    else:
        _show_sheet(game, sheet, hands_an_hour)


def _limits(rules: "RulesInForce") -> dict[str, int]:
    required = next(wager.name for wager in rules.game.wagers if wager.required)
    limits = rules.limits(required)
    found = {"minimum_cents": limits.minimum, "maximum_cents": limits.maximum}
    return {name: cents for name, cents in found.items() if cents}


def _show_sheet(game: GameDefinition, sheet: "Vulnerability", hands_an_hour: int) -> None:
    from pitboss.lab.vulnerability import rules_told, sharing_told

    out = console()
    if first := sharing_told(sheet):
        out.print(f"{first}\n", markup=False)
    least, most = (
        (dollars(sheet.rows[0].minimum_cents), dollars(sheet.rows[0].maximum_cents)) if sheet.rows else ("", "")
    )
    columns = (*SHEET_COLUMNS[:3], SHEET_COLUMNS[3].format(least), SHEET_COLUMNS[4].format(most), SHEET_COLUMNS[5])
    title = f"{game.title}: what exposed cards are worth to a player, per unit of Ante; {hands_an_hour} hands per hour"
    show_table(title, columns, map(_sheet_cells, sheet.rows), out)
    out.print(f"Fair play: {float(sheet.fair):+.4%} for the player.", markup=False)
    for seen, lines, cost in rules_told(sheet):
        out.print(f"\n{seen}, a rule to remember (costs {float(cost):.4%} compared with best play):", markup=False)
        for line in lines:
            out.print(f"  {line}", markup=False)
    for words, reason in sheet.left_out:
        out.print(f"\n{' '.join(words)} is left out. {reason}", markup=False)


def _sheet_cells(row: "SheetRow") -> tuple[str, ...]:
    error = row.worth.standard_error
    return (
        " ".join(row.worth.seen),
        f"{float(row.worth.ev):+.4%}",
        f"{float(row.gain):+.4%}",
        *(f"{'-' * (cents < 0)}{dollars(abs(cents))}" for cents in row.hourly_cents),
        row.worth.method if error is None else f"{row.worth.method}, ± {error:.4%}",
    )


def seen_rows(game: GameDefinition, base: Choices, asked: "Asked", echoed: dict[str, Any]) -> "list[ExposedWorth]":
    """Return what the main game is worth with these cards seen, under each of its paytables or those asked for."""
    from pitboss.cli.waiting import waiting
    from pitboss.lab.edges import cases, chosen_cases, with_paytable
    from pitboss.lab.exact_counts import MAIN, NotAnalysed
    from pitboss.lab.exposures import exposed_worth
    from pitboss.odds.exposure import WrongExposure, exposure_of

    only_chosen = asked.submission is not None and asked.paytable is None
    found = []
    with waiting("Loading kernels (compiled on first use)") as announce:
        for wager, letter in chosen_cases(game, base) if only_chosen else cases(game, base):
            if wager != MAIN or asked.paytable not in (None, letter):
                continue
            rules = with_paytable(game, base, MAIN, letter)
            try:
                exposure = exposure_of(rules, asked.seen)
                terms: dict[str, Any] = {"ties": asked.ties, "recompute": asked.recompute, "announce": announce}
                found.append(exposed_worth(rules, exposure, options=echoed, **terms))
            except WrongExposure as wrong:
                raise Failure(str(wrong), 2) from None
            except NotAnalysed as missing:
                raise Failure(str(missing)) from None
    return found


def show_seen(game: GameDefinition, rows: "Sequence[ExposedWorth]") -> None:
    """Print the value of the main game with cards seen, and how it was found."""
    out = console()
    show_table(
        f"{game.title}: cards seen before the first decision; per unit of Ante", SEEN_COLUMNS, map(_cells, rows), out
    )
    for row in rows:
        for sentence in _told(row):
            out.print(sentence, markup=False)


def _cells(row: "ExposedWorth") -> tuple[str, ...]:
    return (
        " ".join(row.seen),
        row.paytable or "",
        f"{float(row.ev):+.4%}",
        "" if row.hit_frequency is None else f"{float(row.hit_frequency):.4%}",
        "" if row.standard_deviation is None else f"{row.standard_deviation:.4f}",
        "" if row.average_wager is None else f"{float(row.average_wager):.4f}",
        str(row.ev),
    )


def _told(row: "ExposedWorth") -> Iterator[str]:
    letter = f"{row.paytable}: " if row.paytable else ""
    if row.standard_error is not None:
        yield (
            f"{letter}simulated: {row.situations:,} random situations, each solved exactly;"
            f" standard error {row.standard_error:.4%}."
        )
    else:
        yield f"{letter}exact, over {row.situations:,} different situations."
    if row.answers:
        shares = ", ".join(f"{name} {float(share):.4%}" for name, share in row.answers.items())
        yield f"{letter}best first answer: {shares}."
