"""A player's receipt: every entry in it is in the tree of a signed checkpoint, and its cards are those committed."""

import base64
import hashlib
import json
from collections.abc import Collection
from pathlib import Path
from typing import Any

from pitboss_verify.entries import Entry, read_entry
from pitboss_verify.notes import SIGNED, Checkpoint, Key, checkpoint_of, key_of
from pitboss_verify.report import Report, Unsound
from pitboss_verify.tree import inclusion_root, leaf_hash

FORMAT = "pitboss-receipt-1"
BEGUN, ENDED = "house.RoundBegun", "house.RoundEnded"
COMMITTED, FIXED, DEALT = "house.DeckCommitted", "house.OrderFixed", "round.CardsDealt"
PLACED, SETTLED = "round.WagersPlaced", "round.WagersSettled"
FIELDS: dict[str, type] = {
    "format": str,
    "round": str,
    "table": str,
    "player": str,
    "seats": list,
    "hands": dict,
    "money": dict,
    "entries": list,
    "openings": list,
    "checkpoint": str,
}


def is_receipt(path: Path) -> bool:
    """Say whether a file is a receipt."""
    try:
        with path.open("rb") as file:
            head = file.read(1 << 16)
            return b'"format"' in head and FORMAT.encode() in head
    except OSError:
        return False


def check_receipt(path: Path, trusted: Collection[str] | None, witness_key: str | None, report: Report) -> None:
    """Check a receipt and describe it in the report, or raise Unsound."""
    try:
        data = json.loads(path.read_bytes().decode())
    except (ValueError, RecursionError):
        raise Unsound(f"{path.name} isn't a receipt: it isn't valid JSON") from None
    if type(data) is not dict or {name: type(value) for name, value in data.items()} != FIELDS:
        raise Unsound(f"{path.name} doesn't have the fields of a receipt")
    checkpoint = checkpoint_of(data["checkpoint"])
    report.receipt += _signers(checkpoint, trusted, witness_key)
    entries = [_included(item, number, checkpoint) for number, item in enumerate(data["entries"], 1)]
    begun, ended = _bounds(entries, data)
    inside = [entry for entry in entries if begun.sequence <= entry.sequence <= ended.sequence]
    _check_player(inside, data)
    opened = _check_cards(entries, inside, data)
    money = data["money"]
    report.entries, report.streams, report.opened = len(entries), 1, opened
    report.receipt.insert(
        0,
        f"Round {data['round']} at table {data['table']}: {data['player']} staked {money['staked_cents']} cents and "
        f"ended at {money['net_cents']:+} cents.",
    )
    report.receipt.append(f"{len(entries)} entries are in the tree of {checkpoint.size:,} entries that was signed.")
    cards = f"{opened} cards match what was committed before the first wager."
    report.receipt.append(cards if opened else "The cards were real ones, so nothing was committed about them.")


def _signers(checkpoint: Checkpoint, trusted: Collection[str] | None, witness_key: str | None) -> list[str]:
    told = []
    if trusted is None:
        told.append("No public key was given, so anyone could have signed the checkpoint. Use --key.")
    elif not any(
        checkpoint.time_signed_by(Key(checkpoint.origin, SIGNED, bytes.fromhex(public))) is not None
        for public in trusted
    ):
        raise Unsound("the checkpoint isn't signed by a key you gave")
    else:
        told.append(f"The checkpoint of {checkpoint.origin} is signed by a key you gave.")
    if witness_key is not None:
        key = key_of(witness_key)
        if checkpoint.time_signed_by(key) is None:
            raise Unsound(f"the checkpoint isn't cosigned by {key.name}")
        told.append(f"It is cosigned by witness {key.name}.")
    return told


def _included(item: Any, number: int, checkpoint: Checkpoint) -> Entry:
    place = f"entry {number} of the receipt"
    try:
        line, index, proof = (
            item["line"],
            item["leaf"],
            [base64.b64decode(node, validate=True) for node in item["proof"]],
        )
        assert type(line) is str
        assert type(index) is int
    except (KeyError, TypeError, ValueError, AssertionError):
        raise Unsound(f"{place} cannot be read") from None
    try:
        entry = read_entry(line)
    except Unsound as fault:
        raise Unsound(f"{place} {fault}") from None
    if inclusion_root(index, checkpoint.size, leaf_hash(line), proof) != checkpoint.root:
        raise Unsound(f"{place} isn't in the tree that the checkpoint signs")
    return entry


