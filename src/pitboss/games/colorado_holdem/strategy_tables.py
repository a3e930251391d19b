"""The named strategies as compiled code plays them, each hand's answer found once."""

from pitboss.games.colorado_holdem.strategies import sight
from pitboss.games.colorado_holdem.whole_tables import WholeTables
from pitboss.odds.named_strategies import player_by
from pitboss.rules.in_force import RulesInForce
from pitboss.rules.strategy import Strategy


def whole_tables(rules: RulesInForce, strategy: Strategy) -> WholeTables:
    """Return the compiled way to play a named strategy."""
    return WholeTables(rules, player_by(strategy, sight(rules)))
