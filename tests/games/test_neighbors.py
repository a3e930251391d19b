"""Neighbors' cards in Ultimate Texas Hold 'Em: what is left beside them by plain counting, and how it is summed."""

import os
from itertools import combinations

import numpy as np
import pytest

from pitboss.games import game
from pitboss.games.ultimate_texas_holdem import neighbors
from pitboss.games.ultimate_texas_holdem.exact import worths_before
from pitboss.games.ultimate_texas_holdem.neighbor_kernels import sum_beside
from pitboss.games.ultimate_texas_holdem.solution import payoffs
from pitboss.odds.evaluator import CATEGORY, rank_hands
from pitboss.odds.exposure import Estimate, stratified
from pitboss.odds.symmetry import hole_cards, hole_index, holes_permuted, kinds
from pitboss.rules.in_force import RulesInForce

pytestmark = pytest.mark.xdist_group("exact")
RULES = RulesInForce(game("ultimate-texas-holdem"))
FIRST_PAIR = int(np.searchsorted(CATEGORY, 1))
# A flop of each kind: one suit, two suits, three suits, paired, trips.
FLOPS = ((0, 20, 44), (1, 21, 46), (2, 23, 45), (12, 13, 51), (48, 49, 50))


def by_counting(flop: tuple[int, ...], hand: list[int]) -> list[int]:
    """Go through every turn, river and dealer's hand beside the cards of a hand and its neighbors."""
    pays = payoffs(RULES)
    fixed, play = pays.tables()
    found = [0, 0, 0, 0]
    left = [card for card in range(52) if card not in {*flop, *hand}]
    for more in combinations(left, 2):
        rest = [card for card in left if card not in more]
        dealers = [(*flop, *more, *held) for held in combinations(rest, 2)]
        mine, *others = rank_hands(np.array([(*flop, *more, *hand[:2]), *dealers], np.uint8)).astype(np.int64).tolist()
        against = np.array(others)
        ends = np.where(against < mine, 0, np.where(against > mine, 2, 4)) + (against < FIRST_PAIR)
        base, each = (int(table[ends, CATEGORY[mine]].sum()) for table in (fixed, play))
        folded = pays.fold * len(dealers)
        raises = base + each >= folded
        for at, part in enumerate((base, each, max(base + each, folded), raises)):
            found[at] += part
    return found


@pytest.mark.parametrize("flop", FLOPS)
@pytest.mark.parametrize("neighbor_count", [1, 5])
def test_what_is_left_beside_neighbors_is_what_plain_counting_gives(flop: tuple[int, ...], neighbor_count: int) -> None:
    pays = payoffs(RULES)
    generator = np.random.default_rng(sum(flop) + neighbor_count)
    rest = [card for card in range(52) if card not in flop]
    hands = np.array([generator.permutation(rest)[: 2 + 2 * neighbor_count] for _ in range(2)], np.int64)
    found = np.zeros((len(hands), 4), np.int64)
    sum_beside(np.array(flop), hands, *pays.tables(), pays.fold, True, found)
    assert found[0].tolist() == by_counting(flop, hands[0].tolist())
    assert found[1, 3] <= len(list(combinations(range(47 - 2 * neighbor_count), 2)))


def alike(flop: list[int], hole: list[int]) -> float:
    """Return a number that depends on a flop and a hand and isn't changed by a change of suits."""
    ranks = sum(card >> 2 == held >> 2 for card in flop for held in hole)
    suits = sum(card & 3 == held & 3 for card in flop for held in hole)
    return ranks + suits / 7 + max(flop) // 4 / 50 + (max(hole) >> 2) * (min(flop) >> 2) / 300


@pytest.mark.parametrize("shown_each", [2, 4])
def test_flops_that_neighbors_leave_are_summed_by_inclusion_and_exclusion(shown_each: int) -> None:
    generator = np.random.default_rng(shown_each)
    deals = np.array([generator.permutation(52)[: 2 + shown_each] for _ in range(6)])
    holes = hole_index()[52 * deals[:, 0] + deals[:, 1]].astype(np.int64)
    flop_cards = neighbors._flop_cards().tolist()
    low, high = hole_cards()
    table = np.zeros((len(flop_cards), len(low)))
    for hole in {int(moved) for row in holes_permuted()[:, holes] for moved in row}:
        table[:, hole] = [alike(flop, [int(low[hole]), int(high[hole])]) for flop in flop_cards]
    found = neighbors.worths_left(neighbors.Worths(table, 2 * table), holes[None, :], deals[None, :, None, 2:])
    for at, deal in enumerate(deals.tolist()):
        left = [card for card in range(52) if card not in deal]
        mean = np.mean([alike(list(flop), deal[:2]) for flop in combinations(left, 3)])
        assert found.raised[0, at, 0] == pytest.approx(mean)
        assert found.checked[0, at, 0] == pytest.approx(2 * mean)


@pytest.mark.slow
@pytest.mark.skipif(not os.environ.get("PITBOSS_AGREE"), reason="a minute; `make agree` runs it")
def test_flops_without_neighbors_are_worth_what_the_game_is() -> None:
    fair, (flops, kind, change) = neighbors.fair_worths(RULES), neighbors._every_flop()
    moved = holes_permuted()
    for hole in (0, 700, 1325):
        dealt = ~np.isin(flops, [half[hole] for half in hole_cards()]).any(axis=1)
        worths = [float(table[kind, moved[change, hole]][dealt].mean()) for table in fair]
        before = worths_before(RULES)(hole)
        assert worths == pytest.approx([float(before["raise 4x"]), float(before["check"])])


@pytest.mark.slow
@pytest.mark.skipif(not os.environ.get("PITBOSS_AGREE"), reason="a minute; `make agree` runs it")
def test_neighbors_change_what_is_chosen_and_not_what_a_hand_wins() -> None:
    fair = neighbors.fair_worths(RULES)
    sample = neighbors.sampled(RULES, 5, equal_raises=True, hands=6)
    here = fair.raised[np.arange(len(fair.raised))[:, None], sample.holes]
    # On a given flop, cards that are dealt to neighbors are a random part of those that aren't seen.
    off = (sample.worths.raised - here[:, :, None]).mean(axis=2)
    found = stratified(off, off, kinds(3).multiplicity)
    assert abs(found.ev) < 4 * found.standard_error
    left = neighbors.worths_left(fair, sample.holes, sample.shown).raised.mean(axis=2)
    whole = stratified(left - here, left, kinds(3).multiplicity)
    assert abs(whole.ev) < 4 * whole.standard_error


@pytest.mark.slow
@pytest.mark.skipif(not os.environ.get("PITBOSS_AGREE"), reason="a minute; `make agree` runs it")
def test_the_more_neighbors_share_the_more_it_is_worth() -> None:
    alone = float(sum(max(worths_before(RULES)(hole).values()) for hole in range(1326)) / 1326)
    values = [alone]
    for count in (1, 3, 5):
        worth = neighbors.with_neighbors(RULES, count).worth
        assert isinstance(worth, Estimate)
        assert worth.standard_error < 0.001
        assert 3 < worth.average_wager < 5
        assert worth.ev > values[-1]
        values.append(worth.ev)
