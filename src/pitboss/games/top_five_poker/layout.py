"""What Chapter 2 prints on the layout, posts on a sign and fixes to the table."""

from pitboss.games import maryland
from pitboss.rules.layout import Area, Inscription, Layout

LAYOUT = Layout(
    areas=(
        Area("ante", "Ante", "Ch. 2 §B(2)"),
        Area("play", "Play", "Ch. 2 §B(2)"),
        Area("top-five-bonus", "Top Five Bonus", "Ch. 2 §B(3)(a)", if_offered="top-five-bonus"),
        Area("poker-bonus", "Poker Bonus", "Ch. 2 §B(3)(b)", if_offered="poker-bonus"),
        Area("dealer", "Dealer", "Ch. 8 §D(3)", each_seat=False),
    ),
    inscriptions=(Inscription("{facility}", "Ch. 2 §B(1)"),),
    furniture=(
        maryland.dealers_place("Ch. 2 §A(2)"),
        maryland.drop_and_tip_box("Ch. 2 §C(1)", elsewhere_cite="Ch. 2 §E"),
        maryland.discard_rack("Ch. 2 §C(2)"),
        maryland.manual_shoe("Ch. 8 §A"),
    ),
    odds_cites={"": "Ch. 2 §B(4)"},
    submitted_cite="Ch. 2 §B",
)
