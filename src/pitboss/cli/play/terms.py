"""The terms of a free-play table: the rules in force and the starting amounts of its meters."""

from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

from pitboss.cli.games import known_game
from pitboss.cli.output import Failure
from pitboss.games import game_names
from pitboss.round.stakes import placed
from pitboss.rules.choices import Choices
from pitboss.rules.dealing import AUTOMATED_SHOE, HAND, MANUAL_SHOE, Deal
from pitboss.rules.game import GameDefinition
from pitboss.rules.in_force import RulesInForce
from pitboss.rules.limits import Limits
from pitboss.rules.wager import Wager
from pitboss.submission.case import case_of
from pitboss.submission.check import check
from pitboss.submission.document import Submission, SubmittedTable
from pitboss.submission.read import UnreadableSubmission, read_submission
from pitboss.submission.table_choices import choices_for

MAIN_LIMITS = Limits(5_00, 500_00)
SIDE_LIMITS = Limits(1_00, 100_00)
WHOLE_DOLLAR = 1_00
FED_BY_EACH_STAKE = Fraction(1, 5)  # all meters together, if no submission states a rate


@dataclass(frozen=True, slots=True)
class MeterTerms:
    """A meter's starting amount, its reset amount, and the share of each stake that feeds it."""

    name: str
    start_cents: int
    reset_cents: int
    rate: Fraction


@dataclass(frozen=True)
class TableTerms:
    """The terms of one table."""

    name: str | None  # as a submission calls it
    rules: RulesInForce
    meters: tuple[MeterTerms, ...] = ()

    @property
    def game(self) -> GameDefinition:
        """Return the table's game."""
        return self.rules.game

    @property
    def title(self) -> str:
        """Return the table's title."""
        return f"{self.game.title} · {self.name}" if self.name else self.game.title

    @property
    def placed(self) -> tuple[Wager, ...]:
        """Return the wagers that are placed before the deal."""
        return placed(self.rules)


def tables_for(game: str | None, submission: Path | None, table: str | None) -> tuple[TableTerms, ...]:
    """Return the available tables: of one game or all, from a submission if one is named."""
    if submission is None:
        if table is not None:
            raise Failure("--table chooses one of a submission's tables. Add --submission.", 2)
        return tuple(default_terms(known_game(name)) for name in ((game,) if game else game_names()))
    if game:
        known_game(game)
    return _submitted(submission, game, table)


def default_terms(game: GameDefinition) -> TableTerms:
    """Return a table that offers every wager the rulebook prices."""
    dealing = _dealing(game)
    offered = [wager for wager in game.wagers if not wager.defined_by_submission and wager.dealing in (None, dealing)]
    stepped = [wager for wager in offered if not wager.by_action and not wager.stakes_cents]
    choices = Choices(
        offered=frozenset(wager.name for wager in offered),
        limits={wager.name: MAIN_LIMITS if wager.required else SIDE_LIMITS for wager in stepped},
        stakes={wager.name: wager.stakes_cents[0] for wager in offered if wager.stakes_cents},
        steps={wager.name: WHOLE_DOLLAR for wager in stepped},
        dealing=dealing,
    )
    rules = RulesInForce(game, choices)
    return TableTerms(None, rules, _laid_down_meters(rules))


def _dealing(game: GameDefinition) -> str:
    # The automated shoe first: it is the only dealing method under which every wager may be offered.
    deals = [step for step in game.play if isinstance(step, Deal)]
    methods = (AUTOMATED_SHOE, MANUAL_SHOE, HAND)
    return next(method for method in methods if all(method in deal.moves for deal in deals))


def _laid_down_meters(rules: RulesInForce) -> tuple[MeterTerms, ...]:
    progressive = rules.game.progressive
    if progressive is None or progressive.wager not in rules.offered:
        return ()
    table = rules.paytables[progressive.wager]
    least = {meter.name: meter.minimum_cents for meter in progressive.meters.get(table.letter or "", ())}
    rate = FED_BY_EACH_STAKE / max(len(table.meters), 1)
    return tuple(MeterTerms(name, least.get(name, 0), least.get(name, 0), rate) for name in table.meters)


def _submitted(file: Path, game: str | None, table: str | None) -> tuple[TableTerms, ...]:
    submission = _read(file)
    found = [listed for listed in submission.tables if table is None or listed.name == table]
    if not found:
        names = ", ".join(str(listed.name) for listed in submission.tables)
        raise Failure(f"{file} has no table called {table!r}. Its tables: {names}.", 2)
    found = [listed for listed in found if game is None or listed.game == game]
    if not found:
        raise Failure(f"{file} has no {'such ' if table else ''}table for {game}.", 2)
    dealt = [listed for listed in found if not listed.analysis]
    if not dealt:
        raise Failure(f"{file} marks this table for analysis only, so it cannot be played.")
    return tuple(_terms_of(listed) for listed in dealt)


def _read(file: Path) -> Submission:
    try:
        submission = read_submission(file)
    except UnreadableSubmission as wrong:
        raise Failure(str(wrong)) from None
    faults = check(submission)
    if faults:
        raise Failure(f"{file} has errors; `pitboss check` lists them. The first: {faults[0]}.")
    return submission


def _terms_of(table: SubmittedTable) -> TableTerms:
    case = case_of(table)
    assert case is not None, "a submission without faults names games that exist"
    meters = tuple(MeterTerms(kind.name, start, reset, rate) for kind, start, reset, rate in case.stated_meters())
    return TableTerms(table.name, RulesInForce(case.game, choices_for(table)), meters)
