"""Every paytable of Chapter 12, as printed."""

from pitboss.cards.poker import CATEGORIES
from pitboss.rules.paytable import LETTERS, ROMAN, paytable

POKER_CELLS = tuple(reversed(CATEGORIES))

BELOW_STRAIGHT = ("three-of-a-kind", "two-pair", "pair", "high-card")
BLIND = (
    paytable(
        "A",
        "Ch. 12 §B(1)",
        {
            "royal-flush": "500 to 1",
            "straight-flush": "50 to 1",
            "four-of-a-kind": "10 to 1",
            "full-house": "3 to 1",
            "flush": "3 to 2",
            "straight": "1 to 1",
            "less-than-a-straight": "push",
        },
        covers={"less-than-a-straight": BELOW_STRAIGHT},
    ),
    paytable(
        "B",
        "Ch. 12 §B(2)",
        {
            "royal-flush": "500 to 1",
            "straight-flush": "50 to 1",
            "four-of-a-kind": "10 to 1",
            "full-house": "3 to 1",
            "flush": "3 to 2",
            "less-than-a-flush": "push",  # printed as less than a straight, with no line for the straight: ruling UT-1
        },
        covers={"less-than-a-flush": ("straight", *BELOW_STRAIGHT)},
    ),
)

TRIPS = tuple(
    paytable(
        letter,
        f"Ch. 12 §C({number})",
        {
            "royal-flush": "50 to 1",
            "straight-flush": "40 to 1",
            "four-of-a-kind": four,
            "full-house": full,
            "flush": flush,
            "straight": straight,
            "three-of-a-kind": "3 to 1",
        },
    )
    for letter, number, four, full, flush, straight in (
        ("A", 1, "30 to 1", "9 to 1", "7 to 1", "4 to 1"),
        ("B", 2, "30 to 1", "8 to 1", "6 to 1", "5 to 1"),
        ("C", 3, "30 to 1", "8 to 1", "7 to 1", "4 to 1"),
        ("D", 4, "20 to 1", "7 to 1", "6 to 1", "5 to 1"),
        ("E", 5, "30 to 1", "7 to 1", "6 to 1", "5 to 1"),
    )
)

PROGRESSIVE = (
    paytable(
        "A",
        "Ch. 12 §D(1)(a)",
        {
            "royal-flush": "100 % of meter",
            "straight-flush": "10 % of meter",
            "four-of-a-kind": "300 to 1",
            "full-house": "50 to 1",
            "flush": "40 to 1",
            "straight": "30 to 1",
            "three-of-a-kind": "9 to 1",
        },
        items=ROMAN,
    ),
    paytable(
        "B",
        "Ch. 12 §D(1)(b)",
        {
            "royal-flush": "100 % of major",
            "straight-flush": "100 % of minor",
            "four-of-a-kind": "300 for 1",
            "full-house": "50 for 1",
            "flush": "40 for 1",
            "straight": "30 for 1",
            "three-of-a-kind": "9 for 1",
        },
        items=ROMAN,
    ),
    *(
        paytable(
            letter,
            f"Ch. 12 §D(1)({letter.lower()})",
            {
                "royal-flush": "100 % of mega",
                "straight-flush": "100 % of major",
                "four-of-a-kind": "100 % of minor",
                "full-house": "50 for 1",
                "flush": "40 for 1",
                "straight": "30 for 1",
                "three-of-a-kind": three,
            },
            items=ROMAN,
        )
        for letter, three in (("C", "10 for 1"), ("D", "9 for 1"))
    ),
)

SIX_CARD_CELLS = ("super-royal-of-diamonds", "super-royal-of-another-suit", *POKER_CELLS)
_SIX_CARD_LINES = {
    "royal-flush": "1,000 to 1",
    "straight-flush": "200 to 1",
    "four-of-a-kind": "50 to 1",
    "full-house": "20 to 1",
    "flush": "15 to 1",
    "straight": "10 to 1",
    "three-of-a-kind": "5 to 1",
}
SIX_CARD_BONUS = (
    paytable(
        "A",
        "Ch. 12 §E(1)",
        {"super-royal-of-diamonds": "$1,000,000", "super-royal-of-another-suit": "$100,000", **_SIX_CARD_LINES},
    ),
    paytable(
        "B",
        "Ch. 12 §E(2)",
        {"super-royal": "$100,000", **_SIX_CARD_LINES},
        covers={"super-royal": ("super-royal-of-diamonds", "super-royal-of-another-suit")},
    ),
)

