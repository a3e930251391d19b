"""Exactly how often each outcome happens, under optimal play: hands counted by kind, not one by one.

Only the twenty cards from ten to ace matter, and of them only how many of each rank are held, but for the royal
flush: a dealer can hold one only in a suit of which the player has none of the five. So hands are of one kind
when they hold as many of each rank, leave as many suits whole, and both or neither are a royal flush.
"""

from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from math import comb
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pitboss.cards.deck import RANKS, SUITS, Card
from pitboss.games.top_five_poker.readings import READINGS, counted, value_of
from pitboss.odds.outcomes import Counts, Outcome
from pitboss.odds.pricing import net_units
from pitboss.rules.in_force import RulesInForce
from pitboss.rules.play import FOLDED, PLAYED
from pitboss.rules.reading import DealerReading, SeatCards, TableCards

HANDS, DEALERS = comb(52, 7), comb(45, 7)
LOW_CARDS, HIGH_RANKS, MOST = 32, 5, 7
ROYAL_SUIT = (1 << HIGH_RANKS) - 1
HIGH_CARDS = tuple(Card(rank + suit) for suit in SUITS for rank in RANKS[-HIGH_RANKS:])
FOLD_FACTS = frozenset({"folded"})
ORDERS = ("more-cards", "fewer-cards", "equal-cards-higher", "equal-cards-lower", "equal")
DEALER_FACTS = ("dealer-below-queen-jack", "dealer-qualifies")
# How a played hand ends, by column of a table of counts.
ENDS = tuple(frozenset({dealer, order}) for dealer in DEALER_FACTS for order in ORDERS)

Integers = NDArray[np.int64]
Stakes = tuple[tuple[str, int], ...]


class Kinds(NamedTuple):
    """Kinds of hands, one a row."""

    held: Integers  # by rank, ten to ace: how many cards
    whole_suits: Integers  # suits of which none of the five is held
    royal: Integers  # 1 for a royal flush
    value: Integers  # as the readings compare it
    sets: Integers  # how many sets of high cards are of this kind
    sample: Integers  # one of them, a bit for each of `HIGH_CARDS`

    def size(self) -> Integers:
        """Return how many high cards each kind holds."""
        size: Integers = self.held.sum(axis=1)
        return size


class Choice(NamedTuple):
    """One answer: what it stakes, what it is worth and how often it ends how."""

    stakes: Stakes
    worth: Fraction
    ends: Mapping[frozenset[str], int]


def main_counts(rules: RulesInForce, ties: str = "more") -> Counts:
    """Count the outcomes of Ante and Play."""
    found: Counter[tuple[Stakes, frozenset[str]]] = Counter()
    hands, table = player_hands(all_kinds()), all_ends()
    for ways, row in zip(hands, table.tolist(), strict=True):
        best = next(iter(choices_of(rules, row, ties).values()))
        for facts, count in best.ends.items():
            found[best.stakes, facts] += ways * count
    outcomes = (Outcome(stakes, facts, (), count) for (stakes, facts), count in found.items())
    return Counts(HANDS * DEALERS, tuple(outcomes))


def wager_counts(rules: RulesInForce, wager: str, ties: str = "more") -> Counts:
    """Count the outcomes of one bonus wager; both are on the player's own cards, whatever becomes of the hand."""
    kinds = all_kinds()
    found: Counter[str] = Counter()
    for ways, sample in zip(player_hands(kinds), kinds.sample.tolist(), strict=True):
        seat = SeatCards(cards_of(sample), PLAYED)
        nobody = DealerReading(0, None, qualifies=False)
        reading = rules.game.readings.seat(TableCards(), nobody, seat, rules.options, (wager,))
        found[reading.cells[wager]] += ways
    outcomes = (Outcome(((wager, 1),), frozenset(), ((wager, cell),), count) for cell, count in found.items())
    return Counts(HANDS, tuple(outcomes))


def action_worths(rules: RulesInForce, cards: tuple[Card, ...], board: tuple[Card, ...] = ()) -> dict[str, Fraction]:
    """Return what each action is worth with these cards, in units of the Ante, the best first."""
    mask = sum(1 << HIGH_CARDS.index(card) for card in counted(cards))
    (row,) = _ends(_kinds_of(np.array([mask], np.int64))).tolist()
    return {name: choice.worth for name, choice in choices_of(rules, row, "more").items()}


