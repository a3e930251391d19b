"""Sections 2, 4, 5 and 7 to 11: what people do around a round."""

from pitboss.games import shared_duties
from pitboss.rules.dealing import AUTOMATED_SHOE, HAND, MANUAL_SHOE
from pitboss.rules.procedure import (
    CLOSED,
    DEALER,
    DEALT,
    DECIDED,
    DECLARATION,
    FOLD,
    PAYING,
    PLAYER,
    Cards,
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

_REQUIRED = "version=required-bet"
_PERMISSIBLE = "version=permissible-bet"


def _stub_count(cite: str) -> StubCount:
    return StubCount(5, cite, "§7(e)(1)", "§7(e)(2)", "§7(e)(2)", "§7(e)(2)", "§7(e)", "§7(f)")


def _round(section: str, version: str, *, declare: str, board: str, pick_up: str) -> tuple[Duty, ...]:
    texts = (
        ("discard", "Put your discard face down in its area.", PLAYER, "(b)(1)", DEALT),
        ("turn-winner", "To declare an instant winner, turn up all three cards.", PLAYER, declare, DECLARATION),
        (
            "verify-winner",
            "Verify a declared instant winner, pay it, and rack its cards.",
            DEALER,
            declare,
            DECLARATION,
        ),
        ("show-board", "Turn up the three community cards.", DEALER, "(c)", DECIDED),
        ("show-player", "Turn up the player's two cards.", DEALER, "(d)", PAYING),
        ("rack-loser", "Rack the cards of a losing hand.", DEALER, "(e)", PAYING),
        ("rack-push", "Collect the cards of a hand that pushes.", DEALER, "(f)", PAYING),
        ("rack-board", "Rack the community cards with the last hand.", DEALER, board, PAYING),
    )
    return (
        shared_duties.examine_cards(f"{section}(a)", when=version),
        shared_duties.own_cards(f"{section}(a)(1)", when=version),
        shared_duties.cards_in_view(f"{section}(a)(2)", when=version),
        *(
            Duty(
                name,
                text,
                by,
                section + item,
                when=version,
                moment=moment,
                # An instant winner is paid by what is declared, before the board shows.
                blocks="TurnCards" if name == "verify-winner" else None,
            )
            for name, text, by, item, moment in texts
        ),
        shared_duties.pick_up(section + pick_up, when=version),
    )


PROCEDURES = Procedures(
    cards=Cards(
        one_deck_cite="§2(a)",
        cover_cards=1,
        cover_cards_cite="§2(a)",
        duties=(
            Duty("alike", "Check that all card backs have the same color and design.", DEALER, "§2(a)"),
            Duty(
                "cover-cards",
                "Check that one cover card came with the deck: opaque, plain, and easy to tell from the cards.",
                DEALER,
                "§2(a)",
            ),
        ),
    ),
    opening=Opening(
        duties=(
            shared_duties.inspect_cards("§4(b)"),
            shared_duties.verify_inspection("§4(b)"),
            Duty("spread", "Spread the deck face up by suit and in sequence.", DEALER, "§4(b)"),
            shared_duties.look_over_spread("§4(c)"),
            shared_duties.turn_down("§4(c)"),
            shared_duties.wash_cards("§4(c)"),
            shared_duties.stack_cards("§4(c)"),
        ),
        two_decks_cite="§4(d)",
        skipped_cite="§4(a)",
        shuffle_cite="§4(c)",
    ),
    shuffling=Shuffling(
        before_play_cite="§5(a)",
        after_round_cite="§5(a)",
        directed_cite=None,
        stack_cite="§5(a)",
        device_cite="§5(a)",
        wrong_count_cite="§7(f)",
        self_shuffling_cite=None,
        self_shuffling_suspends=(),
        counting_cite="§7(f)",
    ),
    cutting=Cutting(
        minimum_cards=10,
        cite="§5(c)(1)(ii)",
        duties=(
            Duty("cover-card", "With one hand, put the cover card in front of the deck.", DEALER, "§5(c)(1)(i)"),
            Duty("cut", "Lift at least ten cards off the deck onto the cover card.", DEALER, "§5(c)(1)(ii)"),
            Duty("cut-under", "Put the rest of the deck on top of the cards you lifted.", DEALER, "§5(c)(1)(iii)"),
            Duty("uncover", "Remove the cover card and rack it.", DEALER, "§5(c)(1)(iv)"),
        ),
        recut_cite="§5(d)",
        required_cite="§5(b)(2)",
        uncut_cite="§5(b)(1)",
    ),
    stub={MANUAL_SHOE: _stub_count("§7(e)"), HAND: _stub_count("§8(e)"), AUTOMATED_SHOE: _stub_count("§9(e)")},
    idle=Idle(
        face_down_first=False,
        duties=(Duty("idle-spread", "Spread the cards, face up or face down.", DEALER, "§5(e)"),),
        arrival=(
            Duty("turn-up", "When a player arrives, turn face-down cards face up.", DEALER, "§5(e)"),
            shared_duties.look_over_idle("§5(e)"),
        ),
        cite="§5(e)",
        resumes_cite="§5(e)",
    ),
    devices=Devices(failed=("removed",), cites={"removed": "§14(g)"}, working_too=True),
    two_decks=TwoDecks(
        cite="§2(b)",
        duties=(
            Duty("same-design", "Use two decks that each meet the standard for one deck.", DEALER, "§2(b)(1)"),
            shared_duties.different_backs("§2(b)(2)"),
            Duty("store", "Shuffle one deck in the shuffler while the other is in play.", DEALER, "§2(b)(3)"),
        ),
        alternate_cite="§2(b)(4)",
        one_in_rack_cite="§2(b)(5)",
        device_cite="§2(b)(3)",
        is_stored=False,
    ),
    instruments=Instruments(
        allowed={"chips": "§6(a)", "plaques": "§6(a)"},
        if_submitted={"match-play-coupon": "§6(a)"},
        beside_chips=("match-play-coupon",),
        verbal_cash_cite="§6(a)",
        chips_only={"bonus": "§6a(b)"},
    ),
    methods={MANUAL_SHOE: "§7(a)", HAND: "§8(a)", AUTOMATED_SHOE: "§9(a)"},
    dealing={
        MANUAL_SHOE: (
            shared_duties.load_shoe("§7(a)"),
            shared_duties.no_more_bets("§7(b)"),
            shared_duties.draw_from_shoe("§7(c)"),
            Duty(
                "second-right",
                "Put the second community card to the right of the first.",
                DEALER,
                "§7(c)(4)",
                moment=CLOSED,
            ),
            Duty(
                "third-right",
                "Put the third community card to the right of the first two.",
                DEALER,
                "§7(c)(6)",
                moment=CLOSED,
            ),
            shared_duties.rack_shoe_stub("§7(d)"),
        ),
        HAND: (
            shared_duties.hold_deck("§8(b)(2)"),
            shared_duties.keep_hand("§8(b)(2)(i)"),
            shared_duties.keep_over_tray("§8(b)(2)(ii)"),
            shared_duties.no_more_bets("§8(b)(3)"),
            shared_duties.draw_face_down("§8(c)"),
            Duty(
                "second-right",
                "Put the second community card to the right of the first.",
                DEALER,
                "§8(c)(4)",
                moment=CLOSED,
            ),
            Duty(
                "third-right",
                "Put the third community card to the right of the first two.",
                DEALER,
                "§8(c)(6)",
                moment=CLOSED,
            ),
            shared_duties.rack_stub("§8(d)"),
        ),
        AUTOMATED_SHOE: (
            shared_duties.load_device("§9(b)(1)"),
            shared_duties.no_more_bets("§9(b)(2)"),
            Duty(
                "spread-board",
                "Spread the community cards without exposing them: top card to your right, bottom card to your left.",
                DEALER,
                "§9(c)",
                moment=CLOSED,
            ),
            shared_duties.rack_shoe_stub("§9(d)"),
        ),
    },
    round=(
        shared_duties.stay_seated("§6(b)"),
        Duty("fold-down", "Put a folded hand face down in its area.", PLAYER, "§10(b)(2)", when=_REQUIRED, moment=FOLD),
        Duty(
            "fold-rack",
            "Collect a folded Ante and rack the hand immediately.",
            DEALER,
            "§10(b)(2)",
            when=_REQUIRED,
            moment=FOLD,
        ),
        Duty(
            "rack-winner",
            "Pay a winning hand, then collect its cards.",
            DEALER,
            "§10(g)",
            when=_REQUIRED,
            moment=PAYING,
        ),
        *_round("§10", _REQUIRED, declare="(b)(3)(i)", board="(g)", pick_up="(h)"),
        *_round("§11", _PERMISSIBLE, declare="(b)(2)(i)", board="(h)", pick_up="(i)"),
    ),
    hand_needs_shuffler_cite="§8(b)(1)",
)
