"""Checks dealt cards against the commitment to their deck."""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from pitboss_verify.entries import Entry
from pitboss_verify.orders import COMMITTED, Orders
from pitboss_verify.report import Report, Unsound

SALT_BYTES = 32
NONCE_BYTES = 12
BEGUN = "house.RoundBegun"
FIXED = "house.OrderFixed"
PLACED = "round.WagersPlaced"
DEALT = "round.CardsDealt"
FORGOTTEN = "house.ReadsForgotten"
READ_CORRECTED = "house.ReadCorrected"
CARD_CORRECTED = "round.CardCorrected"


@dataclass(slots=True)
class Deck:
    """A round's commitment and the cards that were opened."""

    round: str
    name: str = ""  # of the deck it is dealt from
    shuffle: str = ""
    commitments: list[Any] | None = None
    is_wagered_on: bool = False
    sealed: list[tuple[int, str]] = field(default_factory=list)
    misread: list[tuple[int, str]] = field(default_factory=list)  # read wrongly, and corrected since
    dealt: set[int] = field(default_factory=set)
    forgotten: set[int] = field(default_factory=set)  # read, then lost in a deck that was shuffled or cut again
    cards: dict[int, str] = field(default_factory=dict)  # by position
    positions: dict[str, int] = field(default_factory=dict)  # by card


