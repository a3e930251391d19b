"""`pitboss edge`: the exact value of wagers."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pitboss.api.calls import worth_rows
from pitboss.cli.chosen import changed, settings_of, submitted
from pitboss.cli.games import known_game
from pitboss.cli.output import Failure, console, show_json, show_table
from pitboss.cli.par import par_data, show_par
from pitboss.rules.choices import Choices
from pitboss.rules.game import GameDefinition
from pitboss.rules.payoff import dollars

if TYPE_CHECKING:
    from pitboss.lab.meters import MeterCourse
    from pitboss.lab.worth import Worth


@dataclass(frozen=True, slots=True)
class Asked:
    """The command's options: which wagers, under which terms, and the output format."""

    wager: str | None = None
    paytable: str | None = None
    settings: Sequence[str] = ()
    submission: Path | None = None
    table: str | None = None
    ties: str = "more"
    stake: int | None = None
    meters: Sequence[str] = ()
    rates: Sequence[str] = ()
    others: int = 0
    seen: Sequence[str] = ()
    recompute: bool = False
    distribution: bool = False
    par: bool = False


def edge_command(name: str, asked: Asked, *, as_json: bool) -> None:
    """Print the exact value of each requested wager and paytable."""
    game = known_game(name)
    held = submitted(game, asked.submission, asked.table)
    given = _settings(game, asked.settings)
    base = changed(game, held.choices, given)
    _check(game, asked)
    if asked.seen:
        _seen(game, base, asked, given, as_json=as_json)
        return
    meters, rates = _meters(game, asked.meters), _rates(game, asked.rates) or dict(held.rates)
    typed = {"ties": asked.ties if asked.ties != "more" else None, "stake": asked.stake, "others": asked.others or None}
    echoed = given | {key: value for key, value in typed.items() if value is not None}
    echoed |= {"meter": meters} if meters else {}
    rows = _worths(game, base, asked, echoed, meters)
    if not rows:
        raise Failure(_nothing(game, asked), 2)
    told = [(row, _courses(game, base, row, rates)) for row in rows]
    if as_json:
        show_json([_data(row, runs, asked) for row, runs in told])
    else:
        _show(game, told, asked)


def _seen(game: GameDefinition, base: Choices, asked: Asked, given: dict[str, Any], *, as_json: bool) -> None:
    from pitboss.cli.exposure import seen_rows, show_seen
    from pitboss.lab.exact_counts import MAIN

    if asked.wager not in (None, MAIN):
        raise Failure("Exposed cards change how the main game is played. Use --seen with --wager main.", 2)
    for name in ("stake", "meters", "rates", "others", "distribution"):
        if getattr(asked, name):
            raise Failure(f"--{name.rstrip('s')} has no effect on the main game and can't be used with --seen.", 2)
    echoed = given | ({"ties": asked.ties} if asked.ties != "more" else {})
    rows = seen_rows(game, base, asked, echoed)
    if not rows:
        raise Failure(_nothing(game, asked), 2)
    if as_json:
        show_json([row.as_dict() for row in rows])
    else:
        show_seen(game, rows)


def _nothing(game: GameDefinition, asked: Asked) -> str:
    wager = game.wagers_by_name.get(asked.wager or "")
    if wager is None or asked.paytable is not None:
        named = f"{asked.wager or 'wager'} with paytable {asked.paytable!r}"
        return f"{game.title} has no {named}; see `pitboss games {game.name}`."
    if wager.required or wager.by_action:
        return f"{wager.title} is priced together with the wagers it is played with. Use --wager main."
    if wager.defined_by_submission:
        return f"{wager.title} has no fixed terms in the rulebook. Name a submission that offers it with --submission."
    return f"{wager.title} is not offered by this submission."


def _data(row: "Worth", runs: "tuple[MeterCourse, ...]", asked: Asked) -> dict[str, Any]:
    found = row.as_dict()
    if asked.others and row.envy_each:
        found["envy_each"] = str(row.envy_each)
    if runs:
        found["meters"] = [run.as_dict() for run in runs]
    if asked.distribution:
        found |= {"combinations": row.total, "distribution": row.spread()}
    if asked.par:
        found["par"] = par_data(row)
    return found


def _show(game: GameDefinition, told: "Sequence[tuple[Worth, tuple[MeterCourse, ...]]]", asked: Asked) -> None:
    out = console()
    (sheet,) = worth_rows(game, [row for row, _ in told]).sheets()
    show_table(sheet.title, sheet.columns, sheet.rows, out)
    for row, runs in told:
        title = f"{row.wager} {row.paytable or ''}".rstrip()
        for sentence in (*_of_meters(row, runs, asked), *row.notes):
            out.print(f"{title}: {sentence}", markup=False)
        if asked.distribution:
            spread = [(f"{line['net']:>8}", f"{line['combinations']:,}", line["probability"]) for line in row.spread()]
            out.print(f"\n{title}: net results of a round in units, over {row.total:,} combinations", markup=False)
            show_table("", ("net", "combinations", "probability"), spread, out)
        if asked.par:
            show_par(title, row, out)


