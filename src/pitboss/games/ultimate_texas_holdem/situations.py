"""What a player can expect before the flop, after it and on the river, from solved tables and one count of dealers."""

import hashlib
import os
import tempfile
from fractions import Fraction
from functools import lru_cache
from math import comb
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from pitboss.cards.deck import Card
from pitboss.games.ultimate_texas_holdem import situation_kernels
from pitboss.games.ultimate_texas_holdem.board_kernels import DEALERS, ENDS
from pitboss.games.ultimate_texas_holdem.exact import worths_before
from pitboss.games.ultimate_texas_holdem.play import BEFORE, FLOP, NUMBER, RIVER, kind_of_flop
from pitboss.games.ultimate_texas_holdem.solution import flop_sums, payoffs
from pitboss.odds.compiled import cache_folder, digest
from pitboss.odds.expectations import Worths
from pitboss.odds.outcomes import Stakes
from pitboss.odds.symmetry import hole_index, kinds
from pitboss.rules.in_force import RulesInForce
from pitboss.rules.reading import SeatCards, TableCards

AFTER_FLOP = comb(47, 2) * DEALERS


class _Situations:
    def __init__(self, rules: RulesInForce) -> None:
        pays = payoffs(rules)
        self._scale = pays.scale
        self._tables = pays.tables()
        self._fold = Fraction(pays.fold, pays.scale)
        self._before = lru_cache(maxsize=1326)(lambda hole: _best_first(worths_before(rules)(hole)))
        self._holes = hole_index().tolist()
        self._flops = {key: number for number, key in enumerate(kinds(3).key.tolist())}
        self._raised, self._checked = kept_sums(rules)
        self._times = {
            ask: {name: action.stakes.times if action.stakes else 0 for name, action in actions.items()}
            for ask, actions in rules.actions.items()
        }
        self._ends = np.zeros(ENDS, np.int64)

    def worths(self, ask: str, cards: tuple[Card, ...], shown: TableCards) -> Worths:
        """Return what each answer is worth, best first."""
        first, other = (NUMBER[card] for card in cards)
        if ask == BEFORE:
            return self._before(self._holes[52 * first + other])
        if ask == FLOP:
            key, moved = kind_of_flop([NUMBER[card] for card in shown.board])
            flop = self._flops[key]
            hole = self._holes[52 * (first & ~3 | moved[first & 3]) + (other & ~3 | moved[other & 3])]
            total = self._scale * AFTER_FLOP
            raised, checked = (Fraction(int(sums[flop, hole]), total) for sums in (self._raised, self._checked))
            return _best_first({name: raised if times else checked for name, times in self._times[ask].items()})
        assert ask == RIVER
        base, each = self._on_the_river(cards, shown)
        return _best_first(
            {name: base + times * each if times else self._fold for name, times in self._times[ask].items()}
        )

    def expected(self, held: SeatCards, stakes: Stakes, table: TableCards) -> Fraction:
        """Return what is expected of a raised hand when only the dealer's cards are unknown."""
        base, each = self._on_the_river(held.cards, table)
        return base + dict(stakes)["play"] * each

    def side_worths(self, wager: str, stake_cents: int, cards: tuple[Card, ...]) -> Worths | None:
        """Return None: what is lost by a fold is counted with the wager's luck."""
        return None

    def _on_the_river(self, cards: tuple[Card, ...], table: TableCards) -> tuple[Fraction, Fraction]:
        hole = np.array([NUMBER[card] for card in cards], np.int64)
        board = np.array([NUMBER[card] for card in table.board], np.int64)
        category = situation_kernels.ends_against(board, hole, self._ends)
        total = self._scale * DEALERS
        base, each = (Fraction(int(self._ends @ payoff[:, category]), total) for payoff in self._tables)
        return base, each


def situations(rules: RulesInForce) -> _Situations:
    """Return the game's conditional expectations; the flops are solved on first use and kept in the user's cache."""
    return _Situations(rules)


def _best_first(worths: Worths) -> Worths:
    return dict(sorted(worths.items(), key=lambda item: -item[1]))


def kept_sums(rules: RulesInForce) -> NDArray[np.int64]:
    """Return by kind of flop and hole what a raise and a check win, from the user's cache or solved and kept."""
    path = _kept_at(rules)
    try:
        kept: NDArray[np.int64] = np.load(path, mmap_mode="r")
        return kept
    except (OSError, ValueError):
        found = np.stack(flop_sums(rules))
    # A cache that can't be written isn't an error: the flops are solved again next time.
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile("wb", dir=path.parent, delete=False) as file:
            np.save(file, found)
        os.replace(file.name, path)
    except OSError:
        pass
    return found


def _kept_at(rules: RulesInForce) -> Path:
    key = hashlib.sha256(repr(payoffs(rules)).encode()).hexdigest()[:24]
    return cache_folder() / f"play-{digest()}" / f"flops-{key}.npy"
