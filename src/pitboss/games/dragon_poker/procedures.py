"""Chapters 3 to 5 and 7 to 11: what people do around a round."""

from pitboss.rules.dealing import AUTOMATED_SHOE, HAND, MANUAL_SHOE
from pitboss.rules.procedure import (
    CLOSED,
    DEALER,
    DEALT,
    DECIDED,
    FLOORPERSON,
    FOLD,
    PAYING,
    PLAYER,
    SETTLED,
    WAGERED,
    Cards,
    Cutting,
    DeckHours,
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

_NO_MORE_BETS = 'Announce "no more bets".'

PROCEDURES = Procedures(
    cards=Cards(
        one_deck_cite="Ch. 3 §A(1)",
        cover_cards=1,
        cover_cards_cite="Ch. 5 §F",
        duties=(
            Duty("alike", "Check that all cards in the deck look alike.", DEALER, "Ch. 3 §A(2)"),
            Duty(
                "composition",
                "Check that the deck has 53 cards: 3 red, 3 blue and 1 gold dragon, "
                "7 phoenix, 8 tigers, 9 pandas, 10 monkeys and 12 rabbits.",
                DEALER,
                "Ch. 3 §A(3)",
            ),
            Duty("cover-cards", "Check that one cover card came with the deck.", DEALER, "Ch. 5 §F", ruling="DP-10"),
        ),
    ),
    opening=Opening(
        duties=(
            Duty("inspect", "Inspect every card in the deck for defects.", DEALER, "Ch. 4 §A"),
            Duty("verify", "Verify the dealer's inspection.", FLOORPERSON, "Ch. 4 §A"),
            Duty("spread", "Fan the deck face up by character.", DEALER, "Ch. 4 §A(2)", ruling="DP-12"),
            Duty("look", "Look over the spread cards.", PLAYER, "Ch. 4 §A(1)"),
            Duty("turn", "Turn the cards face down.", DEALER, "Ch. 4 §C(1)"),
            Duty("wash", "Wash the cards.", DEALER, "Ch. 4 §C(2)"),
            Duty("stack", "Stack the cards.", DEALER, "Ch. 4 §C(3)"),
        ),
        two_decks_cite="Ch. 4 §E",
        skipped_cite="Ch. 4 §F",
        shuffle_cite="Ch. 4 §D",
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
    cutting=Cutting(
        minimum_cards=10,
        cite="Ch. 5 §F",
        duties=(
            Duty("cut", "Put the cover card in the stack, at least ten cards from the top.", DEALER, "Ch. 5 §F"),
            Duty("cut-under", "Move the cover card and the cards above it to the bottom.", DEALER, "Ch. 5 §F(1)"),
            Duty("load", "Put the stack in the dealing shoe.", DEALER, "Ch. 5 §F(2)"),
        ),
        recut_cite="Ch. 5 §G",
        required_cite="Ch. 5 §E(2)",
        uncut_cite="Ch. 5 §E(1)",
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
    idle=Idle(
        face_down_first=True,
        duties=(
            Duty("idle-gather", "Take the cards out of the shoe and the discard rack.", DEALER, "Ch. 5 §H(1)"),
            Duty("idle-spread", "Spread the cards face down, or face up if a player asks.", DEALER, "Ch. 5 §H(2)"),
        ),
        arrival=(
            Duty(
                "turn-up",
                "Fan the cards face up for the first player.",
                DEALER,
                "Ch. 4 §A(2)",
                ruling="G-11",
            ),
            Duty("look", "Look over the cards.", PLAYER, "Ch. 5 §H(3)"),
        ),
        cite="Ch. 5 §H",
        resumes_cite="Ch. 5 §H(3)",
    ),
    devices=Devices(
        failed=("covered", "removed", "marked"),
        cites={"covered": "Ch. 13 §H(1)", "removed": "Ch. 13 §H(2)", "marked": "Ch. 13 §H(2) bis"},
    ),
    two_decks=TwoDecks(
        cite="Ch. 3 §B",
        duties=(
            Duty("same-design", "Use two decks of the same design.", DEALER, "Ch. 3 §B(1)"),
            Duty("other-back", "Use two decks with different back colors.", DEALER, "Ch. 3 §B(1)"),
            Duty("store", "Keep one deck shuffled in the shuffler while the other is in play.", DEALER, "Ch. 3 §B(2)"),
        ),
        alternate_cite="Ch. 3 §B(3)",
        one_in_rack_cite="Ch. 3 §B(4)",
        device_cite="Ch. 3 §B(2)",
    ),
    instruments=Instruments(
        allowed={"chips": "Ch. 7 §A", "plaques": "Ch. 7 §A"},
        if_submitted={"approved-instrument": "Ch. 7 §A"},
        verbal_cash_cite="Ch. 7 §B",
    ),
    methods={MANUAL_SHOE: "Ch. 8 §A", HAND: "Ch. 9 §A", AUTOMATED_SHOE: "Ch. 10 §A"},
    dealing={
        MANUAL_SHOE: (
            Duty("place-shoe", "Put the stacked deck in the dealing shoe.", DEALER, "Ch. 8 §B"),
            Duty("no-more-bets", _NO_MORE_BETS, DEALER, "Ch. 8 §C", moment=WAGERED),
            Duty(
                "draw",
                "Draw each card with the hand nearest the shoe and place it with the other.",
                DEALER,
                "Ch. 8 §D(1)",
                moment=CLOSED,
            ),
            Duty(
                "stub",
                "Take the stub from the shoe and rack it without exposing it, unless it must be counted.",
                DEALER,
                "Ch. 8 §D(3)",
            ),
        ),
        HAND: (
            Duty("hold", "Hold the stacked deck in one hand.", DEALER, "Ch. 9 §A(2)"),
            Duty("same-hand", "Keep the deck in that hand for the whole round.", DEALER, "Ch. 9 §A(2)(a)"),
            Duty("over-tray", "Keep the cards in front of you, over the chip tray.", DEALER, "Ch. 9 §A(2)(b)"),
            Duty("no-more-bets", _NO_MORE_BETS, DEALER, "Ch. 9 §B", moment=WAGERED),
            Duty(
                "draw",
                "Take each card from the top with the other hand and place it.",
                DEALER,
                "Ch. 9 §C(1)",
                moment=CLOSED,
            ),
            Duty("face-down", "Deal every card face down.", DEALER, "Ch. 9 §C(3)", moment=CLOSED),
            Duty("stub", "Rack the stub without exposing it, unless it must be counted.", DEALER, "Ch. 9 §C(4)"),
        ),
        AUTOMATED_SHOE: (
            Duty("load-device", "Put the cards in the automated shoe.", DEALER, "Ch. 10 §A(1)"),
            # Chapter 10 leaves out the call that closes bets in Chapter 7.
            Duty("no-more-bets", _NO_MORE_BETS, DEALER, "Ch. 7 §D", ruling="DP-12", moment=WAGERED),
            Duty(
                "hold-back",
                "Leave the dealer's cards in the shuffler until all players have acted.",
                DEALER,
                "Ch. 10 §B(4)",
                when="dealer-cards=in-shuffler",
                moment=CLOSED,
            ),
            Duty(
                "stub",
                "Take the stub from the shoe and rack it without exposing it, unless it must be counted.",
                DEALER,
                "Ch. 10 §B(5)",
            ),
        ),
    },
    round=(
        Duty("stay", "Stay seated until the round is over.", PLAYER, "Ch. 7 §C(1)"),
        Duty("own-hand", "Play only your own hand.", PLAYER, "Ch. 11 §A(1)", moment=DEALT),
        Duty(
            "own-cards",
            "Touch only your own cards. Only the dealer may help you.",
            PLAYER,
            "Ch. 11 §A(2)",
            moment=DEALT,
        ),
        Duty("in-view", "Keep your three cards in full view of the dealer.", PLAYER, "Ch. 11 §A(3)", moment=DEALT),
        Duty(
            "fold-rack",
            "Rack a folded hand that has no live side wager.",
            DEALER,
            "Ch. 11 §D(1)",
            ruling="DP-8",
            moment=FOLD,
        ),
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
        Duty(
            "pick-up",
            "Pick up the cards in order, so any hand can be reconstructed.",
            DEALER,
            "Ch. 11 §E",
            moment=SETTLED,
        ),
    ),
    deck_hours=DeckHours(
        hours={HAND: 4, MANUAL_SHOE: 8, AUTOMATED_SHOE: 8},
        cites={HAND: "Ch. 3 §C(1)", MANUAL_SHOE: "Ch. 3 §C(2)", AUTOMATED_SHOE: "Ch. 3 §C(2)"},
    ),
    hand_needs_shuffler_cite="Ch. 9 §A(1)",
)
