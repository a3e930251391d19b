"""The definition of Top Five Poker, from its rulebook."""

from dataclasses import replace

from pitboss.cards.deck import STANDARD_DECK
from pitboss.games import maryland
from pitboss.games.top_five_poker import paytables
from pitboss.games.top_five_poker.layout import LAYOUT
from pitboss.games.top_five_poker.procedures import PROCEDURES
from pitboss.games.top_five_poker.readings import READINGS
from pitboss.rules.dealing import AUTOMATED_SHOE, DEALER, HAND, MANUAL_SHOE, SEATS, Deal, Deliver, TurnUp, one_at_a_time
from pitboss.rules.game import GameDefinition, Positions
from pitboss.rules.irregularity import (
    CARDS_DEALT,
    CARDS_OUT,
    DEALER_CARD_EXPOSED,
    DRAWN_IN_ERROR,
    FACE_UP_CARD,
    FLOOR_RULES,
    FORFEIT,
    GOES_ON,
    OTHER_DECK,
    PLAYER_LEFT,
    PLAYER_VIOLATION,
    RESHUFFLE,
    SHOE_JAM,
    SHUFFLER_JAM,
    VOID,
    WRONG_NUMBER,
    Limb,
    Remedy,
)
from pitboss.rules.payoff import To
from pitboss.rules.play import FOLDED, PLAYED, Action, Ask, Bets, Settle, Stakes
from pitboss.rules.settlement import BY_PAYTABLE, LOSE, PAY, PUSH, When
from pitboss.rules.wager import Option, Wager

EVEN_MONEY = To(1)

WAGERS = (
    Wager("ante", "Ante", "Ch. 1 §B(1)", required=True),
    Wager("play", "Play", "Ch. 11 §B(1)(a)", by_action=True),
    Wager(
        "top-five-bonus",
        "Top Five Bonus",
        "Ch. 7 §E(2)(a)",
        needs=("ante",),
        survives_fold=True,
        decided_by={"": {SEATS: 7}},
        paytables=paytables.TOP_FIVE_BONUS,
        cells=paytables.COUNT_CELLS,
    ),
    Wager(
        "poker-bonus",
        "Poker Bonus",
        "Ch. 7 §E(2)(b)",
        needs=("ante",),
        survives_fold=True,
        decided_by={"": {SEATS: 7}},
        paytables=paytables.POKER_BONUS,
        cells=paytables.POKER_CELLS,
    ),
)

PLAY = (
    Bets(cite="Ch. 7 §C", closed_cite="Ch. 7 §D"),
    Deal(
        "hands",
        {
            MANUAL_SHOE: one_at_a_time(SEATS, DEALER, cards=7, cite="Ch. 8 §D(2)"),
            HAND: one_at_a_time(SEATS, DEALER, cards=7, cite="Ch. 9 §B(1)"),
            AUTOMATED_SHOE: (
                Deliver(SEATS, 7, "Ch. 10 §B(1)"),
                Deliver(DEALER, 7, "Ch. 10 §B(1)", when="dealer-cards=delivered"),
            ),
        },
    ),
    Ask(
        "play or fold",
        (
            Action("play", PLAYED, "Ch. 11 §B(1)(a)", stakes=Stakes("play", 1, "ante"), title="Play"),
            Action("fold", FOLDED, "Ch. 11 §B(1)(b)", collect_cite="Ch. 11 §B(2)(b)", title="Fold"),
        ),
        "Ch. 11 §B",
        "Ch. 11 §B(1)",
    ),
    Deal(
        "dealer",
        {
            MANUAL_SHOE: (TurnUp(DEALER, 7, "Ch. 11 §B(4)"),),
            HAND: (TurnUp(DEALER, 7, "Ch. 11 §B(4)"),),
            AUTOMATED_SHOE: (
                TurnUp(DEALER, 7, "Ch. 11 §B(4)", when="dealer-cards=delivered"),
                Deliver(DEALER, 7, "Ch. 11 §B(4)", when="dealer-cards=in-shuffler", face_up=True),
            ),
        },
    ),
    Settle(cite="Ch. 11 §C", pickup_cite="Ch. 11 §D"),
)

