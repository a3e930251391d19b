"""The shuffle test: whether cards come too often at a place or after another, at any time and at 10,000 rounds."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pitboss.lab.chi_square import Fit, fit
from pitboss.lab.wealth import RunningTest

OUTCOMES = 10_000  # final outcomes that a laboratory tests
CONFIDENCE = 0.99
LIFTS = (1.5, 4.0, 20.0)  # how much likelier than by chance a model takes its card to be
FREQUENT_AT, FREQUENT_AFTER = "frequent-place", "frequent-follower"
IN_ORDER, AS_BEFORE, SAME_PLACE = "new-deck-order", "order-before", "place-before"
SUSPICIONS = (FREQUENT_AT, FREQUENT_AFTER, IN_ORDER, AS_BEFORE, SAME_PLACE)
NONE = -1


class LaboratoryTest(NamedTuple):
    """The chi-square tests of a fixed number of rounds at 99%: places of cards, and steps between neighbors."""

    rounds: int
    places: Fit | None
    steps: Fit | None

    @property
    def passes(self) -> bool:
        """Return whether neither test rejects; each takes half of the one percent."""
        worst = min((found.p for found in (self.places, self.steps) if found is not None), default=1.0)
        return worst >= (1 - CONFIDENCE) / 2


class ShuffleWatch:
    """Follows the order in which a table's or a device's cards are dealt."""

    def __init__(self, cards: int, test: RunningTest) -> None:
        self.test = test
        self.cards = cards
        self._at: NDArray[np.int64] = np.zeros((cards, cards), np.int64)  # by place and card
        self._after: NDArray[np.int64] = np.zeros((cards, cards), np.int64)  # by card and the one dealt after it
        self._last: list[int] = []
        self.rounds = 0
        self.laboratory: LaboratoryTest | None = None  # of the first ten thousand rounds
        self._steps: NDArray[np.int64] = np.zeros((cards, cards), np.int64)  # by place and distance in a new deck

    def add(self, dealt: Sequence[int], round_name: str) -> bool:
        """Take in the cards of a round in the order they were dealt, and return whether they raise the alarm."""
        payoffs = {name: np.ones(len(LIFTS)) for name in SUSPICIONS}
        place_before = {card: at for at, card in enumerate(self._last)}
        left = set(range(self.cards))
        lifts = np.asarray(LIFTS)
        for at, card in enumerate(dealt):
            previous = dealt[at - 1] if at else NONE
            for name, guess in self._guesses(at, previous, place_before):
                if guess in left and len(left) > 1:
                    chance = 1 / len(left)
                    likely = np.minimum(lifts * chance, (1 + chance) / 2)
                    payoffs[name] *= likely / chance if guess == card else (1 - likely) / (1 - chance)
            left.discard(card)
        alarmed = self.test.add(payoffs, lambda _: 1 / len(SUSPICIONS), round_name)
        for at, card in enumerate(dealt):
            self._at[at, card] += 1
            if at:
                self._after[dealt[at - 1], card] += 1
                self._steps[at, (card - dealt[at - 1]) % self.cards] += 1
        self._last = list(dealt)
        self.rounds += 1
        if self.rounds == OUTCOMES:
            self.laboratory = self._laboratory()
        return alarmed

    def _guesses(self, at: int, previous: int, before: Mapping[int, int]) -> list[tuple[str, int]]:
        # What each suspicion bets on next: named before the card is known, from rounds that are over.
        found = []
        if self.rounds:
            found.append((FREQUENT_AT, int(self._at[at].argmax())))
            if at < len(self._last):
                found.append((SAME_PLACE, self._last[at]))
        if previous != NONE:
            found.append((IN_ORDER, (previous + 1) % self.cards))
            if self._after[previous].any():
                found.append((FREQUENT_AFTER, int(self._after[previous].argmax())))
            following = before.get(previous, NONE) + 1
            if previous in before and following < len(self._last):
                found.append((AS_BEFORE, self._last[following]))
        return found

    def _laboratory(self) -> LaboratoryTest:
        places = self._worst(self._at, Fraction(1, self.cards))
        return LaboratoryTest(self.rounds, places, self._worst(self._steps[:, 1:], Fraction(1, self.cards - 1)))

    def _worst(self, counts: NDArray[np.int64], chance: Fraction) -> Fit | None:
        # Rounds are independent, but the cards of one deal aren't: each place is tested, and the worst counts for all.
        each = (fit((int(count), chance) for count in row) for row in counts if row.sum() == self.rounds)
        known = [found for found in each if found is not None]
        if not known:
            return None
        worst = min(known, key=lambda found: found.p)
        return Fit(worst.chi_square, worst.degrees, min(1.0, worst.p * len(known)))

    def to_data(self) -> dict[str, Any]:
        """Return the counts as plain data; the test is kept with the others."""
        laboratory = None
        if self.laboratory is not None:
            fits = [
                None if found is None else [found.chi_square, found.degrees, found.p]
                for found in (self.laboratory.places, self.laboratory.steps)
            ]
            laboratory = [self.laboratory.rounds, *fits]
        return {
            "at": self._at.tolist(),
            "after": self._after.tolist(),
            "steps": self._steps.tolist(),
            "last": self._last,
            "rounds": self.rounds,
            "laboratory": laboratory,
        }

    def restore(self, data: Mapping[str, Any]) -> None:
        """Restore the counts from plain data."""
        self._at, self._after = np.array(data["at"], np.int64), np.array(data["after"], np.int64)
        self._steps, self._last, self.rounds = np.array(data["steps"], np.int64), data["last"], data["rounds"]
        if data["laboratory"] is not None:
            rounds, *fits = data["laboratory"]
            self.laboratory = LaboratoryTest(rounds, *(None if found is None else Fit(*found) for found in fits))
