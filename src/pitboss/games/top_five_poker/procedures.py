"""Chapters 3 to 5 and 7 to 11: what people do around a round."""

from pitboss.rules.dealing import AUTOMATED_SHOE, HAND, MANUAL_SHOE
from pitboss.rules.procedure import (
    DEALER,
    FLOORPERSON,
    PLAYER,
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
_RACK = "Rack the stub unexposed, unless it is to be counted."

PROCEDURES = Procedures(
    cards=Cards(
        one_deck_cite="Ch. 3 §A",
        cover_cards=1,
        cover_cards_cite="Ch. 3 §A(2)",
        duties=(
            Duty("alike", "Check that all cards of the deck look alike.", DEALER, "Ch. 3 §A(1)"),
            Duty("cover-cards", "Check that one cover card came with the deck.", DEALER, "Ch. 3 §A(2)"),
        ),
    ),
    opening=Opening(
        duties=(
            Duty("inspect", "Inspect every card of the deck for defects.", DEALER, "Ch. 4 §A"),
            Duty("verify", "Verify the dealer's inspection.", FLOORPERSON, "Ch. 4 §A"),
            Duty("spread", "Spread the deck face up in fans, by suit and in sequence.", DEALER, "Ch. 4 §B"),
            Duty("look", "Look over the spread cards.", PLAYER, "Ch. 4 §C"),
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
        stack_cite="Ch. 5 §C",
        device_cite="Ch. 5 §B",
        wrong_count_cite="Ch. 5 §B(2)",
        self_shuffling_cite="Ch. 5 §H",
        self_shuffling_allowed_cite="Ch. 5 §G",
        self_shuffling_ruling="TF-15",
        counting_cite="Ch. 5 §B(1)",
    ),
    cutting=Cutting(
        minimum_cards=10,
        cite="Ch. 5 §D",
        duties=(
            Duty("cut", "Put the cover card into the stack, ten cards or more from the top.", DEALER, "Ch. 5 §D"),
            Duty("cut-under", "Move the cover card and all cards above it to the bottom.", DEALER, "Ch. 5 §D(1)"),
            Duty("load", "Put the stack into the dealing shoe.", DEALER, "Ch. 5 §D(2)"),
        ),
        recut_cite="Ch. 5 §E",
        required_cite="Ch. 5 §C(2)",
        uncut_cite="Ch. 5 §C(1)",
    ),
    stub={
        MANUAL_SHOE: StubCount(
            5,
            "Ch. 8 §E",
            "Ch. 8 §F(2)",
            "Ch. 8 §F(3)",
            "Ch. 8 §F(4)",
            "Ch. 8 §F(5)",
            how_cite="Ch. 8 §F(1)",
            misdealt_ruling="TF-18",
        ),
        HAND: StubCount(
            5,
            "Ch. 9 §C",
            "Ch. 9 §D(2)",
            "Ch. 9 §D(3)",
            "Ch. 9 §D(4)",
            "Ch. 9 §D(5)",
            how_cite="Ch. 9 §D(1)",
            ruling="TF-16",
            misdealt_ruling="TF-18",
        ),
        # Chapter 10 says what a count means but not that one is due.
        AUTOMATED_SHOE: StubCount(
            5,
            "Ch. 8 §E",
            "Ch. 10 §C(1)",
            "Ch. 10 §C(2)",
            "Ch. 10 §C(3)",
            "Ch. 10 §C(4)",
            ruling="TF-13",
            misdealt_ruling="TF-18",
        ),
    },
    idle=Idle(
        face_down_first=True,
        duties=(
            Duty("idle-gather", "Take the cards out of the shoe and the discard rack.", DEALER, "Ch. 5 §F(1)"),
            Duty("idle-spread", "Spread the cards face down, or face up if a player asks.", DEALER, "Ch. 5 §F(2)"),
        ),
        arrival=(Duty("look", "Look over the cards.", PLAYER, "Ch. 5 §F(3)"),),
        cite="Ch. 5 §F",
        resumes_cite="Ch. 5 §F(3)",
    ),
    devices=Devices(failed=("covered", "marked"), cites={"covered": "Ch. 13 §E(1)", "marked": "Ch. 13 §E(2)"}),
    two_decks=TwoDecks(
        cite="Ch. 3 §B",
        duties=(
            Duty("same-design", "Use two decks of one design.", DEALER, "Ch. 3 §B(1)"),
            Duty("other-back", "Give the two decks backs of different colours.", DEALER, "Ch. 3 §B(2)"),
            Duty("store", "Keep one deck shuffled in the device while the other is in play.", DEALER, "Ch. 3 §B(3)"),
        ),
        alternate_cite="Ch. 3 §B(4)",
        one_in_rack_cite="Ch. 3 §B(5)",
    ),
    instruments=Instruments(
        allowed={"chips": "Ch. 7 §A", "plaques": "Ch. 7 §A"},
        if_submitted={"approved-instrument": "Ch. 7 §A"},
        verbal_cash_cite="Ch. 7 §A",
    ),
    methods={MANUAL_SHOE: "Ch. 8 §A", HAND: "Ch. 9 §A", AUTOMATED_SHOE: "Ch. 10 §A"},
    dealing={
        MANUAL_SHOE: (
            Duty("place-shoe", "Put the stacked deck into the dealing shoe.", DEALER, "Ch. 8 §B"),
            Duty("no-more-bets", _NO_MORE_BETS, DEALER, "Ch. 8 §C"),
            Duty("draw", "Draw with the hand nearest the shoe and place with the other.", DEALER, "Ch. 8 §D(1)"),
            Duty("take-stub", "Take the stub out of the shoe.", DEALER, "Ch. 8 §D(3)(a)"),
            Duty("stub", _RACK, DEALER, "Ch. 8 §D(3)(b)"),
        ),
        HAND: (
            Duty("hold", "Take the stacked deck into one hand.", DEALER, "Ch. 9 §A(2)"),
            Duty("same-hand", "Keep to that hand for the whole round.", DEALER, "Ch. 9 §A(3)"),
            Duty("over-tray", "Keep the cards over the chip tray and in front of you.", DEALER, "Ch. 9 §A(4)"),
            Duty("no-more-bets", _NO_MORE_BETS, DEALER, "Ch. 9 §A(5)"),
            Duty(
                "take-stub", "Set the stub apart once the last card is dealt.", DEALER, "Ch. 9 §B(2)(a)", ruling="TF-10"
            ),
            Duty("stub", _RACK, DEALER, "Ch. 9 §B(2)(b)"),
        ),
        AUTOMATED_SHOE: (
            Duty("load-device", "Put the cards into the automated shoe.", DEALER, "Ch. 10 §A(1)"),
            Duty("no-more-bets", _NO_MORE_BETS, DEALER, "Ch. 10 §A(2)"),
            Duty("take-stub", "Take the stub out of the shoe.", DEALER, "Ch. 10 §B(2)(a)"),
            Duty("stub", _RACK, DEALER, "Ch. 10 §B(2)(b)"),
        ),
    },
    round=(
        Duty("stay", "Stay seated until the round is over.", PLAYER, "Ch. 7 §B(2)"),
        Duty("examine", "Look at your cards once all are dealt.", PLAYER, "Ch. 11 §A"),
        Duty("own-hand", "Answer for your own hand.", PLAYER, "Ch. 11 §A(1)"),
        Duty("own-cards", "Touch only your own cards; nobody but the dealer may help.", PLAYER, "Ch. 11 §A(2)"),
        Duty("in-view", "Keep your cards in the dealer's full view.", PLAYER, "Ch. 11 §A(3)"),
        Duty(
            "no-talk",
            "Tell nobody about your hand before the dealer's cards are shown.",
            PLAYER,
            "Ch. 11 §A(4)",
            ruling="TF-6",
        ),
        Duty("put-back", "Put your cards back face down once you have seen them.", PLAYER, "Ch. 11 §B"),
        Duty("fold-rack", "Rack a folded hand at once.", DEALER, "Ch. 11 §B(2)(b)"),
        Duty(
            "fold-bonus",
            "Leave a folded hand on the table while its bonus wager is live.",
            DEALER,
            "Ch. 11 §B(3)",
            ruling="TF-7",
        ),
        Duty(
            "show-dealer",
            "Turn up the dealer's cards, take the twos to nines away and set the rest as the best hand.",
            DEALER,
            "Ch. 11 §B(4)",
        ),
        Duty("show-player", "Turn up the player's cards and take the twos to nines away.", DEALER, "Ch. 11 §C"),
        Duty("announce-player", "Announce each player's hand as it is settled.", DEALER, "Ch. 11 §C(1)"),
        Duty("take-losing", "Take a losing wager into the tray at once and rack the hand.", DEALER, "Ch. 11 §C(5)(a)"),
        Duty(
            "keep-cards", "Leave a losing hand on the layout while its bonus wager is live.", DEALER, "Ch. 11 §C(5)(b)"
        ),
        Duty("pick-up", "Pick up the cards so that every hand can be put together again.", DEALER, "Ch. 11 §D"),
    ),
    deck_hours=DeckHours(
        hours={HAND: 4, MANUAL_SHOE: 8, AUTOMATED_SHOE: 8},
        cites={HAND: "Ch. 3 §C(1)", MANUAL_SHOE: "Ch. 3 §C(2)", AUTOMATED_SHOE: "Ch. 3 §C(2)"},
    ),
    hand_needs_shuffler_cite="Ch. 9 §A(1)",
)