def _bounds(entries: list[Entry], data: dict[str, Any]) -> tuple[Entry, Entry]:
    stream = f"table/{data['table']}"
    if any(entry.stream != stream for entry in entries):
        raise Unsound(f"the receipt has entries of another stream than {stream}")
    numbers = [entry.sequence for entry in entries]
    if sorted(set(numbers)) != numbers:
        raise Unsound("the receipt's entries are out of order")
    found = [[entry for entry in entries if entry.kind == kind] for kind in (BEGUN, ENDED)]
    if any(len(of_kind) != 1 or of_kind[0].body.get("round") != data["round"] for of_kind in found):
        raise Unsound(f"the receipt doesn't have the beginning and the end of round {data['round']}")
    return found[0][0], found[1][0]


def _check_player(inside: list[Entry], data: dict[str, Any]) -> None:
    # Rounds of a table follow one another: what lies between a round's first and last entry belongs to it.
    seats = {entry.body.get("seat") for entry in inside if entry.kind == PLACED}
    players = {entry.body.get("player") for entry in inside if entry.kind == PLACED}
    if players != {data["player"]} or sorted(seats, key=str) != sorted(data["seats"], key=str):
        raise Unsound("the wagers in the receipt aren't this player's")
    results = [
        result
        for entry in inside
        if entry.kind == SETTLED and entry.body.get("seat") in seats
        for result in entry.body.get("results", [])
    ]
    try:
        found = {"staked_cents": sum(row["stake"] for row in results), "net_cents": sum(row["net"] for row in results)}
    except (KeyError, TypeError):
        raise Unsound("a settlement in the receipt cannot be read") from None
    if found != data["money"]:
        raise Unsound(f"the receipt says {data['money']}, but the entries say {found}")


def _check_cards(entries: list[Entry], inside: list[Entry], data: dict[str, Any]) -> int:
    commitments = _commitments(entries, inside, data["round"])
    dealt = {
        (str(entry.body.get("place")), card.get("position"))
        for entry in inside
        if entry.kind == DEALT
        for card in entry.body.get("cards", [])
    }
    hands: dict[str, list[str]] = {}
    for opening in data["openings"]:
        try:
            place, position, card, salt = (opening[name] for name in ("place", "position", "card", "salt"))
            found = hashlib.sha256(bytes.fromhex(salt) + card.encode()).hexdigest()
        except (KeyError, TypeError, ValueError, AttributeError):
            raise Unsound("an opened card in the receipt cannot be read") from None
        if (place, position) not in dealt:
            raise Unsound(f"the receipt opens position {position}, which wasn't dealt to {place}")
        if commitments and (not 0 <= position < len(commitments) or commitments[position] != found):
            raise Unsound(f"position {position} isn't {card}, by what was committed before the first wager")
        hands.setdefault(place, []).append(card)
    if hands != data["hands"]:
        raise Unsound("the hands in the receipt aren't the cards it opens")
    return len(data["openings"]) if commitments else 0


def _commitments(entries: list[Entry], inside: list[Entry], round_id: str) -> list[str]:
    committed = next((entry.body for entry in entries if entry.kind == COMMITTED), None)
    fixed = next((entry for entry in inside if entry.kind == FIXED), None)
    first_wager = min((entry.sequence for entry in inside if entry.kind == PLACED), default=0)
    if committed is None:
        return []
    order = committed.get("commitments")
    if type(order) is not list or not all(type(hash_) is str for hash_ in order):
        raise Unsound("the commitment to the deck cannot be read")
    if fixed is None:
        if committed.get("round") != round_id:
            raise Unsound("the commitment to the deck is of another round")
        return order
    body = fixed.body
    cut = body.get("cut_cards")
    if type(cut) is not int or body.get("shuffle") != committed.get("shuffle") or fixed.sequence > first_wager:
        raise Unsound("the order of the deck wasn't fixed by its shuffle before the first wager")
    order = order[cut:] + order[:cut]
    if hashlib.sha256("".join(order).encode()).hexdigest() != body.get("commitment"):
        raise Unsound("the order of the deck isn't the one that was fixed")
    return order
