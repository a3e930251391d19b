"""Optimal play against any payoffs of the main wagers: what every decision is worth, and how hands end under it."""

from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache, lru_cache
from math import comb, lcm

import numpy as np
from numpy.typing import NDArray

from pitboss.cards.poker import CATEGORIES
from pitboss.games.ultimate_texas_holdem import board_kernels, kernels
from pitboss.odds.compiled import on_every_thread
from pitboss.odds.outcomes import NotCountable
from pitboss.odds.pricing import net_units
from pitboss.odds.symmetry import SUIT_PERMUTATIONS, hole_cards, holes_permuted, kinds, stabilisers
from pitboss.rules.in_force import RulesInForce

# Every deal: the player's two cards, the board, which three of its cards are the flop, the dealer's two cards.
DEALS = comb(52, 2) * comb(50, 5) * comb(5, 3) * comb(45, 2)
SHOWDOWNS = comb(50, 5) * comb(45, 2)  # of one hole: every board and dealer's hand
FOLDED = frozenset({"folded"})
ENDS = {
    board_kernels.WIN: frozenset({"dealer-has-a-pair", "wins"}),
    board_kernels.WIN_NO_PAIR: frozenset({"dealer-below-a-pair", "wins"}),
    board_kernels.LOSE: frozenset({"dealer-has-a-pair", "loses"}),
    board_kernels.LOSE_NO_PAIR: frozenset({"dealer-below-a-pair", "loses"}),
    board_kernels.TIE: frozenset({"dealer-has-a-pair", "ties"}),
    board_kernels.TIE_NO_PAIR: frozenset({"dealer-below-a-pair", "ties"}),
}
# The largest sum in 64 bits is of one hole over its flops: ten to a board, each weighted with up to 24 changes of
# suits, and a raise may gain a few units of Play in addition to what the other wagers win.
LARGEST_UNITS = (1 << 63) // (24 * 10 * SHOWDOWNS * 4)

Booleans = NDArray[np.bool_]
Integers = NDArray[np.int64]


@dataclass(frozen=True)
class Payoffs:
    """What the main wagers pay, by end and category, as integers in the same fraction of a unit."""

    fixed: tuple[tuple[int, ...], ...]  # Ante and Blind
    play: tuple[tuple[int, ...], ...]  # each unit of Play
    fold: int
    scale: int
    multiples: tuple[int, ...]  # of the Ante that may be raised before the flop

    def tables(self) -> tuple[Integers, Integers]:
        """Return what Ante and Blind win and what Play wins, as kernels take them."""
        return np.array(self.fixed, np.int64), np.array(self.play, np.int64)


@dataclass(frozen=True)
class Solution:
    """Optimal play: what every decision is worth, and how hands end under it."""

    scale: int  # values are integers in this fraction of a unit
    before: Integers  # by hole: the multiple to raise before the flop, 0 to check
    raises_flop: Booleans  # by kind of flop and hole
    counts: Integers  # by decision, category and end
    beaten: Integers  # by folded or not, who was beaten, and category
    worths_before: Integers  # by hole: a check's, what is won regardless of the raise, what each unit raised wins
    gain_flop: Integers  # by kind of flop and hole: what a raise gains over a check


def payoffs(rules: RulesInForce) -> Payoffs:
    """Return what these rules pay for every way a hand can end."""

    def units(wager: str, facts: frozenset[str], cell: str | None) -> Fraction:
        return net_units(rules, wager, rules.adjudicate(wager, facts, cell))

    def whole(rows: list[list[Fraction]]) -> tuple[tuple[int, ...], ...]:
        return tuple(tuple(int(units * scale) for units in row) for row in rows)

    ends = [facts for _, facts in sorted(ENDS.items())]
    fixed = [[units("ante", facts, None) + units("blind", facts, name) for name in CATEGORIES] for facts in ends]
    play = [[units("play", facts, None) for _ in CATEGORIES] for facts in ends]
    fold = units("ante", FOLDED, None) + units("blind", FOLDED, None)
    scale = lcm(*(fraction.denominator for row in (*fixed, *play) for fraction in row), fold.denominator)
    raises = (action.stakes.times for action in rules.actions["before the flop"].values() if action.stakes)
    found = Payoffs(whole(fixed), whole(play), int(fold * scale), scale, tuple(sorted(raises)))
    if max(abs(units) for rows in (found.fixed, found.play) for row in rows for units in row) > LARGEST_UNITS:
        raise NotCountable(f"Odds above about {LARGEST_UNITS // scale:,} to 1 are too large to count exactly.")
    return found


