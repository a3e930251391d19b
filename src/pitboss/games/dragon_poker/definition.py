"""The definition of Dragon Poker, from its rulebook."""

from pitboss.games import maryland
from pitboss.games.dragon_poker import paytables
from pitboss.games.dragon_poker.deck import DECK
from pitboss.games.dragon_poker.layout import LAYOUT
from pitboss.games.dragon_poker.procedures import PROCEDURES
from pitboss.games.dragon_poker.readings import READINGS
from pitboss.rules.dealing import AUTOMATED_SHOE, DEALER, HAND, MANUAL_SHOE, SEATS, Deal, Deliver, TurnUp, one_at_a_time
from pitboss.rules.game import GameDefinition, Positions
from pitboss.rules.irregularity import (
    ANOTHER,
    CARDS_DEALT,
    CARDS_OUT,
    DEALER_CARD_EXPOSED,
    DRAWN_IN_ERROR,
    FACE_UP_CARD,
    GOES_ON,
    OTHER_DECK,
    PLAYER_LEFT,
    RESHUFFLE,
    SET_ASIDE,
    SHOE_JAM,
    SHUFFLER_JAM,
    VOID,
    WRONG_NUMBER,
    Remedy,
)
from pitboss.rules.payoff import To
from pitboss.rules.play import FOLDED, PLAYED, Action, Ask, Bets, Settle, Stakes
from pitboss.rules.settlement import BY_PAYTABLE, LOSE, PAY, PUSH, When
from pitboss.rules.wager import Option, Progressive, Wager

EVEN_MONEY = To(1)
MAIN = ("ante", "ante-bonus")

WAGERS = (
    Wager("ante", "Ante", "Ch. 7 §F(1)", required=True),
    Wager(
        "ante-bonus",
        "Ante Bonus",
        "Ch. 7 §F(1)",
        required=True,
        equals="ante",
        paytables=paytables.ANTE_BONUS,
        cells=paytables.HAND_CELLS,
    ),
    Wager("play", "Play", "Ch. 7 §F(1)", by_action=True),
    Wager(
        "three-card-bonus",
        "Three Card Bonus",
        "Ch. 7 §F(2)",
        needs=MAIN,
        survives_fold=True,
        decided_by={"": {SEATS: 3}},
        paytables=paytables.THREE_CARD_BONUS,
        cells=paytables.HAND_CELLS,
    ),
    Wager(
        "dragon-bet",
        "Dragon Bet",
        "Ch. 7 §F(3)",
        needs=MAIN,
        survives_fold=True,
        decided_by={"": {SEATS: 3}},
        paytables=paytables.DRAGON_BET,
        cells=paytables.DRAGON_CELLS,
    ),
    Wager(
        "progressive",
        "Progressive",
        "Ch. 7 §F(4)",
        needs=MAIN,
        survives_fold=True,
        decided_by={"": {SEATS: 3}},
        defined_by_submission=True,
        hands={"three-card": paytables.HAND_CELLS, "dragons": paytables.DRAGON_CELLS},
    ),
)

PLAY = (
    Bets(cite="Ch. 7 §D", closed_cite="Ch. 7 §E"),
    Deal(
        "hands",
        {
            MANUAL_SHOE: one_at_a_time(SEATS, DEALER, cards=3, cite="Ch. 8 §D(2)"),
            HAND: one_at_a_time(SEATS, DEALER, cards=3, cite="Ch. 9 §C(2)"),
            AUTOMATED_SHOE: (
                Deliver(SEATS, 3, "Ch. 10 §B(2)", first_cite="Ch. 10 §B(1)"),
                Deliver(DEALER, 3, "Ch. 10 §B(3)", when="dealer-cards=delivered"),
            ),
        },
    ),
    Ask(
        "play or fold",
        (
            Action("play", PLAYED, "Ch. 11 §B", stakes=Stakes("play", 1, "ante"), title="Play"),
            Action("fold", FOLDED, "Ch. 11 §B", collect_cite="Ch. 11 §D(1)", title="Fold"),
        ),
        "Ch. 11 §B",
        "Ch. 11 §B",
        folds_wait=True,
    ),
    Deal(
        "dealer",
        {
            MANUAL_SHOE: (TurnUp(DEALER, 3, "Ch. 11 §D(2)"),),
            HAND: (TurnUp(DEALER, 3, "Ch. 11 §D(2)"),),
            AUTOMATED_SHOE: (
                TurnUp(DEALER, 3, "Ch. 11 §D(2)", when="dealer-cards=delivered"),
                Deliver(DEALER, 3, "Ch. 10 §B(4)", when="dealer-cards=in-shuffler", face_up=True),
            ),
        },
    ),
    Settle(cite="Ch. 11 §D(3)", pickup_cite="Ch. 11 §E"),
)

