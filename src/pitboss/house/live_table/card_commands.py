"""Commands about the round's cards at a live table: read, dealt, turned, set aside."""

from pitboss.cards.deck import Card, face
from pitboss.house import entry_kinds
from pitboss.house.live_table import card_readers, drawn_decks, progressive_play
from pitboss.house.live_table import commands as asked
from pitboss.house.live_table.duty_order import check_order
from pitboss.house.live_table.event_writer import EventWriter
from pitboss.house.live_table.events import CardRead
from pitboss.house.live_table.significant_refusals import NotedRefusal
from pitboss.house.live_table.state import LiveTable
from pitboss.house.people import house_rules as rule
from pitboss.house.stream_names import FLOOR
from pitboss.record.entries import Draft
from pitboss.round.commands import DealCards, TurnCards
from pitboss.round.state import OVER, WAGERING, cards_to_come, facts
from pitboss.rules.irregularity import DRAWN_IN_ERROR
from pitboss.rules.refusal import Refusal
from pitboss.table.commands import ReportDealt
from pitboss.table.conditions import load_duty, no_more_bets_cite
from pitboss.table.source import CardRead as Readable
from pitboss.table.source import ForeignCard, ReaderSource
from pitboss.table.state import LOADED

CARD_LETTERS = 40  # of what a reader took for a card


def read(writer: EventWriter, command: asked.ReadCard) -> Refusal | None:
    """Record a card that the reader saw."""
    live = writer.live
    assert live.terms is not None
    assert live.play is not None
    if not live.terms.real_cards:
        return Refusal("This table doesn't use physical cards", rule.READERS)
    if live.play.phase == OVER:
        return Refusal("The round is over, so no more cards can be drawn", rule.READERS)
    by_hand = card_readers.check_by_hand(writer)
    if by_hand:
        return by_hand
    reader = ReaderSource(live.terms.settings.game.deck)
    for card in {*live.positions, *live.play.drawn}:
        reader.report(card)
    found = reader.report(command.card)
    if not isinstance(found, Readable):
        return _misread(writer, command.card, is_foreign=isinstance(found, ForeignCard))
    card = _owed(live) or found.card
    refusal = _not_due(writer, found.card)
    if refusal:
        return refusal
    if face(card) != face(found.card):
        drawn = live.play.rules.remedy(DRAWN_IN_ERROR, facts(live.play))
        return Refusal("Use the card drawn in error next. Read it first", drawn.cite if drawn else None)
    source, sequence = card_readers.source_of(writer)
    sealed = writer.seal.seal(live.drawn, card)
    return writer.house(CardRead(position=live.drawn, sealed=sealed, source=source, sequence=sequence))


def _owed(live: LiveTable) -> Card | None:
    assert live.play is not None
    owed = live.play.dealt_next[len(live.waiting) :]
    return owed[0] if owed else None


def _not_due(writer: EventWriter, card: Card) -> Refusal | None:
    play, cards = writer.live.play, writer.live.cards
    assert play is not None
    assert cards is not None
    if play.phase == WAGERING:
        reason = 'Betting is still open. Call "no more bets" before drawing a card'
        return _early(writer, card, reason, no_more_bets_cite(cards))
    uncounted = progressive_play.waits_for_count(writer)
    if uncounted:  # the deal begins when a card leaves the deck, and the chips are checked before it
        return _early(writer, card, uncounted.reason, uncounted.clause or rule.METERS)
    deck = cards.deck(cards.round.deck) if cards.round is not None else None
    if deck is None or deck.stage != LOADED:
        return Refusal("The deck isn't ready. Load it before drawing a card", load_duty(cards).cite, "card")
    if len(writer.live.waiting) >= cards_to_come(play):
        remedy = play.rules.remedy(DRAWN_IN_ERROR, facts(play))
        reason = "All cards for this round have been drawn. Call the floor"
        return _early(writer, card, reason, (remedy.cite if remedy else "") or rule.READERS)
    return None


def is_early(live: LiveTable) -> bool:
    """Say whether a card read now was drawn in error: none is due, or all that are due are read."""
    assert live.play is not None
    waiting, due = len(live.waiting), live.play.due
    is_reported = len(live.play.dealt_next) > waiting
    return not is_reported and (due is None or due.is_turned or waiting >= due.cards)


def _early(writer: EventWriter, card: Card, reason: str, clause: str) -> Refusal:
    live = writer.live
    assert live.play is not None
    body = {
        "table": live.table,
        "round": live.round,
        "drawn": live.drawn,
        "phase": live.play.phase,
        "sealed": writer.seal.seal(live.drawn, card),
    }
    return NotedRefusal(reason, clause, "card", Draft(FLOOR, entry_kinds.CARD_READ_EARLY, body, clause))


def _misread(writer: EventWriter, card: str, *, is_foreign: bool) -> Refusal:
    live = writer.live
    what = "isn't a card in this deck" if is_foreign else "was read more times than it is in this deck"
    # A card of this deck was dealt before: the record keeps it sealed like any other.
    shown = {"read": card[:CARD_LETTERS]} if is_foreign else {"sealed": writer.seal.seal(live.drawn, Card(card))}
    body = {"table": live.table, "round": live.round, "drawn": live.drawn, "is_foreign": is_foreign, **shown}
    note = Draft(FLOOR, entry_kinds.CARD_MISREAD, body, rule.READERS)
    return NotedRefusal(f"{card} {what}. Call the floor", rule.READERS, "card", note)


def deal(writer: EventWriter) -> Refusal | None:
    """Deal the cards that are due, from the sealed order or as they were read."""
    assert writer.live.play is not None
    due = writer.live.play.due
    if due is None or due.is_turned:
        return writer.play(DealCards(()))  # which states what comes first
    refusal = progressive_play.waits_for_count(writer)
    if refusal:
        return refusal
    cards = _next_cards(writer, due.cards)
    if len(cards) < due.cards:
        return Refusal(f"The reader has seen {len(cards)} of the {due.cards} cards that are due", due.cite)
    return writer.play(DealCards(tuple(cards)), cards) or left_deck(writer, due.cards)


def turn(writer: EventWriter) -> Refusal | None:
    """Turn the cards that are due to be turned, once the duties before it are confirmed."""
    due = writer.live.play.due if writer.live.play is not None else None
    refusal = check_order(writer.live, "TurnCards") if due is not None and due.is_turned else None
    return refusal or writer.play(TurnCards())


def left_deck(writer: EventWriter, count: int) -> Refusal | None:
    """Record at the table that cards left the deck."""
    return writer.cards(ReportDealt(by=asked.NOBODY, at=0, cards=count), by=writer.dealer)


def _next_cards(writer: EventWriter, count: int) -> dict[Card, int]:
    live = writer.live
    assert live.terms is not None
    if live.terms.real_cards:
        assert live.play is not None
        return {card: live.positions[card] for card in _in_order(live.waiting, live.play.dealt_next)[:count]}
    return drawn_decks.next_cards(writer, count)


def _in_order(waiting: tuple[Card, ...], owed: tuple[Card | None, ...]) -> list[Card]:
    # A card drawn in error is dealt before those that were read ahead of it.
    others, found = [card for card in waiting if card not in owed], []
    for card in owed:
        if card in waiting:
            found.append(card)
        elif card is None and others:
            found.append(others.pop(0))
    return [*found, *others]
