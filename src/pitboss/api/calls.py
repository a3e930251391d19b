"""Pitboss at a Python prompt or in a notebook: the commands as functions whose results print well."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from fractions import Fraction
from operator import index
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pitboss.api.results import Checked, Choice, Settled, Simulated, Strategy
from pitboss.games import UnknownGame, catalogue, game, game_names
from pitboss.lab.arguments import WrongTerms, chosen
from pitboss.round.finished import rules_for, settle_hand
from pitboss.rules.choices import Choices
from pitboss.rules.game import GameDefinition
from pitboss.rules.in_force import RulesInForce
from pitboss.rules.refusal import Refusal
from pitboss.rules.ruling import Ruling, general_rulings
from pitboss.sheets.extras import MissingExtra
from pitboss.sheets.sheet import Rows

if TYPE_CHECKING:
    from pitboss.lab.cluster import ClusterFailed
    from pitboss.lab.environments import RoundEnvironment
    from pitboss.lab.worth import Worth
    from pitboss.submission.read import UnreadableSubmission

__all__ = [
    "ClusterFailed",
    "MissingExtra",
    "Rows",
    "UnknownGame",
    "UnreadableSubmission",
    "WrongTerms",
    "check",
    "edge",
    "environment",
    "game",
    "game_names",
    "rulings",
    "settle",
    "simulate",
    "strategy",
]

SEEDS = 1 << 64
WORTH_COLUMNS = (
    "wager",
    "paytable",
    "house edge",
    "hit frequency",
    "std. dev.",
    "element of risk",
    "average wager",
    "expected value",
)
RULING_COLUMNS = ("id", "clause", "option", "reading")
CHOICE_COLUMNS = ("action", "value", "cost", "exact value")

Paytables = Mapping[str, str] | None
Options = Mapping[str, str | int] | None
File = str | Path | None

# Exceptions of packages that are loaded only when needed.
_ELSEWHERE = {"ClusterFailed": "pitboss.lab.cluster", "UnreadableSubmission": "pitboss.submission.read"}


def __getattr__(name: str) -> object:
    if name not in _ELSEWHERE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_ELSEWHERE[name]), name)


def edge(
    game: GameDefinition | str,
    *,
    paytables: Paytables = None,
    options: Options = None,
    wager: str | None = None,
    ties: str = "more",
    stake_cents: int | None = None,
    meters: Mapping[str, int] | None = None,
    others: int = 0,
    submission: File = None,
    table: str | None = None,
) -> "Rows[Worth]":
    """Return the exact value of a game's wagers, under every paytable unless one is named."""
    from pitboss.api.par_sheet import priced
    from pitboss.lab.edges import edges

    game = _game(game)
    paytables, options = dict(paytables or {}), dict(options or {})
    base = _choices(game, paytables, options, submission, table)
    _check_pricing(game, wager, ties, stake_cents, meters or {}, others)
    echoed: dict[str, Any] = {**options}
    echoed |= {"ties": ties} if ties != "more" else {}
    echoed |= {"stake": stake_cents} if stake_cents is not None else {}
    echoed |= {"meter": dict(meters)} if meters else {}
    echoed |= {"others": others} if others else {}
    terms: dict[str, Any] = {"ties": ties, "stake_cents": stake_cents, "meters": meters}
    rows: list[Worth] = []
    named = {**base.paytables, **paytables} if submission else paytables
    for name, letter in _asked(game, base, named, wager):
        found = edges(game, base, wager=name, paytable=letter, settings=echoed, others=others, **terms)
        rows += map(priced, found)
    return worth_rows(game, rows)


def worth_rows(game: GameDefinition, rows: "Sequence[Worth]") -> "Rows[Worth]":
    """Return what wagers are worth, as the table that a notebook and the command line show."""
    title = f"{game.title}: exact figures per unit staked; for the main game, per unit of Ante"
    numbers = frozenset(WORTH_COLUMNS[2:-1])
    return Rows(title, WORTH_COLUMNS, rows, cells=_worth_cells, data=_worth_data, numbers=numbers)


def strategy(
    game: GameDefinition | str,
    cards: str | Sequence[str] | None = None,
    board: str | Sequence[str] = (),
    *,
    paytables: Paytables = None,
    options: Options = None,
    submission: File = None,
    table: str | None = None,
) -> "Strategy | Rows[Choice]":
    """Return a strategy a person can memorize, or, for given cards, what each choice is worth, best first."""
    from pitboss.lab.advice import WrongCards, advise, chart_of

    game = _game(game)
    rules = RulesInForce(game, _choices(game, paytables or {}, options or {}, submission, table))
    if cards is None:
        if board:
            raise WrongTerms("Enter the player's cards along with the board.")
        return Strategy(f"{game.title}: a strategy to memorize", chart_of(rules))
    try:
        advice = advise(rules, _cards(cards), _cards(board))
    except WrongCards as wrong:
        raise WrongTerms(str(wrong)) from None
    shown = f", board {' '.join(advice.board)}" if advice.board else ""
    title = f"{game.title}, {advice.asked}: {' '.join(advice.cards)}{shown}; in units of the Ante"
    choices = [Choice(name, worth, advice.cost(name)) for name, worth in advice.worths.items()]
    numbers = frozenset(CHOICE_COLUMNS[1:3])
    return Rows(title, CHOICE_COLUMNS, choices, cells=_choice_cells, data=Choice.as_dict, numbers=numbers)