def solve(rules: RulesInForce, ties: str = "more") -> Solution:
    """Return optimal play against these rules; among equal choices, the one that wagers more, or less."""
    return _solve(payoffs(rules), ties == "more")


def ends_counted() -> Payoffs:
    """Return payoffs whose sums are numbers of hands: a win is a unit regardless of the raise, a loss one per unit."""

    def ones(*ends: int) -> tuple[tuple[int, ...], ...]:
        return tuple((int(end in ends),) * len(CATEGORIES) for end in sorted(ENDS))

    won = ones(board_kernels.WIN, board_kernels.WIN_NO_PAIR)
    lost = ones(board_kernels.LOSE, board_kernels.LOSE_NO_PAIR)
    return Payoffs(won, lost, 0, 1, ())


@cache
def showdowns() -> tuple[Integers, Integers]:
    """Return by hole how often it wins and how often it loses when nobody folds, of `SHOWDOWNS`."""
    wins, losses, _ = _of_one_hole(_summed(ends_counted())[1])
    return wins, losses


def flop_sums(rules: RulesInForce) -> tuple[Integers, Integers]:
    """Return by kind of flop and hole what a raise and a check win, over every turn, river and dealer's hand."""
    raised, gains = raise_sums(rules, 2), _pool_flops(_summed(payoffs(rules))[0])[0]
    assert not (gains % len(SUIT_PERMUTATIONS)).any(), "sums over symmetric flops divide evenly"
    return raised, raised - gains // len(SUIT_PERMUTATIONS)


def raise_sums(rules: RulesInForce, multiple: int) -> Integers:
    """Return by kind of flop and hole what a raise of this multiple wins, over every turn, river and dealer's hand."""
    pays = payoffs(rules)
    # With this as the Play and a fold that nobody takes, what a raise gains over a check is what a raise wins.
    raised = tuple(
        tuple(ante + multiple * play for ante, play in zip(*rows, strict=True))
        for rows in zip(pays.fixed, pays.play, strict=True)
    )
    nothing = tuple((0,) * len(row) for row in raised)
    never = -2 * max(abs(units) for row in raised for units in row)
    wins = _pool_flops(_summed(replace(pays, fixed=nothing, play=raised, fold=never))[0])[0]
    # Each sum was made once for every permutation of the suits.
    assert not (wins % len(SUIT_PERMUTATIONS)).any(), "sums over symmetric flops divide evenly"
    return wins // len(SUIT_PERMUTATIONS)


def by_slot(holes: Booleans) -> NDArray[np.uint8]:
    """Return values by kind of flop and hole as the rows that kernels add up, with zero where cards repeat."""
    first, second = hole_cards()
    on_flop = (kinds(3).masks[:, None, :] >> np.arange(13)[:, None] & 1).reshape(len(holes), 52).astype(np.bool_)
    dealt = holes & ~on_flop[:, first] & ~on_flop[:, second]
    rows = np.zeros((len(holes), kernels.SLOTS), np.uint8)
    for slots in kernels.SLOTS_OF_HOLE:
        rows[:, slots] = dealt
    return rows


def by_ranks(holes: Booleans) -> Integers:
    """Return values by hole indexed by its two ranks and whether their suits differ, which is all they depend on."""
    found = np.zeros(board_kernels.RANKS**2, np.int64)
    found[_ranks_of_holes()] = holes
    return found


def _ranks_of_holes() -> Integers:
    first, second = hole_cards()
    low, high, ranks = first >> 2, second >> 2, board_kernels.RANKS
    return np.where(first & 3 == second & 3, ranks * low + high, ranks * high + low)


