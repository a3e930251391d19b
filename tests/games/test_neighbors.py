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


def no_change(rules: RulesInForce, neighbor_count: int, hands: int = 2) -> neighbors.Sample:
    """Return random hands and neighbors on each kind of flop where nothing is worth anything."""
    generator = np.random.default_rng(neighbor_count)
    flops, sets = neighbors._flop_cards(), 2
    holes, shown = [], []
    for flop in flops.tolist():
        rest = [card for card in range(52) if card not in flop]
        dealt = [generator.permutation(rest)[: 2 + 2 * sets * neighbor_count] for _ in range(hands)]
        holes.append([hole_index()[52 * cards[0] + cards[1]] for cards in dealt])
        shown.append([cards[2:].reshape(sets, 2 * neighbor_count) for cards in dealt])
    nothing = np.zeros((len(flops), hands, sets))
    worths = neighbors.Worths(nothing, nothing)
    return neighbors.Sample(np.array(holes, np.int64), np.array(shown, np.int64), worths, nothing)


def test_a_sample_has_each_card_once_and_worths_within_what_can_be_won() -> None:
    sample = neighbors.sampled(RULES, 2, equal_raises=True, hands=1)
    flops = neighbors._flop_cards()
    low, high = (half[sample.holes] for half in hole_cards())
    sets = sample.shown.shape[2]
    for at in (0, 900, len(flops) - 1):
        cards = [*flops[at].tolist(), int(low[at, 0]), int(high[at, 0]), *sample.shown[at, 0].ravel().tolist()]
        assert len(set(cards)) == len(cards) == 3 + 2 + 4 * sets
    assert sample.worths.raised.shape == (len(flops), 1, sets)
    # A check may still raise, later and for less, or fold the Ante and Blind.
    assert sample.worths.checked.min() >= -2
    assert ((sample.staked >= 0) & (sample.staked <= 2)).all()
    again = neighbors.sampled(RULES, 2, equal_raises=True, hands=1)
    assert (again.worths.raised == sample.worths.raised).all()


def test_what_ranks_and_suits_change_is_learned_from_the_other_flops() -> None:
    sample = no_change(RULES, 2, hands=6)
    low, high = hole_cards()
    high_cards = (sample.shown >> 2 >= 8).sum(axis=3)
    suits = np.stack([low & 3, high & 3], axis=1)[sample.holes]
    suited = sum((sample.shown & 3 == suits[:, :, None, half, None]).sum(axis=3) for half in range(2))
    change = 0.25 * suited - 0.5 * high_cards
    learned = neighbors._learned(sample, change.astype(np.float64))
    assert np.abs(learned - change).max() < 0.01


def test_cards_that_change_nothing_leave_what_the_game_is_worth(monkeypatch: pytest.MonkeyPatch) -> None:
    none = np.zeros((len(neighbors._flop_cards()), 1326))
    monkeypatch.setattr(neighbors, "fair_worths", lambda rules: neighbors.Worths(none, none))
    monkeypatch.setattr(neighbors, "sampled", lambda rules, count, *, equal_raises: no_change(rules, count))
    announced: list[str] = []
    worth = neighbors.with_neighbors(RULES, 1, announce=announced.append).worth
    alone = sum(max(worths_before(RULES)(hole).values()) for hole in range(1326)) / 1326
    assert isinstance(worth, Estimate)
    assert worth.ev == pytest.approx(float(alone))
    assert worth.standard_error == 0
    assert worth.average_wager == pytest.approx(6), "a raise that gains nothing is made too: Ante, Blind and four more"
    assert announced == ["flops without neighbors", "flops beside neighbors"]


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
