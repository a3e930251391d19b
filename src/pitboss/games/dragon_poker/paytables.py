"""Every paytable of Chapter 12, as printed."""

from pitboss.rules.paytable import paytable

TRIPS = ("three-dragons", "three-phoenix", "three-tigers", "three-pandas", "three-monkeys", "three-rabbits")
PAIRS = (
    "pair-of-dragons",
    "pair-of-phoenix",
    "pair-of-tigers",
    "pair-of-pandas",
    "pair-of-monkeys",
    "pair-of-rabbits",
)
HAND_CELLS = (*TRIPS, *PAIRS, "high-card")

ANTE_BONUS = (
    paytable(
        "A",
        "Ch. 12 §B(1)",
        {
            "three-dragons": "30 to 1",
            "three-phoenix": "10 to 1",
            "trips": "6 to 1",
            "pair-of-dragons": "2 to 1",
            "pair-of-phoenix": "1 to 1",
            "winning-hand": "push",
        },
        covers={"trips": TRIPS, "winning-hand": HAND_CELLS},
    ),
    paytable(
        "B",
        "Ch. 12 §B(2)",
        {
            "three-dragons": "30 to 1",
            "trips": "4 to 1",
            "pair-of-pandas-or-better": "1 to 1",
            "winning-hand": "push",
        },
        covers={"trips": TRIPS, "pair-of-pandas-or-better": PAIRS[:4], "winning-hand": HAND_CELLS},
    ),
)

THREE_CARD_BONUS = tuple(
    paytable(
        letter,
        f"Ch. 12 §C({number})",
        {
            "three-dragons": "40 to 1",
            "three-phoenix": "30 to 1",
            "three-tigers": tigers,
            "trips": "10 to 1",
            "pair-of-dragons": "4 to 1",
            "pair-of-phoenix": "2 to 1",
            "pair-of-tigers": "1 to 1",
        },
        covers={"trips": TRIPS},
    )
    for letter, number, tigers in (("A", 1, "15 to 1"), ("B", 2, "20 to 1"))
)

DRAGON_CELLS = (
    "three-red-dragons",
    "three-blue-dragons",
    "three-dragons-with-gold",
    "three-dragons",
    "pair-of-dragons",
    "gold-and-one-dragon",
    "gold-dragon",
    "fewer-dragons",
)
DRAGON_BET = tuple(
    paytable(
        "A",
        "Ch. 12 §D(1)",
        {
            "three-red-dragons": "1000 to 1",
            "three-blue-dragons": "1000 to 1",
            "three-dragons-with-gold": "200 to 1",
            "three-dragons": "60 to 1",
            "pair-of-dragons": "7 to 1",
            "gold-dragon": "5 to 1",
        },
        covers={hand: (hand, "gold-and-one-dragon")},
        when=f"gold-with-one-dragon={reading}",
    )
    for reading, hand in (("pair", "pair-of-dragons"), ("gold", "gold-dragon"))
)