def choices_of(rules: RulesInForce, row: list[int], ties: str) -> dict[str, Choice]:
    """Return every answer to a hand that ends so, the best first: by worth, then by what is staked."""
    more = 1 if ties == "more" else -1
    (actions,) = rules.actions.values()
    choices = {}
    for name, action in actions.items():
        stakes: Stakes = tuple((one.name, 1) for one in rules.game.wagers if one.required)
        if action.stakes:
            stakes = (*stakes, (action.stakes.wager, action.stakes.times))
        ends = {facts: count for facts, count in zip(ENDS, row, strict=True) if count}
        choices[name] = _choice(rules, stakes, {FOLD_FACTS: DEALERS} if action.becomes == FOLDED else ends)
    return dict(
        sorted(choices.items(), key=lambda one: (one[1].worth, more * sum(dict(one[1].stakes).values())), reverse=True)
    )


def _choice(rules: RulesInForce, stakes: Stakes, ends: Mapping[frozenset[str], int]) -> Choice:
    worth = Fraction(0)
    for facts, count in ends.items():
        for wager, units in stakes:
            worth += count * units * net_units(rules, wager, rules.adjudicate(wager, facts, None))
    return Choice(stakes, Fraction(worth, DEALERS), ends)


@cache
def all_kinds() -> Kinds:
    """Return every kind of hand."""
    masks = np.arange(1 << len(HIGH_CARDS))
    return _kinds_of(masks[np.bitwise_count(masks) <= MOST])


def _kinds_of(masks: Integers) -> Kinds:
    suits = masks[:, None] >> HIGH_RANKS * np.arange(len(SUITS)) & ROYAL_SUIT
    held = (suits[:, :, None] >> np.arange(HIGH_RANKS) & 1).sum(axis=1)
    whole_suits = (suits == 0).sum(axis=1)
    royal = (suits == ROYAL_SUIT).any(axis=1).astype(np.int64)
    keys = (held * 5 ** np.arange(HIGH_RANKS)).sum(axis=1) * 10 + whole_suits * 2 + royal
    _, first, sets = np.unique(keys, return_index=True, return_counts=True)
    values = np.array([value_of(cards_of(mask)) for mask in masks[first].tolist()], np.int64)
    return Kinds(held[first], whole_suits[first], royal[first], values, sets, masks[first])


def cards_of(mask: int) -> tuple[Card, ...]:
    """Return the high cards of a mask."""
    return tuple(card for bit, card in enumerate(HIGH_CARDS) if mask >> bit & 1)


def player_hands(kinds: Kinds) -> list[int]:
    """Return how many seven-card hands are of each kind."""
    low = _binomials()[LOW_CARDS, MOST - kinds.size()]
    hands: list[int] = (kinds.sets * low).tolist()
    return hands


@cache
def all_ends() -> Integers:
    """Return by kind of player's hand and end how many of the dealer's hands end a played hand so."""
    return _ends(all_kinds())


def _ends(players: Kinds) -> Integers:
    # By player's kind and end: how many of the dealer's hands end a played hand so.
    dealers, qualifies = _dealer_kinds()
    value, against = players.value[:, None], dealers.value
    size, size_against = players.size()[:, None], dealers.size()
    more, higher = size > size_against, value > against
    order = np.select([more, size < size_against, higher, value < against], [0, 1, 2, 3], 4)
    end = order + len(ORDERS) * qualifies
    ways = _dealer_ways(players, dealers)
    return np.stack([np.where(end == one, ways, 0).sum(axis=1) for one in range(len(ENDS))], axis=1)


@cache
def _dealer_kinds() -> tuple[Kinds, Integers]:
    # The suits that a dealer leaves whole are nobody's concern: one row for all that differ in nothing else.
    every = all_kinds()
    _, first = np.unique(np.column_stack([every.held, every.royal]), axis=0, return_index=True)
    dealers = Kinds(*(part[first] for part in every))
    tables = (TableCards(dealer=cards_of(sample)) for sample in dealers.sample.tolist())
    return dealers, np.array([bool(READINGS.dealer(table, {}).qualifies) for table in tables], np.int64)


def _dealer_ways(players: Kinds, dealers: Kinds) -> Integers:
    choose = _binomials()
    every = np.ones((len(players.sets), len(dealers.sets)), np.int64)
    royal = players.whole_suits[:, None] * every
    for rank in range(HIGH_RANKS):
        left, drawn = len(SUITS) - players.held[:, rank, None], dealers.held[:, rank]
        every *= choose[left, drawn]
        # One card of each rank is the royal flush's own, in a whole suit; the others come from what is left.
        royal *= np.where(drawn > 0, choose[np.maximum(left - 1, 0), np.maximum(drawn - 1, 0)], 0)
    high = np.where(dealers.royal == 1, royal, every - royal)
    low = choose[LOW_CARDS - MOST + players.size()[:, None], MOST - dealers.size()]
    ways: Integers = high * low
    assert (ways.sum(axis=1) == DEALERS).all(), "every dealer's hand is of one kind"
    return ways


@cache
def _binomials() -> Integers:
    return np.array([[comb(n, k) for k in range(MOST + 1)] for n in range(LOW_CARDS + 1)], np.int64)
