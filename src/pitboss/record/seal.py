"""Cards in the record: committed by position, sealed while hidden, opened for those who may see them."""

import hashlib
from collections.abc import Sequence
from functools import cached_property

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCMSIV

from pitboss.cards.deck import Card
from pitboss.record.keys import Keyring, MasterKey, derived

SALT_BYTES = 32
# Every card is padded to the same size, so that the length of a sealed text reveals nothing about the card.
CARD_BYTES = 16
NONCE_BYTES = 12
TEXT_BLOCK = 256  # a text is padded to a multiple of this
_ORDER_MARK = b"\1"  # something to seal when cards come from a reader and their order is unknown


class SealBroken(ValueError):
    """A sealed text was altered, or belongs to another round, position or key."""


def commitment(salt: str, card: Card) -> str:
    """Return the hash that commits a position of the deck."""
    return hashlib.sha256(bytes.fromhex(salt) + card.encode()).hexdigest()


def open_card(dealt_key: str, round_id: str, position: int, sealed: str) -> tuple[Card, str]:
    """Return a dealt card and its salt, or raise SealBroken."""
    plain = _opened(bytes.fromhex(dealt_key), position, _place(round_id, position), sealed)
    return _unpadded(plain[SALT_BYTES:]), plain[:SALT_BYTES].hex()


class RoundSeal:
    """Seals and opens the hidden cards of one round or one shuffle; the same name and key give the same texts again."""

    def __init__(self, master: MasterKey, round_id: str) -> None:
        self._key_id = master.id
        self._round = round_id
        secret = master.round_secret(round_id)
        self._order_key = derived(secret, "order")
        self._dealt_key = derived(secret, "dealt")
        # Not derived from the dealt key: that key is published, and the undealt cards must stay hidden.
        self._salt_key = derived(secret, "salts")
        self._salts: dict[int, str] = {}  # those requested so far; each is slow to derive

    def salt(self, position: int) -> str:
        """Return the salt in the commitment of a deck position."""
        found = self._salts.get(position)
        if found is None:
            found = self._salts[position] = derived(self._salt_key, f"salt {position}", SALT_BYTES).hex()
        return found

    def commitments(self, order: Sequence[Card]) -> tuple[str, ...]:
        """Return each position's salted hash."""
        return tuple(commitment(self.salt(position), card) for position, card in enumerate(order))

    def seal_order(self, order: Sequence[Card]) -> str:
        """Return the whole order sealed, with the id of its master key."""
        text = _ORDER_MARK + b"".join(map(_padded, order))
        sealed = AESGCMSIV(self._order_key).encrypt(bytes(NONCE_BYTES), text, self._round.encode())
        return f"{self._key_id}.{sealed.hex()}"

    def open_order(self, sealed: str) -> tuple[Card, ...]:
        """Return the order that was sealed, or raise SealBroken."""
        plain = _opened(self._order_key, 0, self._round.encode(), sealed.partition(".")[2])[len(_ORDER_MARK) :]
        return tuple(_unpadded(plain[at : at + CARD_BYTES]) for at in range(0, len(plain), CARD_BYTES))

    def seal(self, position: int, card: Card, salt: str | None = None) -> str:
        """Return a card sealed with its salt, or with the salt from its deck's shuffle."""
        plain = bytes.fromhex(salt or self.salt(position)) + _padded(card)
        return self._cards.encrypt(_nonce(position), plain, _place(self._round, position)).hex()

    def open(self, position: int, sealed: str) -> Card:
        """Return a sealed card, or raise SealBroken."""
        return open_card(self.dealt_key(), self._round, position, sealed)[0]

    def dealt_key(self) -> str:
        """Return the key that opens only the dealt cards."""
        return self._dealt_key.hex()

    @cached_property
    def _cards(self) -> AESGCMSIV:
        return AESGCMSIV(self._dealt_key)


def round_seal(keyring: Keyring, round_id: str, sealed_order: str | None = None) -> RoundSeal:
    """Return the seal of a new round, or, given its sealed order, of a round begun under any key."""
    master = keyring.current if sealed_order is None else keyring.by_id(sealed_order.partition(".")[0])
    return RoundSeal(master, round_id)


def seal_text(master: MasterKey, name: str, text: str) -> str:
    """Return a text sealed under a name, with the id of its key; the same text gives the same sealed text again."""
    padded = text.encode().ljust(-(-(len(text.encode()) + 1) // TEXT_BLOCK) * TEXT_BLOCK, b"\0")
    sealed = AESGCMSIV(derived(master.secret, f"text {name}")).encrypt(bytes(NONCE_BYTES), padded, name.encode())
    return f"{master.id}.{sealed.hex()}"


def open_text(master: MasterKey, name: str, sealed: str) -> str:
    """Return a text that was sealed under a name, or raise SealBroken."""
    return (
        _opened(derived(master.secret, f"text {name}"), 0, name.encode(), sealed.partition(".")[2])
        .rstrip(b"\0")
        .decode()
    )


def _opened(key: bytes, number: int, place: bytes, sealed: str) -> bytes:
    try:
        return AESGCMSIV(key).decrypt(_nonce(number), bytes.fromhex(sealed), place)
    except (InvalidTag, ValueError):
        raise SealBroken("This sealed text was altered, or belongs to another round, position or key.") from None


def _nonce(position: int) -> bytes:
    return position.to_bytes(NONCE_BYTES, "big")


def _place(round_id: str, position: int) -> bytes:
    return f"{round_id}/{position}".encode()


def _padded(card: Card) -> bytes:
    name = card.encode()
    assert len(name) <= CARD_BYTES, "a card's name fits its padded size"
    return name.ljust(CARD_BYTES, b"\0")


def _unpadded(name: bytes) -> Card:
    return Card(name.rstrip(b"\0").decode())
