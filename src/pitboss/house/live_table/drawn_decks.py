"""Drawn decks at a running table: which order each has, and from which of them a round is dealt."""

from pitboss.cards.deck import Card, Deck
from pitboss.house.live_table import commands as asked
from pitboss.house.live_table.deck_order import IN_ORDER, Order, commitment_of
from pitboss.house.live_table.event_writer import Pen
from pitboss.house.live_table.events import DeckCommitted, OrderFixed
from pitboss.rules.refusal import Refusal
from pitboss.table.commands import CountDeck, DirectShuffle, OrderRecut
from pitboss.table.cut import cut_with_cover_card
from pitboss.table.state import LOADED

ORDER = "G-21"
_MOVING = (OrderRecut, DirectShuffle, CountDeck)  # what is done to a deck that is loaded


def check(pen: Pen, command: asked.OfCards) -> Refusal | None:
    """Return why a command may not change the order that this round's wagers were placed on, or None."""
    desk = pen.desk
    assert desk.cards is not None
    if not desk.is_order_fixed or desk.cards.round is None or not isinstance(command, _MOVING):
        return None
    deck = desk.cards.deck(command.deck)
    if deck is None or deck.stage != LOADED or deck.name != desk.cards.round.deck or desk.cards.round.dealt:
        return None  # another deck, or one that the rulebook lets nobody touch any more
    reason = f"Deck {command.deck} keeps its order from the round's first wager on; change it between rounds"
    return Refusal(reason, ORDER, "deck")


def check_loaded(pen: Pen) -> Refusal | None:
    """Return why no wager may be placed on a drawn deck yet, or None."""
    desk = pen.desk
    assert desk.terms is not None
    assert desk.cards is not None
    if desk.terms.real_cards or desk.cards.round is None:
        return None
    deck = desk.cards.deck(desk.cards.round.deck)
    if deck is not None and deck.stage == LOADED:
        return None
    return Refusal("The deck is being prepared again; wait until it is loaded", ORDER)


def follow(pen: Pen) -> None:
    """Draw and commit the order of each drawn deck that was shuffled, and fix it for the round it is loaded in."""
    desk = pen.desk
    assert desk.terms is not None
    assert desk.cards is not None
    if desk.terms.real_cards:
        return
    for deck in desk.cards.decks:
        if deck.stage in IN_ORDER and deck.name not in desk.orders:
            _commit(pen, deck.name, desk.terms.settings.game.deck)
    played = desk.cards.round
    loaded = desk.cards.deck(played.deck) if played is not None else None
    if loaded is None or loaded.stage != LOADED or not desk.in_round or desk.is_order_fixed:
        return
    order = pen.desk.orders[loaded.name]
    if order != desk.order:
        _fix(pen, loaded.name, order)


def next_cards(pen: Pen, count: int) -> dict[Card, int]:
    """Return the next cards of the round's order, with their positions."""
    desk = pen.desk
    order = desk.order
    assert order is not None, "a drawn round has its order"
    shuffled = pen.means.seal(order.shuffle, order.key).open_order(order.sealed)
    cards = cut_with_cover_card(shuffled, order.cut_cards)
    return {cards[place]: place for place in range(desk.drawn, min(desk.drawn + count, len(cards)))}


def _commit(pen: Pen, name: str, deck: Deck) -> None:
    means = pen.means
    shuffle, order = f"{pen.desk.table}-shuffle-{means.fresh()}", means.shuffle(deck)
    seal = means.seal(shuffle, means.key)
    committed, sealed = seal.commitments(order), seal.seal_order(order)
    pen.house(DeckCommitted(deck=name, shuffle=shuffle, commitments=committed, sealed_order=sealed))


def _fix(pen: Pen, deck: str, order: Order) -> None:
    pen.house(
        OrderFixed(
            round=pen.desk.round,
            deck=deck,
            shuffle=order.shuffle,
            cut_cards=order.cut_cards,
            commitment=commitment_of(order.commitments),
        ),
        clause=ORDER,
    )
