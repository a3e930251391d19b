"""Optimal play: tables of the solved game, and a player who counts every dealer's hand on the river."""

import hashlib
import os
import tempfile
from collections.abc import Callable, Sequence
from fractions import Fraction
from math import lcm
from pathlib import Path
from typing import NamedTuple
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from pitboss.cards.deck import RANKS, SUITS, Card
from pitboss.cards.poker import CATEGORIES
from pitboss.games.ultimate_texas_holdem import exact
from pitboss.games.ultimate_texas_holdem.raise_kernels import Raises, river_raises
from pitboss.odds.compiled import cache_folder, digest
from pitboss.odds.deciding import Decide
from pitboss.odds.evaluator import CATEGORY, rank_hands
from pitboss.odds.pricing import net_units
from pitboss.odds.symmetry import hole_index, kinds
from pitboss.rules.in_force import RulesInForce
from pitboss.rules.reading import TableCards

NUMBER = {Card(name + suit): 4 * at + of for at, name in enumerate(RANKS) for of, suit in enumerate(SUITS)}
BEFORE, FLOP, RIVER = "before the flop", "after the flop", "after the river"
FIRST_PAIR = int(np.searchsorted(CATEGORY, 1))
UNSEEN = 45
ONE_HELD, OTHER_HELD = np.triu_indices(UNSEEN, 1)
DEALERS = ONE_HELD.size


class Tables(NamedTuple):
    """What a solved game answers."""

    before: NDArray[np.int64]  # by hole: the multiple to raise, 0 to check
    raises_flop: NDArray[np.bool_]  # by kind of flop and hole
    raises_river: Raises


def player(rules: RulesInForce) -> Decide:
    """Return the player who always takes the action that is worth the most."""
    names = {
        ask: {action.stakes.times if action.stakes else 0: name for name, action in actions.items()}
        for ask, actions in rules.actions.items()
    }
    tables = tables_of(rules)
    before = [names[BEFORE][multiple] for multiple in tables.before.tolist()]
    holes = hole_index().tolist()
    flops = {key: number for number, key in enumerate(kinds(3).key.tolist())}
    raises_river = _river(rules)

    def decide(ask: str, cards: tuple[Card, ...], shown: TableCards) -> tuple[str, Card | None]:
        hole = [NUMBER[card] for card in cards]
        if ask == BEFORE:
            return before[holes[52 * hole[0] + hole[1]]], None
        board = [NUMBER[card] for card in shown.board]
        if ask == FLOP:
            key, moved = kind_of_flop(board)
            first, other = (card & ~3 | moved[card & 3] for card in hole)
            return names[FLOP][2 if tables.raises_flop[flops[key], holes[52 * first + other]] else 0], None
        assert ask == RIVER
        return names[RIVER][1 if raises_river(hole, board) else 0], None

    return decide


def kind_of_flop(board: Sequence[int]) -> tuple[int, dict[int, int]]:
    """Return the key of a flop with its suits changed as `odds.symmetry` chooses, and what each suit is changed to."""
    masks = [sum(1 << (card >> 2) for card in board if card & 3 == suit) for suit in range(4)]
    suits = sorted(range(4), key=lambda suit: -masks[suit])
    key = 0
    for suit in suits:
        key = key << 13 | masks[suit]
    return key, {suit: place for place, suit in enumerate(suits)}


def _river(rules: RulesInForce) -> Callable[[Sequence[int], Sequence[int]], bool]:
    gains = gains_of(rules)
    hands = np.empty((DEALERS + 1, 7), np.uint8)

    def raises(hole: Sequence[int], board: Sequence[int]) -> bool:
        seen = {*hole, *board}
        unseen = np.array([card for card in range(52) if card not in seen], np.uint8)
        hands[:, :5] = board
        hands[:DEALERS, 5] = unseen[ONE_HELD]
        hands[:DEALERS, 6] = unseen[OTHER_HELD]
        hands[DEALERS, 5:] = hole
        values = rank_hands(hands)
        mine, dealers = int(values[DEALERS]), values[:DEALERS]
        order = np.where(dealers < mine, 0, np.where(dealers > mine, 2, 4))
        ends = np.bincount(order + (dealers < FIRST_PAIR), minlength=len(exact.ENDS)).tolist()
        gained = gains[int(CATEGORY[mine])]
        gain = sum(int(count) * each for count, each in zip(ends, gained, strict=True))
        return gain >= 0

    return raises


def gains_of(rules: RulesInForce) -> list[list[int]]:
    """Return by category and end what a raise on the river wins more than a fold, in whole parts of a unit."""
    folded = _units(rules, "ante", exact.FOLDED, None) + _units(rules, "blind", exact.FOLDED, None)
    rows = [
        [
            sum((_units(rules, wager, facts, cell) for wager in ("ante", "blind", "play")), -folded)
            for _, facts in sorted(exact.ENDS.items())
        ]
        for cell in CATEGORIES
    ]
    scale = lcm(*(units.denominator for row in rows for units in row))
    return [[int(units * scale) for units in row] for row in rows]


def _units(rules: RulesInForce, wager: str, facts: frozenset[str], cell: str | None) -> Fraction:
    return net_units(rules, wager, rules.adjudicate(wager, facts, cell if wager == "blind" else None))


def tables_of(rules: RulesInForce) -> Tables:
    """Return what the solved game answers."""
    # Solving takes many seconds and every worker needs the answer: it is kept in the user's cache.
    path = _kept_at(rules)
    try:
        with path.open("rb") as opened, np.load(opened) as kept:
            flops = np.unpackbits(kept["raises_flop"], axis=1, count=kept["before"].size)
            return Tables(kept["before"], flops.astype(np.bool_), Raises(kept["plain"], kept["suited"]))
    except (OSError, ValueError, KeyError, BadZipFile):
        solution = exact.solve(rules)
    river = river_raises(np.array(gains_of(rules), np.int64), equal_raises=True)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile("wb", dir=path.parent, delete=False) as file:
            flops = np.packbits(solution.raises_flop, axis=1)
            np.savez(file, before=solution.before, raises_flop=flops, **river._asdict())
        os.replace(file.name, path)
    except OSError:
        pass
    return Tables(solution.before, solution.raises_flop, river)


def _kept_at(rules: RulesInForce) -> Path:
    pays = [
        _units(rules, wager, facts, cell)
        for wager in ("ante", "blind", "play")
        for facts in exact.ENDS.values()
        for cell in CATEGORIES
    ]
    multiples = [str(action.stakes) for action in rules.actions[BEFORE].values()]
    key = hashlib.sha256(repr((pays, gains_of(rules), multiples)).encode()).hexdigest()[:24]
    return cache_folder() / f"play-{digest()}" / f"{key}.npz"
