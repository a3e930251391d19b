"""The definition of Ultimate Texas Hold 'Em, from its rulebook."""

from pitboss.cards.deck import STANDARD_DECK
from pitboss.games import maryland
from pitboss.games.ultimate_texas_holdem import paytables
from pitboss.games.ultimate_texas_holdem.layout import LAYOUT
from pitboss.games.ultimate_texas_holdem.procedures import PROCEDURES
from pitboss.games.ultimate_texas_holdem.readings import ENVY_CELLS, READINGS
from pitboss.rules.dealing import (
    AUTOMATED_SHOE,
    BOARD,
    BOX,
    BURN,
    DEALER,
    HAND,
    MANUAL_SHOE,
    SEATS,
    Deal,
    Deliver,
    TurnUp,
    one_at_a_time,
)
from pitboss.rules.game import GameDefinition, Positions
from pitboss.rules.irregularity import (
    ALL_DECIDED,
    ANOTHER,
    CARDS_OUT,
    DEALER_CARD_EXPOSED,
    DEALER_WAITS,
    DRAWN_IN_ERROR,
    FACE_UP_CARD,
    GOES_ON,
    HANDS_DEALT,
    OTHER_DECK,
    PLAYER_LEFT,
    PROGRESSIVE_MISMATCH,
    RESHUFFLE,
    RETURN_WAGER,
    SET_ASIDE,
    SETTLE_ONLY,
    SHOE_JAM,
    SHUFFLER_JAM,
    VOID,
    WRONG_NUMBER,
    Remedy,
)
from pitboss.rules.payoff import To
from pitboss.rules.play import FOLDED, PLAYED, UNDECIDED, Action, Ask, Bets, Settle, Stakes
from pitboss.rules.settlement import BY_PAYTABLE, LOSE, PAY, PUSH, When
from pitboss.rules.wager import Meter, MoneyOption, Option, PayoutLimit, Progressive, Wager

EVEN_MONEY = To(1)
MAIN = ("ante", "blind")

WAGERS = (
    Wager("ante", "Ante", "Ch. 7 §F(1)", required=True),
    Wager(
        "blind",
        "Blind",
        "Ch. 7 §F(1)",
        required=True,
        equals="ante",
        paytables=paytables.BLIND,
        cells=paytables.POKER_CELLS,
    ),
    Wager("play", "Play", "Ch. 7 §F(1)", by_action=True),
    Wager(
        "trips",
        "Trips",
        "Ch. 7 §F(2)",
        needs=MAIN,
        survives_fold=True,
        decided_by={"": {SEATS: 2, BOARD: 5}},
        paytables=paytables.TRIPS,
        cells=paytables.POKER_CELLS,
        always_offered_cite="Ch. 7 §F(2)",
    ),
    Wager(
        "progressive",
        "Progressive",
        "Ch. 7 §F(3)",
        needs=MAIN,
        needs_cite="Ch. 7 §F(3)(a)",
        stakes_cents=(100, 500),
        stakes_cite="Ch. 12 §D(6)",
        survives_fold=True,
        decided_by={"progressive-hand=hole-and-flop": {SEATS: 2, BOARD: 3}, "": {SEATS: 2, BOARD: 5}},
        paytables=paytables.PROGRESSIVE,
        cells=paytables.POKER_CELLS,
    ),
    Wager(
        "six-card-bonus",
        "Six Card Bonus",
        "Ch. 7 §F(4)",
        needs=("ante", "blind", "trips"),
        needs_cite="Ch. 7 §F(4)(b)",
        survives_fold=True,
        decided_by={"": {SEATS: 2, BOX: 4}},
        paytables=paytables.SIX_CARD_BONUS,
        cells=paytables.SIX_CARD_CELLS,
        dealing=AUTOMATED_SHOE,
        dealing_cite="Ch. 10 §B(1)",
    ),
    Wager(
        "ultimate-pairs",
        "Ultimate Pairs",
        "Ch. 7 §F(5)",
        needs=MAIN,
        survives_fold=True,
        decided_by={"": {SEATS: 2}},
        paytables=paytables.ULTIMATE_PAIRS,
        cells=paytables.PAIRS_CELLS,
    ),
    Wager(
        "bad-beat",
        "Bad Beat",
        "Ch. 7 §F(6)",
        needs=MAIN,
        survives_fold=True,
        paytables=paytables.BAD_BEAT,
        cells=paytables.BAD_BEAT_CELLS,
    ),
    Wager(
        "play-the-board",
        "Play the Board",
        "Ch. 7 §F(7)",
        needs=MAIN,
        survives_fold=True,
        decided_by={"": {BOARD: 5}},
        paytables=paytables.PLAY_THE_BOARD,
        cells=paytables.BOARD_CELLS,
    ),
)

