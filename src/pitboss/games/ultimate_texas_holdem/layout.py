"""What Chapter 2 prints on the layout, posts on a sign and fixes to the table."""

from pitboss.games import maryland
from pitboss.rules.layout import Area, Furniture, Inscription, Layout

LAYOUT = Layout(
    areas=(
        Area("ante", "Ante", "Ch. 2 §B(2)"),
        Area(
            "blind",
            "Blind",
            "Ch. 2 §B(2)",
            where="to the right of the Ante, after an equals sign",
            after_equals=True,
        ),
        Area("play", "Play", "Ch. 2 §B(2)"),
        Area("trips", "Trips", "Ch. 2 §B(2)"),
        Area("progressive", "Progressive", "Ch. 2 §B(5)", if_offered="progressive"),
        Area("six-card-bonus", "Six Card Bonus", "Ch. 2 §B(6)", if_offered="six-card-bonus"),
        Area("ultimate-pairs", "Ultimate Pairs", "Ch. 7 §A", if_offered="ultimate-pairs"),
        Area("bad-beat", "Bad Beat", "Ch. 7 §A", if_offered="bad-beat"),
        Area("play-the-board", "Play the Board", "Ch. 7 §A", if_offered="play-the-board"),
        Area("board", "Community cards", "Ch. 2 §B(3)", each_seat=False, where="directly in front of the chip tray"),
        Area("dealer", "Dealer", "Ch. 2 §B(4)", each_seat=False),
        Area("box", "Six Card Bonus cards", "Ch. 10 §B(1)", each_seat=False, if_offered="six-card-bonus"),
    ),
    inscriptions=(
        Inscription("{facility}", "Ch. 2 §B(1)"),
        Inscription("Ante pushes if the dealer has less than a pair", "Ch. 2 §B(8)(a)"),
        Inscription("Blind pushes if the winning hand is less than a straight", "Ch. 2 §B(8)(b)", when="blind A"),
        Inscription("Blind pushes if the winning hand is less than a flush", "Ch. 2 §B(8)(b)", when="blind B"),
        Inscription(
            "Play is 3 or 4 times the Ante before the flop, 2 times after it, 1 time after the last two cards",
            "Ch. 2 §B(8)(c)",
        ),
        Inscription(
            "Payout limit per hand: {payout-limit}",
            "Ch. 2 §B(8)(d)",
            when="payout-limit",
            alternative="The posted payout limit applies",
        ),
    ),
    furniture=(
        maryland.dealers_place("Ch. 2 §A"),
        maryland.drop_and_tip_box("Ch. 2 §D(1)", elsewhere_cite="Ch. 2 §E"),
        maryland.discard_rack("Ch. 2 §D(2)"),
        Furniture("progressive wagering device at each position", "Ch. 2 §C(1)", if_offered="progressive"),
        Furniture("progressive control with a lock-out for no more bets", "Ch. 2 §C(2)", if_offered="progressive"),
        maryland.manual_shoe("Ch. 8 §A"),
    ),
    odds_cites={"": "Ch. 2 §B(7)"},
    submitted_cite="Ch. 2 §B",
    sign_cite="Ch. 2 §B(9)",
)
