"""`pitboss simulate`: many rounds of whole tables, compared with the exact values of their wagers."""

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from pitboss.cli.chosen import changed, settings_of, submitted
from pitboss.cli.games import known_game
from pitboss.cli.output import Failure, console, show_json, show_table
from pitboss.rules.choices import Choices
from pitboss.rules.game import GameDefinition
from pitboss.rules.in_force import RulesInForce

if TYPE_CHECKING:
    from pitboss.lab.result import Simulation

Value = TypeVar("Value")

INTERRUPTED = 130
SEEDS = 1 << 64
LIST = "list"
MOST_ROUNDS = 10**12
MOST_WORKERS = 1024


@dataclass(frozen=True, slots=True)
class Asked:
    """The command's options."""

    rounds: int
    seats: int
    seed: int
    workers: int
    strategy: str
    cluster: str | None
    submission: Path | None
    table: str | None
    shift: int
    settings: Sequence[str]
    stakes: Sequence[str]
    rates: Sequence[str]
    meters: Sequence[str]


def simulate_command(name: str, asked: Asked, *, lines: bool, as_json: bool) -> int:
    """Print the results of a simulation, even if it was stopped early, and return the exit status."""
    game = known_game(name)
    if asked.strategy == LIST:
        _show_strategies(game, as_json=as_json)
        return 0
    try:
        result = _result(game, asked)
    except KeyboardInterrupt:
        raise Failure("Stopped before any round was finished.", INTERRUPTED) from None
    if as_json:
        show_json(result.as_dict())
    else:
        from pitboss.cli.simulated import show_simulation

        show_simulation(game, result, lines=lines)
    if result.rounds < asked.rounds:
        print(f"Stopped after {result.rounds:,} of {asked.rounds:,} rounds.", file=sys.stderr)
        return INTERRUPTED
    return 0


def _result(game: GameDefinition, asked: Asked) -> "Simulation":
    given = submitted(game, asked.submission, asked.table)
    rules = RulesInForce(game, changed(game, given.choices, settings_of(game, asked.settings)))
    rules = _staked(rules, asked.stakes)
    _check(rules, asked)
    known = _meters_of(rules)
    rates = {**_of(known, given.rates), **_rates(known, asked.rates)}
    if sum(rates.values(), Fraction(0)) >= 1:
        raise Failure("The meters' rates must add up to less than 1. Lower --rate.", 2)
    meters = {**_of(known, given.initial_cents), **_amounts(rules, known, asked.meters)}
    return _simulated(rules, asked, rates, meters)


def _simulated(
    rules: RulesInForce, asked: Asked, rates: Mapping[str, Fraction], meters: Mapping[str, int]
) -> "Simulation":
    from pitboss.cli.waiting import waiting
    from pitboss.lab.cluster import ClusterFailed, NoAddress
    from pitboss.lab.local_workers import WorkersFailed
    from pitboss.lab.plan import Plan
    from pitboss.lab.players import NotPlayed, strategy_of
    from pitboss.lab.simulate import simulate

    try:
        strategy_of(rules.game.name, asked.strategy)
    except NotPlayed as unknown:
        raise Failure(str(unknown), 2) from None
    reached = 0

    def follow(done: int, of: int) -> None:
        nonlocal reached
        reached = done
        progress(done, of)

    try:
        if asked.cluster is None:
            with waiting("Computing the strategy (kernels are compiled on first use)"):
                Plan(rules.game.name, rules.choices, asked.seats, asked.seed, asked.strategy).table().block(0, 0, 1)
        with _bar(asked.rounds) as progress:
            return simulate(
                rules,
                asked.rounds,
                asked.seats,
                asked.seed,
                asked.strategy,
                asked.workers,
                follow,
                cluster=asked.cluster,
                rates=rates,
                meters=meters,
                shift_rounds=asked.shift,
            )
    except NotPlayed as too_long:
        raise Failure(str(too_long)) from None
    except NoAddress as wrong:
        raise Failure(str(wrong), 2) from None
    except (ClusterFailed, WorkersFailed) as failed:
        raise Failure(str(failed)) from None
    except KeyboardInterrupt:
        if not reached:
            raise
        raise Failure("Stopped before the results were ready.", INTERRUPTED) from None


