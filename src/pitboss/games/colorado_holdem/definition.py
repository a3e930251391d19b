"""The definition of Colorado Hold 'Em, both versions, from its rulebook."""

from pitboss.cards.deck import STANDARD_DECK
from pitboss.games.colorado_holdem import paytables
from pitboss.games.colorado_holdem.layout import LAYOUT
from pitboss.games.colorado_holdem.procedures import PROCEDURES
from pitboss.games.colorado_holdem.readings import READINGS
from pitboss.rules.dealing import AUTOMATED_SHOE, BOARD, HAND, MANUAL_SHOE, SEATS, Deal, Deliver, Move, TurnUp
from pitboss.rules.game import GameDefinition, Positions, Rulebook
from pitboss.rules.irregularity import (
    ANOTHER,
    CARDS_DEALT,
    CARDS_OUT,
    COMMUNITY_CARD_EXPOSED,
    DRAWN_IN_ERROR,
    FACE_UP_CARD,
    FLOOR_RULES,
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
from pitboss.rules.play import DECLARED, FOLDED, PLAYED, Action, Ask, Bets, Settle, Stakes
from pitboss.rules.settlement import BY_PAYTABLE, LOSE, PUSH, When
from pitboss.rules.wager import MoneyOption, Option, PayoutLimit, Wager

REQUIRED = "version=required-bet"
PERMISSIBLE = "version=permissible-bet"

WAGERS = (
    Wager(
        "ante",
        "Ante",
        "§6(d)",
        required=True,
        paytables=paytables.MAIN,
        cells=paytables.CELLS,
        minimum_odds=True,
    ),
    Wager(
        "bet", "Bet", "§1 Bet wager", by_action=True, paytables=paytables.MAIN, cells=paytables.CELLS, minimum_odds=True
    ),
    Wager(
        "bonus",
        "Bonus",
        "§6a(a)",
        needs=("ante",),
        needs_cite="§6a(b)",
        stakes_cents=(100,),
        stakes_cite="§6a(b)",
        withdrawal_cite="§6a(a)",
        paytables=paytables.BONUS,
        cells=paytables.CELLS,
        minimum_odds=True,
    ),
)


def _one_at_a_time(cite: str) -> tuple[Move, ...]:
    return tuple(
        Deliver(place, 1, f"{cite}({2 * turn + item})") for turn in range(3) for place, item in ((SEATS, 1), (BOARD, 2))
    )


PLAY = (
    Bets(cite="§6(c)", closed_cite="§6(c)"),
    Deal(
        "hands",
        {
            MANUAL_SHOE: _one_at_a_time("§7(c)"),
            HAND: _one_at_a_time("§8(c)"),
            AUTOMATED_SHOE: (Deliver(SEATS, 3, "§9(c)"), Deliver(BOARD, 3, "§9(c)")),
        },
    ),
    Ask(
        "play, fold or declare",
        (
            Action("bet", PLAYED, "§10(b)(1)", stakes=Stakes("bet", 1, "ante"), discards=True, title="Bet"),
            Action("declare", DECLARED, "§10(b)(3)(i)", settles_at_once=True, title="Declare an instant winner"),
            Action("fold", FOLDED, "§10(b)(2)", title="Fold"),
        ),
        "§10(b)",
        "§10(b)",
        when=REQUIRED,
    ),
    Ask(
        "bet, check or declare",
        (
            Action("bet", PLAYED, "§11(b)(1)", stakes=Stakes("bet", 1, "ante"), discards=True, title="Bet"),
            Action("check", PLAYED, "§11(b)(1)", discards=True, title="Check"),
            Action("declare", DECLARED, "§11(b)(2)(i)", settles_at_once=True, title="Declare an instant winner"),
        ),
        "§11(b)",
        "§11(b)",
        when=PERMISSIBLE,
    ),
    Deal("community", dict.fromkeys((MANUAL_SHOE, HAND, AUTOMATED_SHOE), (TurnUp(BOARD, 3, "§10(c)"),)), when=REQUIRED),
    Deal(
        "community", dict.fromkeys((MANUAL_SHOE, HAND, AUTOMATED_SHOE), (TurnUp(BOARD, 3, "§11(c)"),)), when=PERMISSIBLE
    ),
    Settle(cite="§10(d)", pickup_cite="§10(h)", when=REQUIRED),
    Settle(cite="§11(d)", pickup_cite="§11(i)", when=PERMISSIBLE),
)

_MAIN = (
    When(("folded",), LOSE, "§10(b)(2)"),
    When(("declared-wrongly",), LOSE, "§14(d)"),
    When(("declared", REQUIRED), BY_PAYTABLE, "§10(b)(3)(i)"),
    When(("declared", PERMISSIBLE), BY_PAYTABLE, "§11(b)(2)(i)"),
    When(("high-card", REQUIRED), LOSE, "§10(e)"),
    When(("lower-pair", REQUIRED), LOSE, "§10(e)"),
    When(("pair-of-sevens-or-eights", REQUIRED), PUSH, "§10(f)"),
    When(("pair-of-nines", REQUIRED), PUSH, "§10(f)"),
    When((REQUIRED,), BY_PAYTABLE, "§10(g)"),
    When(("high-card",), LOSE, "§11(e)"),
    When(("lower-pair",), LOSE, "§11(e)"),
    When(("pair-of-sevens-or-eights",), LOSE, "§11(e)"),
    When(("pair-of-nines",), PUSH, "§11(f)"),
    When(("pair-of-tens", "permissible-tens=push"), PUSH, "§11(f)"),
    When((), BY_PAYTABLE, "§11(g)"),
)
SETTLEMENT = {
    "ante": _MAIN,
    "bet": _MAIN,
    "bonus": (
        When(("folded", "bonus-on-fold=returned"), PUSH, "§10(b)(2)"),
        When(("folded",), LOSE, "§10(b)(2)"),
        When(("declared-wrongly", "bonus-on-wrong-declaration=returned"), PUSH, "§14(d)"),
        When(("declared-wrongly",), LOSE, "§14(d)"),
        When((), BY_PAYTABLE, "§6a(c)", lose_cite="§6a(a)"),
    ),
}

IRREGULARITIES = {
    FACE_UP_CARD: (
        Remedy((ANOTHER,), VOID, "§14(a)", RESHUFFLE, ruling="CH-11"),
        Remedy((), SET_ASIDE, "§14(a)"),
    ),
    DRAWN_IN_ERROR: (Remedy((), GOES_ON, "§14(b)"),),
    WRONG_NUMBER: (Remedy((), VOID, "§14(c)", RESHUFFLE, ruling="CH-11"),),
    COMMUNITY_CARD_EXPOSED: (
        Remedy((), FLOOR_RULES, "CH-12", RESHUFFLE, rulings=("continue", "void"), ruling="G-18", needs_note=True),
    ),
    SHUFFLER_JAM: (
        Remedy((OTHER_DECK,), GOES_ON, "§14(e)", RESHUFFLE, ruling="G-8"),
        Remedy((CARDS_OUT,), GOES_ON, "§14(e)", RESHUFFLE, ruling="CH-16"),
        Remedy((CARDS_DEALT,), VOID, "§14(e)", RESHUFFLE, ruling="CH-16"),
        Remedy((), GOES_ON, "§14(e)", RESHUFFLE, ruling="CH-16"),
    ),
    SHOE_JAM: (
        Remedy((CARDS_OUT,), GOES_ON, "§14(f)", ruling="G-13"),
        Remedy((), VOID, "§14(f)", RESHUFFLE, ruling="CH-11"),
    ),
    PLAYER_LEFT: (
        Remedy((), FLOOR_RULES, "§6(b)", rulings=("abandoned", "played-out"), ruling="CH-12", several_ruling="G-16"),
    ),
}

OPTIONS = (
    Option(
        "version",
        ("required-bet", "permissible-bet"),
        "§6(f)",
        meaning={
            "required-bet": "a player who stays in must place the Bet; others fold",
            "permissible-bet": "a player who stays in may place the Bet or not; nobody folds",
        },
    ),
    Option(
        "permissible-tens",
        ("push", "pay"),
        "§11(f)",
        "CH-1",
        {
            "push": "a pair of tens pushes where the Bet is permissible",
            "pay": "a pair of tens pays 1 to 1 where the Bet is permissible",
        },
        concerns=PERMISSIBLE,
    ),
    Option(
        "ace-low-three-card",
        ("no", "yes"),
        "§3(c)(1)",
        "CH-2",
        {"no": "suited ace, two, three is not an instant winner", "yes": "suited ace, two, three is an instant winner"},
    ),
    Option(
        "bonus-on-fold",
        ("loses", "returned"),
        "§10(b)(2)",
        "CH-3",
        {"loses": "a fold loses the bonus wager", "returned": "a fold returns the bonus wager"},
        concerns="bonus",
    ),
    Option(
        "bonus-on-wrong-declaration",
        ("loses", "returned"),
        "§14(d)",
        "CH-5",
        {
            "loses": "a wrong declaration loses the bonus wager",
            "returned": "a wrong declaration returns the bonus wager",
        },
        concerns="bonus",
    ),
    Option(
        "positions",
        ("6", "1", "2", "3", "4", "5", "7"),
        "§6(b)",
        "CH-8",
        {str(count): f"the table has {count} betting position{'s' * (count > 1)}" for count in range(1, 8)},
    ),
    Option(
        "adjacent-positions",
        ("1", "2"),
        "§6(e)",
        meaning={"1": "a player holds one position", "2": "a player may hold two adjacent positions"},
    ),
)

GAME = GameDefinition(
    name="colorado-holdem",
    title="Colorado Hold 'Em",
    rulebook=Rulebook("Rules of the Game: Colorado Hold 'Em Poker", "Massachusetts Gaming Commission", "Massachusetts"),
    deck=STANDARD_DECK,
    cards_each=3,
    table_cards={BOARD: 3},
    positions=Positions(
        most=7,
        cite="§6(b)",
        per_player_option="adjacent-positions",
        per_player_cite="§6(e)",
        count_option="positions",
    ),
    wagers=WAGERS,
    options=OPTIONS,
    money_options=(MoneyOption("payout-limit", {REQUIRED: "§12(c)", PERMISSIBLE: "§13(c)"}, 50_000_00, "CH-7"),),
    payout_limit=PayoutLimit(
        option="payout-limit",
        covers={"": ("ante", "bet")},
        cites={REQUIRED: "§12(c)", PERMISSIBLE: "§13(c)"},
        decrease_takes_notice=True,
    ),
    play=PLAY,
    settlement=SETTLEMENT,
    readings=READINGS,
    irregularities=IRREGULARITIES,
    procedures=PROCEDURES,
    layout=LAYOUT,
    one_version_option="version",
    one_version_cite="§6(f)",
)
