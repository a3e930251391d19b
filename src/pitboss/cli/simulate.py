"""`pitboss simulate`: many rounds of whole tables, beside what the exact worth of their wagers expects."""

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from fractions import Fraction
from typing import TYPE_CHECKING

from pitboss.cli.games import known_game
from pitboss.cli.output import Failure, console, show_json, show_table, signed
from pitboss.rules.choices import choices_from
from pitboss.rules.game import GameDefinition
from pitboss.rules.in_force import RulesInForce
from pitboss.rules.payoff import dollars
from pitboss.rules.refusal import Refusal

if TYPE_CHECKING:
    from pitboss.lab.simulate import Simulation

INTERRUPTED = 130
SEEDS = 1 << 64


def simulate_command(
    name: str,
    *,
    rounds: int,
    seats: int,
    seed: int,
    workers: int,
    settings: Sequence[str],
    rates: Sequence[str],
    as_json: bool,
) -> int:
    """Print what a simulation came to, or had come to when it was stopped; return the status to end with."""
    game = known_game(name)
    rules = _rules(game, settings)
    _check(rules, rounds, seats, seed, workers)
    growth = _rates(rules, rates)
    from pitboss.cli.waiting import waiting
    from pitboss.lab.played import NotPlayed, player_of
    from pitboss.lab.simulate import simulate

    try:
        with waiting("Working out the best play; the first time its kernels are compiled"):
            player_of(rules)
        with _bar(rounds) as progress:
            result = simulate(rules, rounds, seats, seed, workers=workers, progress=progress, rates=growth)
    except NotPlayed as missing:
        raise Failure(str(missing)) from None
    if as_json:
        show_json(result.as_dict())
    else:
        _show(game, result)
    if result.rounds < rounds:
        print(f"Stopped after {result.rounds:,} of {rounds:,} rounds.", file=sys.stderr)
        return INTERRUPTED
    return 0


def _rules(game: GameDefinition, settings: Sequence[str]) -> RulesInForce:
    amounts = {one.name for one in game.money_options}
    given: dict[str, object] = {}
    for setting in settings:
        key, equals, value = setting.partition("=")
        if not equals:
            raise Failure(f"--set takes option=value or wager=paytable, not {setting!r}.", 2)
        given[key] = int(value) if key in amounts and value.isdecimal() else value
    choices = choices_from(game, given)
    if isinstance(choices, Refusal):
        raise Failure(f"{choices.reason}.", 2)
    return RulesInForce(game, choices)


def _check(rules: RulesInForce, rounds: int, seats: int, seed: int, workers: int) -> None:
    if rounds < 1:
        raise Failure("--rounds is at least 1.", 2)
    if not 1 <= seats <= rules.seats_most:
        raise Failure(f"--seats is from 1 to {rules.seats_most}.", 2)
    if not 0 <= seed < SEEDS:
        raise Failure("--seed is a whole number from 0, of at most 64 bits.", 2)
    if workers < 1:
        raise Failure("--workers is at least 1.", 2)


def _rates(rules: RulesInForce, given: Sequence[str]) -> dict[str, Fraction]:
    progressive = rules.game.progressive
    table = rules.paytables.get(progressive.wager) if progressive else None
    known = table.meters if table else ()
    found: dict[str, Fraction] = {}
    for text in given:
        key, _, written = text.partition("=")
        try:
            rate = Fraction(written)
        except (ValueError, ZeroDivisionError):
            rate = Fraction(-1)
        if key not in known or not 0 <= rate < 1:
            names = ", ".join(known) or "none"
            raise Failure(f"--rate takes METER=PART, a meter of this table ({names}) and a part below 1: {text!r}.", 2)
        found[key] = rate
    if sum(found.values(), Fraction(0)) >= 1:
        raise Failure("The rates of all meters together are below 1.", 2)
    return found


@contextmanager
def _bar(rounds: int) -> Iterator[Callable[[int, int], None]]:
    if not sys.stderr.isatty():
        yield lambda done, asked: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    rate = TextColumn("{task.fields[rate]} rounds/s")
    columns = (BarColumn(), MofNCompleteColumn(), rate, TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=rounds, rate="")

        def progress(done: int, asked: int) -> None:
            speed = bar.tasks[0].finished_speed or bar.tasks[0].speed
            bar.update(task, completed=done, rate=f"{speed:,.0f}" if speed else "")

        yield progress


def _show(game: GameDefinition, result: "Simulation") -> None:
    out = console()
    title = (
        f"{game.title}: {result.rounds:,} rounds of {result.seats} seats, seed {result.seed}, one unit on each wager"
    )
    columns = ("wager", "staked", "paid", "hold", "theory", "95 % of nets between", "net", "errors off", "hits, one in")
    rows = []
    for one in result.wagers:
        band = one.band_cents
        rows.append(
            (
                one.wager,
                dollars(one.sums.staked),
                dollars(one.paid_cents),
                f"{one.hold:.3%}",
                f"{-(one.theoretical_cents or 0) / one.sums.staked:.3%}" if one.theory else "",
                f"{signed(round(band[0]))} and {signed(round(band[1]))}" if band else "",
                signed(one.sums.net),
                "" if one.deviation is None else f"{one.deviation:+.2f}",
                "none" if one.interval is None else f"{one.interval:,.1f}",
            )
        )
    show_table(title, columns, rows, out)
    house, shifts = result.house, result.shifts
    out.print(f"The house won {signed(house.total)}; at its lowest it stood at {signed(house.lowest)}.")
    out.print(f"Its deepest drawdown was {dollars(house.fall)}, its highest climb {dollars(house.climb)}.")
    out.print(f"Its worst round was {signed(result.worst_round)}, its best {signed(result.best_round)}.")
    if shifts.worst is not None and shifts.best is not None:
        data = result.as_dict()["shifts"]
        spread = round(data["variance"] ** 0.5)
        extremes = f"from {signed(shifts.worst)} to {signed(shifts.best)}"
        out.print(
            f"Shifts of {data['rounds']} rounds: {shifts.count:,}, {extremes}, "
            f"{signed(round(data['mean']))} in the mean with a deviation of {dollars(spread)}."
        )
    for name, cents in result.meters.items():
        hits = [one for one in result.meters_paid if one.meter == name]
        paid = sum(one.paid_cents for one in hits)
        out.print(f"The meter {name} shows {dollars(cents)} and was hit {len(hits):,} times for {dollars(paid)}.")
    if result.envy_cents:
        out.print(f"Envy bonuses paid {dollars(result.envy_cents)}.")
