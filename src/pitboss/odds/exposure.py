"""What may be seen that should not be: the words for exposed cards, and how many of each a game has."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from pitboss.odds.outcomes import Counts
from pitboss.odds.seen import questions
from pitboss.rules.dealing import BOARD as BOARD_PLACE
from pitboss.rules.dealing import DEALER as DEALER_PLACE
from pitboss.rules.in_force import RulesInForce

DEALER, BOARD, FLOP, TURN_RIVER, NEIGHBOURS = "dealer", "board", "flop", "turn-river", "neighbours"
WORDS = (DEALER, BOARD, FLOP, TURN_RIVER, NEIGHBOURS)
EXACT, SIMULATION = "exact", "simulation"
LIMB = 22  # bits of a number that are multiplied at a time, so that sums of products stay within 64 bits


class WrongExposure(ValueError):
    """An exposure that a game does not have; the message says what it has."""


@dataclass(frozen=True, slots=True)
class Exposure:
    """How many cards of each place are seen before the first decision, and how many other seats share theirs."""

    dealer: int = 0
    board: int = 0
    flop: int = 0
    turn_river: int = 0
    neighbours: int = 0

    @property
    def words(self) -> tuple[str, ...]:
        """Return the exposure as it is written on the command line."""
        return tuple(f"{word}:{count}" for word, count in self.counts.items())

    @property
    def counts(self) -> dict[str, int]:
        """Return what is seen by word, without what is not."""
        return {word: count for word in WORDS if (count := getattr(self, word.replace("-", "_")))}

    def only(self, *words: str) -> bool:
        """Return whether nothing but these is seen."""
        return set(self.counts) <= set(words)


@dataclass(frozen=True)
class Moments:
    """The figures of the main game where outcomes are summed, not listed: exact, in units of the Ante."""

    ev: Fraction
    average_wager: Fraction | None = None
    hit_frequency: Fraction | None = None
    square: Fraction | None = None  # the mean of the net result's square


@dataclass(frozen=True)
class Estimate:
    """A mean over random situations, each of them solved exactly."""

    ev: float
    standard_error: float
    situations: int
    average_wager: float


@dataclass(frozen=True)
class Rule:
    """A short rule that a cheat could remember, and what it costs compared with best play, in units of the Ante."""

    lines: tuple[str, ...]
    cost: Fraction


@dataclass(frozen=True)
class Exposed:
    """What an exposure is worth under best play, and how it is played."""

    worth: Counts | Moments | Estimate
    answers: Mapping[str, Fraction] = field(default_factory=dict)  # how often each answer to the first question is best
    situations: int | None = None  # how many are told apart before the first decision
    rule: Rule | None = None


def exposable(rules: RulesInForce) -> dict[str, int]:
    """Return, by word, how many cards may be seen too early, or how many other seats may share theirs."""
    game = rules.game
    asked = [up for _, up in questions(rules)]
    found = {}
    if asked and (hidden := game.table_cards.get(DEALER_PLACE, 0) - asked[0].get(DEALER_PLACE, 0)) > 0:
        found[DEALER] = hidden
    board = game.table_cards.get(BOARD_PLACE, 0)
    steps = sorted({up.get(BOARD_PLACE, 0) for up in asked} - {0, board})
    if asked and board and not asked[0].get(BOARD_PLACE, 0):
        found |= {FLOP: steps[0], TURN_RIVER: board - steps[0]} if steps else {BOARD: board}
    if asked and rules.seats_most > 1:
        found[NEIGHBOURS] = rules.seats_most - 1
    return found


def exposure_of(rules: RulesInForce, words: Iterable[str]) -> Exposure:
    """Return what some words such as `dealer:1` say is seen, or raise an error that says what is wrong with them."""
    most = exposable(rules)
    title = rules.game.title
    found: dict[str, int] = {}
    for text in words:
        word, colon, count = text.partition(":")
        if not colon or word not in WORDS or not count.isdecimal() or int(count) < 1:
            raise WrongExposure(
                f"{text!r} is not an exposure. Write WORD:K, such as dealer:1. The words are {', '.join(WORDS)}."
            )
        if word in found:
            raise WrongExposure(f"{word} is given twice. Write how many are seen in all, such as {word}:2.")
        if word not in most:
            has = ", ".join(f"{name} (up to {limit})" for name, limit in most.items()) or "nothing"
            raise WrongExposure(f"In {title} nobody can see {word} cards too early. What can be seen: {has}.")
        if int(count) > most[word]:
            raise WrongExposure(f"In {title} at most {word}:{most[word]} can be seen, not {word}:{count}.")
        found[word] = int(count)
    return Exposure(**{word.replace("-", "_"): count for word, count in found.items()})


def exact_sums(weights: Sequence[int], counts: NDArray[np.int64]) -> list[int]:
    """Return by column the sum of rows of counts times their weights, in whole numbers of any size."""
    # numpy's own integers overflow, Python's are slow: numbers are split into limbs that can't overflow.
    if (counts < 0).any():
        above, under = (exact_sums(weights, np.maximum(part, 0)) for part in (counts, -counts))
        return [more - less for more, less in zip(above, under, strict=True)]
    size = max(max(weights, default=0), int(counts.max(initial=0)), 1)
    limbs = -(-size.bit_length() // LIMB)
    mask = (1 << LIMB) - 1
    found = [0] * counts.shape[1]
    for at in range(0, len(weights), 1 << 18):
        columns, part = np.ascontiguousarray(counts[at : at + (1 << 18)].T), weights[at : at + (1 << 18)]
        of_weights = [np.array([weight >> LIMB * high & mask for weight in part], np.int64) for high in range(limbs)]
        for low in range(limbs):
            of_counts = columns >> LIMB * low & mask if low * LIMB < 64 else np.zeros_like(columns)
            if not of_counts.any():
                continue
            for high, limb in enumerate(of_weights):
                for column, value in enumerate((of_counts @ limb).tolist()):
                    found[column] += value << LIMB * (high + low)
    return found


def shares(counts: Mapping[str, int]) -> dict[str, Fraction]:
    """Return counts as parts of their total, the largest first."""
    total = sum(counts.values())
    return {name: Fraction(count, total) for name, count in sorted(counts.items(), key=lambda item: -item[1]) if count}


def estimate(worths: NDArray[np.float64], staked: NDArray[np.float64]) -> Estimate:
    """Return the mean of what random situations are worth, with its standard error."""
    count = len(worths)
    error = float(worths.std(ddof=1)) / math.sqrt(count)
    return Estimate(float(worths.mean()), error, count, float(staked.mean()))


def stratified(worths: NDArray[np.float64], staked: NDArray[np.float64], ways: NDArray[np.int64]) -> Estimate:
    """Return the mean over kinds of situations, weighted by their ways; each kind is a row of random situations."""
    share = np.true_divide(ways, ways.sum())
    variance = worths.var(axis=1, ddof=1) / worths.shape[1]
    error = math.sqrt(float(share**2 @ variance))
    return Estimate(float(share @ worths.mean(axis=1)), error, worths.size, float(share @ staked.mean(axis=1)))
