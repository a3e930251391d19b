"""Commands about the cards of the round at a running table: read, dealt, turned, set aside."""

from pitboss.cards.deck import Card
from pitboss.house.desk import commands as asked
from pitboss.house.desk import meters
from pitboss.house.desk.events import CardRead
from pitboss.house.desk.noted import FLOOR, NotedRefusal
from pitboss.house.desk.pen import Pen
from pitboss.house.people import house_rules as rule
from pitboss.house.record import Draft
from pitboss.round.commands import DealCards, TurnCards
from pitboss.round.state import OVER
from pitboss.rules.refusal import Refusal
from pitboss.table.commands import ReportDealt
from pitboss.table.source import CardRead as Readable
from pitboss.table.source import ForeignCard, ReaderSource

CARD_LETTERS = 40  # of what a reader took for a card


def read(pen: Pen, command: asked.ReadCard) -> Refusal | None:
    """Record a card that the reader saw."""
    desk = pen.desk
    assert desk.terms is not None
    assert desk.play is not None
    if not desk.terms.real_cards:
        return Refusal("This table has no real cards to read", rule.READERS)
    if desk.play.phase == OVER:
        return Refusal("The round is over; no card leaves the deck", rule.READERS)
    reader = ReaderSource(desk.terms.settings.game.deck)
    for card in {*desk.positions, *desk.play.drawn}:
        reader.report(card)
    found = reader.report(command.card)
    if not isinstance(found, Readable):
        return _misread(pen, command.card, is_foreign=isinstance(found, ForeignCard))
    return pen.house(CardRead(position=desk.drawn, sealed=pen.seal.seal(desk.drawn, found.card)))


def _misread(pen: Pen, card: str, *, is_foreign: bool) -> Refusal:
    desk = pen.desk
    what = "no card of this deck" if is_foreign else "read more often than the deck has it"
    # A card of this deck was dealt before: the record keeps it sealed like every other.
    shown = {"read": card[:CARD_LETTERS]} if is_foreign else {"sealed": pen.seal.seal(desk.drawn, Card(card))}
    body = {"table": desk.table, "round": desk.round, "drawn": desk.drawn, "is_foreign": is_foreign, **shown}
    note = Draft(FLOOR, f"{FLOOR}.CardMisread", body, rule.READERS)
    return NotedRefusal(f"{card} is {what}; call the floor", rule.READERS, "card", note)


def deal(pen: Pen) -> Refusal | None:
    """Deliver the cards that are due, from the sealed order or as they were read."""
    assert pen.desk.play is not None
    due = pen.desk.play.due
    if due is None or due[1] < 0:
        return pen.play(DealCards(()))  # which says what comes first
    refusal = meters.waits_for_count(pen)
    if refusal:
        return refusal
    count, clause = due[1], due[3]
    cards = _next_cards(pen, count)
    if len(cards) < count:
        return Refusal(f"The reader has seen {len(cards)} of the {count} cards that are due", clause)
    return pen.play(DealCards(tuple(cards)), cards) or left_deck(pen, count)


def turn(pen: Pen) -> Refusal | None:
    """Turn the cards that are due to be turned."""
    return pen.play(TurnCards())


def left_deck(pen: Pen, count: int) -> Refusal | None:
    """Record at the table that cards left the deck."""
    return pen.cards(ReportDealt(by=asked.NOBODY, at=0, cards=count), by=pen.dealer)


def _next_cards(pen: Pen, count: int) -> dict[Card, int]:
    desk = pen.desk
    assert desk.terms is not None
    if desk.terms.real_cards:
        return {card: desk.positions[card] for card in desk.waiting[:count]}
    order = pen.seal.open_order(desk.sealed_order)
    return {order[place]: place for place in range(desk.drawn, min(desk.drawn + count, len(order)))}
