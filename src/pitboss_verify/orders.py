"""Decks the program shuffled: the order each shuffle committed to, followed through every cut."""

import hashlib
from dataclasses import dataclass
from typing import Any

from pitboss_verify.entries import Entry
from pitboss_verify.report import Unsound

COMMITTED = "house.DeckCommitted"
CUT = "table.DeckCut"
SPREAD = "table.CardsSpread"
FAILED = "table.DeviceFailed"
# After each of these, the named deck must be shuffled again, or was just shuffled.
UNDONE = (
    "table.DeckShuffled",
    "table.ShuffleDirected",
    "table.DeckCounted",
    "table.DeckRemoved",
    "table.DeviceJammed",
)


@dataclass(slots=True)
class Order:
    """What a shuffle committed to, from the top card down as the cuts have left it."""

    shuffle: str
    commitments: list[str]
    cut_cards: int = 0


class Orders:
    """Follows the orders of the decks of one stream."""

    def __init__(self) -> None:
        self._by_deck: dict[str, Order] = {}

    def take(self, entry: Entry) -> None:
        """Follow what an entry does to the order of a deck, or raise Unsound."""
        body = entry.body
        deck: Any = body.get("deck")
        if entry.kind == COMMITTED and body.get("shuffle"):
            self._commit(body, deck)
        elif entry.kind == CUT and self.has(deck):
            self._cut(self._by_deck[deck], body.get("cards"))
        elif entry.kind in UNDONE and self.has(deck):
            del self._by_deck[deck]
        elif entry.kind == FAILED:
            for name in body.get("reshuffle", ()):
                self._by_deck.pop(name, None)
        elif entry.kind == SPREAD:
            self._by_deck.clear()

    def has(self, deck: Any) -> bool:
        """Say whether a deck has a committed order."""
        return type(deck) is str and deck in self._by_deck

    def use_up(self, shuffle: str) -> None:
        """Forget an order that a round was dealt from; no other round can use it."""
        self._by_deck = {deck: order for deck, order in self._by_deck.items() if order.shuffle != shuffle}

    def fixed(self, body: dict[str, Any]) -> list[str]:
        """Return the commitments a round is dealt from, or raise Unsound if they aren't the deck's own."""
        order = self._by_deck.get(str(body.get("deck")))
        if order is None or order.shuffle != body.get("shuffle"):
            raise Unsound(f"fixes an order that isn't from the last shuffle of deck {body.get('deck')}")
        whole = hashlib.sha256("".join(order.commitments).encode()).hexdigest()
        if (order.cut_cards, whole) != (body.get("cut_cards"), body.get("commitment")):
            raise Unsound(f"fixes an order that differs from the shuffle and cuts of deck {body['deck']}")
        return list(order.commitments)

    def _commit(self, body: dict[str, Any], deck: Any) -> None:
        shuffle, commitments = body["shuffle"], body.get("commitments")
        if type(deck) is not str or type(shuffle) is not str or type(commitments) is not list:
            raise Unsound("has an invalid commitment to a deck order")
        if not commitments or any(type(commitment) is not str for commitment in commitments):
            raise Unsound("has an invalid commitment to a deck order")
        self._by_deck[deck] = Order(shuffle, commitments)

    @staticmethod
    def _cut(order: Order, cards: Any) -> None:
        if type(cards) is not int or not 0 < cards < len(order.commitments):
            raise Unsound(f"cuts {cards} cards from a deck of {len(order.commitments)}")
        # A cut moves the top cards to the bottom; each commitment goes with its card, so that nothing is opened.
        order.commitments = order.commitments[cards:] + order.commitments[:cards]
        order.cut_cards = (order.cut_cards + cards) % len(order.commitments)
