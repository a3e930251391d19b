"""A small game made up for the general solver: two decisions, a dealer's card and a board card in view."""

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from typing import Any

from pitboss.cards.deck import Card, Deck
from pitboss.games import game
from pitboss.odds.pricing import net_units
from pitboss.rules.dealing import BOARD, DEALER, METHODS, SEATS, Deal, Deliver, TurnUp
from pitboss.rules.game import GameDefinition
from pitboss.rules.in_force import RulesInForce
from pitboss.rules.payoff import To
from pitboss.rules.paytable import paytable
from pitboss.rules.play import FOLDED, PLAYED, UNDECIDED, Action, Ask, Bets, Settle, Stakes
from pitboss.rules.reading import DealerReading, Readings, SeatCards, SeatReading, TableCards
from pitboss.rules.settlement import BY_PAYTABLE, LOSE, PAY, PUSH, When
from pitboss.rules.wager import Wager

RANKS = "9TJQ"
CARDS = tuple(Card(rank + suit) for suit in "cd" for rank in RANKS)
DECK = Deck("eight", CARDS, {card: card for card in CARDS})
CELLS = ("pair", "suited", "other")


def worth_of_cards(cards: tuple[Card, ...]) -> int:
    """Return a value: the ranks, more for each pair and for each two of a suit in sequence."""
    ranks = [RANKS.index(card[0]) for card in cards]
    pairs = len(ranks) - len(set(ranks))
    suited = sum(a[1] == b[1] and abs(RANKS.index(a[0]) - RANKS.index(b[0])) == 1 for a, b in combinations(cards, 2))
    return 100 * pairs + 10 * suited + sum(ranks)


def read_dealer(table: TableCards, options: Any) -> DealerReading:
    """Read the dealer's two cards with the board's two."""
    value = worth_of_cards(table.dealer + table.board)
    return DealerReading(value, str(value), value % 7 > 2)


def read_seat(table: TableCards, dealer: DealerReading, seat: SeatCards, options: Any, wagers: Any) -> SeatReading:
    """Read a seat's two cards with the board's two."""
    own = seat.cards
    cell = "pair" if own[0][0] == own[1][0] else "suited" if own[0][1] == own[1][1] else "other"
    if seat.status == FOLDED:
        return SeatReading("folded", frozenset({"folded"}), {"side": cell})
    value = worth_of_cards(seat.cards + table.board)
    order = "wins" if value > dealer.value else "loses" if value < dealer.value else "ties"
    return SeatReading(str(value), frozenset({order, "plays" if dealer.qualifies else "stays"}), {"side": cell})


def made_up(**changes: Any) -> GameDefinition:
    """Return the game, some of its fields changed."""
    main = (
        When(("folded",), LOSE, "§1"),
        When(("wins",), PAY, "§1", To(1), "§1"),
        When(("loses",), LOSE, "§1"),
        When(("ties",), PUSH, "§1"),
    )
    raised = (When(("stays",), PUSH, "§1"), *main)
    fields: dict[str, Any] = {
        "name": "made-up",
        "title": "Made-up Game",
        "deck": DECK,
        "cards_each": 2,
        "table_cards": {DEALER: 2, BOARD: 2},
        "positions": replace(game("top-five-poker").positions, most=2, count_option=None, per_player_option=None),
        "options": (),
        "wagers": (
            Wager("ante", "Ante", "§1", required=True),
            Wager("raise", "Raise", "§1", by_action=True),
            Wager(
                "side",
                "Side",
                "§1",
                paytables=(paytable("A", "§1", {"pair": "5 to 1", "suited": "1 to 1"}),),
                cells=CELLS,
            ),
        ),
        "settlement": {
            "ante": main,
            "raise": raised,
            "side": (When(("folded",), LOSE, "§1"), When((), BY_PAYTABLE, "§1")),
        },
        "play": (
            Bets("§1", "§1"),
            Deal("cards", {method: tuple(_dealt()) for method in METHODS}),
            Ask(
                "early",
                (
                    Action("raise", PLAYED, "§1", stakes=Stakes("raise", 3, "ante")),
                    Action("wait", UNDECIDED, "§1"),
                ),
                "§1",
                "§1",
            ),
            Deal("board", {method: (TurnUp(BOARD, 1, "§1"),) for method in METHODS}),
            Ask(
                "late",
                (
                    Action("raise", PLAYED, "§1", stakes=Stakes("raise", 1, "ante")),
                    Action("fold", FOLDED, "§1"),
                ),
                "§1",
                "§1",
            ),
            Deal("rest", {method: (TurnUp(BOARD, 2, "§1"), TurnUp(DEALER, 2, "§1")) for method in METHODS}),
            Settle("§1", "§1"),
        ),
        "readings": Readings(read_dealer, read_seat),
        "money_options": (),
        "payout_limit": None,
        "progressive": None,
    }
    return replace(game("top-five-poker"), **(fields | changes))


def _dealt() -> Iterator[Deliver]:
    yield Deliver(SEATS, 2, "§1")
    yield Deliver(DEALER, 1, "§1", face_up=True)
    yield Deliver(DEALER, 1, "§1")
    yield Deliver(BOARD, 2, "§1")


def plainly(rules: RulesInForce) -> tuple[Fraction, Fraction]:
    """Return the value of the main game and of the side wager, by listing every deal with no reduction at all."""
    main, side, hands = Fraction(0), Fraction(0), 0
    for own in combinations(CARDS, 2):
        for up in (card for card in CARDS if card not in own):
            seen = {*own, up}
            early = _mean(rules, own, up, None, ("raise", 3), seen)
            later = [_mean(rules, own, up, first, ("raise", 1), {*seen, first}) for first in CARDS if first not in seen]
            fold = (Fraction(-1), Fraction(-1))
            # Of equal values the larger stake is taken: raising at once before waiting, raising late before folding.
            chosen = [found if found[0] >= fold[0] else fold for found in later]
            waited = tuple(sum((found[part] for found in chosen), Fraction(0)) / len(chosen) for part in (0, 1))
            best = early if early[0] >= waited[0] else waited
            main, side, hands = main + best[0], side + best[1], hands + 1
    return main / hands, side / hands


def _mean(
    rules: RulesInForce, own: tuple[Card, ...], up: Card, first: Card | None, stake: tuple[str, int], seen: set[Card]
) -> tuple[Fraction, Fraction]:
    main, side, deals = Fraction(0), Fraction(0), 0
    left = [card for card in CARDS if card not in seen]
    for hidden in left:
        rest = [card for card in left if card != hidden]
        boards = list(combinations(rest, 2)) if first is None else [(first, card) for card in rest]
        for board in boards:
            table = TableCards((up, hidden), tuple(board))
            dealer = rules.game.readings.dealer(table, {})
            reading = rules.game.readings.seat(table, dealer, SeatCards(own, PLAYED), {}, ())
            for wager, units in (("ante", 1), stake):
                main += units * net_units(rules, wager, rules.adjudicate(wager, reading.facts, None))
            side += net_units(rules, "side", rules.adjudicate("side", reading.facts, reading.cells["side"]))
            deals += 1
    return main / deals, side / deals
