"""The exact value of Colorado Hold 'Em from every five-card hand, by plain arithmetic and without kernels."""

from fractions import Fraction
from functools import cache
from itertools import chain, combinations
from math import comb

import numpy as np
import pytest
from numpy.typing import NDArray

from games.second_method import mean, rules_of
from pitboss.games.colorado_holdem import exact
from pitboss.odds.pricing import net_units

NAME = "colorado-holdem"
CELLS = (
    "high-card",
    "lower-pair",
    "pair-of-sevens-or-eights",
    "pair-of-nines",
    "pair-of-tens",
    "pair-of-jacks-or-better",
    "two-pair",
    "three-of-a-kind",
    "straight",
    "flush",
    "full-house",
    "four-of-a-kind",
    "straight-flush",
    "royal-flush",
)
SEVEN, NINE, TEN, JACK, ACE = 5, 7, 8, 9, 12
Integers = NDArray[np.int64]


def cells_of(hands: Integers) -> Integers:
    """Return the cell of each five-card hand; a card is four times its rank, from two to ace, plus its suit."""
    ranks, suits = np.sort(hands >> 2, axis=1), hands & 3
    same = ranks[:, 1:] == ranks[:, :-1]
    # Equal neighbors among sorted ranks: 1 for a pair, 2 for two pair or three, 3 for a full house or four.
    equal = same.sum(axis=1)
    three = (same[:, 1:] & same[:, :-1]).any(axis=1)
    four = (ranks[:, 0] == ranks[:, 3]) | (ranks[:, 1] == ranks[:, 4])
    paired = (np.where(same, ranks[:, 1:], -1)).max(axis=1)
    low_ace = (ranks == (0, 1, 2, 3, ACE)).all(axis=1)
    straight = (equal == 0) & ((ranks[:, 4] - ranks[:, 0] == 4) | low_ace)
    flush = (suits == suits[:, :1]).all(axis=1)
    pair_cell = 1 + sum((paired >= least).astype(np.int64) for least in (SEVEN, NINE, TEN, JACK))
    return np.select(
        [
            straight & flush & (ranks[:, 0] == TEN),
            straight & flush,
            (equal == 3) & four,
            equal == 3,
            flush,
            straight,
            (equal == 2) & three,
            equal == 2,
            equal == 1,
        ],
        [13, 12, 11, 10, 9, 8, 7, 6, pair_cell],
        0,
    )


@cache
def hands_by_cell() -> tuple[Integers, Integers]:
    """Return by cell how many five-card hands hold each two cards and each three, by numbers of base 52."""
    hands = np.fromiter(chain.from_iterable(combinations(range(52), 5)), np.int64, comb(52, 5) * 5).reshape(-1, 5)
    cells = cells_of(hands)
    found = []
    for size in (2, 3):
        table = np.zeros(52**size * len(CELLS), np.int64)
        for places in combinations(range(5), size):
            number = np.zeros(len(hands), np.int64)
            for place in places:
                number = 52 * number + hands[:, place]
            table += np.bincount(number * len(CELLS) + cells, minlength=table.size)
        found.append(table.reshape(-1, len(CELLS)))
    return found[0], found[1]


def is_instant_winner(three: tuple[int, ...]) -> bool:
    ranks = [card >> 2 for card in three]
    return len(set(ranks)) == 1 or (len({card & 3 for card in three}) == 1 and ranks[2] - ranks[0] == 2)


def test_five_card_hands_fall_into_their_known_numbers() -> None:
    two, _ = hands_by_cell()
    each = two.sum(axis=0) // comb(5, 2)
    assert each.sum() == 2598960
    assert each[6:].tolist() == [123552, 54912, 10200, 5108, 3744, 624, 36, 4]
    assert each[1:6].tolist() == [84480 * ranks for ranks in (5, 2, 1, 1, 4)]


@pytest.mark.slow
@pytest.mark.parametrize("version", ["required-bet", "permissible-bet"])
def test_both_wagers_are_worth_what_plain_counting_gives(version: str) -> None:
    rules = rules_of(NAME, version=version)
    (actions,) = rules.actions.values()

    def units(wager: str, facts: set[str], cell: str | None) -> Fraction:
        return net_units(rules, wager, rules.adjudicate(wager, frozenset(facts), cell))

    ante, bet, bonus = ([units(wager, {cell}, cell) for cell in CELLS] for wager in ("ante", "bet", "bonus"))
    two, three = hands_by_cell()
    won = won_bonus = Fraction(0)
    boards = comb(49, 3)
    for held in combinations(range(52), 3):
        together = three[(held[0] * 52 + held[1]) * 52 + held[2]]
        choices = []
        for kept in combinations(held, 2):
            row = (two[52 * kept[0] + kept[1]] - together).tolist()
            alone, more, extra = (sum(map(int.__mul__, row, map(int, pays))) for pays in (ante, bet, bonus))
            choices.append((alone + more, extra))
            choices += [(alone, extra)] if "check" in actions else []
        if "fold" in actions:
            choices.append((units("ante", {"folded"}, None) * boards, units("bonus", {"folded"}, None) * boards))
        if is_instant_winner(held):
            choices.append((5 * boards, 5 * boards))
        best = max(worth for worth, _ in choices)
        (on_bonus,) = {extra for worth, extra in choices if worth == best}
        won += best
        won_bonus += on_bonus
    deals = comb(52, 3) * boards
    assert won / deals == mean(rules, exact.main_counts(rules))
    assert won_bonus / deals == mean(rules, exact.wager_counts(rules, "bonus"))
