"""The value of every wager and paytable of a game."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from pitboss.lab.arguments import USUAL_STAKE_CENTS
from pitboss.lab.exact_counts import MAIN, main_wagers
from pitboss.lab.meters import meters_at
from pitboss.lab.worth import Worth, worth_of
from pitboss.rules.choices import Choices
from pitboss.rules.game import GameDefinition
from pitboss.rules.in_force import RulesInForce
from pitboss.rules.limits import Limits
from pitboss.rules.payoff import MeterShare, Prize


def edges(
    game: GameDefinition,
    base: Choices | None = None,
    *,
    wager: str | None = None,
    paytable: str | None = None,
    settings: Mapping[str, Any] | None = None,
    only_chosen: bool = False,
    announce: Callable[[str], None] = lambda _: None,
    **terms: Any,
) -> Iterator[Worth]:
    """Yield the value of each wager under each of its paytables, or of those requested or chosen."""
    base = base or Choices()
    echoed = dict(settings or {})
    for name, letter in chosen_cases(game, base) if only_chosen else cases(game, base):
        if wager not in (None, name) or (paytable is not None and paytable != letter):
            continue
        announce(f"{game.title}: {name}{f' {letter}' if letter else ''}")
        rules = with_paytable(game, base, name, letter)
        stake_cents = stake_of(rules, name, terms.get("stake_cents"))
        told = (
            {**echoed, **_at_this_table(rules, name, stake_cents, terms.get("meters") or {})} if only_chosen else echoed
        )
        yield worth_of(rules, name, options=told, **{**terms, "stake_cents": stake_cents})


def stake_of(rules: RulesInForce, wager: str, stake_cents: int | None = None) -> int:
    """Return the stake on a wager: its fixed stake, or this, or the table's minimum, or the default."""
    limits = rules.limits(wager) if wager != MAIN else Limits()
    stake = stake_cents or limits.minimum or USUAL_STAKE_CENTS
    return stake if not limits.fixed or stake in limits.fixed else limits.least


def _at_this_table(rules: RulesInForce, wager: str, stake_cents: int, meters: Mapping[str, int]) -> dict[str, Any]:
    # Odds have the same value at any stake, but a dollar prize or a meter doesn't, so the row states the stake used.
    table = rules.paytables.get(wager) if wager != MAIN else None
    if table is None or not any(isinstance(line.payoff, Prize | MeterShare) for line in table.lines):
        return {}
    shown = meters_at(rules, wager, meters)
    return {"stake": stake_cents} | ({"meter": shown} if shown else {})


def with_paytable(game: GameDefinition, base: Choices, wager: str, letter: str | None) -> RulesInForce:
    """Return the rules in force with one wager, or `main`, priced by this paytable."""
    return RulesInForce(game, _with_letter(game, base, wager, letter))


def cases(game: GameDefinition, base: Choices) -> Iterator[tuple[str, str | None]]:
    """Yield every wager that can be priced, `main` first, with each paytable letter; None for an operator's own."""
    offered = RulesInForce(game, base).offered
    yield from ((MAIN, letter) for letter in _letters(game, base, _main_lettered(game)))
    for wager in game.wagers:
        if not wager.required and not wager.by_action and wager.name in offered:
            yield from ((wager.name, letter) for letter in _letters(game, base, wager.name))


def chosen_cases(game: GameDefinition, base: Choices) -> Iterator[tuple[str, str | None]]:
    """Yield every wager of a table with its chosen paytable."""
    for wager in dict.fromkeys(wager for wager, _ in cases(game, base)):
        yield wager, _chosen(game, base, _main_lettered(game) if wager == MAIN else wager)


def _letters(game: GameDefinition, base: Choices, wager: str | None) -> tuple[str | None, ...]:
    if wager is None:
        return (None,)
    letters = game.wagers_by_name[wager].letters
    own = base.own_tables.get(wager)
    return (*((None,) if (own and own.letter is None) or not letters else ()), *letters)


def _chosen(game: GameDefinition, base: Choices, wager: str | None) -> str | None:
    if wager is None or not (letters := game.wagers_by_name[wager].letters):
        return None
    own = base.own_tables.get(wager)
    return own.letter if own else base.paytables.get(wager, letters[0])


def _main_lettered(game: GameDefinition) -> str | None:
    return next(
        (wager.name for wager in game.wagers if wager.name in main_wagers(RulesInForce(game)) and wager.letters), None
    )


def _with_letter(game: GameDefinition, base: Choices, wager: str, letter: str | None) -> Choices:
    # The operator's own odds apply to the paytable they were chosen with; under another letter, the rulebook's odds do.
    name = _main_lettered(game) if wager == MAIN else wager
    if name is None or letter == _chosen(game, base, name):
        return base
    assert letter is not None, "only the table that was chosen can be one without a letter"
    own = {key: table for key, table in base.own_tables.items() if key != name}
    return replace(base, paytables={**base.paytables, name: letter}, own_tables=own)