class Cards:
    """Follows the decks of one stream after another."""

    def __init__(self, report: Report, *, is_excerpt: bool) -> None:
        self._report = report
        self._is_excerpt = is_excerpt
        self._stream = ""
        self._deck: Deck | None = None
        self._orders = Orders()

    def take(self, entry: Entry) -> None:
        """Check what an entry says about cards, or raise Unsound."""
        if entry.stream != self._stream:
            self.finish()
            self._stream, self._orders = entry.stream, Orders()
        body = entry.body
        is_of_round = "commitments" in body and not (entry.kind == COMMITTED and body.get("shuffle"))
        if entry.kind == BEGUN or is_of_round:
            self._begin(body.get("round"), body.get("deck"))
        if is_of_round:
            self._commit(body["commitments"])
        if entry.kind == FORGOTTEN:
            self._forget(body.get("positions"))
        self._orders.take(entry)
        if entry.kind == FIXED:
            self._fix(body)
        elif entry.kind == PLACED:
            self._wager()
        if entry.kind == READ_CORRECTED:
            self._correct(body.get("position"))
        # If a card was corrected, only the right card counts from here on.
        for shown in _cards_in(body.get("card", {}) if entry.kind == CARD_CORRECTED else body):
            self._see(shown, is_dealt=entry.kind == DEALT)
        if "dealt_key" in body:
            self._open(body.get("round"), body["dealt_key"])

    def finish(self) -> None:
        """Count the cards that stay sealed."""
        self._report.sealed += len(self._deck.sealed) if self._deck else 0
        self._deck = None

    def _begin(self, round_id: Any, deck: Any) -> None:
        if type(round_id) is not str:
            raise Unsound("begins a round without a name")
        if self._deck is None or self._deck.round != round_id:
            if self._deck is not None:
                self._orders.use_up(self._deck.shuffle)
            self.finish()
            self._deck = Deck(round_id, deck if type(deck) is str else "")

    def _commit(self, commitments: Any) -> None:
        if self._deck is None or type(commitments) is not list:
            raise Unsound("has an invalid commitment to a deck")
        if self._deck.commitments is not None or self._deck.dealt:
            raise Unsound(f"commits to a second deck for round {self._deck.round}")
        if self._deck.is_wagered_on:
            raise Unsound(f"commits to the deck of round {self._deck.round} after its first wager")
        self._deck.commitments = commitments
        self._report.rounds += bool(commitments)

    def _forget(self, positions: Any) -> None:
        deck = self._deck
        if deck is None:
            if self._is_excerpt:
                return
            raise Unsound("forgets cards outside any round")
        if type(positions) is not list or deck.commitments or not deck.dealt.isdisjoint(positions):
            raise Unsound(f"forgets cards that round {deck.round} had committed to or dealt")
        deck.forgotten.update(positions)

    def _correct(self, position: Any) -> None:
        deck = self._deck
        if deck is None:
            if self._is_excerpt:
                return
            raise Unsound("corrects a card outside any round")
        if type(position) is not int or deck.commitments:
            raise Unsound(f"corrects a card that round {deck.round} had committed to")
        deck.misread += [read for read in deck.sealed if read[0] == position]
        deck.sealed = [read for read in deck.sealed if read[0] != position]
        card = deck.cards.pop(position, None)
        if card is not None:
            deck.positions.pop(card, None)

    def _fix(self, body: dict[str, Any]) -> None:
        deck = self._deck
        if deck is None and self._is_excerpt:
            return  # of a round that began before this part of the record
        if deck is None or deck.round != body.get("round"):
            raise Unsound("fixes the order of a round other than the current one")
        if deck.is_wagered_on or deck.dealt:
            raise Unsound(f"fixes the order of round {deck.round} after its first wager")
        if self._is_excerpt and not self._orders.has(body.get("deck")):
            return  # the shuffle is not in this part of the record
        self._report.rounds += deck.commitments is None
        deck.commitments, deck.shuffle = self._orders.fixed(body), body["shuffle"]

    def _wager(self) -> None:
        deck = self._deck
        if deck is None:
            return
        if deck.commitments is None and self._orders.has(deck.name):
            raise Unsound(f"takes a wager in round {deck.round} before the order of its deck is fixed")
        deck.is_wagered_on = True

    def _see(self, shown: dict[str, Any], *, is_dealt: bool) -> None:
        deck, position = self._deck, shown["position"]
        if deck is None:
            if self._is_excerpt:
                return
            raise Unsound("shows cards outside any round")
        if is_dealt:
            if position in deck.forgotten:
                raise Unsound(f"deals position {position} of round {deck.round}, which was forgotten")
            if position in deck.dealt:
                raise Unsound(f"deals position {position} of round {deck.round} a second time")
            deck.dealt.add(position)
        if "sealed" in shown:
            deck.sealed.append((position, shown["sealed"]))
        else:
            self._hold(deck, position, shown["card"], shown.get("salt"))

    def _open(self, round_id: Any, key: Any) -> None:
        deck = self._deck
        if deck is None and self._is_excerpt:
            return
        if deck is None or deck.round != round_id:
            raise Unsound("opens a round other than the current one")
        for position, sealed in deck.sealed:
            card, salt = _opened(key, deck.round, position, sealed)
            if position in deck.forgotten:
                self._report.uncommitted += 1
                continue
            self._hold(deck, position, card, salt)
        for position, sealed in deck.misread:
            _opened(key, deck.round, position, sealed)
            self._report.uncommitted += 1
        deck.sealed.clear()

    def _hold(self, deck: Deck, position: int, card: Any, salt: Any) -> None:
        if type(card) is not str or deck.cards.setdefault(position, card) != card:
            raise Unsound(f"gives position {position} of round {deck.round} a different card than before")
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
            raise Unsound(f"opens position {position} of round {deck.round} as {card}, not the card committed there")
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
        waiting.extend(item for item in inside if type(item) in (dict, list))


def _opened(key: Any, round_id: str, position: int, sealed: str) -> tuple[str, str]:
    from cryptography.exceptions import InvalidTag
    from cryptography.hazmat.primitives.ciphers.aead import AESGCMSIV

    try:
        nonce = position.to_bytes(NONCE_BYTES, "big")
        place = f"{round_id}/{position}".encode()
        plain = AESGCMSIV(bytes.fromhex(key)).decrypt(nonce, bytes.fromhex(sealed), place)
        return plain[SALT_BYTES:].rstrip(b"\0").decode(), plain[:SALT_BYTES].hex()
    except (InvalidTag, ValueError, TypeError, OverflowError):
        raise Unsound(f"has a key that doesn't open position {position} of round {round_id}") from None