def simulate(
    game: GameDefinition | str,
    rounds: int = 10_000,
    *,
    seats: int = 1,
    seed: int = 1,
    strategy: str = "optimal",
    paytables: Paytables = None,
    options: Options = None,
    rates: Mapping[str, Fraction | str] | None = None,
    meters: Mapping[str, int] | None = None,
    workers: int = 1,
    cluster: str | None = None,
    submission: File = None,
    table: str | None = None,
) -> Simulated:
    """Play a number of rounds of a whole table, a unit on every wager, and return the results with the theory."""
    from pitboss.lab.played import NotPlayed
    from pitboss.lab.simulate import simulate as play

    game = _game(game)
    rules = RulesInForce(game, _choices(game, paytables or {}, options or {}, submission, table))
    _at_least_one("rounds", rounds)
    _at_least_one("workers", workers)
    if not 1 <= _whole("seats", seats) <= rules.seats_most:
        raise WrongTerms(f"seats must be from 1 to {rules.seats_most}, not {seats}.")
    if not 0 <= _whole("seed", seed) < SEEDS:
        raise WrongTerms(f"seed must be a whole number from 0 to 2**64 - 1, not {seed}.")
    _check_meters(game, {**(rates or {}), **(meters or {})})
    growth = _rates(rates or {})
    terms: dict[str, Any] = {"strategy": strategy, "rates": growth, "meters": meters}
    try:
        found = play(rules, rounds, seats=seats, seed=seed, workers=workers, cluster=cluster, **terms)
    except NotPlayed as unknown:
        raise WrongTerms(str(unknown)) from None
    title = f"{game.title}: {found.rounds:,} rounds, {seats} seat{'s' * (seats > 1)}, seed {seed}, {strategy} play"
    return Simulated(title, found)


def settle(hand: Mapping[str, Any]) -> Settled | Refusal:
    """Return the settlement of a finished hand, wager by wager with clauses, or why it can't be settled."""
    if not isinstance(hand, Mapping):
        raise WrongTerms(f"A hand must be a mapping with its game, cards and wagers, not {hand!r}.")
    name = hand.get("game")
    if not isinstance(name, str):
        return Refusal("Enter the game of this hand", None, "game")
    try:
        rules = rules_for(game(name), hand.get("choices"))
    except UnknownGame as unknown:
        return Refusal(str(unknown).rstrip("."), None, "game")
    result = rules if isinstance(rules, Refusal) else settle_hand(rules, hand)
    return result if isinstance(result, Refusal) else Settled(result)


def check(submission: str | Path | Mapping[str, object]) -> Checked:
    """Return the faults of a Rules Submission, or the choices it makes; takes a file name or parsed content."""
    from pitboss.submission.check import check as faults_of
    from pitboss.submission.check import notes
    from pitboss.submission.explain import explain
    from pitboss.submission.read import read_submission, submission_from

    if not isinstance(submission, str | Path | Mapping):
        raise WrongTerms(f"A submission must be a file name or the parsed content of a file, not {submission!r}.")
    stated = submission_from(submission) if isinstance(submission, Mapping) else read_submission(Path(submission))
    return Checked(faults_of(stated), notes(stated), explain(stated))


def rulings(name: GameDefinition | str) -> Rows[Ruling]:
    """Return how the unclear clauses of a game are read, with the rulings for every game last."""
    definition = _game(name)
    found = (*catalogue.rulings(definition.name), *general_rulings())
    title = f"{definition.title}: where the rulebook is unclear, and how it is read"
    return Rows(title, RULING_COLUMNS, found, cells=_ruling_cells, data=asdict)


def environment(game: GameDefinition | str, **terms: Any) -> "RoundEnvironment":
    """Return a Gymnasium environment in which an agent plays one seat of a game."""
    from pitboss.lab.environments import RoundEnvironment

    return RoundEnvironment(_game(game), **terms)


def _game(given: GameDefinition | str) -> GameDefinition:
    if not isinstance(given, str | GameDefinition):
        raise WrongTerms(f"A game must be a name or a game definition, not {given!r}.")
    return game(given) if isinstance(given, str) else given


