"""The choices a command uses: those of a submission's table, overridden by the command's options."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from pitboss.cli.output import Failure
from pitboss.rules.choices import Choices, choices_from
from pitboss.rules.game import GameDefinition
from pitboss.rules.refusal import Refusal

if TYPE_CHECKING:
    from pitboss.submission.case import Case


class Submitted(NamedTuple):
    """A submission's table: its choices, the rate that feeds each meter and each meter's starting amount."""

    choices: Choices
    rates: Mapping[str, Fraction]
    initial_cents: Mapping[str, int]


NOTHING_SUBMITTED = Submitted(Choices(), {}, {})


def submitted(game: GameDefinition, file: Path | None, table: str | None) -> Submitted:
    """Return what a submission says about a game's table, or an empty result if no file is given."""
    if file is None:
        if table:
            raise Failure("--table chooses one of a submission's tables. Add --submission.", 2)
        return NOTHING_SUBMITTED
    from pitboss.cli.submissions import read, table_choices
    from pitboss.submission.case import cases_of

    found = table_choices(file, table)
    if game.name not in found:
        raise Failure(f"{file} has no table for {game.name}{f' called {table!r}' if table else ''}.")
    case = next(
        each for each in cases_of(read(file)) if each.game.name == game.name and table in (None, each.table.name)
    )
    return Submitted(found[game.name], _rates(case), _initial(case))


def changed(game: GameDefinition, base: Choices, given: Mapping[str, object]) -> Choices:
    """Return choices with the command's options applied."""
    choices = choices_from(game, given, base)
    if isinstance(choices, Refusal):
        raise Failure(f"{choices.reason}.", 2)
    return choices


def settings_of(game: GameDefinition, settings: Sequence[str]) -> dict[str, object]:
    """Return the values given with `--set`, with amounts as whole numbers."""
    amounts = {option.name for option in game.money_options}
    given: dict[str, object] = {}
    for setting in settings:
        key, equals, value = setting.partition("=")
        if not equals:
            raise Failure(f"{setting!r} isn't valid for --set. Write OPTION=VALUE or WAGER=PAYTABLE.", 2)
        given[key] = int(value) if key in amounts and value.isdecimal() else value
    return given


def _rates(case: "Case") -> dict[str, Fraction]:
    return {
        name: Fraction(rate)
        for wager in case.offered
        if case.is_progressive(wager)
        for name, rate in case.rates(wager).items()
    }


def _initial(case: "Case") -> dict[str, int]:
    return {
        name: cents
        for wager in case.offered
        if case.is_progressive(wager)
        for name, cents in case.by_meter(case.stated(wager).initial, case.meters(wager)).items()
    }
