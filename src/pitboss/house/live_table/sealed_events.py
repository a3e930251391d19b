"""Events of a round with hidden cards sealed for the record, and opened again for the fold."""

from collections.abc import Callable, Mapping
from typing import Any, Protocol

from pitboss.cards.deck import Card
from pitboss.round.events import ActionTaken, CardCorrected, CardsDealt, Event
from pitboss.round.round_data import from_data
from pitboss.rules.plain import plain

CARDS_DEALT = CardsDealt.__name__
CARD_CORRECTED = CardCorrected.__name__
ACTION_TAKEN = ActionTaken.__name__
POSTINGS = "postings"  # the money an event moved, next to the event in an entry's body


class Sealer(Protocol):
    """Seals the cards of one round, each at its position in the deck."""

    def seal(self, position: int, card: Card) -> str:
        """Return a card sealed with its salt."""
        ...

    def salt(self, position: int) -> str:
        """Return the salt in the commitment of a deck position."""
        ...


class Opener(Protocol):
    """Opens the dealt cards of one round."""

    def open(self, position: int, sealed: str) -> Card:
        """Return a sealed card."""
        ...


def recorded(event: Event, positions: Mapping[Card, int], sealer: Callable[[], Sealer]) -> dict[str, Any]:
    """Return an event's body for the record; the positions are those of every card that has left the deck."""
    # Most events have no card in them, so the sealer is made only for those that do.
    body: dict[str, Any] = plain(event)
    if isinstance(event, CardsDealt):
        written = _open_card if event.face_up else _sealed_card
        seal = sealer()
        body["cards"] = [written(card, positions[card], seal) for card in event.cards]
    elif isinstance(event, CardCorrected):
        place, seal = positions[event.card], sealer()
        body["was"], body["card"] = (_sealed_card(card, place, seal) for card in (event.was, event.card))
    elif isinstance(event, ActionTaken) and event.discard is not None:
        body["discard"] = _sealed_card(event.discard, positions[event.discard], sealer())
    return body


def opened(kind: str, body: Mapping[str, Any], opener: Callable[[], Opener]) -> tuple[Event, dict[Card, int]]:
    """Return the event in a body, and the positions of the cards it dealt."""
    data = {"kind": kind, **{name: value for name, value in body.items() if name != POSTINGS}}
    positions: dict[Card, int] = {}
    if kind == CARDS_DEALT:
        seal = opener()
        positions = {_card(sealed, seal): sealed["position"] for sealed in body["cards"]}
        data["cards"] = list(positions)
    elif kind == CARD_CORRECTED:
        seal = opener()
        data["was"], data["card"] = _card(body["was"], seal), _card(body["card"], seal)
    elif kind == ACTION_TAKEN and body["discard"] is not None:
        data["discard"] = _card(body["discard"], opener())
    event: Event = from_data(data)
    return event, positions


def _sealed_card(card: Card, position: int, sealer: Sealer) -> dict[str, Any]:
    return {"position": position, "sealed": sealer.seal(position, card)}


def _open_card(card: Card, position: int, sealer: Sealer) -> dict[str, Any]:
    return {"position": position, "card": card, "salt": sealer.salt(position)}


def _card(written: Mapping[str, Any], opener: Opener) -> Card:
    if "sealed" in written:
        return opener.open(written["position"], written["sealed"])
    return Card(written["card"])