def _of_meters(row: "Worth", runs: "tuple[MeterCourse, ...]", asked: Asked) -> Iterator[str]:
    if row.break_even_meter == 0:
        yield "the player has the edge whatever the meter shows."
    elif row.break_even_meter is not None:
        yield f"breaks even when the meter shows {dollars(row.break_even_meter)}."
    if "stake" in row.options and asked.stake is None:
        shows = "".join(f", {name} at {dollars(cents)}" for name, cents in row.options.get("meter", {}).items())
        yield f"priced at this table's stake of {dollars(row.options['stake'])}{shows}."
    if asked.others and row.envy_each:
        yield f"each other player's envy bonuses are worth {row.envy_each}, {float(row.envy_each):.4%} of the stake."
    for run in runs:
        between, mean = run.wagers_between_hits, run.mean_cents_at_hit
        meter = "the meter" if run.name == "meter" else f"the {run.name} meter"
        grows = f"{meter} grows by {float(run.growth_cents):.2f} cents a wager"
        hit = f", is won in full once every {float(between):,.0f} wagers" if between else ""
        shows = f" and shows {dollars(round(mean))} on average when hit" if mean is not None else ""
        yield f"{grows}{hit}{shows}."


def _worths(
    game: GameDefinition, base: Choices, asked: Asked, echoed: dict[str, Any], meters: dict[str, int]
) -> "list[Worth]":
    from pitboss.cli.waiting import waiting
    from pitboss.lab.edges import edges
    from pitboss.lab.exact_counts import NotAnalysed

    with waiting("Loading kernels (compiled on first use)") as announce:
        try:
            return list(
                edges(
                    game,
                    base,
                    wager=asked.wager,
                    paytable=asked.paytable,
                    settings=echoed,
                    only_chosen=asked.submission is not None and asked.paytable is None,
                    announce=announce,
                    ties=asked.ties,
                    stake_cents=asked.stake,
                    meters=meters,
                    others=asked.others,
                    recompute=asked.recompute,
                )
            )
        except NotAnalysed as missing:
            raise Failure(str(missing)) from None


def _courses(
    game: GameDefinition, base: Choices, row: "Worth", rates: dict[str, Fraction]
) -> "tuple[MeterCourse, ...]":
    if not rates or row.break_even_meter is None:
        return ()
    from pitboss.lab.edges import with_paytable
    from pitboss.lab.exact_counts import counts_of
    from pitboss.lab.meters import courses

    rules = with_paytable(game, base, row.wager, row.paytable)
    return courses(rules, row.wager, counts_of(rules, row.wager), rates, stake_cents=row.stake_cents)


def _settings(game: GameDefinition, settings: Sequence[str]) -> dict[str, Any]:
    known = {*game.options_by_name, *(option.name for option in game.money_options)}
    for setting in settings:
        key, equals, _ = setting.partition("=")
        if not equals or key not in known:
            names = ", ".join(sorted(known)) or "none"
            raise Failure(
                f"{setting!r} isn't valid for --set. Write OPTION=VALUE with an option of {game.name}: {names}.", 2
            )
    return settings_of(game, settings)


def _check(game: GameDefinition, asked: Asked) -> None:
    from pitboss.lab.exact_counts import MAIN

    wager, stake = asked.wager, asked.stake
    if wager is not None and wager not in (MAIN, *game.wagers_by_name):
        names = ", ".join((MAIN, *game.wagers_by_name))
        raise Failure(f"{game.name} has no wager called {wager!r}. Choose one of: {names}.", 2)
    if asked.ties not in ("more", "less"):
        raise Failure("--ties must be `more` or `less`.", 2)
    if stake is not None and stake <= 0:
        raise Failure("--stake must be a positive number of cents.", 2)
    named = game.wagers_by_name.get(wager or "")
    if named and named.stakes_cents and stake is not None and stake not in named.stakes_cents:
        allowed = " or ".join(map(str, named.stakes_cents))
        raise Failure(f"The stake on {named.title} must be {allowed} cents, not {stake}.", 2)
    most = game.positions.most - 1
    if not 0 <= asked.others <= most:
        raise Failure(f"--others must be from 0 to {most}.", 2)


def _meters(game: GameDefinition, given: Sequence[str]) -> dict[str, int]:
    found = {}
    for text in given:
        key, _, cents = text.partition("=")
        if key not in _known_meters(game) or not cents.isdecimal():
            raise Failure(f"{text!r} isn't valid for --meter. Write NAME=CENTS with a meter of {_names(game)}.", 2)
        found[key] = int(cents)
    return found


def _rates(game: GameDefinition, given: Sequence[str]) -> dict[str, Fraction]:
    found = {}
    for text in given:
        key, _, part = text.partition("=")
        try:
            found[key] = Fraction(part)
        except (ValueError, ZeroDivisionError):
            found[key] = Fraction(-1)
        if key not in _known_meters(game) or not 0 <= found[key] <= 1:
            raise Failure(
                f"{text!r} isn't valid for --rate. Write NAME=PART, from 0 to 1, with a meter of {_names(game)}.",
                2,
            )
    return found


def _known_meters(game: GameDefinition) -> set[str]:
    return {meter.name for meters in (game.progressive.meters.values() if game.progressive else ()) for meter in meters}


def _names(game: GameDefinition) -> str:
    return f"{game.name}: {', '.join(sorted(_known_meters(game))) or 'it has none'}"
