"""What devices that sign their messages share: their keys, their signatures, and the order of their messages."""

from typing import Protocol

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from pitboss.house.live_table.event_writer import EventWriter
from pitboss.house.live_table.significant_refusals import NotedRefusal
from pitboss.house.live_table.state import LiveTable, SigningDevice
from pitboss.house.people.accounts import NAME
from pitboss.house.stream_names import FLOOR
from pitboss.record.entries import Draft
from pitboss.rules.refusal import Refusal

DEVICES_MOST = 8  # of one kind, at one table


class Words(Protocol):
    """What a kind of device is called, and the rule that governs it."""

    title: str
    field: str
    clause: str
    out_of_order: str  # the kind of the entry that notes a message out of order


def check_enrollment(
    writer: EventWriter, words: Words, known: dict[str, SigningDevice], name: str, key: str
) -> Refusal | None:
    """Return why a device may not be enrolled with this name and key, or None."""
    if not NAME.fullmatch(name):
        reason = f"A {words.title}'s name has up to 40 lowercase letters, digits, dots, dashes and underscores"
        return Refusal(reason, words.clause, words.field)
    if public_key(key) is None:
        return Refusal("The key must be an Ed25519 public key of 64 hexadecimal digits", words.clause, "key")
    enrolled = known.get(name)
    if enrolled is not None and _is_same(enrolled.key, key):
        return Refusal(f"{name} is already enrolled with this key", words.clause, "key")
    live = writer.live
    if any(_is_same(other.key, key) for other in (*live.readers.values(), *live.sensors.values())):
        return Refusal("Another device has this key. Each needs its own", words.clause, "key")
    if any(_is_same(other, key) for other in writer.means.keys_enrolled()):
        reason = "This key was enrolled here before, and its messages were numbered. Make a new key on the device"
        return Refusal(reason, words.clause, "key")
    if enrolled is None and len(known) >= DEVICES_MOST:
        reason = f"A table has at most {DEVICES_MOST} {words.title}s. Retire one first"
        return Refusal(reason, words.clause, words.field)
    return None


def _is_same(key: str, other: str) -> bool:
    return key.lower() == other.lower()  # hexadecimal digits may be in either case


def check_retirement(words: Words, known: dict[str, SigningDevice], name: str, reason: str) -> Refusal | None:
    """Return why a device may not be taken out of use, or None."""
    if name not in known:
        return Refusal(f"This table has no such {words.title}", words.clause, words.field)
    return None if reason.strip() else Refusal("Enter a reason", words.clause, "reason")


def check_sequence(live: LiveTable, words: Words, device: SigningDevice, name: str, sequence: int) -> Refusal | None:
    """Return why a signed message doesn't count: it was already accepted, or one before it is missing."""
    if sequence == device.sequence + 1:
        return None
    is_old = sequence <= device.sequence
    what = "was already accepted" if is_old else f"came before number {device.sequence + 1}"
    body = {
        "table": live.table,
        "round": live.round,
        words.field: name,
        "sequence": sequence,
        "expected": device.sequence + 1,
    }
    note = Draft(FLOOR, words.out_of_order, body, words.clause)
    return NotedRefusal(f"Message {sequence} of this {words.title} {what}", words.clause, "sequence", note)


def is_signed(device: SigningDevice | None, signature: str, message: bytes) -> bool:
    """Say whether an enrolled device signed these bytes."""
    key = public_key(device.key) if device is not None else None
    if key is None:
        return False
    try:
        key.verify(bytes.fromhex(signature), message)
    except (InvalidSignature, ValueError):
        return False
    return True


def public_key(text: str) -> Ed25519PublicKey | None:
    """Return the Ed25519 key in hexadecimal digits, or None."""
    try:
        return Ed25519PublicKey.from_public_bytes(bytes.fromhex(text)) if len(text) == 64 else None
    except ValueError:
        return None
