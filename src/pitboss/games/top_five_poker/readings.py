"""How seven cards are read: only ten to ace count, how many of them first, their poker rank second."""

from collections.abc import Collection
from functools import cache

from pitboss.cards.deck import STANDARD_DECK, Card
from pitboss.cards.hand_names import best_five, full_name, told_apart
from pitboss.cards.poker import PAIR, best, category, category_name, describe, first_rank, rank
from pitboss.games.top_five_poker.paytables import COUNT_CELLS
from pitboss.rules.play import FOLDED
from pitboss.rules.reading import (
    CountedHand,
    DealerReading,
    Options,
    Readings,
    SeatCards,
    SeatReading,
    TableCards,
    WagerCount,
    order_of,
)

TEN, KING = 9, 12
_COUNT_SHIFT = 24
_QUEEN_JACK = 2 << _COUNT_SHIFT | best((Card("Qc"), Card("Jd")))
_COUNT_WORDS = (
    "no cards",
    "one card",
    "two cards",
    "three cards",
    "four cards",
    "five cards",
    "six cards",
    "seven cards",
)

_COUNTED = frozenset(card for card in STANDARD_DECK.cards if rank(card) >= TEN)
_FOLDED = frozenset({"folded"})
_FACTS = {
    (qualifies, order): frozenset({"dealer-qualifies" if qualifies else "dealer-below-queen-jack", order})
    for qualifies in (True, False)
    for order in ("more-cards", "fewer-cards", "equal-cards-higher", "equal-cards-lower", "equal")
}


def counted(cards: tuple[Card, ...]) -> tuple[Card, ...]:
    """Return the cards left after twos through nines are removed."""
    return tuple([card for card in cards if card in _COUNTED])


def value_of(cards: tuple[Card, ...]) -> int:
    """Return a value that compares: the number of counted cards, then the best five of them."""
    kept = counted(cards)
    return len(kept) << _COUNT_SHIFT | best(kept)


@cache  # a few thousand values
def hand_name(value: int) -> str:
    """Return the hand as a dealer announces it."""
    count, made = value >> _COUNT_SHIFT, value & (1 << _COUNT_SHIFT) - 1
    return f"{_COUNT_WORDS[count]}, {describe(made)}" if count else _COUNT_WORDS[0]


def read_dealer(table: TableCards, options: Options) -> DealerReading:
    """Read the dealer's hand; it qualifies with a queen and a jack."""
    value = value_of(table.dealer)
    return DealerReading(value, hand_name(value), value >= _QUEEN_JACK)


def read_seat(
    table: TableCards, dealer: DealerReading, seat: SeatCards, options: Options, wagers: Collection[str]
) -> SeatReading:
    """Read a seat's hand against the dealer's, and the two bonus cells."""
    value = value_of(seat.cards)
    count, made = value >> _COUNT_SHIFT, value & (1 << _COUNT_SHIFT) - 1
    facts = _FOLDED if seat.status == FOLDED else _FACTS[bool(dealer.qualifies), _order(value, dealer.value)]
    cells = {"top-five-bonus": COUNT_CELLS[7 - count], "poker-bonus": poker_cell(made)}
    return SeatReading(hand_name(value), facts, cells)


def poker_cell(made: int) -> str:
    """Return the Poker Bonus cell of the best five counted cards."""
    if category(made) == PAIR:
        return "pair-of-aces-or-kings" if first_rank(made) >= KING else "lower-pair"
    return category_name(made)


def _order(player: int, dealer: int) -> str:
    if player == dealer:
        return "equal"
    if player >> _COUNT_SHIFT != dealer >> _COUNT_SHIFT:
        return "more-cards" if player > dealer else "fewer-cards"
    return "equal-cards-higher" if player > dealer else "equal-cards-lower"


def count_wager(table: TableCards, seat: SeatCards, options: Options, wager: str) -> WagerCount:
    """Return the cards that decide a wager: those that count, the best five of them, or both hands compared."""
    kept = counted(seat.cards)
    if wager == "top-five-bonus":
        return WagerCount(CountedHand(seat.cards, kept, _COUNT_WORDS[len(kept)]))
    if wager == "poker-bonus":
        return WagerCount(CountedHand(seat.cards, best_five(kept), full_name(best(kept))))
    if not table.dealer:
        return WagerCount(CountedHand(seat.cards, kept, hand_name(value_of(seat.cards))))
    others = counted(table.dealer)
    value, other = value_of(seat.cards), value_of(table.dealer)
    hands = (best(kept), best(others))
    names = told_apart(*hands) if len(kept) == len(others) else tuple(map(full_name, hands))
    own, dealers = (
        CountedHand(cards, those, f"{_COUNT_WORDS[len(those)]}, {name}" if those else _COUNT_WORDS[0])
        for cards, those, name in zip((seat.cards, table.dealer), (kept, others), names, strict=True)
    )
    return WagerCount(own, dealers, order_of(value, other))


# Twos to nines are removed without being read: the rules treat them all alike.
UNCOUNTED = tuple(card for card in STANDARD_DECK.cards if card not in _COUNTED)
READINGS = Readings(dealer=read_dealer, seat=read_seat, alike=(UNCOUNTED,), counted=count_wager)
