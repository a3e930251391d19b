"""What a simulated player is asked, and what it answers."""

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from pitboss.cards.deck import Card
from pitboss.rules.play import SeatStatus, Stakes
from pitboss.rules.reading import SeatReading, TableCards

# The name of the question, the player's own cards and those of the table that lie face up; the name of the action
# and the card it discards, where it discards one.
Decide = Callable[[str, tuple[Card, ...], TableCards], tuple[str, Card | None]]

DISCARDING = ", discard "  # joins an action to the card it discards


def answer_name(action: str, discard: Card | None) -> str:
    """Return the name of an answer: the action, and the card it discards."""
    return action if discard is None else f"{action}{DISCARDING}{discard}"


def won_and_lost(won: int, lost: int, deals: int) -> str:
    """Return in words how often a hand wins, loses and pushes."""
    counts = (("win in", won), ("lose in", lost), ("push in", deals - won - lost))
    parts = [f"{verb} {round(Fraction(100 * count, deals))}%" for verb, count in counts if count or verb != "push in"]
    told = f"{', '.join(parts[:-1])} and {parts[-1]}"
    return f"you {told.replace('%', '% of deals', 1)}"


class Meant(NamedTuple):
    """What a seat has placed by its actions, how it ended and how its hand is read."""

    placed: Stakes | None
    status: SeatStatus
    reading: SeatReading


class WholeTables(Protocol):
    """A game's compiled player, which plays and reads many tables at once; cards are as `lab.played` deals them."""

    def codes(self, deals: NDArray[np.uint8], seats: int) -> NDArray[np.int64]:
        """Return a number for each deal and seat."""
        ...

    def meaning(self, code: int) -> Meant:
        """Return what a number means."""
        ...

    @property
    def bytes_of(self) -> Mapping[str, int]:
        """Map a wager to the byte of a number, counted from the lowest, that says how it ends and what envy it pays."""
        ...
