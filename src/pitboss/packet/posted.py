"""What is posted at a table: the layout's areas, inscriptions and equipment, and the sign's odds and limits."""

from pitboss.packet.cells import CLAUSE, MONEY, ODDS, Column, Table
from pitboss.submission.printed import Printed


def layout_tables(printed: Printed, name: str) -> tuple[Table, Table, Table]:
    """Return the areas, the inscriptions and the equipment of a layout."""
    areas = Table(
        f"{name}-areas",
        "Betting areas and card areas",
        (
            Column("area", "Area"),
            Column("each_seat", "Printed"),
            Column("where", "Where"),
            Column("clause", "Clause", CLAUSE),
        ),
        tuple(
            (area.title, "at each position" if area.each_seat else "once per table", area.where or None, area.clause)
            for area in printed.areas
        ),
    )
    inscriptions = Table(
        f"{name}-inscriptions",
        "Inscriptions",
        (Column("words", "Text"), Column("alternative", "Or"), Column("clause", "Clause", CLAUSE)),
        tuple(
            (inscription.text, inscription.alternative or None, inscription.clause)
            for inscription in printed.inscriptions
        ),
    )
    furniture = Table(
        f"{name}-furniture",
        "Equipment at the table",
        (
            Column("thing", "Equipment"),
            Column("clause", "Clause", CLAUSE),
            Column("elsewhere", "May be elsewhere if approved", CLAUSE),
        ),
        tuple((piece.name, piece.clause, piece.elsewhere_clause) for piece in printed.furniture),
    )
    return areas, inscriptions, furniture


def sign_tables(printed: Printed, name: str) -> tuple[tuple[Table, ...], Table]:
    """Return what each wager pays, and the limits of those placed before the deal."""
    odds = []
    for number, sign in enumerate(printed.odds, 1):
        letter = f", paytable {sign.paytable}" if sign.paytable else ""
        columns = (Column("hand", "Hand"), Column("pays", "Pays", ODDS), Column("clause", "Clause", CLAUSE))
        rows = tuple((line.hand, line.pays, line.clause) for line in sign.lines)
        odds.append(Table(f"{name}-odds-{number}-{sign.wager}", f"{sign.title}{letter}", columns, rows))
    limits = Table(
        f"{name}-limits",
        "Limits",
        (
            Column("wager", "Wager"),
            Column("minimum", "Minimum", MONEY),
            Column("maximum", "Maximum", MONEY),
            Column("clause", "Clause", CLAUSE),
        ),
        tuple((limit.title, limit.minimum, limit.maximum, limit.clause) for limit in printed.limits),
    )
    return tuple(odds), limits