SETTLEMENT = {
    "ante": (
        When(("folded",), LOSE, "Ch. 11 §B(2)(a)"),
        When(("dealer-below-queen-jack",), PUSH, "Ch. 11 §C(2)"),
        When(("fewer-cards",), LOSE, "Ch. 11 §C(4)(a)"),
        When(("more-cards",), PAY, "Ch. 11 §C(4)(b)", EVEN_MONEY, "Ch. 12 §A"),
        When(("equal-cards-lower",), LOSE, "Ch. 11 §C(4)(c)"),
        When(("equal-cards-higher",), PAY, "Ch. 11 §C(4)(d)", EVEN_MONEY, "Ch. 12 §A"),
        When(("equal",), PUSH, "Ch. 11 §C(4)(e)"),
    ),
    "play": (
        When(("dealer-below-queen-jack", "fewer-cards"), LOSE, "Ch. 11 §C(3)(a)"),
        When(("dealer-below-queen-jack", "more-cards"), PAY, "Ch. 11 §C(3)(b)", EVEN_MONEY, "Ch. 12 §A"),
        When(("dealer-below-queen-jack", "equal-cards-lower"), LOSE, "Ch. 11 §C(3)(c)"),
        When(("dealer-below-queen-jack", "equal-cards-higher"), PAY, "Ch. 11 §C(3)(d)", EVEN_MONEY, "Ch. 12 §A"),
        When(("dealer-below-queen-jack", "equal"), PUSH, "Ch. 11 §C(3)(e)"),
        When(("fewer-cards",), LOSE, "Ch. 11 §C(4)(a)"),
        When(("more-cards",), PAY, "Ch. 11 §C(4)(b)", EVEN_MONEY, "Ch. 12 §A"),
        When(("equal-cards-lower",), LOSE, "Ch. 11 §C(4)(c)"),
        When(("equal-cards-higher",), PAY, "Ch. 11 §C(4)(d)", EVEN_MONEY, "Ch. 12 §A"),
        When(("equal",), PUSH, "Ch. 11 §C(4)(e)"),
    ),
    "top-five-bonus": (When((), BY_PAYTABLE, "Ch. 11 §C(7)", lose_cite="Ch. 11 §C(5)(a)"),),
    "poker-bonus": (When((), BY_PAYTABLE, "Ch. 11 §C(9)", lose_cite="Ch. 11 §C(5)(a)"),),
}

LIMBS = (
    Limb("own-hand", "Ch. 11 §A(1)", "A player may act only on their own hand"),
    Limb("touched", "Ch. 11 §A(2)", "Only the dealer and the player touch the player's cards"),
    Limb("out-of-view", "Ch. 11 §A(3)", "Cards stay in the dealer's full view"),
    Limb("talked", "Ch. 11 §A(4)", "Players don't discuss their hands", until_revealed=True),
)
FLOOR_DECIDES = Remedy(
    (), FLOOR_RULES, "TF-14", RESHUFFLE, rulings=("continue", "void"), ruling="TF-14", needs_note=True
)
IRREGULARITIES = {
    FACE_UP_CARD: (Remedy((), VOID, "Ch. 13 §A", RESHUFFLE, ruling="TF-12"),),
    DRAWN_IN_ERROR: (Remedy((), GOES_ON, "Ch. 13 §B"),),
    WRONG_NUMBER: (Remedy((), VOID, "Ch. 13 §C", RESHUFFLE),),
    DEALER_CARD_EXPOSED: (FLOOR_DECIDES,),
    SHUFFLER_JAM: (
        Remedy((OTHER_DECK,), GOES_ON, "G-8", RESHUFFLE, ruling="G-8"),
        replace(FLOOR_DECIDES, facts=(CARDS_OUT,)),
        Remedy((CARDS_DEALT,), VOID, "TF-14", RESHUFFLE, ruling="TF-14"),
        FLOOR_DECIDES,
    ),
    SHOE_JAM: (
        Remedy((CARDS_OUT,), GOES_ON, "Ch. 13 §D", ruling="TF-17"),
        Remedy((), VOID, "Ch. 13 §D", RESHUFFLE),
    ),
    PLAYER_VIOLATION: (Remedy((), FORFEIT, "Ch. 11 §A(5)", several_ruling="TF-20", late_ruling="TF-22", limbs=LIMBS),),
    PLAYER_LEFT: maryland.player_left("Ch. 7 §B(3)"),
}

GAME = GameDefinition(
    name="top-five-poker",
    title="Top Five Poker",
    rulebook=maryland.rulebook("Standard Rules: Top Five Poker", "1.0"),
    deck=STANDARD_DECK,
    cards_each=7,
    table_cards={DEALER: 7},
    positions=Positions(
        most=6,
        least=6,
        cite="Ch. 2 §A(1)",
        per_player_option="adjacent-boxes",
        per_player_cite="Ch. 7 §F",
    ),
    wagers=WAGERS,
    options=(
        Option(
            "adjacent-boxes",
            ("1", "2", "3", "4", "5", "6"),
            "Ch. 7 §F",
            meaning={str(boxes): f"a player may wager on {boxes} adjacent boxes" for boxes in range(1, 7)},
            must_state="ante",
        ),
        maryland.dealer_stack("Ch. 11 §B(4)", "TF-21"),
    ),
    play=PLAY,
    settlement=SETTLEMENT,
    readings=READINGS,
    irregularities=IRREGULARITIES,
    procedures=PROCEDURES,
    layout=LAYOUT,
)