OPTIONS = (
    Option(
        "progressive-hand",
        ("hole-and-flop", "best-of-seven"),
        "Ch. 1 §B(6)",
        "UT-3",
        {
            "hole-and-flop": "the player's two cards and the flop make the progressive hand",
            "best-of-seven": "the best five of the player's seven cards make the progressive hand",
        },
        concerns="progressive",
    ),
    Option(
        "progressive-odds",
        ("for", "to"),
        "Ch. 12 §D(1)(a)",
        "UT-4",
        {"for": "a winning progressive stake is not returned", "to": "paytable A returns a winner's stake"},
        concerns="progressive",
    ),
    Option(
        "bad-beat-pays",
        ("either", "player"),
        "Ch. 7 §F(6)",
        "UT-2",
        {
            "either": "the beaten hand pays, whether the player's or the dealer's",
            "player": "only the player's own beaten hand pays",
        },
        concerns="bad-beat",
    ),
    Option(
        "bad-beat-on-fold",
        ("stays", "loses"),
        "Ch. 11 §F(3)",
        "UT-7",
        {"stays": "a Bad Beat wager survives a fold", "loses": "a fold loses the Bad Beat wager"},
        concerns="bad-beat",
    ),
    Option(
        "envy-needs-wager",
        ("no", "yes"),
        "Ch. 11 §J(2)(e)(ii)",
        "UT-9",
        {
            "no": "any qualifying hand still on the table earns envy bonuses for other players",
            "yes": "only the hand of a player with a progressive wager earns envy bonuses for other players",
        },
        must_state="progressive",
        concerns="progressive",
    ),
    Option(
        "payout-limit-covers",
        ("main-and-trips", "all-but-progressive-and-six-card"),
        "Ch. 12 §F(2)",
        "UT-11",
        {
            "main-and-trips": "the payout limit covers Ante, Blind, Play and Trips",
            "all-but-progressive-and-six-card": "the payout limit covers all but Progressive and Six Card Bonus",
        },
    ),
    Option(
        "dealer-cards",
        ("delivered", "in-shuffler"),
        "Ch. 10 §B(4)",
        "UT-23",
        {
            "delivered": "the dealer's two cards are delivered before the players'",
            "in-shuffler": "the dealer's two cards stay in the shuffler until all players have acted",
        },
        dealing={"in-shuffler": AUTOMATED_SHOE},
    ),
)

PLAY = (
    Bets(cite="Ch. 7 §D", closed_cite="Ch. 7 §E"),
    Deal(
        "hands",
        {
            MANUAL_SHOE: one_at_a_time(SEATS, DEALER, cards=2, cite="Ch. 8 §D(2)"),
            HAND: one_at_a_time(SEATS, DEALER, cards=2, cite="Ch. 9 §B(2)"),
            AUTOMATED_SHOE: (
                Deliver(BOX, 4, "Ch. 10 §B(1)", if_offered="six-card-bonus"),
                Deliver(BOARD, 5, "Ch. 10 §B(2)"),
                Deliver(DEALER, 2, "Ch. 10 §B(3)", when="dealer-cards=delivered"),
                Deliver(SEATS, 2, "Ch. 10 §B(3)"),
            ),
        },
    ),
    Ask(
        "before the flop",
        (
            Action("raise 4x", PLAYED, "Ch. 11 §B(1)", stakes=Stakes("play", 4, "ante"), title="Raise 4x"),
            Action("raise 3x", PLAYED, "Ch. 11 §B(1)", stakes=Stakes("play", 3, "ante"), title="Raise 3x"),
            Action("check", UNDECIDED, "Ch. 11 §B(2)(b)", title="Check"),
        ),
        "Ch. 11 §B",
        "Ch. 11 §B(1)",
    ),
    Deal(
        "flop",
        {
            MANUAL_SHOE: (Deliver(BOARD, 3, "Ch. 11 §C(2)", face_up=True),),
            HAND: (Deliver(BURN, 1, "Ch. 11 §C(1)"), Deliver(BOARD, 3, "Ch. 11 §C(2)", face_up=True)),
            AUTOMATED_SHOE: (TurnUp(BOARD, 3, "Ch. 11 §C(2)"),),
        },
    ),
    Ask(
        "after the flop",
        (
            Action("raise 2x", PLAYED, "Ch. 11 §D(1)", stakes=Stakes("play", 2, "ante"), title="Raise 2x"),
            Action("check", UNDECIDED, "Ch. 11 §D(2)(b)", title="Check"),
        ),
        "Ch. 11 §D",
        "Ch. 11 §D(1)",
    ),
    Deal(
        "turn and river",
        {
            MANUAL_SHOE: (Deliver(BOARD, 2, "Ch. 11 §E(2)", face_up=True),),
            HAND: (Deliver(BURN, 1, "Ch. 11 §E(1)"), Deliver(BOARD, 2, "Ch. 11 §E(2)", face_up=True)),
            AUTOMATED_SHOE: (TurnUp(BOARD, 5, "Ch. 11 §E(2)"),),
        },
    ),
    Ask(
        "after the river",
        (
            Action("raise 1x", PLAYED, "Ch. 11 §F(1)", stakes=Stakes("play", 1, "ante"), title="Raise 1x"),
            Action("fold", FOLDED, "Ch. 11 §F(2)", collect_cite="Ch. 11 §F(3)(b)", title="Fold"),
        ),
        "Ch. 11 §F",
        "Ch. 11 §F",
    ),
    Deal(
        "dealer",
        {
            MANUAL_SHOE: (TurnUp(DEALER, 2, "Ch. 11 §G(1)"),),
            HAND: (TurnUp(DEALER, 2, "Ch. 11 §G(1)"),),
            AUTOMATED_SHOE: (
                Deliver(DEALER, 2, "Ch. 11 §G(1)", when="dealer-cards=in-shuffler", face_up=True),
                TurnUp(DEALER, 2, "Ch. 11 §G(1)", when="dealer-cards=delivered"),
                TurnUp(BOX, 4, "Ch. 11 §I(3)", if_offered="six-card-bonus"),
            ),
        },
    ),
    Settle(cite="Ch. 11 §H", pickup_cite="Ch. 11 §K"),
)

