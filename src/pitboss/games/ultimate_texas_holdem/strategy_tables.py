"""The named strategies as tables that compiled code plays by, each decision of them found once."""

import numpy as np
from numpy.typing import NDArray

from pitboss.cards.poker import PAIR
from pitboss.games.ultimate_texas_holdem.play import NUMBER, Tables, tables_of
from pitboss.games.ultimate_texas_holdem.strategies import GRID, MOST_OUTS, written
from pitboss.games.ultimate_texas_holdem.strategy_kernels import STRAIGHT, raises_by_rules
from pitboss.games.ultimate_texas_holdem.whole_tables import WholeTables
from pitboss.odds.evaluator import CATEGORY, rank_hands
from pitboss.odds.symmetry import hole_cards, kinds
from pitboss.rules.in_force import RulesInForce
from pitboss.rules.strategy import Strategy

CARDS = {number: card for card, number in NUMBER.items()}
TWO, TEN = 0, 8  # ranks, as kernels count them


def whole_tables(rules: RulesInForce, strategy: Strategy) -> WholeTables:
    """Return the compiled way to play a named strategy."""
    return WholeTables(rules, played(rules, strategy.name))


def played(rules: RulesInForce, name: str) -> Tables:
    """Return what a named strategy answers."""
    holes = len(hole_cards()[0])
    never = np.zeros((len(kinds(3).key), holes), np.bool_)
    waits = np.zeros(holes, np.int64)
    if name == "basic":
        return Tables(_grid(), _flop(), raises_by_rules(own_pairs=True, most_outs=MOST_OUTS))
    if name == "mimic":
        return Tables(waits, never, raises_by_rules(least_category=PAIR))
    if name == "never-early":
        return Tables(waits, never, tables_of(rules).raises_river)
    assert name in ("always-play", "always-raise"), f"{name} has no tables"
    return Tables(waits + (4 if name == "always-raise" else 0), never, raises_by_rules(least_category=0))


def _grid() -> NDArray[np.int64]:
    pairs = zip(*(column.tolist() for column in hole_cards()), strict=True)
    return np.array([4 if written((CARDS[first], CARDS[second])) in GRID else 0 for first, second in pairs], np.int64)


def _flop() -> NDArray[np.bool_]:
    masks = kinds(3).masks
    first, second = hole_cards()
    high, low = first >> 2, second >> 2
    found = np.zeros((len(masks), first.size), np.bool_)
    for number, by_suit in enumerate(masks.tolist()):
        flop = [4 * rank + suit for suit in range(4) for rank in range(13) if by_suit[suit] >> rank & 1]
        ranks = by_suit[0] | by_suit[1] | by_suit[2] | by_suit[3]
        pairs = np.where(high == low, high > TWO, (ranks >> high | ranks >> low) & 1 == 1)
        free = ~(np.isin(first, flop) | np.isin(second, flop))
        hands = np.column_stack([np.tile(flop, (int(free.sum()), 1)), first[free], second[free]])
        found[number] = pairs | _draws(by_suit, first, second)
        found[number, free] |= CATEGORY[rank_hands(hands.astype(np.uint8))] >= STRAIGHT
    return found


def _draws(by_suit: list[int], first: NDArray[np.int64], second: NDArray[np.int64]) -> NDArray[np.bool_]:
    # Four to a flush with one of the player's own cards a ten or higher.
    found = np.zeros(first.size, np.bool_)
    for suit in range(4):
        own = [(card & 3) == suit for card in (first, second)]
        four = by_suit[suit].bit_count() + own[0].astype(np.int64) + own[1] == 4
        found |= four & ((own[0] & (first >> 2 >= TEN)) | (own[1] & (second >> 2 >= TEN)))
    return found
