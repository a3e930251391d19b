"""Exactly how often each outcome happens, under optimal play where the player decides."""

import hashlib
import json
import os
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import combinations
from math import comb, lcm
from typing import Any

import numba
import numpy as np
from numpy.typing import NDArray

from pitboss.cards.deck import RANKS, STANDARD_DECK, SUITS, Card
from pitboss.cards.poker import CATEGORIES
from pitboss.games.ultimate_texas_holdem import kernels
from pitboss.games.ultimate_texas_holdem.paytables import PAIRS_CELLS
from pitboss.games.ultimate_texas_holdem.readings import pairs_cell
from pitboss.odds.compiled import cache_folder, digest
from pitboss.odds.enumerate import category_counts
from pitboss.odds.outcomes import Counts, Outcome
from pitboss.odds.pricing import net_units
from pitboss.odds.symmetry import hole_index, holes_permuted, kinds, stabilisers
from pitboss.rules.in_force import RulesInForce

# Every deal: the player's two cards, the board, which three of its cards are the flop, the dealer's two cards.
DEALS = comb(52, 2) * comb(50, 5) * comb(5, 3) * comb(45, 2)
FOLDED = frozenset({"folded"})
ENDS = {
    kernels.WIN: frozenset({"dealer-has-a-pair", "wins"}),
    kernels.WIN_NO_PAIR: frozenset({"dealer-below-a-pair", "wins"}),
    kernels.LOSE: frozenset({"dealer-has-a-pair", "loses"}),
    kernels.LOSE_NO_PAIR: frozenset({"dealer-below-a-pair", "loses"}),
    kernels.TIE: frozenset({"dealer-has-a-pair", "ties"}),
    kernels.TIE_NO_PAIR: frozenset({"dealer-below-a-pair", "ties"}),
}
MAIN_UNITS = (("ante", 1), ("blind", 1))


@dataclass(frozen=True)
class Solution:
    """Optimal play: what every decision is worth, and how hands end under it."""

    scale: int  # worths are integers in this fraction of a unit
    before: NDArray[np.int64]  # by hole: the multiple to raise before the flop, 0 to check
    raises_flop: NDArray[np.bool_]  # by kind of flop and hole
    counts: NDArray[np.int64]  # by decision, end and category
    beaten: NDArray[np.int64]  # by folded or not, who was beaten, and category
    worths_before: NDArray[np.int64]  # by hole: a check's, what stands whatever is raised, what each unit raised wins
    gain_flop: NDArray[np.int64]  # by kind of flop and hole: what a raise gains over a check


def main_counts(rules: RulesInForce, ties: str = "more") -> Counts:
    """Count the outcomes of Ante, Blind and Play."""
    solution = solve(rules, ties)
    outcomes = []
    stakes = {0: int(solution.before.max()), 1: 2, 2: 1}
    for decision in range(4):
        for end, facts in ENDS.items():
            for category, name in enumerate(CATEGORIES):
                count = int(solution.counts[decision, end, category])
                if not count:
                    continue
                if decision == 3:
                    outcomes.append(Outcome(MAIN_UNITS, FOLDED, (), count))
                else:
                    units = (*MAIN_UNITS, ("play", stakes[decision]))
                    outcomes.append(Outcome(units, facts, (("blind", name),), count))
    return Counts(DEALS, tuple(outcomes))


def wager_counts(rules: RulesInForce, wager: str, ties: str = "more") -> Counts:
    """Count the outcomes of one side wager."""
    if wager == "bad-beat":
        return _bad_beat(rules, ties)
    if wager == "progressive":
        counts = _of_categories(7 if rules.options["progressive-hand"] == "best-of-seven" else 5)
    elif wager == "trips":
        counts = _of_categories(7)
    else:
        count: dict[str, Callable[[], dict[str, int]]] = {
            "six-card-bonus": _six_card,
            "ultimate-pairs": _pairs,
            "play-the-board": _board,
        }
        counts = count[wager]()
    total = sum(counts.values())
    return Counts(total, tuple(Outcome(((wager, 1),), frozenset(), ((wager, cell),), n) for cell, n in counts.items()))


def solve(rules: RulesInForce, ties: str = "more") -> Solution:
    """Return optimal play against these rules; of equal choices the one that wagers more, or less."""
    fixed, play, fold, scale = _payoffs(rules)
    return _solve(_frozen(fixed), _frozen(play), fold, scale, _multiples(rules), ties == "more")


def action_worths(rules: RulesInForce, cards: tuple[Card, ...], board: tuple[Card, ...] = ()) -> dict[str, Fraction]:
    """Return what each action is worth with these cards, in units of the Ante, the best first."""
    hole, dealt = _numbers(cards), _numbers(board)
    if not board:
        worths = worths_before(rules)(int(hole_index()[52 * hole[0] + hole[1]]))
    elif len(board) == 3:
        worths = _after_flop(rules, hole, dealt)
    else:
        worths = _after_river(rules, hole, dealt)
    return dict(sorted(worths.items(), key=lambda one: -one[1]))


