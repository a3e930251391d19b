"""The discard of highest worth for a player who is not there, from the exact analysis in the game's folder."""

from functools import lru_cache

from pitboss.cards.deck import Card
from pitboss.round import Round, least_action
from pitboss.round.state import ASKING
from pitboss.rules.in_force import RulesInForce

KEPT = 1024


def needs_discard(state: Round) -> bool:
    """Say whether the seat that is asked would discard a card if nobody answered for it."""
    return state.phase == ASKING and least_action(state).discards


def best_discard(state: Round, seat: int, action: str) -> Card:
    """Return the discard of highest worth, the last card where the game has no analysis of it."""
    return _best(state.rules, state.cards[seat], action)


@lru_cache(maxsize=KEPT)
def _best(rules: RulesInForce, cards: tuple[Card, ...], action: str) -> Card:
    from pitboss.lab.exact_counts import exact_of, has_own_analysis  # compiled kernels come with it

    found = None
    try:
        if has_own_analysis(rules.game.name):  # a table does not wait for the general solver
            found = getattr(exact_of(rules.game.name), "best_discard", None)
    except ImportError:
        found = None
    best: Card = found(rules, cards, action) if found is not None else cards[-1]
    return best
