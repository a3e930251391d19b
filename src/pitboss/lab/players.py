"""Finds a game's players: the optimal one, those of its named strategies, and the compiled ones."""

from typing import cast

from pitboss.games.parts import part_of, part_or
from pitboss.lab.exact_counts import GENERAL
from pitboss.odds.deciding import Decide, WholeTables
from pitboss.odds.outcomes import NotCountable
from pitboss.rules.in_force import RulesInForce
from pitboss.rules.strategy import OPTIMAL, Strategy


class NotPlayed(LookupError):
    """The game's folder has no player, or none with this name."""


def strategies_of(name: str) -> tuple[Strategy, ...]:
    """Return a game's named strategies, optimal play first."""
    if module := part_of(name, "strategies"):
        return cast(tuple[Strategy, ...], module.STRATEGIES)
    return (Strategy(OPTIMAL, "Takes the action with the highest value."),)


def strategy_of(name: str, strategy: str) -> Strategy:
    """Return a game's strategy by name."""
    known = {strategy.name: strategy for strategy in strategies_of(name)}
    if strategy not in known:
        listed = ", ".join(known) or "none"
        raise NotPlayed(f"{name} has no strategy called {strategy!r}. Choose one of: {listed}.")
    return known[strategy]


def player_of(rules: RulesInForce, strategy: str = OPTIMAL) -> Decide:
    """Return the game's own player of a strategy."""
    chosen = strategy_of(rules.game.name, strategy)
    if not chosen.answers:
        return _optimal(rules)
    from pitboss.odds.named_strategies import player_by

    module = part_of(rules.game.name, "strategies")
    assert module is not None, "a named strategy is in the game's folder"
    return player_by(chosen, module.sight(rules))


def _optimal(rules: RulesInForce) -> Decide:
    module = part_or(rules.game.name, "play", GENERAL)
    try:
        return cast(Decide, module.player(rules))
    except NotCountable as beyond:
        raise NotPlayed(str(beyond)) from None


def whole_tables_of(rules: RulesInForce, strategy: str = OPTIMAL) -> WholeTables | None:
    """Return the game's compiled player of a strategy, if its folder has one."""
    chosen = strategy_of(rules.game.name, strategy)
    if not chosen.answers:
        module = part_of(rules.game.name, "whole_tables")
        return cast(WholeTables, module.WholeTables(rules)) if module else None
    module = part_of(rules.game.name, "strategy_tables")
    return cast(WholeTables, module.whole_tables(rules, chosen)) if module else None


def is_compiled(name: str, strategy: str) -> bool:
    """Return whether a game's folder has a compiled player of a strategy."""
    return part_of(name, "strategy_tables" if strategy_of(name, strategy).answers else "whole_tables") is not None
