"""The vulnerability sheet in the packet: what exposed cards are worth at this table's limits."""

from pitboss.lab.vulnerability import Vulnerability, rules_told, sharing_told
from pitboss.packet.cells import EXACT, MONEY, PERCENT, Column, Table, decimal
from pitboss.rules.payoff import dollars

NAMES = {
    "dealer": ("{} of the dealer's cards", "one of the dealer's cards"),
    "board": ("{} of the board's cards", "one of the board's cards"),
    "flop": ("{} cards of the flop", "a card of the flop"),
    "turn-river": ("{} cards of the turn and river", "one card of the turn and river"),
    "neighbours": ("the cards of {} neighbors", "a neighbor's cards"),
}


def exposures_table(sheet: Vulnerability, name: str) -> Table:
    """Return a row for each exposure: the player's edge, what it adds, and money an hour at the table's limits."""
    least, most = (sheet.rows[0].minimum_cents, sheet.rows[0].maximum_cents) if sheet.rows else (0, 0)
    columns = (
        Column("seen", "Seen"),
        Column("player_edge", "Player's edge", PERCENT),
        Column("gain", "Gain", PERCENT),
        Column("hourly_at_minimum", f"Per hour at {dollars(least)}", MONEY),
        Column("hourly_at_maximum", f"Per hour at {dollars(most)}", MONEY),
        Column("method", "Method"),
        Column("ev", "Expected value", EXACT),
    )
    rows = tuple(
        (
            spelled(row.worth.seen),
            row.worth.ev,
            row.gain,
            *row.hourly_cents,
            row.worth.method,
            row.worth.ev if row.worth.standard_error is None else f"standard error {row.worth.standard_error:.4%}",
        )
        for row in sheet.rows
    )
    hands = sheet.rows[0].hands_an_hour if sheet.rows else 0
    first = sharing_told(sheet)
    notes = (
        *((first,) if first else ()),
        f"Per unit of Ante under best play with the cards seen before the first decision; {hands} hands per hour."
        " Wagers are placed before any card is seen. The gain is over fair play.",
        *(f"{spelled(words)}: {reason}" for words, reason in sheet.left_out),
    )
    return Table(f"{name}-exposures", "What exposed cards are worth", columns, rows, notes=notes)


def exposure_rules_table(sheet: Vulnerability, name: str) -> Table | None:
    """Return the short rules that a cheat could remember, so that surveillance knows what they look like."""
    rows = tuple(
        (spelled(tuple(seen.split())), " ".join(lines), f"{decimal(100 * cost, 4)}%")
        for seen, lines, cost in rules_told(sheet)
    )
    columns = (Column("seen", "Seen"), Column("rule", "Rule"), Column("cost", "Costs"))
    return Table(f"{name}-exposure-rules", "Short rules to watch for", columns, rows) if rows else None


def spelled(words: tuple[str, ...]) -> str:
    """Return an exposure in words."""
    found = []
    for text in words:
        word, _, count = text.partition(":")
        many, single = NAMES[word]
        found.append(single if count == "1" else many.format(count))
    return " and ".join(found)