PAIRS_CELLS = (
    "red-aces-against-aces",
    "aces-against-aces",
    "red-aces",
    "aces",
    "ace-king-suited",
    "ace-queen-or-jack-suited",
    "ace-king-offsuit",
    "pair-of-jacks-queens-or-kings",
    "ace-queen-or-jack-offsuit",
    "pair-of-tens-or-less",
    "neither",
)
_PAIRS_COVERS = {
    "aces-of-player-and-dealer": ("red-aces-against-aces", "aces-against-aces"),
    "aces-of-hearts-and-diamonds": ("red-aces-against-aces", "red-aces"),
    "pair-of-aces": ("red-aces-against-aces", "aces-against-aces", "red-aces", "aces"),
}
_PAIRS_LINES = (
    "pair-of-aces",
    "ace-king-suited",
    "ace-queen-or-jack-suited",
    "ace-king-offsuit",
    "pair-of-jacks-queens-or-kings",
    "ace-queen-or-jack-offsuit",
    "pair-of-tens-or-less",
)
ULTIMATE_PAIRS = tuple(
    paytable(
        letter,
        f"Ch. 12 §E({number})",
        first | {hand: f"{win} to 1" for hand, win in zip(_PAIRS_LINES, wins, strict=True)},
        covers=_PAIRS_COVERS,
        wager="Ultimate Pairs",
    )
    for letter, number, first, wins in (
        ("A", 1, {}, (30, 25, 20, 15, 10, 5, 3)),
        ("B", 2, {"aces-of-player-and-dealer": "1,000 to 1"}, (30, 25, 20, 15, 10, 5, 3)),
        ("C", 3, {}, (30, 20, 20, 10, 5, 10, 5)),
        ("D", 4, {"aces-of-hearts-and-diamonds": "100 to 1"}, (30, 20, 20, 10, 4, 10, 4)),
        ("E", 5, {"aces-of-hearts-and-diamonds": "50 to 1"}, (25, 20, 20, 10, 5, 10, 5)),
        ("F", 6, {}, (25, 20, 20, 10, 5, 10, 5)),
    )
)

BAD_BEAT_CELLS = (*POKER_CELLS[1:], "tie", "nobody-beaten")
BAD_BEAT = tuple(
    paytable(
        letter,
        f"Ch. 12 §F({number})",
        {
            "straight-flush": straight_flush,
            "four-of-a-kind": "500 to 1",
            "full-house": full,
            "flush": flush,
            "straight": "20 to 1",
            "three-of-a-kind": "9 to 1",
        },
        items=LETTERS[1:],  # printed from (b) on
        wager="Bad Beat",
    )
    for letter, number, straight_flush, full, flush in (
        ("A", 1, "10,000 to 1", "40 to 1", "25 to 1"),
        ("B", 2, "7,500 to 1", "50 to 1", "30 to 1"),
        ("C", 3, "2,500 to 1", "50 to 1", "30 to 1"),
    )
)

BOARD_CELLS = (*POKER_CELLS[:8], "pair-of-tens-or-better", "pair-below-tens", "high-card")
PLAY_THE_BOARD = tuple(
    paytable(
        letter,
        f"Ch. 12 §G({number})",
        {
            "royal-flush": "1,000 to 1",
            "straight-flush": "200 to 1",
            "four-of-a-kind": "100 to 1",
            "full-house": "50 to 1",
            "flush": "40 to 1",
            "straight": straight,
            "three-of-a-kind": three,
            "two-pair": "3 to 1",
            "pair-of-tens-or-better": "1 to 1",
        },
        items=(*LETTERS[:8], "g bis"),
    )
    for letter, number, straight, three in (
        ("A", 1, "25 to 1", "7 to 1"),
        ("B", 2, "25 to 1", "6 to 1"),
        ("C", 3, "20 to 1", "6 to 1"),
    )
)

ENVY_CENTS = {
    stake: {
        letter: {
            "royal-flush": (royal, f"Ch. 12 §D({item})({letter.lower()})(i)"),
            "straight-flush": (straight_flush, f"Ch. 12 §D({item})({letter.lower()})(ii)"),
        }
        for letter in "ABCD"
    }
    for stake, item, royal, straight_flush in ((100, 6, 1_000_00, 300_00), (500, 7, 5_000_00, 1_500_00))
}
