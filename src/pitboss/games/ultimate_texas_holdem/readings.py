"""How the cards of a round are read: who beats whom, and the cell of each priced wager."""

from collections.abc import Collection

from pitboss.cards.deck import RANK_TITLES, Card
from pitboss.cards.hand_names import best_five, full_name, told_apart
from pitboss.cards.poker import (
    CATEGORIES,
    PAIR,
    ROYAL,
    STRAIGHT_FLUSH,
    best,
    category,
    category_name,
    describe,
    first_rank,
    rank,
)
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

TEN, JACK, QUEEN, KING, ACE = range(9, 14)

_FOLDED = frozenset({"folded"})
_FACTS = {
    (qualifies, order): frozenset({"dealer-has-a-pair" if qualifies else "dealer-below-a-pair", order})
    for qualifies in (True, False)
    for order in ("wins", "loses", "ties")
}


def read_dealer(table: TableCards, options: Options) -> DealerReading:
    """Read the dealer's best five of seven; it qualifies with a pair."""
    value = best(table.dealer + table.board)
    return DealerReading(value, describe(value), category(value) >= PAIR)


def read_seat(
    table: TableCards, dealer: DealerReading, seat: SeatCards, options: Options, wagers: Collection[str]
) -> SeatReading:
    """Read a seat's best five of seven against the dealer's, and the hand each side wager is priced on."""
    value = best(seat.cards + table.board)
    if seat.status == FOLDED:
        facts = _FOLDED
    else:
        order = "wins" if value > dealer.value else "loses" if value < dealer.value else "ties"
        facts = _FACTS[bool(dealer.qualifies), order]
    made = category_name(value)
    cells = {"blind": made, "trips": made}
    if "progressive" in wagers:
        cells["progressive"] = _progressive(table, seat, options, made)
    if "six-card-bonus" in wagers:
        cells["six-card-bonus"] = six_card_cell(seat.cards + table.box)
    if "ultimate-pairs" in wagers:
        cells["ultimate-pairs"] = pairs_cell(seat.cards, table.dealer)
    if "bad-beat" in wagers:
        cells["bad-beat"] = bad_beat_cell(value, dealer.value, options["bad-beat-pays"])
    if "play-the-board" in wagers:
        cells["play-the-board"] = board_cell(table.board)
    return SeatReading(describe(value), facts, cells)


def _progressive(table: TableCards, seat: SeatCards, options: Options, made: str) -> str:
    if options["progressive-hand"] == "best-of-seven":
        return made
    return category_name(best(seat.cards + table.board[:3]))


def six_card_cell(six: tuple[Card, ...]) -> str:
    """Return the cell of the best five of six, a super royal where all six are suited nine to ace."""
    value = best(six)
    if category(value) == ROYAL:
        suit = max("cdhs", key=[card[1] for card in six].count)
        if Card("9" + suit) in six:
            return "super-royal-of-diamonds" if suit == "d" else "super-royal-of-another-suit"
    return category_name(value)


def pairs_cell(hole: tuple[Card, ...], dealer: tuple[Card, ...]) -> str:
    """Return the cell of a player's first two cards, and of the dealer's where both hold aces."""
    low, high = sorted(map(rank, hole))
    if low == high == ACE:
        against = "-against-aces" if all(rank(card) == ACE for card in dealer) and dealer else ""
        red = "red-" if {card[1] for card in hole} == {"h", "d"} else ""
        return f"{red}aces{against}"
    if low == high:
        return "pair-of-jacks-queens-or-kings" if low >= JACK else "pair-of-tens-or-less"
    if high == ACE and low >= JACK:
        suited = "suited" if hole[0][1] == hole[1][1] else "offsuit"
        return f"ace-king-{suited}" if low == KING else f"ace-queen-or-jack-{suited}"
    return "neither"


def bad_beat_cell(player: int, dealer: int, pays: str) -> str:
    """Return the kind of hand that was beaten, the player's or (unless only the player counts) the dealer's."""
    if player == dealer:
        return "tie"
    if player > dealer and pays == "player":
        return "nobody-beaten"
    return CATEGORIES[min(category(player), category(dealer))]


def board_cell(board: tuple[Card, ...]) -> str:
    """Return the cell of the five community cards by themselves."""
    value = best(board)
    if category(value) == PAIR:
        return "pair-of-tens-or-better" if first_rank(value) >= TEN else "pair-below-tens"
    return category_name(value)


def count_wager(table: TableCards, seat: SeatCards, options: Options, wager: str) -> WagerCount:
    """Return the cards that decide a wager: the hands compared, or those its paytable is read from."""
    if wager == "ultimate-pairs":
        hole = CountedHand(seat.cards, seat.cards, _hole_name(seat.cards))
        both_aces = "against-aces" in pairs_cell(seat.cards, table.dealer)
        return WagerCount(hole, CountedHand(table.dealer, table.dealer, "pair of aces") if both_aces else None)
    if wager == "six-card-bonus":
        six = seat.cards + table.box
        cell = six_card_cell(six)
        return WagerCount(CountedHand(six, six, "super royal") if cell.startswith("super") else _best_of(six))
    if wager == "play-the-board":
        return WagerCount(_best_of(table.board))
    if wager == "progressive" and options["progressive-hand"] != "best-of-seven":
        return WagerCount(_best_of(seat.cards + table.board[:3]))
    own = seat.cards + table.board
    if wager in ("trips", "progressive") or not table.dealer:
        return WagerCount(_best_of(own))
    dealers = table.dealer + table.board
    value, other = best(own), best(dealers)
    names = told_apart(value, other)
    hand, dealers_hand = (
        CountedHand(cards, best_five(cards), name) for cards, name in zip((own, dealers), names, strict=True)
    )
    return WagerCount(hand, dealers_hand, order_of(value, other))


def _best_of(cards: tuple[Card, ...]) -> CountedHand:
    return CountedHand(cards, best_five(cards), full_name(best(cards)))


def _hole_name(hole: tuple[Card, ...]) -> str:
    high, low = sorted(hole, key=rank, reverse=True)
    if high[0] == low[0]:
        return full_name(best(hole))
    suited = "suited" if high[1] == low[1] else "offsuit"
    return f"{RANK_TITLES[rank(high) - 1]}-{RANK_TITLES[rank(low) - 1]} {suited}"


READINGS = Readings(dealer=read_dealer, seat=read_seat, counted=count_wager)
ENVY_CELLS = (CATEGORIES[ROYAL], CATEGORIES[STRAIGHT_FLUSH])
