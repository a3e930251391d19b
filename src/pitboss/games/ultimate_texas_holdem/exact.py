"""Exactly how often each outcome happens, under optimal play where the player decides."""

import hashlib
import json
import os
import tempfile
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import combinations, product
from math import comb
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pitboss.cards.deck import RANKS, STANDARD_DECK, SUITS, Card
from pitboss.cards.poker import CATEGORIES
from pitboss.games.ultimate_texas_holdem import situation_kernels
from pitboss.games.ultimate_texas_holdem.board_kernels import DEALERS
from pitboss.games.ultimate_texas_holdem.paytables import PAIRS_CELLS
from pitboss.games.ultimate_texas_holdem.readings import pairs_cell
from pitboss.games.ultimate_texas_holdem.solution import DEALS, ENDS, FOLDED, payoffs, solve
from pitboss.odds.compiled import cache_folder, digest
from pitboss.odds.enumerate import category_counts
from pitboss.odds.outcomes import Counts, Outcome
from pitboss.odds.symmetry import hole_index
from pitboss.rules.in_force import RulesInForce

__all__ = ["DEALS", "ENDS", "FOLDED", "action_worths", "main_counts", "solve", "wager_counts"]

MAIN_UNITS = (("ante", 1), ("blind", 1))


def main_counts(rules: RulesInForce, ties: str = "more") -> Counts:
    """Count the outcomes of Ante, Blind and Play."""
    return Counts(DEALS, tuple(_played(rules, ties)))


def _trips_with_main(rules: RulesInForce, ties: str) -> Counts:
    # Trips is settled on the same seven cards as the Blind, folded hands included.
    return Counts(DEALS, tuple(_played(rules, ties, also="trips")))


counts_together = {"trips": _trips_with_main}


def _played(rules: RulesInForce, ties: str, also: str | None = None) -> Iterator[Outcome]:
    solution = solve(rules, ties)
    stakes = {0: int(solution.before.max()), 1: 2, 2: 1}
    side = ((also, 1),) if also else ()
    for decision, category, end in product(range(4), range(len(CATEGORIES)), ENDS):
        count = int(solution.counts[decision, category, end])
        if not count:
            continue
        name = CATEGORIES[category]
        cell = ((also, name),) if also else ()
        if decision == 3:
            yield Outcome((*MAIN_UNITS, *side), FOLDED, cell, count)
        else:
            units = (*MAIN_UNITS, ("play", stakes[decision]), *side)
            yield Outcome(units, ENDS[end], (("blind", name), *cell), count)


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


def action_worths(rules: RulesInForce, cards: tuple[Card, ...], board: tuple[Card, ...] = ()) -> dict[str, Fraction]:
    """Return what each action is worth with these cards, in units of the Ante, the best first."""
    hole, dealt = numbers_of(cards), numbers_of(board)
    if not board:
        worths = worths_before(rules)(int(hole_index()[52 * hole[0] + hole[1]]))
    elif len(board) == 3:
        worths = _after_flop(rules, hole, dealt)
    else:
        worths = _after_river(rules, hole, dealt)
    return dict(sorted(worths.items(), key=lambda item: -item[1]))


def worths_before(rules: RulesInForce) -> Callable[[int], dict[str, Fraction]]:
    """Return the function that values each action before the flop for a hole's number; cached, or solved."""
    sums = kept("before", rules, lambda: solve(rules).worths_before.tolist())
    total = payoffs(rules).scale * DEALS // comb(52, 2)

    def priced(hole: int) -> dict[str, Fraction]:
        check, base, each = (Fraction(part[hole], total) for part in sums)
        return _priced(rules, "before the flop", base, each, check)

    return priced


def _priced(rules: RulesInForce, ask: str, base: Fraction, each: Fraction, otherwise: Fraction) -> dict[str, Fraction]:
    # A raise wins a fixed amount for each unit; the only answer that stakes nothing is a check or a fold.
    return {
        name: base + action.stakes.times * each if action.stakes else otherwise
        for name, action in rules.actions[ask].items()
    }


def _after_flop(rules: RulesInForce, hole: NDArray[np.int64], flop: NDArray[np.int64]) -> dict[str, Fraction]:
    pays = payoffs(rules)
    total = pays.scale * comb(47, 2) * DEALERS
    sums = situation_kernels.worth_after_flop(flop, hole, *pays.tables(), pays.fold)
    return _priced(rules, "after the flop", *(Fraction(int(part), total) for part in sums))


def _after_river(rules: RulesInForce, hole: NDArray[np.int64], board: NDArray[np.int64]) -> dict[str, Fraction]:
    pays = payoffs(rules)
    ends = np.zeros(len(ENDS), np.int64)
    category = situation_kernels.ends_against(board, hole, ends)
    base, each = (Fraction(int(ends @ table[:, category]), pays.scale * DEALERS) for table in pays.tables())
    return _priced(rules, "after the river", base, each, Fraction(pays.fold, pays.scale))


def numbers_of(cards: tuple[Card, ...]) -> NDArray[np.int64]:
    """Return cards as kernels number them."""
    return np.array([4 * RANKS.index(card[0]) + SUITS.index(card[1]) for card in cards], np.int64)


def kept(name: str, rules: RulesInForce, make: Callable[[], Any]) -> Any:
    """Return plain data that depends only on what the main wagers pay, from the user's cache or computed and cached."""
    key = hashlib.sha256(repr(payoffs(rules)).encode()).hexdigest()[:24]
    path = cache_folder() / f"counts-{digest()}" / f"{name}-{key}.json"
    try:
        return json.loads(path.read_text("utf-8"))
    except (OSError, ValueError):
        made = make()
    # A cache that can't be written isn't an error: the data is made again next time.
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile("w", dir=path.parent, delete=False) as file:
            json.dump(made, file)
        os.replace(file.name, path)
    except OSError:
        pass
    return made


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
    tied = DEALS - sum(outcome.count for outcome in outcomes)
    outcomes.append(Outcome((("bad-beat", 1),), frozenset(), (("bad-beat", "tie"),), tied))
    return Counts(DEALS, tuple(outcomes))


def reason(rules: RulesInForce, cards: tuple[Card, ...], board: tuple[Card, ...] = ()) -> str:
    """Return how often a hand wins and loses, and which action follows from it."""
    from pitboss.games.ultimate_texas_holdem.reasons import reason_for

    return reason_for(rules, cards, board)
