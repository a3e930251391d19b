"""Card readers: devices with a key of their own, whose signed messages count once and in order."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, NamedTuple

from pitboss.house import entry_kinds
from pitboss.house.live_table import commands as asked
from pitboss.house.live_table import device_keys
from pitboss.house.live_table import events as happened
from pitboss.house.live_table.event_writer import EventWriter
from pitboss.house.live_table.significant_refusals import NotedRefusal
from pitboss.house.live_table.state import LiveTable
from pitboss.house.people import house_rules as rule
from pitboss.rules.refusal import Refusal

FORMAT = "pitboss-reader-1"
READER: Literal["reader"] = "reader"
KEYBOARD: Literal["keyboard"] = "keyboard"
BY_HAND: Literal["by-hand"] = "by-hand"  # the house requires no reader here
NOT_ENROLLED: Literal["not-enrolled"] = "not-enrolled"
NOT_HEARD: Literal["not-heard"] = "not-heard"
USED_UP = "G-27"  # the ruling that a card which isn't taken uses up its message's number
CarryOut = Callable[[EventWriter, asked.Command], Refusal | None]
NOT_BY_HAND = Refusal(
    "At this table a reader reads the cards. Ask the floor to switch keyboard entry on", rule.CARD_READERS, "card"
)
UNSIGNED = Refusal("No reader enrolled at this table signed this message", rule.CARD_READERS, "signature")


class _Reader:
    title, field, clause = "card reader", "reader", rule.CARD_READERS
    out_of_order = entry_kinds.READER_OUT_OF_ORDER


class SignedCard(NamedTuple):
    """What a reader signs: this table, the reader, the message's number and the card it saw."""

    table: str
    reader: str
    sequence: int
    card: str

    @property
    def message(self) -> bytes:
        """Return the bytes that are signed; no part may contain a line's end."""
        return "\n".join((FORMAT, self.table, self.reader, str(self.sequence), self.card)).encode()


@dataclass(frozen=True, slots=True)
class CardSource:
    """Where a table's physical cards come from, and what is missing for it."""

    by: Literal["reader", "keyboard", "by-hand"]
    readers: tuple[str, ...]
    missing: Literal["not-enrolled", "not-heard"] | None = None


def card_source(live: LiveTable, *, requires_readers: bool) -> CardSource | None:
    """Return who reports this table's cards now; None where the program draws them."""
    if live.terms is None or not live.terms.real_cards:
        return None
    readers = tuple(live.readers)
    if live.by_keyboard:
        return CardSource(KEYBOARD, readers)
    if not requires_readers or live.free_play:
        return CardSource(BY_HAND, readers)
    is_heard = any(reader.sequence for reader in live.readers.values())
    return CardSource(READER, readers, None if is_heard else NOT_HEARD if readers else NOT_ENROLLED)


def actor_of(reader: str) -> str:
    """Return the name a reader acts under, which no account can have."""
    return f"reader {reader}"


def enroll(writer: EventWriter, command: asked.EnrollReader) -> Refusal | None:
    """Let a reader report this table's cards with its own key."""
    known = dict(writer.live.readers)
    refusal = device_keys.check_enrollment(writer, _Reader(), known, command.reader, command.key)
    second = writer.means.second or ""
    enrolled = happened.ReaderEnrolled(reader=command.reader, key=command.key, second=second)
    return refusal or writer.house(enrolled)


def retire(writer: EventWriter, command: asked.RetireReader) -> Refusal | None:
    """Take a reader out of use."""
    refusal = device_keys.check_retirement(_Reader(), dict(writer.live.readers), command.reader, command.reason)
    return refusal or writer.house(happened.ReaderRetired(reader=command.reader, reason=command.reason))


def switch(writer: EventWriter, command: asked.SwitchKeyboard) -> Refusal | None:
    """Switch keyboard entry on or off."""
    live = writer.live
    if live.terms is None or not live.terms.real_cards:
        return Refusal("This table doesn't use physical cards", rule.READERS)
    if not command.reason.strip():
        return Refusal("Enter a reason", rule.CARD_READERS, "reason")
    if live.by_keyboard == command.is_on:
        return Refusal(f"Keyboard entry is already {'on' if command.is_on else 'off'}", rule.CARD_READERS, "is_on")
    return writer.house(happened.KeyboardSwitched(is_on=command.is_on, reason=command.reason))


def check_by_hand(writer: EventWriter) -> Refusal | None:
    """Return why a person may not enter cards here now, or None."""
    if writer.means.reader is not None:
        return None
    source = card_source(writer.live, requires_readers=writer.means.requires_readers)
    return NOT_BY_HAND if source is not None and source.by == READER else None


def source_of(writer: EventWriter) -> tuple[str, int]:
    """Return where a card that is read now comes from: a reader with its message's number, or the keyboard."""
    if writer.means.reader is not None:
        reader, sequence = writer.means.reader
        return actor_of(reader), sequence
    return (KEYBOARD if writer.live.by_keyboard else ""), 0


def saw(writer: EventWriter, command: asked.ReaderSaw, carry_out: CarryOut) -> Refusal | None:
    """Take a reader's message if it signed it and it is the next one; a card that isn't due is used up with it."""
    live = writer.live
    refusal = _check(live, command)
    if refusal:
        return refusal
    means = writer.means._replace(reader=(command.reader, command.sequence))
    read = asked.ReadCard(card=command.card)
    trial = EventWriter(live, means)
    refused = carry_out(trial, read)
    if refused is None:
        writer.means = means
        return carry_out(writer, read)
    # The number is used up, so that a message which came too early can't be used when its card would suit someone.
    # Only the clause: a reason may name a card.
    ignored = happened.ReaderIgnored(
        reader=command.reader, sequence=command.sequence, by_clause=refused.clause or "", ruling=USED_UP
    )
    writer.house(ignored)
    if isinstance(refused, NotedRefusal):
        writer.drafts.append(refused.note)
    return None


def _check(live: LiveTable, command: asked.ReaderSaw) -> Refusal | None:
    reader = live.readers.get(command.reader)
    signed = SignedCard(live.table, command.reader, command.sequence, command.card)
    is_signed = "\n" not in command.card and device_keys.is_signed(reader, command.signature, signed.message)
    if reader is None or not is_signed:
        return UNSIGNED
    return device_keys.check_sequence(live, _Reader(), reader, command.reader, command.sequence)
