"""The discard rack: its piles in order, so that every hand can be reconstructed."""

from collections.abc import Iterable
from dataclasses import dataclass

from pitboss.cards import Card, Deck
from pitboss.rules.refusal import Refusal

Place = int | str  # a seat's number, or dealer, board, box, burn, stub, set-aside

STUB = "stub"
SET_ASIDE = "set-aside"


@dataclass(frozen=True, slots=True)
class Racked:
    """The cards of one place: how many, and which where they were seen."""

    place: Place
    count: int
    cards: tuple[Card, ...] = ()


def cards_in(rack: Iterable[Racked]) -> int:
    """Return how many cards these are."""
    return sum(pile.count for pile in rack)


def hands(rack: Iterable[Racked]) -> dict[Place, tuple[Card, ...]]:
    """Return each place's cards as the rack still holds them together, in the order they were picked up."""
    return {pile.place: pile.cards for pile in rack}


def check_pickup(pickup: tuple[Racked, ...], dealt: int, deck: Deck, clause: str) -> Refusal | None:
    """Return why cards picked up like this couldn't be reconstructed, or None."""
    places = [pile.place for pile in pickup]
    if len(set(places)) != len(places) or STUB in places:
        return Refusal("Pick up each hand once, with all its cards", clause, "pickup")
    if any(pile.count < 0 or (pile.cards and len(pile.cards) != pile.count) for pile in pickup):
        return Refusal("A hand's cards don't match their number", clause, "pickup")
    known = [card for pile in pickup for card in pile.cards]
    if len(set(known)) != len(known) or any(card not in deck for card in known):
        return Refusal("A card that was picked up isn't in this deck, or was picked up twice", clause, "pickup")
    if cards_in(pickup) != dealt:
        return Refusal(f"{dealt} cards were dealt, but {cards_in(pickup)} were picked up", clause, "pickup")
    return None
