"""What neighbors' cards are worth: random neighbors beside random hands on every kind of flop, later cards counted.

What a hand wins on a flop beside neighbors' cards is compared with what it wins there without them, which is known for
every flop and hand. Only the difference is estimated.
"""

from collections.abc import Callable
from fractions import Fraction
from functools import cache
from itertools import combinations, permutations
from math import comb
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pitboss.games.ultimate_texas_holdem.exact import worths_before
from pitboss.games.ultimate_texas_holdem.neighbor_kernels import BOARD, CARDS, FLOP, sum_beside
from pitboss.games.ultimate_texas_holdem.situations import AFTER_FLOP, kept_sums
from pitboss.games.ultimate_texas_holdem.solution import payoffs, raise_sums
from pitboss.odds.compiled import on_every_thread
from pitboss.odds.exposure import Exposed, stratified
from pitboss.odds.streams import deal
from pitboss.odds.symmetry import SUIT_PERMUTATIONS, hole_cards, hole_index, holes_permuted, key_of, kinds
from pitboss.rules.in_force import RulesInForce

HOLE, RANKS = 2, 13
HANDS, SEED = 24, 1  # random hands on each kind of flop
SETS = 4  # of neighbors beside each hand, at most; no card is in two of them
PARTS = 8  # a raise before the flop is learned from the flops of the other parts
TRUST = 1000  # the weight of what other flops teach against the assumption that cards change nothing

Booleans = NDArray[np.bool_]
Integers = NDArray[np.int64]
Floats = NDArray[np.float64]


class Worths(NamedTuple):
    """What the raise before the flop and a check are worth, in units."""

    raised: Floats
    checked: Floats

    @property
    def gain(self) -> Floats:
        """Return what the raise gains over the check."""
        return self.raised - self.checked

    def of(self, raises: Booleans) -> Floats:
        """Return what the answers given are worth."""
        return np.where(raises, self.raised, self.checked)


class Sample(NamedTuple):
    """Random hands on each kind of flop, the sets of neighbors' cards beside each, and what they are worth there."""

    holes: Integers  # by kind of flop and hand
    shown: Integers  # by kind of flop, hand, set and card
    worths: Worths  # by kind of flop, hand and set
    staked: Floats  # the same for the Play wager of a hand that checks, in units


def with_neighbors(
    rules: RulesInForce, neighbors: int, ties: str = "more", announce: Callable[[str], None] = lambda _: None
) -> Exposed:
    """Return what the main game is worth to a player who has seen this many other hands before deciding."""
    announce("flops without neighbors")
    fair = fair_worths(rules)
    announce("flops beside neighbors")
    sample = sampled(rules, neighbors, equal_raises=ties == "more")
    alone = Worths(*(table[np.arange(len(table))[:, None], sample.holes][:, :, None] for table in fair))
    left = worths_left(fair, sample.holes, sample.shown)
    # The gain depends on the flops that the neighbors' cards leave, and on what the cards change on each of them.
    gain = left.gain + _learned(sample, sample.worths.gain - alone.gain)
    raises = gain >= 0 if ties == "more" else gain > 0
    value, raises_alone = _alone(rules, ties)
    usual = raises_alone[sample.holes][:, :, None]
    worths = sample.worths.of(raises) - alone.of(raises) + left.of(raises) - left.of(usual)
    required = sum(wager.required for wager in rules.game.wagers)
    staked = required + np.where(raises, max(payoffs(rules).multiples), sample.staked)
    result = stratified(value + worths.mean(axis=2), staked.mean(axis=2), kinds(FLOP).multiplicity)
    return Exposed(result, {}, worths.size)


def fair_worths(rules: RulesInForce) -> Worths:
    """Return by kind of flop and hole what the raise before the flop and a check are worth without neighbors."""
    pays = payoffs(rules)
    sums = raise_sums(rules, max(pays.multiples)), np.maximum(*kept_sums(rules))  # after a check, a raise or a wait
    return Worths(*(np.true_divide(table, pays.scale * AFTER_FLOP) for table in sums))


