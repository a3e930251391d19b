"""Every paytable of Chapter 12, as printed."""

from pitboss.rules.paytable import paytable

COUNT_CELLS = (
    "seven-cards",
    "six-cards",
    "five-cards",
    "four-cards",
    "three-cards",
    "two-cards",
    "one-card",
    "no-cards",
)
TOP_FIVE_BONUS = tuple(
    paytable(
        letter,
        f"Ch. 12 §B({number})",
        {"seven-cards": seven, "six-cards": six, "five-cards": five, "four-cards": "1 to 1"},
    )
    for letter, number, seven, six, five in (
        ("A", 1, "100 to 1", "20 to 1", "5 to 1"),
        ("B", 2, "200 to 1", "20 to 1", "4 to 1"),
        ("C", 3, "100 to 1", "15 to 1", "5 to 1"),
    )
)

POKER_CELLS = (
    "royal-flush",
    "four-of-a-kind",
    "full-house",
    "straight",
    "three-of-a-kind",
    "two-pair",
    "pair-of-aces-or-kings",
    "lower-pair",
    "high-card",
)
POKER_BONUS = (
    paytable(
        "A",
        "Ch. 12 §B(1)",
        {
            "royal-flush": "500 to 1",
            "four-of-a-kind": "100 to 1",
            "full-house": "40 to 1",
            "straight": "25 to 1",
            "three-of-a-kind": "7 to 1",
            "two-pair": "3 to 1",
            "pair-of-aces-or-kings": "1 to 1",
        },
        wager="Poker Bonus",
    ),
    paytable(
        "B",
        "Ch. 12 §B(2)",
        {
            "royal-flush": "500 to 1",
            "four-of-a-kind": "150 to 1",
            "full-house": "50 to 1",
            "straight": "30 to 1",
            "three-of-a-kind": "10 to 1",
            "two-pair": "5 to 1",
        },
        wager="Poker Bonus",
    ),
    paytable(
        "C",
        "Ch. 12 §B(3)",
        {
            "royal-flush": "500 to 1",
            "four-of-a-kind": "100 to 1",
            "full-house": "40 to 1",
            "straight": "25 to 1",
            "three-of-a-kind": "5 to 1",
            "two-pair": "3 to 1",
            "pair-of-aces-or-kings": "1 to 1",
        },
        wager="Poker Bonus",
    ),
)
