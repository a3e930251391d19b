"""The spread of results: net results of one round with their probabilities, and the 95% range over many rounds."""

from collections.abc import Sequence
from fractions import Fraction

from pitboss.lab.risk import clear_rounds, house_range
from pitboss.lab.worth import Worth
from pitboss.packet.cells import COUNT, NET, PERCENT, PROBABILITY, SHARE, TEXT, Column, Table
from pitboss.packet.par import rounded

ROUNDS = (1_000, 10_000, 100_000, 1_000_000)


def distribution_of(worth: Worth, name: str) -> Table:
    """Return every net result of a round, the worst first, with the probability of it and of it or better."""
    rows = []
    left = worth.total
    for net, count in sorted(worth.distribution.items()):
        rows.append((net, count, Fraction(count, worth.total), Fraction(left, worth.total)))
        left -= count
    columns = (
        Column("net", "Net result", NET),
        Column("combinations", "Combinations", COUNT),
        Column("probability", "Probability", PROBABILITY),
        Column("or_better", "This or better", PROBABILITY),
    )
    totals = ("total", worth.total, Fraction(1), None)
    return Table(name, "Net results of one round", columns, tuple(rows), totals)


def band_of(worths: Sequence[tuple[str, Worth]], name: str) -> Table:
    """Return the range that contains the house's result per unit 95% of the time, by number of rounds."""
    columns = (
        Column("wager", "Wager", TEXT),
        Column("expected", "Edge", PERCENT),
        *(
            Column(f"{end}_{rounds}", word, SHARE, f"{rounds:,} rounds")
            for rounds in ROUNDS
            for end, word in (("low", "from"), ("high", "to"))
        ),
        Column("clear_rounds", "Ahead after", COUNT),
    )
    rows = tuple(
        (
            title,
            worth.house_edge,
            *(rounded(end) for rounds in ROUNDS for end in band_at(worth, rounds)),
            clear_rounds(worth),
        )
        for title, worth in worths
    )
    return Table(name, "95% range of the house's result per unit", columns, rows)


def band_at(worth: Worth, rounds: int) -> tuple[Fraction, Fraction]:
    """Return the ends of the 95% range of the result per unit after a number of rounds: results that are possible."""
    low, high = house_range(worth, rounds)
    return Fraction(low) / rounds, Fraction(high) / rounds