@lru_cache(maxsize=8)
def _solve(pays: Payoffs, equal_raises: bool) -> Solution:
    gained, before = _summed(pays)
    gain_flop, over_waiting = _pool_flops(gained)
    raises_flop = gain_flop >= 0 if equal_raises else gain_flop > 0
    base, each, waited = _of_one_hole(before)
    worths_before = np.stack([10 * waited + over_waiting, 10 * base, 10 * each])  # ten flops to a board
    choice = _best_before(worths_before, pays.multiples, equal_raises=equal_raises)
    counts, beaten = _counted(pays, choice > 0, raises_flop & (choice == 0), equal_raises=equal_raises)
    return Solution(pays.scale, choice, raises_flop, counts, beaten, worths_before, gain_flop)


def _summed(pays: Payoffs) -> tuple[Integers, Integers]:
    boards = kinds(5)

    def work(thread: int, threads: int) -> tuple[Integers, Integers]:
        gained = np.zeros((len(kinds(3).key), kernels.SLOTS), np.int64)
        before = np.zeros((board_kernels.RANKS**2, 3), np.int64)
        kernels.sum_worth(thread, threads, *boards[:2], *pays.tables(), pays.fold, gained, before)
        return gained, before

    gained, before = (sum(parts) for parts in zip(*on_every_thread(work), strict=True))
    return gained[:, kernels.SLOTS_OF_HOLE[0]], before


def _counted(
    pays: Payoffs, raises_before: Booleans, raises_flop: Booleans, *, equal_raises: bool
) -> tuple[Integers, Integers]:
    boards, (fixed, play) = kinds(5), pays.tables()
    first, then = by_ranks(raises_before), by_slot(raises_flop)

    def work(thread: int, threads: int) -> tuple[Integers, Integers]:
        counts = np.zeros((4, len(CATEGORIES), board_kernels.ENDS), np.int64)
        beaten = np.zeros((2, 2, len(CATEGORIES)), np.int64)
        deals = boards.masks, boards.multiplicity
        kernels.count_ends(thread, threads, *deals, fixed, play, pays.fold, equal_raises, first, then, counts, beaten)
        return counts, beaten

    counts, beaten = (sum(parts) for parts in zip(*on_every_thread(work), strict=True))
    return counts, beaten


def _best_before(worths: Integers, multiples: tuple[int, ...], *, equal_raises: bool) -> Integers:
    best, base, each = worths
    choice = np.zeros(best.size, np.int64)
    for multiple in multiples:
        raised = base + multiple * each
        better = raised >= best if equal_raises else raised > best
        choice = np.where(better, multiple, choice)
        best = np.where(better, raised, best)
    assert len(set(choice.tolist()) - {0}) <= 1, "one size of raise is best before the flop"
    return choice


def _pool_flops(gained: Integers) -> tuple[Integers, Integers]:
    # A kind of flop is unchanged by some suit permutations, and holes that such a permutation maps to each other share
    # their sums. Dividing 24 by the number of these permutations makes kinds comparable.
    moved = holes_permuted()
    gain = np.zeros(gained.shape, np.int64)
    over = np.zeros(gained.shape[1], np.int64)
    for flop, unchanged in enumerate(stabilisers(kinds(3).masks)):
        holes = moved[unchanged]
        gain[flop] = gained[flop][holes].sum(axis=0)
        over += np.maximum(gain[flop], 0) * (24 // len(holes))
    pooled = over.astype(object)[moved].sum(axis=0)  # Python integers, because 64 bits may not be enough here
    assert not (pooled % (24 * 24)).any(), "sums over symmetric holes divide evenly"
    return gain, (pooled // (24 * 24)).astype(np.int64)


def _of_one_hole(before: Integers) -> Integers:
    # Sums were made over all holes of two ranks together; each of them has an even share.
    ranks = _ranks_of_holes()
    holes = np.bincount(ranks, minlength=len(before))[:, None]
    assert not (before % holes).any(), "sums over symmetric holes divide evenly"
    each: Integers = (before // holes)[ranks].T
    return each
