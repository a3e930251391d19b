"""The order in which cards leave the deck, for each dealing method."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

MANUAL_SHOE = "manual-shoe"
HAND = "hand"
AUTOMATED_SHOE = "automated-shoe"
METHODS = (MANUAL_SHOE, HAND, AUTOMATED_SHOE)

SEATS = "seats"
DEALER = "dealer"
BOARD = "board"
BOX = "box"
BURN = "burn"
SHARED_PLACES = (DEALER, BOARD, BOX, BURN)


@dataclass(frozen=True, slots=True)
class Deliver:
    """Deliver a number of cards to a place at once; SEATS means each seat in turn, clockwise from seat 1."""

    place: str
    cards: int
    cite: str
    face_up: bool = False
    first_cite: str | None = None  # where the first seat's cards have a clause of their own
    when: str | None = None  # an option fact such as "dealer-cards=delivered"
    if_offered: str | None = None  # only where this wager is offered


@dataclass(frozen=True, slots=True)
class TurnUp:
    """Turn cards that already lie on the layout face up, counted from the first dealt."""

    place: str
    cards: int
    cite: str
    when: str | None = None
    if_offered: str | None = None


Move = Deliver | TurnUp


@dataclass(frozen=True)
class Deal:
    """One phase of dealing, written out for each method."""

    name: str
    moves: Mapping[str, tuple[Move, ...]]
    when: str | None = None


def one_at_a_time(*places: str, cards: int, cite: str) -> tuple[Move, ...]:
    """Deal single cards round the places in order, `cards` times."""
    return tuple(Deliver(place, 1, cite) for _ in range(cards) for place in places)


class Delivery(NamedTuple):
    """A move of a round in play: cards dealt to one seat or place, or turned up where they lie."""

    place: str | int
    cards: int
    face_up: bool
    cite: str
    is_turned: bool = False  # the cards are already there and are turned up; none leaves the deck
