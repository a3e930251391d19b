"""The kernel of Top Five Poker: hands counted by kind, not one by one.

Only the twenty cards from ten to ace matter, and of those only how many of each rank a hand has, except for the royal
flush: a dealer can hold one only in a suit of which the player has none of the five. So two hands are of the same kind
if they have the same number of each rank, leave the same number of suits whole, and both or neither are a royal flush.
"""

from collections.abc import Collection, Iterable
from functools import cache
from math import comb
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pitboss.cards.deck import RANKS, SUITS, Card
from pitboss.games.top_five_poker.readings import READINGS, counted, value_of
from pitboss.odds.one_decision import Ends, Hand, OneDecision
from pitboss.rules.in_force import RulesInForce
from pitboss.rules.play import FOLDED
from pitboss.rules.reading import SeatCards, TableCards

DEALERS = comb(45, 7)
LOW_CARDS, HIGH_RANKS, MOST = 32, 5, 7
ROYAL_SUIT = (1 << HIGH_RANKS) - 1
HIGH_CARDS = tuple(Card(rank + suit) for suit in SUITS for rank in RANKS[-HIGH_RANKS:])
FOLD_FACTS = frozenset({"folded"})
ORDERS = ("more-cards", "fewer-cards", "equal-cards-higher", "equal-cards-lower", "equal")
DEALER_FACTS = ("dealer-below-queen-jack", "dealer-qualifies")
# How a played hand ends, by column of a table of counts.
ENDS = tuple(frozenset({dealer, order}) for dealer in DEALER_FACTS for order in ORDERS)

Integers = NDArray[np.int64]


class Kinds(NamedTuple):
    """Kinds of hands, a row each, in increasing order of their key."""

    key: Integers
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


def hands() -> Iterable[tuple[Hand, int]]:
    """Return the counted cards of a hand of each kind, and how many seven-card hands are of the kind."""
    kinds = all_kinds()
    low = _binomials()[LOW_CARDS, MOST - kinds.size()]
    return zip(map(cards_of, kinds.sample.tolist()), (kinds.sets * low).tolist(), strict=True)


def ends(rules: RulesInForce, seat: SeatCards, wagers: Collection[str]) -> Ends:
    """Count how a seat's hand ends against every hand that the dealer can hold."""
    if seat.status == FOLDED:
        return {(FOLD_FACTS, ()): DEALERS}
    row = _all_ends()[_row_of(seat.cards)].tolist()
    return {(facts, ()): count for facts, count in zip(ENDS, row, strict=True) if count}


def sample_of(cards: Hand) -> Hand:
    """Return the counted cards of the hand that represents the kind of these cards."""
    return cards_of(int(all_kinds().sample[_row_of(cards)]))


def _row_of(cards: Hand) -> int:
    mask = sum(1 << HIGH_CARDS.index(card) for card in counted(cards))
    return int(np.searchsorted(all_kinds().key, _traits(np.array([mask], np.int64))[0][0]))


@cache
def all_kinds() -> Kinds:
    """Return every kind of hand."""
    masks = _masks()
    keys, held, whole_suits, royal = _traits(masks)
    key, first, sets = np.unique(keys, return_index=True, return_counts=True)
    values = np.array([value_of(cards_of(mask)) for mask in masks[first].tolist()], np.int64)
    return Kinds(key, held[first], whole_suits[first], royal[first], values, sets, masks[first])


@cache
def kinds_by_mask() -> NDArray[np.uint16]:
    """Return the row of each set of high cards that a hand can hold, by its mask."""
    masks = _masks()
    found = np.zeros(1 << len(HIGH_CARDS), np.uint16)
    found[masks] = np.searchsorted(all_kinds().key, _traits(masks)[0])
    return found


def _masks() -> Integers:
    masks = np.arange(1 << len(HIGH_CARDS))
    return masks[np.bitwise_count(masks) <= MOST]


def _traits(masks: Integers) -> tuple[Integers, Integers, Integers, Integers]:
    # What tells kinds apart, and a key made of it.
    suits = masks[:, None] >> HIGH_RANKS * np.arange(len(SUITS)) & ROYAL_SUIT
    held = (suits[:, :, None] >> np.arange(HIGH_RANKS) & 1).sum(axis=1)
    whole_suits = (suits == 0).sum(axis=1)
    royal = (suits == ROYAL_SUIT).any(axis=1).astype(np.int64)
    key = (held * 5 ** np.arange(HIGH_RANKS)).sum(axis=1) * 10 + whole_suits * 2 + royal
    return key, held, whole_suits, royal


def cards_of(mask: int) -> tuple[Card, ...]:
    """Return the high cards of a mask."""
    return tuple(card for bit, card in enumerate(HIGH_CARDS) if mask >> bit & 1)


@cache
def _all_ends() -> Integers:
    # By kind of the player's hand and by end: how many of the dealer's hands end a played hand that way.
    players = all_kinds()
    dealers, qualifies = dealer_kinds()
    value, against = players.value[:, None], dealers.value
    size, size_against = players.size()[:, None], dealers.size()
    more, higher = size > size_against, value > against
    order = np.select([more, size < size_against, higher, value < against], [0, 1, 2, 3], 4)
    end = order + len(ORDERS) * qualifies
    ways = _dealer_ways(players, dealers)
    return np.stack([np.where(end == column, ways, 0).sum(axis=1) for column in range(len(ENDS))], axis=1)


@cache
def dealer_kinds() -> tuple[Kinds, Integers]:
    """Return the kinds of hands that compare differently, and which of them qualify."""
    # The suits that a dealer leaves whole don't matter: kinds that differ only by them share a row.
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


SOLVER = OneDecision(hands, ends, sample_of)
main_counts, wager_counts, action_worths = SOLVER.main_counts, SOLVER.wager_counts, SOLVER.action_worths
reason = SOLVER.reason