def worths_before(rules: RulesInForce) -> Callable[[int], dict[str, Fraction]]:
    """Return what prices each action before the flop for a hole by its number: kept by the user's cache, or solved."""
    sums = kept("before", rules, lambda: solve(rules).worths_before.tolist())
    total = _payoffs(rules)[3] * DEALS // comb(52, 2)

    def priced(hole: int) -> dict[str, Fraction]:
        check, base, each = (Fraction(one[hole], total) for one in sums)
        return _priced(rules, "before the flop", base, each, check)

    return priced


def _multiples(rules: RulesInForce) -> tuple[int, ...]:
    return tuple(sorted(action.stakes.times for action in rules.actions["before the flop"].values() if action.stakes))


def _priced(rules: RulesInForce, ask: str, base: Fraction, each: Fraction, otherwise: Fraction) -> dict[str, Fraction]:
    # A raise wins so much for each unit of it; the one answer that stakes nothing checks or folds.
    return {
        name: base + action.stakes.times * each if action.stakes else otherwise
        for name, action in rules.actions[ask].items()
    }


def _after_flop(rules: RulesInForce, hole: NDArray[np.int64], flop: NDArray[np.int64]) -> dict[str, Fraction]:
    fixed, play, fold, scale = scaled(rules)
    total = scale * comb(47, 2) * kernels.DEALERS
    sums = kernels.worth_after_flop(flop, hole, fixed, play, fold)
    return _priced(rules, "after the flop", *(Fraction(int(one), total) for one in sums))


def _after_river(rules: RulesInForce, hole: NDArray[np.int64], board: NDArray[np.int64]) -> dict[str, Fraction]:
    fixed, play, fold, scale = scaled(rules)
    ends = np.zeros(kernels.ENDS, np.int64)
    category = kernels.ends_against(board, hole, ends)
    base, each = (Fraction(int(ends @ one[:, category]), scale * kernels.DEALERS) for one in (fixed, play))
    return _priced(rules, "after the river", base, each, Fraction(fold, scale))


def scaled(rules: RulesInForce) -> tuple[NDArray[np.int64], NDArray[np.int64], int, int]:
    """Return what Ante and Blind win by end and category, what Play wins, what a fold loses, and their scale."""
    fixed, play, fold, scale = _payoffs(rules)
    return _integers(_frozen(fixed), scale), _integers(_frozen(play), scale), int(fold * scale), scale


def _integers(units: tuple[tuple[Fraction, ...], ...], scale: int) -> NDArray[np.int64]:
    return np.array([[int(one * scale) for one in row] for row in units], np.int64)


def _numbers(cards: tuple[Card, ...]) -> NDArray[np.int64]:
    return np.array([4 * RANKS.index(card[0]) + SUITS.index(card[1]) for card in cards], np.int64)


def kept(name: str, rules: RulesInForce, make: Callable[[], Any]) -> Any:
    """Return plain data that follows from what the main wagers pay: from the user's cache, or made and put there."""
    fixed, play, fold, _ = _payoffs(rules)
    key = hashlib.sha256(repr((fixed, play, fold, _multiples(rules))).encode()).hexdigest()[:24]
    path = cache_folder() / f"counts-{digest()}" / f"{name}-{key}.json"
    try:
        return json.loads(path.read_text("utf-8"))
    except (OSError, ValueError):
        made = make()
    # A cache that cannot be written is no failure: the data is simply made again next time.
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile("w", dir=path.parent, delete=False) as file:
            json.dump(made, file)
        os.replace(file.name, path)
    except OSError:
        pass
    return made


def _payoffs(rules: RulesInForce) -> tuple[list[list[Fraction]], list[list[Fraction]], Fraction, int]:
    def units(wager: str, facts: frozenset[str], cell: str | None) -> Fraction:
        return net_units(rules, wager, rules.adjudicate(wager, facts, cell))

    fixed = [
        [units("ante", facts, None) + units("blind", facts, name) for name in CATEGORIES] for facts in ENDS.values()
    ]
    play = [[units("play", facts, None) for _ in CATEGORIES] for facts in ENDS.values()]
    fold = units("ante", FOLDED, None) + units("blind", FOLDED, None)
    scale = lcm(*(one.denominator for row in (*fixed, *play) for one in row), fold.denominator)
    return fixed, play, fold, scale


def _frozen(rows: list[list[Fraction]]) -> tuple[tuple[Fraction, ...], ...]:
    return tuple(tuple(row) for row in rows)


