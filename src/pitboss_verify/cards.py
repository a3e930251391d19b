"""Dealt cards held against the deck that was committed before them."""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from pitboss_verify.entries import Entry
from pitboss_verify.report import Report, Unsound

SALT_BYTES = 32
NONCE_BYTES = 12
BEGUN = "house.RoundBegun"
DEALT = "round.CardsDealt"


@dataclass(slots=True)
class Deck:
    """What a round committed to and what was seen of it."""

    round: str
    commitments: list[Any] | None = None
    sealed: list[tuple[int, str]] = field(default_factory=list)
    dealt: set[int] = field(default_factory=set)
    cards: dict[int, str] = field(default_factory=dict)  # by position
    positions: dict[str, int] = field(default_factory=dict)  # by card


class Cards:
    """Follows the decks of one stream after another."""

    def __init__(self, report: Report, *, is_excerpt: bool) -> None:
        self._report = report
        self._is_excerpt = is_excerpt
        self._stream = ""
        self._deck: Deck | None = None

    def take(self, entry: Entry) -> None:
        """Check what an entry says of cards, or raise Unsound."""
        if entry.stream != self._stream:
            self.finish()
            self._stream = entry.stream
        body = entry.body
        if entry.kind == BEGUN or "commitments" in body:
            self._begin(body.get("round"))
        if "commitments" in body:
            self._commit(body["commitments"])
        for shown in _cards_in(body):
            self._see(shown, is_dealt=entry.kind == DEALT)
        if "dealt_key" in body:
            self._open(body.get("round"), body["dealt_key"])

    def finish(self) -> None:
        """Take note of what stays sealed."""
        self._report.sealed += len(self._deck.sealed) if self._deck else 0
        self._deck = None

    def _begin(self, round_id: Any) -> None:
        if type(round_id) is not str:
            raise Unsound("begins a round without a name")
        if self._deck is None or self._deck.round != round_id:
            self.finish()
            self._deck = Deck(round_id)

    def _commit(self, commitments: Any) -> None:
        if self._deck is None or type(commitments) is not list:
            raise Unsound("commits to no deck of a round")
        if self._deck.commitments is not None or self._deck.dealt:
            raise Unsound(f"commits to another deck of round {self._deck.round}")
        self._deck.commitments = commitments
        self._report.rounds += bool(commitments)

    def _see(self, shown: dict[str, Any], *, is_dealt: bool) -> None:
        deck, position = self._deck, shown["position"]
        if deck is None:
            if self._is_excerpt:
                return
            raise Unsound("shows cards of no round")
        if is_dealt:
            if position in deck.dealt:
                raise Unsound(f"deals position {position} of round {deck.round} a second time")
            deck.dealt.add(position)
        if "sealed" in shown:
            deck.sealed.append((position, shown["sealed"]))
        else:
            self._hold(deck, position, shown["card"], shown.get("salt"))

    def _open(self, round_id: Any, key: Any) -> None:
        deck = self._deck
        if deck is None or deck.round != round_id:
            raise Unsound("opens another round than the one before it")
        for position, sealed in deck.sealed:
            card, salt = _opened(key, deck.round, position, sealed)
            self._hold(deck, position, card, salt)
        deck.sealed.clear()

    def _hold(self, deck: Deck, position: int, card: Any, salt: Any) -> None:
        if type(card) is not str or deck.cards.setdefault(position, card) != card:
            raise Unsound(f"gives position {position} of round {deck.round} another card than before")
        if deck.positions.setdefault(card, position) != position:
            raise Unsound(f"deals {card} from two positions in round {deck.round}")
        if not deck.commitments:
            self._report.uncommitted += 1
            return
        try:
            found = hashlib.sha256(bytes.fromhex(salt) + card.encode()).hexdigest()
            committed = deck.commitments[position] if position >= 0 else None
        except (ValueError, TypeError, IndexError):
            found, committed = "", None
        if found != committed:
            raise Unsound(f"opens position {position} of round {deck.round} as {card}, which was not committed there")
        self._report.opened += 1


def _cards_in(body: dict[str, Any]) -> Iterator[dict[str, Any]]:
    waiting: list[Any] = [body]
    while waiting:
        value = waiting.pop()
        if type(value) is dict:
            if type(value.get("position")) is int and (type(value.get("sealed")) is str or "card" in value):
                yield value
            inside = value.values()
        else:
            inside = value
        waiting.extend(one for one in inside if type(one) in (dict, list))


def _opened(key: Any, round_id: str, position: int, sealed: str) -> tuple[str, str]:
    from cryptography.exceptions import InvalidTag
    from cryptography.hazmat.primitives.ciphers.aead import AESGCMSIV

    try:
        nonce = position.to_bytes(NONCE_BYTES, "big")
        place = f"{round_id}/{position}".encode()
        plain = AESGCMSIV(bytes.fromhex(key)).decrypt(nonce, bytes.fromhex(sealed), place)
        return plain[SALT_BYTES:].rstrip(b"\0").decode(), plain[:SALT_BYTES].hex()
    except (InvalidTag, ValueError, TypeError, OverflowError):
        raise Unsound(f"does not open position {position} of round {round_id}") from None
