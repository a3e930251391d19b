"""One Card Duel: a game made up to show that a game is one folder. One card each, the higher one wins."""

from collections.abc import Collection, Mapping

from pitboss.cards.deck import STANDARD_DECK
from pitboss.cards.poker import rank
from pitboss.rules.dealing import AUTOMATED_SHOE, DEALER, HAND, MANUAL_SHOE, METHODS, SEATS, Deal, Deliver, TurnUp
from pitboss.rules.game import GameDefinition, Positions, Rulebook
from pitboss.rules.irregularity import FACE_UP_CARD, RESHUFFLE, VOID, WRONG_NUMBER, Remedy
from pitboss.rules.layout import Area, Furniture, Inscription, Layout
from pitboss.rules.payoff import To
from pitboss.rules.paytable import paytable
from pitboss.rules.play import FOLDED, PLAYED, Action, Ask, Bets, Settle, Stakes
from pitboss.rules.procedure import (
    Cutting,
    Devices,
    Duty,
    Idle,
    Instruments,
    Opening,
    Procedures,
    Shuffling,
    StubCount,
    TwoDecks,
)
from pitboss.rules.reading import DealerReading, Readings, SeatCards, SeatReading, TableCards
from pitboss.rules.settlement import BY_PAYTABLE, LOSE, PAY, PUSH, When
from pitboss.rules.wager import Wager

PROCEDURES = Procedures(
    opening=Opening(
        duties=(
            Duty("inspect", "Inspect the cards.", "dealer", "§1"),
            Duty("verify", "Verify the inspection.", "floorperson", "§1"),
            Duty("spread", "Spread the cards.", "dealer", "§1"),
            Duty("look", "Look at the cards.", "player", "§1"),
            Duty("turn", "Turn the cards face down.", "dealer", "§1"),
            Duty("wash", "Wash the cards.", "dealer", "§1"),
            Duty("stack", "Stack the cards.", "dealer", "§1"),
        ),
        two_decks_cite="§1",
        skipped_cite="§1",
    ),
    shuffling=Shuffling("§2", "§2", "§2", "§2", "§2", "§2", None),
    cutting=Cutting(10, "§3", (Duty("cut", "Cut the cards.", "dealer", "§3"),), "§3", "§3"),
    stub={method: StubCount(5, "§4", "§4", "§4", "§4", "§4") for method in METHODS},
    idle=Idle(True, (Duty("idle-spread", "Spread the cards.", "dealer", "§5"),), (), "§5"),
    devices=Devices(("covered",), {"covered": "§6"}),
    two_decks=TwoDecks("§7", (), "§7", "§7"),
    instruments=Instruments({"chips": "§8"}, verbal_cash_cite="§8"),
    dealing=dict.fromkeys(
        METHODS,
        (
            Duty("load", "Put the deck where it is dealt from.", "dealer", "§11"),
            Duty("stub", "Rack the stub.", "dealer", "§4"),
        ),
    ),
    round=(),
)

LAYOUT = Layout(
    areas=(Area("ante", "Ante", "§8"), Area("raise", "Raise", "§8"), Area("dealer", "Dealer", "§8", each_seat=False)),
    inscriptions=(Inscription("The higher card wins", "§8"),),
    furniture=(Furniture("discard rack", "§8"),),
    odds_cites={"": "§8"},
)


def read_dealer(table: TableCards, options: Mapping[str, str]) -> DealerReading:
    """Read the dealer's card."""
    return DealerReading(rank(table.dealer[0]), table.dealer[0], None)


def read_seat(
    table: TableCards, dealer: DealerReading, seat: SeatCards, options: Mapping[str, str], wagers: Collection[str]
) -> SeatReading:
    """Compare two cards; an ace has a cell of its own."""
    value = rank(seat.cards[0])
    order = "wins" if value > dealer.value else "loses" if value < dealer.value else "ties"
    facts = frozenset({"folded"} if seat.status == FOLDED else {order})
    return SeatReading(seat.cards[0], facts, {"ace": "ace" if value == 13 else "other"})


GAME = GameDefinition(
    name="one-card-duel",
    title="One Card Duel",
    rulebook=Rulebook("One Card Duel", "a test", "Nowhere"),
    deck=STANDARD_DECK,
    cards_each=1,
    table_cards={DEALER: 1},
    positions=Positions(most=4, cite="§8", per_player_cite="§8"),
    wagers=(
        Wager("ante", "Ante", "§9", required=True),
        Wager("raise", "Raise", "§9", by_action=True),
        Wager(
            "ace",
            "Ace",
            "§10",
            needs=("ante",),
            survives_fold=True,
            paytables=(paytable("A", "§10", {"ace": "11 to 1"}),),
            cells=("ace", "other"),
        ),
    ),
    options=(),
    play=(
        Bets("§9", "§9"),
        Deal("cards", {method: (Deliver(SEATS, 1, "§11"), Deliver(DEALER, 1, "§11")) for method in METHODS}),
        Ask(
            "raise or fold",
            (
                Action("raise", PLAYED, "§12", stakes=Stakes("raise", 2, "ante"), title="Raise"),
                Action("fold", FOLDED, "§12", title="Fold"),
            ),
            "§12",
            "§12",
        ),
        Deal("dealer", dict.fromkeys((MANUAL_SHOE, HAND, AUTOMATED_SHOE), (TurnUp(DEALER, 1, "§13"),))),
        Settle("§13", "§13"),
    ),
    settlement={
        "ante": (
            When(("folded",), LOSE, "§12"),
            When(("wins",), PAY, "§13", To(1), "§14"),
            When(("loses",), LOSE, "§13"),
            When((), PUSH, "§13"),
        ),
        "raise": (
            When(("wins",), PAY, "§13", To(1), "§14"),
            When(("loses",), LOSE, "§13"),
            When((), PUSH, "§13"),
        ),
        "ace": (When((), BY_PAYTABLE, "§10"),),
    },
    readings=Readings(read_dealer, read_seat),
    irregularities={
        FACE_UP_CARD: (Remedy((), VOID, "§15", RESHUFFLE),),
        WRONG_NUMBER: (Remedy((), VOID, "§15", RESHUFFLE),),
    },
    procedures=PROCEDURES,
    layout=LAYOUT,
)
