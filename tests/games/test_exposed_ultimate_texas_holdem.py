"""Exposed cards in Ultimate Texas Hold 'Em: sums by suit against plain counting, and the published figures."""

import os
from itertools import combinations
from typing import Any

import numpy as np
import pytest

from pitboss.games import game
from pitboss.games.ultimate_texas_holdem import exposed as part
from pitboss.games.ultimate_texas_holdem import matchup_kernels, peek_kernels, view_kernels
from pitboss.games.ultimate_texas_holdem.solution import payoffs
from pitboss.odds.evaluator import CATEGORY, rank_hands
from pitboss.odds.exposure import Exposure, Moments
from pitboss.odds.outcomes import NotCountable
from pitboss.odds.symmetry import hole_cards, hole_index
from pitboss.rules.in_force import RulesInForce

RULES = RulesInForce(game("ultimate-texas-holdem"))
IS_WHOLE = bool(os.environ.get("PITBOSS_AGREE"))  # `make agree` counts more hands
FIRST_PAIR = int(np.searchsorted(CATEGORY, 1))
# A flop of each kind: one suit, two suits, three suits, paired, trips.
FLOPS = ((0, 20, 44), (1, 21, 46), (2, 23, 45), (12, 13, 51), (48, 49, 50))


def gain_by_counting(known: tuple[int, ...], hole: tuple[int, int], dealer: tuple[int, ...]) -> int:
    """Sum over every way to complete the board what a raise of twice the Ante gains over waiting for the river."""
    pays = payoffs(RULES)
    fixed, play = pays.tables()
    left = [card for card in range(52) if card not in {*known, *hole, *dealer}]
    total = 0
    for more in combinations(left, 5 - len(known)):
        board = (*known, *more)
        rest = [card for card in left if card not in more]
        hands = [(*board, *dealer, *drawn) for drawn in combinations(rest, 2 - len(dealer))]
        values = rank_hands(np.array([(*board, *hole), *hands], np.uint8)).astype(np.int64)
        mine, dealers = int(values[0]), values[1:]
        ends = np.where(dealers < mine, 0, np.where(dealers > mine, 2, 4)) + (dealers < FIRST_PAIR)
        category = CATEGORY[mine]
        base, each = int(fixed[ends, category].sum()), int(play[ends, category].sum())
        total += base + 2 * each - max(base + each, pays.fold * len(dealers))
    return total


def masks_of(cards: tuple[int, ...]) -> np.ndarray:
    return np.array([sum(1 << (card >> 2) for card in cards if card & 3 == suit) for suit in range(4)], np.int64)


@pytest.mark.parametrize("flop", FLOPS)
def test_a_raise_on_the_flop_gains_what_plain_counting_gives(flop: tuple[int, ...]) -> None:
    peeked = part._Peeked(payoffs(RULES), Exposure(dealer=1), "more", lambda _: None)
    fixed, play = peeked.pays.tables()
    sums = peeked._sums((fixed + 2 * play, -(fixed + play), -peeked.pays.fold))
    by_ranks = peeked._by_ranks(sums)
    plain, found, view, known, last = peek_kernels.room_for(1, 52)
    peek_kernels.sum_cards(masks_of(flop), by_ranks, sums, plain, found, view, known, last)
    generator = np.random.default_rng(sum(flop))
    left = [card for card in range(52) if card not in flop]
    holes = [(left[0], left[1], left[2]), *(generator.choice(left, 3, replace=False).tolist() for _ in range(3))]
    for first, second, dealer in holes if IS_WHOLE else holes[-1:]:
        hole = int(hole_index()[52 * first + second])
        assert found[0, hole, dealer] == gain_by_counting(flop, (first, second), (dealer,))


@pytest.mark.parametrize("flop", FLOPS)
def test_both_dealers_cards_known_gain_what_plain_counting_gives(flop: tuple[int, ...]) -> None:
    pays = payoffs(RULES)
    fixed, play = pays.tables()
    gains = part._by_category(fixed + 2 * play - np.maximum(fixed + play, pays.fold))
    gained = np.zeros((1326, 1326))
    matchup_kernels.add_gains(0, 1, masks_of(flop)[None, :], np.ones(1, np.int64), gains, gained)
    generator = np.random.default_rng(sum(flop))
    left = [card for card in range(52) if card not in flop]
    for _ in range(12 if IS_WHOLE else 3):
        first, second, third, fourth = generator.choice(left, 4, replace=False).tolist()
        mine, dealers = (int(hole_index()[52 * either + other]) for either, other in ((first, second), (third, fourth)))
        counted = gain_by_counting(flop, (first, second), (third, fourth))
        assert gained[mine, dealers] == max(counted, 0)


def test_five_ranks_have_a_number_of_their_own() -> None:
    five_index: Any = view_kernels.five_index
    found = {
        int(five_index.py_func(np.array([rank - at for at, rank in enumerate(ranks)])))
        for ranks in combinations(range(17), 5)
    }
    assert found == set(range(view_kernels.RANK_SETS))


def test_other_exposures_are_refused_in_a_sentence() -> None:
    with pytest.raises(NotCountable, match="at most one card of the board"):
        part.exposed(RULES, Exposure(flop=2))


@pytest.mark.slow
@pytest.mark.skipif(not IS_WHOLE, reason="minutes; `make agree` runs it")
@pytest.mark.parametrize(
    ("exposure", "published"),
    [
        (Exposure(dealer=1), 13.5922),
        (Exposure(dealer=1, flop=1), 22.3286),
        (Exposure(dealer=1, turn_river=1), 26.1867),
        (Exposure(dealer=2), 38.5816),
    ],
)
def test_the_published_figures_are_met_to_the_last_digit(exposure: Exposure, published: float) -> None:
    found = part.exposed(RULES, exposure)
    assert isinstance(found.worth, Moments)
    assert round(100 * float(found.worth.ev), 4) == published
    assert "raise 3x" not in found.answers
    if exposure == Exposure(dealer=1):
        assert found.situations == 5083
    if exposure == Exposure(dealer=2):
        assert round(100 * float(found.answers["raise 4x"]), 4) == 34.7368


def test_every_hand_has_one_relation_to_the_cards_seen() -> None:
    from pitboss.games.ultimate_texas_holdem.relations import (
        Relations,
        _beside,
        _of_holes,
        _on_board,
        rule_against_hole,
    )

    ranks = np.arange(52)[None, :] >> 2
    assert (np.sum([np.broadcast_to(hands, (1326, 52)) for _, hands in _beside(ranks)], axis=0) == 1).all()
    assert (np.sum([np.broadcast_to(hands, (1326, 1326)) for _, hands in _of_holes()], axis=0) == 1).all()
    for board in range(13):
        assert (np.sum([hands for _, hands in _on_board(board)], axis=0) == 1).all()
        against = Relations(is_dealer_seen=True)._relations(board)
        assert (np.sum([np.broadcast_to(hands, (1326, 52)) for _, hands in against], axis=0) == 1).all()
    # A raise that gains with a pair only is told so, and costs nothing.
    first, second = hole_cards()
    gains = np.where((first >> 2 == second >> 2)[:, None], 2, -1) * np.ones((1, 1326), np.int64)
    rule = rule_against_hole(gains, 4, 100)
    assert rule.cost == 0
    assert rule.lines[1].startswith("Check with no pair, against a pair; two cards above both;")