def _staked(rules: RulesInForce, texts: Sequence[str]) -> RulesInForce:
    from pitboss.lab.played import opening_stakes

    before = opening_stakes(rules)
    asked: dict[str, int] = {}
    for text in texts:
        key, _, cents = text.partition("=")
        if key not in before or not cents.isdecimal() or int(cents) < 1:
            raise Failure(
                f"{text!r} isn't valid for --stake. Write WAGER=CENTS with an offered wager: {', '.join(before)}.",
                2,
            )
        asked[key] = int(cents)
    stakes = {**before, **asked}
    for wager in rules.game.wagers:
        if wager.equals in asked and wager.name in before and wager.name not in asked:
            stakes[wager.name] = asked[wager.equals]
    refusal = rules.check_stakes(stakes)
    if refusal:
        raise Failure(f"{refusal}.", 2)
    choices: Choices = replace(rules.choices, stakes={**rules.choices.stakes, **stakes}) if asked else rules.choices
    return RulesInForce(rules.game, choices)


def _check(rules: RulesInForce, asked: Asked) -> None:
    if not 1 <= asked.rounds <= MOST_ROUNDS:
        raise Failure(f"--rounds must be from 1 to {MOST_ROUNDS:,}.", 2)
    if not 1 <= asked.seats <= rules.seats_most:
        raise Failure(f"--seats must be from 1 to {rules.seats_most}{_more_seats(rules)}.", 2)
    if not 0 <= asked.seed < SEEDS:
        raise Failure("--seed must be a whole number from 0 to 2^64 - 1.", 2)
    if not 1 <= asked.workers <= MOST_WORKERS:
        raise Failure(f"--workers must be from 1 to {MOST_WORKERS}.", 2)
    if asked.cluster is not None and asked.workers != 1:
        raise Failure("Use either --workers or --cluster, not both; a cluster has its own workers.", 2)
    if asked.shift < 1:
        raise Failure("--shift must be at least 1 round.", 2)


def _more_seats(rules: RulesInForce) -> str:
    option = next((each for each in rules.game.options if each.name == rules.game.positions.count_option), None)
    if option is None or rules.choices.positions is not None:
        return ""
    most = max(option.values, key=int)
    return f"; --set {option.name}={most} allows {most}" if int(most) > rules.seats_most else ""


def _meters_of(rules: RulesInForce) -> tuple[str, ...]:
    progressive = rules.game.progressive
    table = rules.paytables.get(progressive.wager) if progressive and progressive.wager in rules.offered else None
    return table.meters if table else ()


def _of(known: tuple[str, ...], given: Mapping[str, Value]) -> dict[str, Value]:
    return {name: value for name, value in given.items() if name in known}


def _rates(known: tuple[str, ...], given: Sequence[str]) -> dict[str, Fraction]:
    found: dict[str, Fraction] = {}
    for text in given:
        key, _, written = text.partition("=")
        try:
            rate = Fraction(written)
        except (ValueError, ZeroDivisionError):
            rate = Fraction(-1)
        if key not in known or not 0 <= rate < 1:
            names = ", ".join(known) or "it has none"
            use = "Write METER=PART, a part below 1, with a meter of this table"
            raise Failure(f"{text!r} isn't valid for --rate. {use}: {names}.", 2)
        found[key] = rate
    return found


def _amounts(rules: RulesInForce, known: tuple[str, ...], given: Sequence[str]) -> dict[str, int]:
    from pitboss.lab.worth import meters_at

    progressive = rules.game.progressive
    resets = meters_at(rules, progressive.wager, {}) if progressive and known else {}
    found: dict[str, int] = {}
    for text in given:
        key, _, cents = text.partition("=")
        if key not in known or not cents.isdecimal() or int(cents) < resets[key]:
            names = ", ".join(f"{name} (at least {resets[name]})" for name in known) or "it has none"
            raise Failure(
                f"{text!r} isn't valid for --meter. Write METER=CENTS with a meter of this table: {names}.", 2
            )
        found[key] = int(cents)
    return found


@contextmanager
def _bar(rounds: int) -> Iterator[Callable[[int, int], None]]:
    if not sys.stderr.isatty():
        yield lambda done, asked: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    counted = TextColumn("{task.completed:,.0f} of {task.total:,.0f} rounds")
    columns = (BarColumn(), counted, TextColumn("{task.fields[rate]}"), TimeRemainingColumn(), TextColumn("left"))
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=rounds, rate="")

        def progress(done: int, asked: int) -> None:
            speed = bar.tasks[0].finished_speed or bar.tasks[0].speed
            bar.update(task, completed=done, rate=f"{speed:,.0f} a second" if speed else "")

        yield progress


def _show_strategies(game: GameDefinition, *, as_json: bool) -> None:
    from pitboss.lab.players import strategies_of

    found = strategies_of(game.name)
    if as_json:
        show_json([{"strategy": strategy.name, "title": strategy.title} for strategy in found])
        return
    rows = [(strategy.name, strategy.title) for strategy in found]
    show_table(f"{game.title}: strategies", ("strategy", "how it plays"), rows, console())