SETTLEMENT = {
    "ante": (
        When(("folded",), LOSE, "Ch. 11 §F(2)"),
        When(("dealer-below-a-pair",), PUSH, "Ch. 11 §H(1)"),
        When(("loses",), LOSE, "Ch. 11 §H(3)(a)"),
        When(("wins",), PAY, "Ch. 11 §H(3)(b)", EVEN_MONEY, "Ch. 12 §A"),
        When(("ties",), PUSH, "Ch. 11 §H(3)(d)"),
    ),
    "blind": (
        When(("folded",), LOSE, "Ch. 11 §F(2)"),
        When(("loses",), LOSE, "Ch. 11 §H(3)(a)"),
        When(("wins",), BY_PAYTABLE, "Ch. 11 §H(3)(b)", push_cite="Ch. 11 §H(3)(c)"),
        When(("ties",), PUSH, "Ch. 11 §H(3)(d)"),
    ),
    "play": (
        When(("loses",), LOSE, "Ch. 11 §H(3)(a)"),
        When(("wins",), PAY, "Ch. 11 §H(3)(b)", EVEN_MONEY, "Ch. 12 §A"),
        When(("ties",), PUSH, "Ch. 11 §H(3)(d)"),
    ),
    "trips": (When((), BY_PAYTABLE, "Ch. 11 §I(2)", lose_cite="Ch. 11 §I(1)"),),
    "six-card-bonus": (When((), BY_PAYTABLE, "Ch. 11 §I(4)", lose_cite="Ch. 11 §I(3)"),),
    "ultimate-pairs": (When((), BY_PAYTABLE, "Ch. 7 §F(5)"),),
    "bad-beat": (
        When(("folded", "bad-beat-on-fold=loses"), LOSE, "Ch. 11 §F(3)"),
        When((), BY_PAYTABLE, "Ch. 7 §F(6)"),
    ),
    "play-the-board": (When((), BY_PAYTABLE, "Ch. 7 §F(7)"),),
    "progressive": (When((), BY_PAYTABLE, "Ch. 11 §J(2)(d)", lose_cite="Ch. 11 §J"),),
}


def _trips_only(*facts: str, cite: str, settles_cite: str) -> Remedy:
    return Remedy(facts, SETTLE_ONLY, cite, RESHUFFLE, ("trips",), settles_cite, ruling="UT-10")


