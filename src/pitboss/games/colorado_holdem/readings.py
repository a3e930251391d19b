"""How a hand is read: three cards for an instant winner, two kept and three community cards for the rest."""

from collections.abc import Collection

from pitboss.cards.deck import Card
from pitboss.cards.hand_names import full_name
from pitboss.cards.poker import PAIR, best, category, category_name, describe, first_rank, rank
from pitboss.rules.play import DECLARED, FOLDED
from pitboss.rules.reading import (
    NO_DEALER,
    CountedHand,
    DealerReading,
    Options,
    Readings,
    SeatCards,
    SeatReading,
    TableCards,
    WagerCount,
)

SEVEN, NINE, TEN, JACK, ACE = 6, 8, 9, 10, 13
_FOLDED = frozenset({"folded"})


def instant_winner(cards: tuple[Card, ...], *, ace_low: bool) -> str | None:
    """Return the cell of an instant winner, or None if the three cards aren't one."""
    ranks = sorted(map(rank, cards))
    if ranks[0] == ranks[2]:
        return "instant-three-of-a-kind"
    if len({card[1] for card in cards}) == 1:
        in_sequence = ranks[2] - ranks[0] == 2 and ranks[1] - ranks[0] == 1
        if in_sequence or (ace_low and ranks == [1, 2, ACE]):
            return "instant-three-card-straight-flush"
    return None


def five_card_cell(value: int) -> str:
    """Return the cell of a five-card hand, with pairs split where a payout changes."""
    if category(value) != PAIR:
        return category_name(value)
    pair = first_rank(value)
    if pair >= JACK:
        return "pair-of-jacks-or-better"
    if pair == TEN:
        return "pair-of-tens"
    if pair == NINE:
        return "pair-of-nines"
    return "pair-of-sevens-or-eights" if pair >= SEVEN else "lower-pair"


def read_dealer(table: TableCards, options: Options) -> DealerReading:
    """There is no dealer's hand."""
    return NO_DEALER


def read_seat(
    table: TableCards, dealer: DealerReading, seat: SeatCards, options: Options, wagers: Collection[str]
) -> SeatReading:
    """Read a declaration from the three cards, a played hand from the two kept and the community cards."""
    if seat.status == FOLDED:
        return SeatReading("folded", _FOLDED, {})
    if seat.status == DECLARED:
        cell = instant_winner(seat.cards, ace_low=options["ace-low-three-card"] == "yes")
        if cell is None:
            return SeatReading("no instant winner", frozenset({"declared-wrongly"}), {})
        name = cell.removeprefix("instant-").replace("three-card", "three card").replace("-", " ")
        return SeatReading(name, frozenset({"declared"}), dict.fromkeys(("ante", "bet", "bonus"), cell))
    value = best(tuple(card for card in seat.cards if card != seat.discard) + table.board)
    cell = five_card_cell(value)
    return SeatReading(describe(value), frozenset({cell}), dict.fromkeys(("ante", "bet", "bonus"), cell))


def count_wager(table: TableCards, seat: SeatCards, options: Options, wager: str) -> WagerCount:
    """Return the cards that decide every wager alike: the three declared, or the two kept and the board."""
    if seat.status == DECLARED:
        name = read_seat(table, NO_DEALER, seat, options, ()).hand
        return WagerCount(CountedHand(seat.cards, seat.cards, name))
    five = tuple(card for card in seat.cards if card != seat.discard) + table.board
    return WagerCount(CountedHand(five, five, full_name(best(five))))


READINGS = Readings(dealer=read_dealer, seat=read_seat, counted=count_wager)
