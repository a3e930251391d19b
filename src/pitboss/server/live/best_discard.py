"""The best discard for an absent player, from the exact analysis in the game's folder."""

from functools import lru_cache

from pitboss.cards.deck import Card
from pitboss.round import Round, least_action
from pitboss.round.state import ASKING
from pitboss.rules.in_force import RulesInForce

KEPT = 1024


def needs_discard(state: Round) -> bool:
    """Return whether the seat being asked would have to discard a card if nobody answers."""
    return state.phase == ASKING and least_action(state).discards


def best_discard(state: Round, seat: int, action: str) -> Card:
    """Return the discard with the highest value, or the last card if the game has no analysis of it."""
    return _best(state.rules, state.cards[seat], action)


@lru_cache(maxsize=KEPT)
def _best(rules: RulesInForce, cards: tuple[Card, ...], action: str) -> Card:
    from pitboss.lab.exact_counts import exact_of, has_own_analysis  # this import brings compiled kernels

    found = None
    try:
        if has_own_analysis(rules.game.name):  # a table doesn't wait for the general solver
            found = getattr(exact_of(rules.game.name), "best_discard", None)
    except ImportError:
        found = None
    best: Card = found(rules, cards, action) if found is not None else cards[-1]
    return best