@lru_cache(maxsize=4)
def _solve(
    fixed_units: tuple[tuple[Fraction, ...], ...],
    play_units: tuple[tuple[Fraction, ...], ...],
    fold_units: Fraction,
    scale: int,
    multiples: tuple[int, ...],
    equal_raises: bool,
) -> Solution:
    threads = numba.get_num_threads()
    fixed, play = _integers(fixed_units, scale), _integers(play_units, scale)
    fold = int(fold_units * scale)
    boards, flops = kinds(5), kinds(3)
    raised = np.zeros((threads, len(flops.key), 1326), np.int64)
    waited = np.zeros_like(raised)
    before = np.zeros((threads, 2, 1326), np.int64)
    kernels.sum_worth(threads, boards.masks, boards.multiplicity, fixed, play, fold, raised, waited, before)
    gain_flop, check = _pool_flops(raised.sum(axis=0), waited.sum(axis=0))
    raises_flop = gain_flop >= 0 if equal_raises else gain_flop > 0
    base, each = _pool_holes(before.sum(axis=0))
    choice = np.zeros(1326, np.int64)
    worth = check
    for multiple in multiples:  # worths are compared over the same deals: ten flops to a board
        raise_worth = 10 * (base + multiple * each)
        better = raise_worth >= worth if equal_raises else raise_worth > worth
        choice = np.where(better, multiple, choice)
        worth = np.where(better, raise_worth, worth)
    counts = np.zeros((threads, 4, kernels.ENDS, 10), np.int64)
    beaten = np.zeros((threads, 2, 2, 10), np.int64)
    kernels.count_ends(
        threads,
        boards.masks,
        boards.multiplicity,
        fixed,
        play,
        fold,
        equal_raises,
        choice > 0,
        raises_flop,
        counts,
        beaten,
    )
    assert len(set(choice.tolist()) - {0}) == 1, "one size of raise is best before the flop"
    worths_before = np.stack([check, 10 * base, 10 * each])
    return Solution(scale, choice, raises_flop, counts.sum(axis=0), beaten.sum(axis=0), worths_before, gain_flop)


def _pool_flops(raised: NDArray[np.int64], waited: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    # A kind of flop stands for itself under each change of suits that leaves it as it is: holes that such a
    # change turns into one another share their sums. 24 over the number of changes makes kinds comparable.
    flops = kinds(3)
    moved = holes_permuted()
    gain = np.zeros(raised.shape, np.int64)
    check = np.zeros(1326, np.int64)
    for flop, unchanged in enumerate(stabilisers(flops.masks)):
        holes = moved[unchanged]
        raise_sum = raised[flop][holes].sum(axis=0)
        wait_sum = waited[flop][holes].sum(axis=0)
        gain[flop] = raise_sum - wait_sum
        check += np.maximum(raise_sum, wait_sum) * (24 // len(holes))
    pooled: NDArray[np.int64] = check[moved].sum(axis=0)
    assert not (pooled % (24 * 24)).any(), "sums over symmetric holes divide evenly"
    return gain, pooled // (24 * 24)


def _pool_holes(before: NDArray[np.int64]) -> NDArray[np.int64]:
    pooled: NDArray[np.int64] = before[:, holes_permuted()].sum(axis=1)
    assert not (pooled % 24).any(), "sums over symmetric holes divide evenly"
    return pooled // 24


def _of_categories(size: int) -> dict[str, int]:
    return dict(zip(CATEGORIES, category_counts(size), strict=True))


def _six_card() -> dict[str, int]:
    counts = _of_categories(6)
    counts["royal-flush"] -= 4
    return counts | {"super-royal-of-diamonds": 1, "super-royal-of-another-suit": 3}


def _pairs() -> dict[str, int]:
    # The dealer's cards matter only to a player with two aces: one pair of dealer's cards is the other two.
    counts = dict.fromkeys(PAIRS_CELLS, 0)
    for hole in combinations(STANDARD_DECK.cards, 2):
        cell = pairs_cell(hole, ())
        if cell in ("aces", "red-aces"):
            counts[f"{cell}-against-aces"] += 1
            counts[cell] += comb(50, 2) - 1
        else:
            counts[cell] += comb(50, 2)
    return counts


def _board() -> dict[str, int]:
    by_category = _of_categories(5)
    # Each rank makes as many pairs as any other; five ranks are tens or better.
    pairs = by_category.pop("pair")
    return by_category | {"pair-of-tens-or-better": pairs * 5 // 13, "pair-below-tens": pairs * 8 // 13}


def _bad_beat(rules: RulesInForce, ties: str) -> Counts:
    # Player and dealer are dealt alike, so over all deals each is beaten with the same hands equally often.
    solution = solve(rules, ties)
    lost = solution.beaten[:, 0].sum(axis=0)
    won_folded = solution.beaten[1, 1]
    player_only = rules.options["bad-beat-pays"] == "player"
    outcomes = []
    for folded in (0, 1):
        facts = FOLDED if folded else frozenset()
        beaten_player = solution.beaten[folded, 0]
        beaten_dealer = won_folded if folded else lost - won_folded
        for category, name in enumerate(CATEGORIES):
            cells = {name: int(beaten_player[category])}
            cells["nobody-beaten" if player_only else name] = cells.get(
                "nobody-beaten" if player_only else name, 0
            ) + int(beaten_dealer[category])
            outcomes += [
                Outcome((("bad-beat", 1),), facts, (("bad-beat", cell),), count)
                for cell, count in cells.items()
                if count
            ]
    tied = DEALS - sum(one.count for one in outcomes)
    outcomes.append(Outcome((("bad-beat", 1),), frozenset(), (("bad-beat", "tie"),), tied))
    return Counts(DEALS, tuple(outcomes))
