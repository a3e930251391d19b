"""How three cards are read: trips, pair or high card of six characters, the gold dragon wild."""

from collections.abc import Collection
from functools import cache

from pitboss.cards.deck import Card
from pitboss.games.dragon_poker.paytables import HAND_CELLS
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

_RANK = {"Ra": 1, "Mo": 2, "Pa": 3, "Ti": 4, "Ph": 5, "Dr": 6, "Db": 6, "Dg": 6}
CHARACTERS = ("rabbit", "monkey", "panda", "tiger", "phoenix", "dragon")
_DRAGONS = ("Dr", "Db", "Dg")
HIGH_CARD, PAIR, TRIPS = range(3)

_FOLDED = frozenset({"folded"})
_FACTS = {order: frozenset({order}) for order in ("wins", "loses", "ties")}


def value_of(cards: tuple[Card, ...]) -> int:
    """Return a value that compares, the gold dragon standing for what makes it highest."""
    return _value_of_faces(tuple([card[:2] for card in cards]))


@cache  # at most 512 hands
def _value_of_faces(faces: tuple[str, ...]) -> int:
    ranks = [_RANK[face] for face in faces if face != "Dg"]
    if len(ranks) == len(faces):
        return _value(ranks)
    return max(_value([*ranks, wild]) for wild in range(1, 7))


def _value(ranks: list[int]) -> int:
    high, middle, low = sorted(ranks, reverse=True)
    if high == low:
        return TRIPS << 12 | high << 8
    if middle in (high, low):
        return PAIR << 12 | middle << 8 | (low if middle == high else high)
    return HIGH_CARD << 12 | high << 8 | middle << 4 | low


def cell_of(value: int) -> str:
    """Return the finest cell any paytable tells apart."""
    kind, character = value >> 12, value >> 8 & 15
    if kind == HIGH_CARD:
        return "high-card"
    return HAND_CELLS[(0 if kind == TRIPS else 6) + 6 - character]


@cache  # at most 90 values
def hand_name(value: int) -> str:
    """Return the hand as a dealer announces it."""
    if value >> 12 == HIGH_CARD:
        return f"{CHARACTERS[(value >> 8 & 15) - 1]} high"
    return cell_of(value).replace("-", " ")


def dragon_cell(cards: tuple[Card, ...]) -> str:
    """Return the Dragon Bet cell: how many dragons, of which colors."""
    return _dragon_cell_of_faces(tuple([card[:2] for card in cards]))


@cache  # at most 512 hands
def _dragon_cell_of_faces(faces: tuple[str, ...]) -> str:
    dragons = [face for face in faces if face in _DRAGONS]
    gold = "Dg" in dragons
    if len(dragons) == 3:
        if gold:
            return "three-dragons-with-gold"
        colors = set(dragons)
        return "three-dragons" if len(colors) > 1 else f"three-{'red' if 'Dr' in colors else 'blue'}-dragons"
    if len(dragons) == 2:
        return "gold-and-one-dragon" if gold else "pair-of-dragons"
    return "gold-dragon" if gold else "fewer-dragons"


def read_dealer(table: TableCards, options: Options) -> DealerReading:
    """Read the dealer's three cards; every hand plays."""
    value = value_of(table.dealer)
    return DealerReading(value, hand_name(value), None)


def read_seat(
    table: TableCards, dealer: DealerReading, seat: SeatCards, options: Options, wagers: Collection[str]
) -> SeatReading:
    """Read a seat's three cards against the dealer's, and the cell of each priced wager."""
    value = value_of(seat.cards)
    if seat.status == FOLDED:
        facts = _FOLDED
    else:
        facts = _FACTS["wins" if value > dealer.value else "loses" if value < dealer.value else "ties"]
    made = cell_of(value)
    dragons = dragon_cell(seat.cards)
    cells = {"ante-bonus": made, "three-card-bonus": made, "dragon-bet": dragons}
    if "progressive" in wagers:
        cells["progressive"] = dragons if options.get("progressive-reads") == "dragons" else made
    return SeatReading(hand_name(value), facts, cells)


def full_name(value: int, ranks_named: int = 1) -> str:
    """Return a hand's full name with at least this many of its characters."""
    named = [CHARACTERS[(value >> shift & 15) - 1] for shift in (8, 4, 0) if value >> shift & 15]
    if value >> 12 == HIGH_CARD:
        return f"{'-'.join(named[:ranks_named])} high"
    return hand_name(value) + (f", {named[1]} kicker" if ranks_named > 1 and len(named) > 1 else "")


def count_wager(table: TableCards, seat: SeatCards, options: Options, wager: str) -> WagerCount:
    """Return the cards that decide a wager: the dragons, the three cards, or the two hands compared."""
    reads_dragons = wager == "progressive" and options.get("progressive-reads") == "dragons"
    if wager == "dragon-bet" or reads_dragons:
        dragons = tuple(card for card in seat.cards if card[:2] in _DRAGONS)
        cell = dragon_cell(seat.cards)
        fewer = "one dragon" if dragons else "no dragons"
        return WagerCount(
            CountedHand(seat.cards, dragons, fewer if cell == "fewer-dragons" else cell.replace("-", " "))
        )
    value = value_of(seat.cards)
    if wager in ("three-card-bonus", "progressive") or not table.dealer:
        return WagerCount(CountedHand(seat.cards, _made_of(seat.cards, value), full_name(value)))
    other, named = value_of(table.dealer), 1
    names = full_name(value), full_name(other)
    while names[0] == names[1] and value != other:
        named += 1
        names = full_name(value, named), full_name(other, named)
    own, dealers = (
        CountedHand(cards, cards, name) for cards, name in zip((seat.cards, table.dealer), names, strict=True)
    )
    return WagerCount(own, dealers, order_of(value, other))


def _made_of(cards: tuple[Card, ...], value: int) -> tuple[Card, ...]:
    # Two of a pair and all three of trips; the gold dragon stands for whatever it completes.
    if value >> 12 != PAIR:
        return cards
    paired = value >> 8 & 15
    return tuple(card for card in cards if card[:2] == "Dg" or _RANK[card[:2]] == paired)


READINGS = Readings(dealer=read_dealer, seat=read_seat, counted=count_wager)
