"""What Chapter 2 prints on the layout, posts on a sign and fixes to the table."""

from pitboss.games import maryland
from pitboss.rules.layout import Area, Inscription, Layout

LAYOUT = Layout(
    areas=(
        Area("ante", "Ante", "Ch. 2 §B(2)"),
        Area("ante-bonus", "Ante Bonus", "Ch. 2 §B(2)"),
        Area("play", "Play", "Ch. 2 §B(2)"),
        Area("three-card-bonus", "Three Card Bonus", "Ch. 2 §B(2)"),
        Area("dragon-bet", "Dragon Bet", "Ch. 2 §B(2)"),
        Area("progressive", "Progressive", "Ch. 7 §A", if_offered="progressive"),
        Area("dealer", "Dealer", "Ch. 10 §B(3)", each_seat=False),
    ),
    inscriptions=(
        Inscription("{facility}", "Ch. 2 §B(1)"),
        Inscription("Play Bet Must Equal Ante Bet", "Ch. 2 §B(3)"),  # the rulebook prescribes these exact words
    ),
    furniture=(
        maryland.dealers_place("Ch. 2 §A"),
        maryland.drop_and_tip_box("Ch. 2 §C(1)", elsewhere_cite="Ch. 2 §D"),
        maryland.discard_rack("Ch. 2 §C(2)"),
        maryland.manual_shoe("Ch. 8 §A"),
    ),
    odds_cites={"": "Ch. 2 §B(3)"},
    submitted_cite="Ch. 2 §B",
    sign_cite="Ch. 2 §B(3)",
)