IRREGULARITIES = {
    FACE_UP_CARD: (
        _trips_only(HANDS_DEALT, cite="Ch. 13 §C", settles_cite="Ch. 13 §C"),
        Remedy((DEALER_WAITS, ANOTHER), VOID, "Ch. 13 §B", RESHUFFLE, ruling="UT-30"),
        Remedy((DEALER_WAITS,), SET_ASIDE, "Ch. 13 §A", ruling="UT-30"),
        Remedy((ANOTHER,), VOID, "Ch. 13 §B", RESHUFFLE),
        Remedy((), SET_ASIDE, "Ch. 13 §A"),
    ),
    DRAWN_IN_ERROR: (Remedy((), GOES_ON, "Ch. 13 §D"),),
    WRONG_NUMBER: (Remedy((), VOID, "Ch. 13 §E", RESHUFFLE),),
    DEALER_CARD_EXPOSED: (
        Remedy((ALL_DECIDED,), GOES_ON, "Ch. 11 §G(1)"),
        _trips_only(cite="Ch. 13 §F", settles_cite="Ch. 13 §G"),
    ),
    SHUFFLER_JAM: (
        Remedy((OTHER_DECK,), GOES_ON, "Ch. 13 §H(1)", RESHUFFLE, ruling="G-8"),
        Remedy((CARDS_OUT,), GOES_ON, "Ch. 13 §H(1)", RESHUFFLE, ruling="UT-25"),
        Remedy((), VOID, "Ch. 13 §H(2)", RESHUFFLE, ruling="UT-25"),
    ),
    SHOE_JAM: (
        Remedy((CARDS_OUT,), GOES_ON, "Ch. 13 §I", ruling="G-13"),
        Remedy((), VOID, "Ch. 13 §I(1)", RESHUFFLE),
    ),
    PLAYER_LEFT: maryland.player_left("Ch. 7 §C(2)"),
    PROGRESSIVE_MISMATCH: tuple(
        Remedy((method,), RETURN_WAGER, cite, wager="progressive", ruling="UT-22")
        for method, cite in (
            (MANUAL_SHOE, "Ch. 8 §C(3)"),
            (HAND, "Ch. 9 §A(3)(b)"),
            (AUTOMATED_SHOE, "Ch. 10 §A(2)(b)(ii)"),
        )
    ),
}

PROGRESSIVE = Progressive(
    wager="progressive",
    meters={
        "A": (Meter("meter", 10_000_00, "Ch. 12 §D(3)(b)(i)"),),
        "B": (
            Meter("major", 1_000_00, "Ch. 12 §D(3)(b)(ii)(1)"),
            Meter("minor", 250_00, "Ch. 12 §D(3)(b)(ii)(2)"),
        ),
        **{
            letter: (
                Meter("mega", 10_000_00, f"Ch. 12 §D(3)(b)({item})(1)"),
                Meter("major", 1_000_00, f"Ch. 12 §D(3)(b)({item})(2)"),
                Meter("minor", 250_00, f"Ch. 12 §D(3)(b)({item})(3)"),
            )
            for letter, item in (("C", "iii"), ("D", "iv"))
        },
    },
    rate_cite="Ch. 12 §D(3)(a)",
    envy_cells=ENVY_CELLS,
    envy_cents=paytables.ENVY_CENTS,
    envy_cite="Ch. 12 §D(5)(b)",
    validation_cite="Ch. 11 §J(2)(c)",
    validation_ruling="UT-29",
    bank_cites={MANUAL_SHOE: "Ch. 8 §C(4)", HAND: "Ch. 9 §A(3)(c)", AUTOMATED_SHOE: "Ch. 10 §A(2)(b)(iii)"},
    envy_option="envy-needs-wager",
    stake_returned_when="progressive-odds=to",
    stake_returned_letter="A",
)

GAME = GameDefinition(
    name="ultimate-texas-holdem",
    title="Ultimate Texas Hold 'Em",
    rulebook=maryland.rulebook("Standard Rules: Ultimate Texas Hold 'Em Poker", "1.4"),
    deck=STANDARD_DECK,
    cards_each=2,
    table_cards={DEALER: 2, BOARD: 5, BOX: 4},
    positions=Positions(most=6, cite="Ch. 2 §A", per_player_cite="Ch. 7 §G"),
    wagers=WAGERS,
    options=OPTIONS,
    money_options=(MoneyOption("payout-limit", {"": "Ch. 12 §F(1)"}, 50_000_00, "UT-11"),),
    payout_limit=PayoutLimit(
        option="payout-limit",
        covers={
            "payout-limit-covers=main-and-trips": ("ante", "blind", "play", "trips"),
            "payout-limit-covers=all-but-progressive-and-six-card": (
                "ante",
                "blind",
                "play",
                "trips",
                "ultimate-pairs",
                "bad-beat",
                "play-the-board",
            ),
        },
        cites={"": "Ch. 12 §F"},
        at_least_best_win=True,
    ),
    play=PLAY,
    settlement=SETTLEMENT,
    readings=READINGS,
    irregularities=IRREGULARITIES,
    procedures=PROCEDURES,
    layout=LAYOUT,
    progressive=PROGRESSIVE,
)
