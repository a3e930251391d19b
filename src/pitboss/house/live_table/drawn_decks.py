"""Drawn decks at a live table: the order of each, and which one a round is dealt from."""

from pitboss.cards.deck import Card, Deck
from pitboss.house.live_table import commands as asked
from pitboss.house.live_table.deck_order import IN_ORDER, Order, commitment_of
from pitboss.house.live_table.event_writer import EventWriter
from pitboss.house.live_table.events import DeckCommitted, OrderFixed
from pitboss.rules.refusal import Refusal
from pitboss.table.commands import CountDeck, DirectShuffle, OrderRecut
from pitboss.table.conditions import deck_opening
from pitboss.table.cut import cut_with_cover_card
from pitboss.table.state import LOADED

ORDER = "G-21"
_MOVING = (OrderRecut, DirectShuffle, CountDeck)  # commands on a loaded deck


def check(writer: EventWriter, command: asked.OfCards) -> Refusal | None:
    """Return why a command may not change the order that this round's wagers were placed on, or None."""
    live = writer.live
    assert live.cards is not None
    if not live.is_order_fixed or live.cards.round is None or not isinstance(command, _MOVING):
        return None
    deck = live.cards.deck(command.deck)
    if deck is None or deck.stage != LOADED or deck.name != live.cards.round.deck or live.cards.round.dealt:
        return None  # another deck, or one that the rulebook no longer lets anyone touch
    reason = f"{deck_opening(command.deck)} can't be changed after the round's first wager. Change it between rounds"
    return Refusal(reason, ORDER, "deck")


def check_loaded(writer: EventWriter) -> Refusal | None:
    """Return why no wager may be placed on a drawn deck yet, or None."""
    live = writer.live
    assert live.terms is not None
    assert live.cards is not None
    if live.terms.real_cards or live.cards.round is None:
        return None
    deck = live.cards.deck(live.cards.round.deck)
    if deck is not None and deck.stage == LOADED:
        return None
    return Refusal("The deck is being prepared again. Wait until it is loaded", ORDER)


def follow(writer: EventWriter) -> None:
    """Draw and commit the order of each drawn deck that was shuffled, and fix it for the round it is loaded in."""
    live = writer.live
    assert live.terms is not None
    assert live.cards is not None
    if live.terms.real_cards:
        return
    for deck in live.cards.decks:
        if deck.stage in IN_ORDER and deck.name not in live.orders:
            _commit(writer, deck.name, live.terms.settings.game.deck)
    played = live.cards.round
    loaded = live.cards.deck(played.deck) if played is not None else None
    if loaded is None or loaded.stage != LOADED or not live.in_round or live.is_order_fixed:
        return
    order = writer.live.orders[loaded.name]
    if order != live.order:
        _fix(writer, loaded.name, order)


def next_cards(writer: EventWriter, count: int) -> dict[Card, int]:
    """Return the next cards of the round's order, with their positions."""
    live = writer.live
    order = live.order
    assert order is not None, "a round dealt by the program has a deck order"
    shuffled = writer.means.seal(order.shuffle, order.key).open_order(order.sealed)
    cards = cut_with_cover_card(shuffled, order.cut_cards)
    return {cards[place]: place for place in range(live.drawn, min(live.drawn + count, len(cards)))}


def _commit(writer: EventWriter, name: str, deck: Deck) -> None:
    means = writer.means
    shuffle, order = f"{writer.live.table}-shuffle-{means.fresh()}", means.shuffle(deck)
    seal = means.seal(shuffle, means.key)
    committed, sealed = seal.commitments(order), seal.seal_order(order)
    writer.house(DeckCommitted(deck=name, shuffle=shuffle, commitments=committed, sealed_order=sealed))


def _fix(writer: EventWriter, deck: str, order: Order) -> None:
    writer.house(
        OrderFixed(
            round=writer.live.round,
            deck=deck,
            shuffle=order.shuffle,
            cut_cards=order.cut_cards,
            commitment=commitment_of(order.commitments),
        ),
        clause=ORDER,
    )
