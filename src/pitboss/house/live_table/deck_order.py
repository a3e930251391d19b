"""The order of a deck that the program draws, as the record commits to it: fixed by the shuffle, moved by the cut."""

import hashlib
from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple, Protocol

from pitboss.cards.deck import Card
from pitboss.table.cut import cut_with_cover_card
from pitboss.table.state import CUT, LOADED, SHUFFLED

IN_ORDER = (SHUFFLED, CUT, LOADED)  # the stages at which a deck has an order that counts


class Order(NamedTuple):
    """A deck's order: sealed as shuffled, committed card by card, and listed as the cuts left it."""

    shuffle: str  # the name its seal is derived from
    key: str  # the id of the master key behind it
    sealed: str  # the whole order, as shuffled
    commitments: tuple[str, ...]  # from the top card down
    cut_cards: int = 0  # how many cards of the shuffled order all cuts together have moved to the bottom

    def cut(self, cards: int) -> "Order":
        """Return the order after a cut: the same commitments, and no new secret."""
        moved = (self.cut_cards + cards) % len(self.commitments)
        return self._replace(commitments=cut_with_cover_card(self.commitments, cards), cut_cards=moved)

    def place_of(self, position: int) -> int:
        """Return where the card at a position was when the deck was shuffled."""
        return (position + self.cut_cards) % len(self.commitments)


class Seal(Protocol):
    """The card-sealing part of the seal of a shuffle or a round."""

    def seal(self, position: int, card: Card, salt: str | None = None) -> str:
        """Return a card sealed with its salt, or with the given salt."""
        ...

    def salt(self, position: int) -> str:
        """Return the salt in a position's commitment."""
        ...


class DealtFrom(NamedTuple):
    """Seals a round's cards under the round's key, each with the salt from the shuffle's commitment."""

    round: Seal
    deck: Seal
    order: Order

    def seal(self, position: int, card: Card) -> str:
        """Return a card sealed with its salt."""
        return self.round.seal(position, card, self.salt(position))

    def salt(self, position: int) -> str:
        """Return the salt in the commitment of a deck position."""
        return self.deck.salt(self.order.place_of(position))


def sealer_of(seal: Callable[[str, str], Seal], round_id: str, key: str, order: Order | None) -> "Seal | DealtFrom":
    """Return what seals a round's cards, with the salts of the order it is dealt from, if it has one."""
    own = seal(round_id, key)
    return DealtFrom(own, seal(order.shuffle, order.key), order) if order is not None else own


@lru_cache(maxsize=2048)
def commitment_of(commitments: tuple[str, ...]) -> str:
    """Return one commitment to a whole deck: the hash of all its positions' commitments, joined."""
    return hashlib.sha256("".join(commitments).encode()).hexdigest() if commitments else ""