def _choices(
    game: GameDefinition, paytables: Mapping[str, str], options: Mapping[str, str | int], file: File, table: str | None
) -> Choices:
    base = None if file is None else _submitted(game, Path(file), table)
    return chosen(game, paytables, options, base)


def _submitted(game: GameDefinition, file: Path, table: str | None) -> Choices:
    from pitboss.submission.check import check
    from pitboss.submission.read import read_submission
    from pitboss.submission.table_choices import choices_for

    submission = read_submission(file)
    if faults := check(submission):
        raise WrongTerms(f"{file} cannot be put in force. Its first error: {faults[0]}.")
    tables = {listed.name: listed for listed in submission.tables if listed.game == game.name}
    fitting = [listed for name, listed in tables.items() if table in (None, name)]
    if len(fitting) != 1:
        has = f"Tables of {game.name} in {file}: {', '.join(map(str, tables)) or 'none'}"
        raise WrongTerms(f"Choose one table. {has}." if table is None and tables else f"There is no such table. {has}.")
    return choices_for(fitting[0])


def _cards(given: str | Sequence[str]) -> tuple[str, ...]:
    if not isinstance(given, Sequence) or not all(isinstance(card, str) for card in given):
        raise WrongTerms(f"Enter cards as text such as 'As Kd' or as a list, not {given!r}.")
    return tuple(given.split() if isinstance(given, str) else given)


def _whole(name: str, value: int) -> int:
    try:
        return index(value)
    except TypeError:
        raise WrongTerms(f"{name} must be a whole number, not {value!r}.") from None


def _at_least_one(name: str, value: int) -> None:
    if _whole(name, value) < 1:
        raise WrongTerms(f"{name} must be at least 1, not {value}.")


def _check_pricing(
    game: GameDefinition, wager: str | None, ties: str, stake_cents: int | None, meters: Mapping[str, int], others: int
) -> None:
    from pitboss.lab.edges import cases

    names = dict.fromkeys(name for name, _ in cases(game, Choices()))
    if wager is not None and wager not in names:
        raise WrongTerms(f"{game.name} has no wager {wager!r}. It has {', '.join(names)}.")
    if ties not in ("more", "less"):
        raise WrongTerms(f"ties must be 'more' or 'less', not {ties!r}.")
    if stake_cents is not None and _whole("stake_cents", stake_cents) <= 0:
        raise WrongTerms(f"stake_cents must be a positive number of cents, not {stake_cents}.")
    if not 0 <= _whole("others", others) < game.positions.most:
        raise WrongTerms(f"others must be from 0 to {game.positions.most - 1}, not {others}.")
    _check_meters(game, meters)
    allowed = tuple(game.progressive.envy_cents) if game.progressive else ()
    if others and allowed and stake_cents is not None and stake_cents not in allowed:
        raise WrongTerms(f"For envy bonuses, stake_cents must be {' or '.join(map(str, allowed))}, not {stake_cents}.")


def _check_meters(game: GameDefinition, given: Mapping[str, object]) -> None:
    progressive = game.progressive
    known = {meter.name for shown in (progressive.meters.values() if progressive else ()) for meter in shown}
    if unknown := sorted(set(given) - known):
        raise WrongTerms(f"{game.name} has no meter {unknown[0]!r}. It has {', '.join(sorted(known)) or 'none'}.")


def _rates(given: Mapping[str, Fraction | str]) -> dict[str, Fraction]:
    try:
        found = {name: Fraction(rate) for name, rate in given.items()}
    except (ValueError, ZeroDivisionError, TypeError):
        raise WrongTerms(f"Enter each rate as a fraction of the stake, such as '0.2' or '1/5', not {given}.") from None
    if any(rate < 0 for rate in found.values()) or sum(found.values()) >= 1:
        raise WrongTerms("Rates can't be negative and must add up to less than 1.")
    return found


def _asked(
    game: GameDefinition, base: Choices, paytables: Mapping[str, str], wager: str | None
) -> Iterator[tuple[str, str | None]]:
    from pitboss.lab.edges import cases
    from pitboss.lab.exact_counts import MAIN, main_wagers

    named = dict(paytables)
    for name in main_wagers(RulesInForce(game, base)):
        if name in paytables:
            named[MAIN] = paytables[name]
    for name, letter in cases(game, base):
        if wager in (None, name) and letter == named.get(name, letter):
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


def _choice_cells(row: Choice) -> tuple[str, ...]:
    return row.action, f"{float(row.worth):+.6f}", f"{float(row.cost):.6f}" if row.cost else "", str(row.worth)


def _ruling_cells(row: Ruling) -> tuple[str, ...]:
    return row.id, row.clause, row.option or "", row.reading
