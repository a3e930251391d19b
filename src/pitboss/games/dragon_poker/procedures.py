"""Chapters 3 to 5 and 7 to 11: what people do around a round."""

from pitboss.games import maryland, shared_duties
from pitboss.rules.dealing import AUTOMATED_SHOE, HAND, MANUAL_SHOE
from pitboss.rules.procedure import (
    CLOSED,
    DEALER,
    DEALT,
    DECIDED,
    PAYING,
    PLAYER,
    Cards,
    Devices,
    Duty,
    Instruments,
    Procedures,
    Shuffling,
    StubCount,
)

PROCEDURES = Procedures(
    cards=Cards(
        one_deck_cite="Ch. 3 §A(1)",
        cover_cards=1,
        cover_cards_cite="Ch. 5 §F",
        duties=(
            shared_duties.cards_alike("Ch. 3 §A(2)"),
            Duty(
                "composition",
                "Check that the deck has 53 cards: 3 red, 3 blue and 1 gold dragon, "
                "7 phoenix, 8 tigers, 9 pandas, 10 monkeys and 12 rabbits.",
                DEALER,
                "Ch. 3 §A(3)",
            ),
            shared_duties.one_cover_card("Ch. 5 §F", ruling="DP-10"),
        ),
    ),
    opening=maryland.opening(
        Duty("spread", "Fan the deck face up by character.", DEALER, "Ch. 4 §A(2)", ruling="DP-12"),
        inspect="Ch. 4 §A",
        look="Ch. 4 §A(1)",
        turn="Ch. 4 §C(1)",
        wash="Ch. 4 §C(2)",
        stack="Ch. 4 §C(3)",
        shuffle="Ch. 4 §D",
        two_decks="Ch. 4 §E",
        skipped="Ch. 4 §F",
    ),
    shuffling=Shuffling(
        before_play_cite="Ch. 5 §A(1)",
        after_round_cite="Ch. 5 §A(2)",
        directed_cite="Ch. 5 §A(3)",
        stack_cite="Ch. 5 §B",
        device_cite="Ch. 5 §C",
        wrong_count_cite="Ch. 5 §D(2)",
        self_shuffling_cite="Ch. 5 §J",
        self_shuffling_allowed_cite="Ch. 5 §I",
        self_shuffling_ruling="DP-13",
        counting_cite="Ch. 5 §D(1)",
    ),
    cutting=maryland.cutting(
        "Ch. 5 §F",
        move_under="Ch. 5 §F(1)",
        load="Ch. 5 §F(2)",
        recut="Ch. 5 §G",
        required="Ch. 5 §E(2)",
        uncut="Ch. 5 §E(1)",
    ),
    stub={
        MANUAL_SHOE: StubCount(
            5, "Ch. 8 §E", "Ch. 8 §F", "Ch. 8 §G", "Ch. 8 §G(1)", "Ch. 8 §G(2)", misdealt_ruling="DP-15"
        ),
        HAND: StubCount(5, "Ch. 9 §D", "Ch. 9 §E", "Ch. 9 §F", "Ch. 9 §G", "Ch. 9 §H", misdealt_ruling="DP-15"),
        AUTOMATED_SHOE: StubCount(
            5, "Ch. 10 §C", "Ch. 10 §D", "Ch. 10 §E", "Ch. 10 §F", "Ch. 10 §G", misdealt_ruling="DP-15"
        ),
    },
    idle=maryland.idle(
        "Ch. 5 §H", gather="Ch. 5 §H(1)", spread="Ch. 5 §H(2)", turn_up="Ch. 4 §A(2)", resumes="Ch. 5 §H(3)"
    ),
    devices=Devices(
        failed=("covered", "removed", "marked"),
        cites={"covered": "Ch. 13 §H(1)", "removed": "Ch. 13 §H(2)", "marked": "Ch. 13 §H(2) bis"},
    ),
    two_decks=maryland.two_decks(
        "Ch. 3 §B",
        same_design="Ch. 3 §B(1)",
        different_backs="Ch. 3 §B(1)",
        stored="Ch. 3 §B(2)",
        alternate="Ch. 3 §B(3)",
        one_in_rack="Ch. 3 §B(4)",
    ),
    instruments=Instruments(
        allowed={"chips": "Ch. 7 §A", "plaques": "Ch. 7 §A"},
        if_submitted={"approved-instrument": "Ch. 7 §A"},
        verbal_cash_cite="Ch. 7 §B",
    ),
    methods={MANUAL_SHOE: "Ch. 8 §A", HAND: "Ch. 9 §A", AUTOMATED_SHOE: "Ch. 10 §A"},
    dealing={
        MANUAL_SHOE: (
            shared_duties.load_shoe("Ch. 8 §B"),
            shared_duties.no_more_bets("Ch. 8 §C"),
            shared_duties.draw_from_shoe("Ch. 8 §D(1)"),
            shared_duties.rack_shoe_stub("Ch. 8 §D(3)"),
        ),
        HAND: (
            shared_duties.hold_deck("Ch. 9 §A(2)"),
            shared_duties.keep_hand("Ch. 9 §A(2)(a)"),
            shared_duties.keep_over_tray("Ch. 9 §A(2)(b)"),
            shared_duties.no_more_bets("Ch. 9 §B"),
            Duty(
                "draw",
                "Take each card from the top with the other hand and place it.",
                DEALER,
                "Ch. 9 §C(1)",
                moment=CLOSED,
            ),
            Duty("face-down", "Deal every card face down.", DEALER, "Ch. 9 §C(3)", moment=CLOSED),
            shared_duties.rack_stub("Ch. 9 §C(4)"),
        ),
        AUTOMATED_SHOE: (
            shared_duties.load_device("Ch. 10 §A(1)"),
            # Chapter 10 leaves out the call that closes bets in Chapter 7.
            shared_duties.no_more_bets("Ch. 7 §D", ruling="DP-12"),
            shared_duties.leave_in_shuffler("Ch. 10 §B(4)"),
            shared_duties.rack_shoe_stub("Ch. 10 §B(5)"),
        ),
    },
    round=(
        shared_duties.stay_seated("Ch. 7 §C(1)"),
        shared_duties.own_hand("Ch. 11 §A(1)"),
        shared_duties.own_cards("Ch. 11 §A(2)"),
        Duty("in-view", "Keep your three cards in full view of the dealer.", PLAYER, "Ch. 11 §A(3)", moment=DEALT),
        shared_duties.rack_folded("Ch. 11 §D(1)", ruling="DP-8"),
        Duty(
            "show-dealer",
            "Turn up the dealer's cards and set the best hand.",
            DEALER,
            "Ch. 11 §D(2)",
            moment=DECIDED,
            blocks="Settle",
        ),
        Duty("show-player", "Turn up the player's three cards.", DEALER, "Ch. 11 §D(3)(a)", moment=PAYING),
        Duty("set-player", "Set the player's best hand.", DEALER, "Ch. 11 §D(3)(f)", moment=PAYING),
        shared_duties.pick_up("Ch. 11 §E"),
    ),
    deck_hours=maryland.deck_hours(by_hand="Ch. 3 §C(1)", from_shoe="Ch. 3 §C(2)"),
    hand_needs_shuffler_cite="Ch. 9 §A(1)",
)
