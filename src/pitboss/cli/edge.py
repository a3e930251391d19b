"""`pitboss edge`: the exact worth of wagers."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pitboss.cli.games import known_game
from pitboss.cli.output import Failure, console, show_json, show_table
from pitboss.rules.choices import Choices, choices_from
from pitboss.rules.game import GameDefinition
from pitboss.rules.refusal import Refusal


def edge_command(
    name: str,
    *,
    wager: str | None,
    paytable: str | None,
    settings: Sequence[str],
    submission: Path | None,
    table: str | None,
    ties: str,
    stake: int | None,
    meters: Sequence[str],
    others: int,
    recompute: bool,
    as_json: bool,
) -> None:
    """Print the exact worth of each wager and paytable asked for."""
    game = known_game(name)
    base, echoed = _choices(game, settings, submission, table)
    _check(game, wager, paytable, ties, stake, others)
    shown = _meters(game, meters)
    given = {"ties": ties if ties != "more" else None, "stake": stake, "others": others or None}
    echoed |= {key: value for key, value in given.items() if value is not None} | ({"meter": shown} if shown else {})
    rows = _worths(game, base, echoed, wager, paytable, ties, stake or 100, shown, others, recompute=recompute)
    if not rows:
        raise Failure(
            f"{game.title} has no {wager or 'wager'} with paytable {paytable!r}; see `pitboss games {name}`.", 2
        )
    if as_json:
        show_json([row.as_dict() for row in rows])
        return
    out = console()
    columns = ("wager", "paytable", "house edge", "hits", "deviation", "risk", "average wager", "exact worth")
    cells = [
        (
            row.wager,
            row.paytable or "",
            f"{float(row.house_edge):.4%}",
            f"{float(row.hit_frequency):.4%}",
            f"{row.standard_deviation:.4f}",
            f"{float(row.element_of_risk):.4%}",
            f"{float(row.average_wager):.4f}",
            str(row.ev),
        )
        for row in rows
    ]
    show_table(f"{game.title}: exact, per unit staked; the main game per unit of Ante", columns, cells, out)
    for row in rows:
        if row.break_even_meter is not None:
            from pitboss.rules.payoff import dollars

            out.print(f"{row.wager} {row.paytable or ''} breaks even at a meter of {dollars(row.break_even_meter)}.")


def _worths(
    game: GameDefinition,
    base: Choices,
    echoed: dict[str, Any],
    wager: str | None,
    paytable: str | None,
    ties: str,
    stake: int,
    meters: dict[str, int],
    others: int,
    *,
    recompute: bool,
) -> list[Any]:
    from pitboss.cli.waiting import waiting
    from pitboss.lab.edges import edges
    from pitboss.lab.exact import NotAnalysed

    with waiting("Loading the kernels; the first time they are compiled") as announce:
        try:
            return list(
                edges(
                    game,
                    base,
                    wager=wager,
                    paytable=paytable,
                    settings=echoed,
                    announce=announce,
                    ties=ties,
                    stake_cents=stake,
                    meters=meters,
                    others=others,
                    recompute=recompute,
                )
            )
        except NotAnalysed as missing:
            raise Failure(str(missing)) from None


def _choices(
    game: GameDefinition, settings: Sequence[str], submission: Path | None, table: str | None
) -> tuple[Choices, dict[str, Any]]:
    base = Choices()
    if submission:
        from pitboss.cli.submissions import table_choices

        found = table_choices(submission, table)
        if game.name not in found:
            raise Failure(f"{submission} has no table of {game.name}.")
        base = found[game.name]
    echoed: dict[str, Any] = {}
    for setting in settings:
        key, equals, value = setting.partition("=")
        if not equals or key not in game.options_by_name:
            names = ", ".join(game.options_by_name) or "none"
            raise Failure(f"--set takes option=value with an option of {game.name} ({names}), not {setting!r}.", 2)
        echoed[key] = value
    choices = choices_from(game, echoed, base)
    if isinstance(choices, Refusal):
        raise Failure(f"{choices.reason}.", 2)
    return choices, echoed


def _check(
    game: GameDefinition, wager: str | None, paytable: str | None, ties: str, stake: int | None, others: int
) -> None:
    from pitboss.lab.exact import MAIN

    if wager is not None and wager not in (MAIN, *game.wagers_by_name):
        names = ", ".join((MAIN, *game.wagers_by_name))
        raise Failure(f"{game.name} has no wager called {wager!r}; choose {names}.", 2)
    if ties not in ("more", "less"):
        raise Failure("--ties is more or less.", 2)
    if stake is not None and stake <= 0:
        raise Failure("--stake is a positive number of cents.", 2)
    progressive = game.progressive
    if progressive and progressive.envy_cents and stake is not None and wager in (None, progressive.wager) and others:
        allowed = tuple(progressive.envy_cents)
        if stake not in allowed:
            raise Failure(f"Envy is priced for stakes of {' or '.join(map(str, allowed))} cents.", 2)
    most = game.positions.most - 1
    if not 0 <= others <= most:
        raise Failure(f"--others is from 0 to {most}.", 2)


def _meters(game: GameDefinition, given: Sequence[str]) -> dict[str, int]:
    found = {}
    known = {
        meter.name for meters in (game.progressive.meters.values() if game.progressive else ()) for meter in meters
    }
    for text in given:
        key, _, cents = text.partition("=")
        if key not in known or not cents.isdecimal():
            names = ", ".join(sorted(known)) or "none"
            raise Failure(f"--meter takes NAME=CENTS with a meter of {game.name} ({names}), not {text!r}.", 2)
        found[key] = int(cents)
    return found