def sampled(rules: RulesInForce, neighbors: int, *, equal_raises: bool, hands: int = HANDS, seed: int = SEED) -> Sample:
    """Return random hands and neighbors on each kind of flop, with every turn, river and dealer's hand counted."""
    pays, shown = payoffs(rules), HOLE * neighbors
    flops = _flop_cards()
    sets = min(SETS, (CARDS - FLOP - HOLE) // shown)
    left = CARDS - BOARD - shown  # of which turn and river are drawn with two fewer in the player's hand
    boards, dealers = comb(left, 2), comb(left - 2, 2)
    dealt = np.zeros((len(flops), hands, sets, HOLE + shown), np.int64)
    found = np.zeros((len(flops), hands * sets, 4), np.int64)

    def work(thread: int, threads: int) -> None:
        for at in range(thread, len(flops), threads):
            rest = np.setdiff1d(np.arange(CARDS), flops[at])
            cards = rest[deal(seed, at * hands, hands, cards=len(rest), drawn=HOLE + sets * shown)]
            dealt[at, :, :, :HOLE] = cards[:, None, :HOLE]
            dealt[at, :, :, HOLE:] = cards[:, HOLE:].reshape(hands, sets, shown)
            rows = dealt[at].reshape(hands * sets, HOLE + shown)
            sum_beside(flops[at], rows, *pays.tables(), pays.fold, equal_raises, found[at])

    on_every_thread(work)
    base, each, waited, raised_late = np.moveaxis(found.reshape(len(flops), hands, sets, 4), -1, 0)
    total = pays.scale * boards * dealers
    raised, on_flop = base + max(pays.multiples) * each, base + 2 * each
    raises = on_flop >= waited if equal_raises else on_flop > waited
    worths = Worths(np.true_divide(raised, total), np.true_divide(np.maximum(on_flop, waited), total))
    first, second = dealt[:, :, 0, 0], dealt[:, :, 0, 1]
    holes = hole_index()[CARDS * first + second].astype(np.int64)
    return Sample(holes, dealt[..., HOLE:], worths, np.where(raises, 2, np.true_divide(raised_late, boards)))


def worths_left(fair: Worths, holes: Integers, shown: Integers) -> Worths:
    """Return what each hand is worth without neighbors, over the flops that the cards shown beside it leave."""
    flops, kind, change = _every_flop()
    moved = holes_permuted()
    # Holes that differ only in their suits become the same one, and the cards shown change their suits with them.
    alike, turned = moved.min(axis=0)[holes], SUIT_PERMUTATIONS[moved.argmin(axis=0)][holes]
    cards = shown & ~3 | np.take_along_axis(turned[:, :, None, :], shown & 3, axis=3)
    found = np.empty((2, *shown.shape[:3]))
    for hole in np.unique(alike):
        own = [int(half[hole]) for half in hole_cards()]
        is_left = ~np.isin(flops, own).any(axis=1)
        at = alike == hole
        seen = cards[at].reshape(-1, shown.shape[3])
        for number, table in enumerate(fair):
            worth = np.where(is_left, table[kind, moved[change, hole]], 0)
            found[number][at] = _without(flops, worth, seen).reshape(-1, shown.shape[2])
    return Worths(*np.true_divide(found, comb(CARDS - HOLE - shown.shape[3], FLOP)))


def _without(flops: Integers, worths: Floats, seen: Integers) -> Floats:
    """Sum what flops are worth, those with a card seen left out, by inclusion and exclusion."""
    of_three = np.zeros((CARDS, CARDS, CARDS))
    for order in permutations(flops.T):
        of_three[order] = worths
    of_two = of_three.sum(axis=2)
    of_card = np.true_divide(of_two.sum(axis=1), 2)
    pairs, threes = (np.array(list(combinations(range(seen.shape[1]), size)), np.int64).T for size in (2, 3))
    total: Floats = np.full(len(seen), np.true_divide(of_card.sum(), 3))
    total += of_two[tuple(seen[:, pairs].swapaxes(0, 1))].sum(axis=1) - of_card[seen].sum(axis=1)
    return total - of_three[tuple(seen[:, threes].swapaxes(0, 1))].sum(axis=1) if threes.size else total


def _learned(sample: Sample, change: Floats) -> Floats:
    """Return by hand and set what the cards shown change in the gain of a raise, as other flops teach it.

    The change is linear in the ranks shown and in how many are of the hand's suits. A rule that is slightly off plays
    slightly worse, so the estimate can only be low by it.
    """
    low, high = hole_cards()
    suits = np.stack([low & 3, high & 3], axis=1)[sample.holes][:, :, None, :, None]
    ranks = (sample.shown[..., None] >> 2 == np.arange(RANKS)).sum(axis=3)
    suited = (sample.shown[:, :, :, None, :] & 3 == suits).sum(axis=(3, 4))
    known = np.concatenate([ranks, suited[..., None]], axis=3).astype(np.float64)
    classes = np.where(low & 3 == high & 3, RANKS * (low >> 2) + (high >> 2), RANKS * (high >> 2) + (low >> 2))
    of_class, weights = classes[sample.holes], kinds(FLOP).multiplicity
    part = np.broadcast_to((np.arange(len(weights)) % PARTS)[:, None], of_class.shape)
    learned = np.zeros(change.shape)
    for number in np.unique(of_class):
        rows = [(of_class == number) & (part == each) for each in range(PARTS)]
        sums = []
        for at in rows:
            heavy = np.repeat(weights[np.nonzero(at)[0]], change.shape[2])[:, None]
            given = known[at].reshape(-1, known.shape[3])
            sums.append((given.T @ (heavy * given), given.T @ (heavy[:, 0] * change[at].ravel())))
        squares, products = (sum(parts) for parts in zip(*sums, strict=True))
        for at, (square, product) in zip(rows, sums, strict=True):
            effects = np.linalg.solve(TRUST * (squares - square) + np.eye(len(square)), TRUST * (products - product))
            learned[at] = known[at] @ effects
    return learned


def _alone(rules: RulesInForce, ties: str) -> tuple[np.float64, Booleans]:
    """Return what the game is worth without neighbors, and by hole whether it is raised before the flop."""
    worths, multiple = worths_before(rules), max(payoffs(rules).multiples)
    found = [worths(hole) for hole in range(len(hole_cards()[0]))]
    gains = [each[f"raise {multiple}x"] - each["check"] for each in found]
    raises = np.array([gain >= 0 if ties == "more" else gain > 0 for gain in gains])
    total = sum((max(each.values()) for each in found), Fraction(0))
    return np.float64(Fraction(total, len(found))), raises


def _flop_cards() -> Integers:
    masks = kinds(FLOP).masks
    is_in = (masks[:, None, :] >> np.arange(RANKS)[:, None] & 1).reshape(len(masks), CARDS)
    return np.nonzero(is_in)[1].reshape(-1, FLOP)


@cache
def _every_flop() -> tuple[Integers, Integers, Integers]:
    """Return the cards of every flop, its kind, and the change of suits that makes it the kind's own flop."""
    flops = np.array(list(combinations(range(CARDS), FLOP)), np.int64)
    masks = np.stack([((flops & 3 == suit) << (flops >> 2)).sum(axis=1) for suit in range(4)], axis=1)
    order = np.argsort(-masks, axis=1, kind="stable")
    kind = np.searchsorted(kinds(FLOP).key, key_of(np.take_along_axis(masks, order, axis=1)))
    places = np.argsort(order, axis=1)
    change = (SUIT_PERMUTATIONS[None] == places[:, None]).all(axis=2).argmax(axis=1)
    return flops, kind, change
