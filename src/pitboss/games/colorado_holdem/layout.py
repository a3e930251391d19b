"""What §§1, 6, 6a and 10 to 13 imply for the layout, its inscriptions and the table."""

from pitboss.rules.dealing import AUTOMATED_SHOE, MANUAL_SHOE
from pitboss.rules.layout import Area, Furniture, Inscription, Layout

_REQUIRED = "version=required-bet"
_PERMISSIBLE = "version=permissible-bet"
_LIMIT = "Payout limit per hand: {payout-limit}"

LAYOUT = Layout(
    areas=(
        Area("ante", "Ante", "§6(d)"),
        Area("bet", "Bet", "§6(d)"),
        Area("bonus", "Bonus", "§6a(b)", if_offered="bonus"),
        Area("discard", "Discard", "§1 Discard", where="in front of the player"),
        Area("board", "Community cards", "§1 Community card", each_seat=False, where="in front of the chip tray"),
    ),
    inscriptions=(
        Inscription("Less than a pair of sevens loses", "§10(e)", when=_REQUIRED),
        Inscription("A pair of sevens, eights or nines pushes", "§10(f)", when=_REQUIRED),
        Inscription("Less than a pair of nines loses", "§11(e)", when=_PERMISSIBLE),
        Inscription("A pair of nines or tens pushes", "§11(f)", when=_PERMISSIBLE, also="permissible-tens=push"),
        Inscription("A pair of nines pushes", "§11(f)", when=_PERMISSIBLE, also="permissible-tens=pay"),
        Inscription(_LIMIT, "§12(c)", when="payout-limit", also=_REQUIRED),
        Inscription(_LIMIT, "§13(c)", when="payout-limit", also=_PERMISSIBLE),
    ),
    furniture=(
        Furniture("chip tray in front of the dealer", "§1 Community card"),
        Furniture("discard rack", "§5(c)(1)(iv)"),
        Furniture("manual dealing shoe in the approved location", "§7(a)", dealing=MANUAL_SHOE),
        Furniture("approved automated dealing shoe that deals stacks of three", "§9(a)", dealing=AUTOMATED_SHOE),
    ),
    odds_cites={_REQUIRED: "§12(a)", _PERMISSIBLE: "§13(a)"},
    odds_words=("to", "win"),
    odds_words_cite="§12(a)",
    odds_words_cites={_REQUIRED: "§12(a)", _PERMISSIBLE: "§13(a)"},
)
