"""Misread cards: corrected by the dealer and the floor while no player's decision depends on them."""

from dataclasses import replace

from pitboss.cards.deck import Card
from pitboss.house import entry_kinds
from pitboss.house.live_table import commands as asked
from pitboss.house.live_table.event_writer import EventWriter
from pitboss.house.live_table.events import ReadCorrected
from pitboss.house.live_table.significant_refusals import NotedRefusal
from pitboss.house.live_table.state import LiveTable
from pitboss.house.people import house_rules as rule
from pitboss.house.stream_names import FLOOR
from pitboss.record.entries import Draft
from pitboss.record.seal import SealBroken
from pitboss.round.commands import CorrectCard
from pitboss.round.decide import CORRECTED
from pitboss.round.state import OVER
from pitboss.rules.refusal import Refusal
from pitboss.table.source import CardRead as Readable
from pitboss.table.source import ReaderSource


def sealed(writer: EventWriter, command: asked.CorrectRead) -> asked.CorrectRead:
    """Return the command with its faces sealed, so that it can wait on the record for its second person."""
    live = writer.live
    if not live.in_round or live.terms is None or not live.terms.real_cards:
        return command  # it is refused before anyone looks at the cards
    position = command.position if command.position is not None else _position(live, command.was)
    found = _unread(live, command.right)
    text = writer.seal.seal(position, found) if found is not None and position >= 0 else ""
    return replace(command, position=position, was=None, right="", sealed_right=text)


def correct(writer: EventWriter, command: asked.CorrectRead) -> Refusal | None:
    """Replace the card that was read with the right one."""
    live = writer.live
    assert live.terms is not None
    assert live.play is not None
    if not live.terms.real_cards:
        return Refusal("This table doesn't use physical cards", rule.READERS)
    if live.play.phase == OVER:
        return Refusal("The round is over, so its cards can't be corrected", CORRECTED)
    position = command.position if command.position is not None else -1
    was = next((card for card, place in live.positions.items() if place == position), None)
    right = _opened(writer, position, command.sealed_right)
    if was is None or right is None or right in live.play.drawn or right in live.positions:
        return _cannot_be(writer)
    place = next((place for place, held in live.play.cards.items() if was in held), None)
    if place is None and was not in live.waiting:
        return Refusal("That card was set aside face up, so everyone saw it", CORRECTED)
    second = writer.means.second or ""
    writer.house(ReadCorrected(position=position, sealed=command.sealed_right, second=second))
    return writer.play(CorrectCard(place, was, right)) if place is not None else None


def _position(live: LiveTable, was: str | None) -> int:
    # People see only a card's face; of equal faces the last one read is meant.
    read = [place for card, place in live.positions.items() if was and card.startswith(was)]
    return max(read, default=-1)


def _unread(live: LiveTable, right: str) -> Card | None:
    assert live.terms is not None
    assert live.play is not None
    reader = ReaderSource(live.terms.settings.game.deck)
    for card in {*live.positions, *live.play.drawn}:
        reader.report(card)
    found = reader.report(right)
    return found.card if isinstance(found, Readable) else None


def _opened(writer: EventWriter, position: int, text: str) -> Card | None:
    try:
        return writer.seal.open(position, text) if text else None
    except (SealBroken, OverflowError):
        return None


def _cannot_be(writer: EventWriter) -> Refusal:
    # One message for every case: anything more specific would reveal which cards are out.
    reason = "The wrong card wasn't read, or the right one already was. Check both with the floor"
    body = {"table": writer.live.table, "round": writer.live.round, "drawn": writer.live.drawn}
    return NotedRefusal(reason, CORRECTED, "right", Draft(FLOOR, entry_kinds.CORRECTION_REFUSED, body, CORRECTED))
