"""Decks in an order that a test chooses: stacked so that the cut after the shuffle produces it."""

from collections.abc import Callable, Sequence

from pitboss.cards.deck import Card, Deck
from pitboss.house.live_table.event_writer import Means
from pitboss.house.live_table.state import LiveTable
from pitboss.house.running_tables import Asked, House
from pitboss.rules.procedure import CUT
from pitboss.table.conditions import cards_of, suspension
from pitboss.table.state import IN_SERVICE, TableState


def before_the_cut(order: Sequence[Card], cards: int) -> tuple[Card, ...]:
    """Return the order from which a cut of this many cards makes the one that is wanted."""
    top = len(order) - cards
    return (*order[top:], *order[:top])


def cut_ahead(state: TableState) -> int:
    """Return how many cards a table that prepares its own decks will cut from the one that it shuffles next."""
    is_by_hand = not state.decks or state.shuffler != IN_SERVICE  # a deck that arrives comes shuffled and is cut
    return cards_of(state) // 2 if is_by_hand and suspension(state, CUT) is None else 0


def stacked(live: LiveTable, first: Sequence[Card], rest: Sequence[Card]) -> tuple[Card, ...]:
    """Return a shuffled order whose cards leave the deck as named, then the others as they come."""
    assert live.cards is not None
    others = [card for card in rest if card not in first]
    return before_the_cut((*first, *others), cut_ahead(live.cards))


def shuffle_by(house: House, order: Callable[[LiveTable, Deck], tuple[Card, ...]]) -> None:
    """Have a test draw the order of every deck that a house shuffles, at whichever table."""
    means = house.means

    def with_order(live: LiveTable, asked: Asked) -> Means:
        return means(live, asked)._replace(shuffle=lambda deck: order(live, deck))

    house.means = with_order  # type: ignore[method-assign]
