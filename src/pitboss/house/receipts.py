"""A player's receipt for a settled round: their entries, cards and money, with proofs against a signed checkpoint."""

import base64
from collections.abc import Collection, Iterator, Sequence
from typing import Any, NamedTuple, Protocol

from pitboss.house import entry_kinds
from pitboss.record.entries import Entry, entry_of
from pitboss.record.evidence import UnknownRound, find_round
from pitboss.record.seal import open_card
from pitboss.record.store import Store

FORMAT = "pitboss-receipt-1"
BOARD, DEALER = "board", "dealer"
_OF_SEAT = (
    entry_kinds.WAGERS_PLACED,
    entry_kinds.WAGERS_WITHDRAWN,
    entry_kinds.ACTION_TAKEN,
    entry_kinds.WAGERS_SETTLED,
    entry_kinds.METER_PAID,
    entry_kinds.ENVY_PAID,
)

__all__ = ["FORMAT", "Inclusion", "NotWitnessed", "UnknownRound", "receipt_of"]


class NotWitnessed(LookupError):
    """The round isn't covered by the checkpoint yet."""


class Inclusion(Protocol):
    """Proves that entries are in the tree of a checkpoint."""

    def inclusion(self, stream: str, sequence: int, size: int) -> tuple[int, list[bytes]] | None:
        """Return an entry's place in the tree and the proof, or None if it isn't there."""
        ...


class _Opening(NamedTuple):
    place: str
    position: int
    card: str
    salt: str


def receipt_of(store: Store, tree: Inclusion, note: str, size: int, round_id: str, player: str) -> dict[str, Any]:
    """Return a player's receipt as plain data, or raise UnknownRound or NotWitnessed."""
    found = find_round(store, round_id)
    played = [entry_of(line) for line in store.lines(found.stream, found.first - 1, found.last)]
    seats = _seats(played, player)
    if not seats or played[-1].kind != entry_kinds.ROUND_ENDED:
        raise UnknownRound(f"{player} has no settled round {round_id}.")
    committed = _committed(store, found.stream, played)
    openings = tuple(_openings(played, round_id, seats))
    shown = {opening.place for opening in openings}
    chosen = [*committed, *(entry for entry in played if _is_chosen(entry, seats, shown) and entry not in committed)]
    lines = {entry.sequence: line for entry, line in _lines(store, found.stream, chosen)}
    return {
        "format": FORMAT,
        "round": round_id,
        "table": found.stream.partition("/")[2],
        "player": player,
        "seats": list(seats),
        "hands": {place: [card.card for card in openings if card.place == place] for place in sorted(shown)},
        "money": _money(played, seats),
        "entries": [_proved(tree, found.stream, entry, lines[entry.sequence], size) for entry in chosen],
        "openings": [opening._asdict() for opening in openings],
        "checkpoint": note,
    }


def _seats(played: Sequence[Entry], player: str) -> tuple[int, ...]:
    # A seat belongs to the player with wagers there when bets were closed, not to one who withdrew before.
    held: dict[int, str] = {}
    for entry in played:
        if entry.kind == entry_kinds.WAGERS_PLACED:
            held[entry.body["seat"]] = entry.body["player"]
        elif entry.kind == entry_kinds.WAGERS_WITHDRAWN:
            held.pop(entry.body["seat"], None)
    return tuple(sorted(seat for seat, holder in held.items() if holder == player))


def _committed(store: Store, stream: str, played: Sequence[Entry]) -> list[Entry]:
    fixed = next((entry for entry in played if entry.kind == entry_kinds.ORDER_FIXED), None)
    if fixed is None:  # older records drew the order in the round itself, and real cards have none
        return [entry for entry in played if entry.kind == entry_kinds.DECK_COMMITTED]
    shuffles = store.read(stream, kinds=(entry_kinds.DECK_COMMITTED,))
    return [entry for entry in shuffles if entry.body.get("shuffle") == fixed.body["shuffle"]]


def _is_chosen(entry: Entry, seats: Collection[int], shown: Collection[str]) -> bool:
    # Nothing that says or opens another player's cards: the key to the round's cards and the pick-up stay out.
    if entry.kind in (entry_kinds.ROUND_BEGUN, entry_kinds.ORDER_FIXED, entry_kinds.ROUND_ENDED):
        return True
    if entry.kind == entry_kinds.CARDS_DEALT:
        return str(entry.body["place"]) in shown
    return entry.kind in _OF_SEAT and entry.body.get("seat") in seats


def _openings(played: Sequence[Entry], round_id: str, seats: Collection[int]) -> Iterator[_Opening]:
    key = next((entry.body["dealt_key"] for entry in played if entry.kind == entry_kinds.SEAL_OPENED), None)
    face_up: dict[str, int] = {}
    dealt: dict[str, list[dict[str, Any]]] = {}
    for entry in played:
        if entry.kind == entry_kinds.CARDS_DEALT:
            place = str(entry.body["place"])
            dealt.setdefault(place, []).extend(entry.body["cards"])
            if entry.body["face_up"]:
                face_up[place] = len(dealt[place])
        elif entry.kind == entry_kinds.CARDS_TURNED:
            face_up[str(entry.body["place"])] = entry.body["count"]
    for place, cards in dealt.items():
        is_own = place in map(str, seats)
        count = len(cards) if is_own else face_up.get(place, 0) if place in (BOARD, DEALER) else 0
        for card in cards[:count]:
            if "sealed" not in card:
                yield _Opening(place, card["position"], card["card"], card["salt"])
            elif key is not None:
                yield _Opening(place, card["position"], *open_card(key, round_id, card["position"], card["sealed"]))


def _money(played: Sequence[Entry], seats: Collection[int]) -> dict[str, int]:
    settled = [
        result
        for entry in played
        if entry.kind == entry_kinds.WAGERS_SETTLED and entry.body["seat"] in seats
        for result in entry.body["results"]
    ]
    return {
        "staked_cents": sum(result["stake"] for result in settled),
        "net_cents": sum(result["net"] for result in settled),
    }


def _lines(store: Store, stream: str, chosen: Sequence[Entry]) -> Iterator[tuple[Entry, str]]:
    for entry in chosen:
        yield entry, next(iter(store.lines(stream, entry.sequence - 1, entry.sequence)))


def _proved(tree: Inclusion, stream: str, entry: Entry, line: str, size: int) -> dict[str, Any]:
    found = tree.inclusion(stream, entry.sequence, size)
    if found is None:
        raise NotWitnessed("This round isn't covered by a signed checkpoint yet.")
    index, proof = found
    return {"leaf": index, "line": line, "proof": [base64.b64encode(node).decode() for node in proof]}