SETTLEMENT = {
    "three-card-bonus": (When((), BY_PAYTABLE, "Ch. 11 §D(3)(c)", lose_cite="Ch. 11 §D(3)(b)"),),
    "dragon-bet": (When((), BY_PAYTABLE, "Ch. 11 §D(3)(e)", lose_cite="Ch. 11 §D(3)(d)"),),
    "ante": (
        When(("folded",), LOSE, "Ch. 11 §D(1)"),
        When(("wins",), PAY, "Ch. 11 §D(3)(g)", EVEN_MONEY, "Ch. 12 §A"),
        When(("loses",), LOSE, "Ch. 11 §D(3)(h)"),
        When(("ties",), PUSH, "Ch. 11 §D(3)(i)"),
    ),
    "ante-bonus": (
        When(("folded",), LOSE, "Ch. 11 §D(1)"),
        When(("wins",), BY_PAYTABLE, "Ch. 11 §D(3)(g)"),
        When(("loses",), LOSE, "Ch. 11 §D(3)(h)"),
        When(("ties",), PUSH, "Ch. 11 §D(3)(i)"),
    ),
    "play": (
        When(("wins",), PAY, "Ch. 11 §D(3)(g)", EVEN_MONEY, "Ch. 12 §A"),
        When(("loses",), LOSE, "Ch. 11 §D(3)(h)"),
        When(("ties",), PUSH, "Ch. 11 §D(3)(i)"),
    ),
    "progressive": (When((), BY_PAYTABLE, "Ch. 7 §F(4)"),),
}

IRREGULARITIES = {
    FACE_UP_CARD: (
        Remedy((ANOTHER,), VOID, "Ch. 13 §B", RESHUFFLE),
        Remedy((), SET_ASIDE, "Ch. 13 §A"),
    ),
    DRAWN_IN_ERROR: (Remedy((), GOES_ON, "Ch. 13 §C"),),
    WRONG_NUMBER: (Remedy((), VOID, "Ch. 13 §D", RESHUFFLE),),
    DEALER_CARD_EXPOSED: (Remedy((), VOID, "Ch. 13 §E", RESHUFFLE),),
    SHUFFLER_JAM: (
        Remedy((OTHER_DECK,), GOES_ON, "Ch. 13 §F", RESHUFFLE, ruling="G-8"),
        Remedy((CARDS_OUT,), GOES_ON, "Ch. 13 §F", RESHUFFLE),
        Remedy((CARDS_DEALT,), VOID, "Ch. 13 §F", RESHUFFLE, ruling="G-8"),
        Remedy((), GOES_ON, "Ch. 13 §F", RESHUFFLE),
    ),
    SHOE_JAM: (
        Remedy((CARDS_OUT,), GOES_ON, "Ch. 13 §G", ruling="G-13"),
        Remedy((), VOID, "Ch. 13 §G", RESHUFFLE),
    ),
    PLAYER_LEFT: maryland.player_left("Ch. 7 §C(2)"),
}

OPTIONS = (
    Option(
        "gold-with-one-dragon",
        ("pair", "gold"),
        "Ch. 12 §D",
        "DP-5",
        {
            "pair": "a gold dragon with one other dragon pays the Dragon Bet as a pair of dragons",
            "gold": "a gold dragon with one other dragon pays the Dragon Bet as a gold dragon",
        },
        concerns="dragon-bet",
    ),
    Option(
        "adjacent-areas",
        ("1", "2"),
        "Ch. 7 §G",
        meaning={"1": "a player holds one betting area", "2": "a player may hold two adjacent betting areas"},
    ),
    maryland.dealer_stack("Ch. 10 §B(4)"),
)

GAME = GameDefinition(
    name="dragon-poker",
    title="Dragon Poker",
    rulebook=maryland.rulebook("Standard Rules: Dragon Poker"),
    deck=DECK,
    cards_each=3,
    table_cards={DEALER: 3},
    positions=Positions(most=6, cite="Ch. 2 §A", per_player_option="adjacent-areas", per_player_cite="Ch. 7 §G"),
    wagers=WAGERS,
    options=OPTIONS,
    play=PLAY,
    settlement=SETTLEMENT,
    readings=READINGS,
    irregularities=IRREGULARITIES,
    procedures=PROCEDURES,
    layout=LAYOUT,
    progressive=Progressive(wager="progressive", meters={}, rate_cite="Ch. 7 §F(4)"),
)
