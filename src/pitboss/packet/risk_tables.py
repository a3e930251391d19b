"""The tables of risk in a packet: percentiles of a session, waits for a hit, bankrolls, gates and the sign-off."""

import math
from collections.abc import Sequence
from fractions import Fraction

from pitboss.lab.gates import TOP_AWARD, Checked
from pitboss.lab.risk import HIT_SHARES, PERCENTILES, RISKS, SESSION_ROUNDS, bankroll, hit_waits, percentiles
from pitboss.lab.worth import Worth
from pitboss.packet.cells import CLAUSE, COUNT, NET, PERCENT, PROBABILITY, Cell, Column, Table, printed
from pitboss.packet.par import rounded

SIGNERS = ("Prepared by", "Checked by", "Approved by")
Rows = tuple[tuple[Cell, ...], ...]
Titled = Sequence[tuple[str, Worth]]


def percentiles_of(worths: Titled, name: str) -> Table:
    """Return the player's results of a session at each percentile, by wager and number of rounds."""
    columns = (
        Column("wager", "Wager"),
        Column("rounds", "Rounds", COUNT),
        *(Column(share.lower().replace(".", "_"), share, NET) for share in PERCENTILES),
    )
    rows: Rows = tuple(
        (title, rounds, *(rounded(Fraction(total)) for total in percentiles(worth, rounds).values()))
        for title, worth in worths
        for rounds in SESSION_ROUNDS
    )
    return Table(name, "Percentiles of a player's session, in units", columns, rows)


def waits_of(worths: Titled, name: str) -> Table:
    """Return how many rounds a win takes, by the probability that it has come by then."""
    columns = (
        Column("wager", "Wager"),
        Column("hand", "Result"),
        Column("probability", "Probability", PROBABILITY),
        Column("mean", "On average", COUNT),
        *(Column(f"within_{float(share):.0%}".rstrip("%"), f"{float(share):.0%}", COUNT) for share in HIT_SHARES),
    )
    rows: Rows = tuple(
        (title, wait.hand, wait.chance, 1 / wait.chance, *map(wait.within, HIT_SHARES))
        for title, worth in worths
        for wait in hit_waits(worth)
        if wait.chance
    )
    return Table(name, "Rounds until a hit, by probability", columns, rows)


def bankrolls_of(worths: Titled, name: str) -> Table:
    """Return, in units, the bankroll that the house has at most a stated chance of ever losing."""
    columns = (
        Column("wager", "Wager"),
        *(Column(f"risk_1_in_{1 / risk}", f"1 in {1 / risk}", COUNT) for risk in RISKS),
    )
    rows = tuple(
        (title, *(None if (units := bankroll(worth, risk)) is None else math.ceil(units) for risk in RISKS))
        for title, worth in worths
    )
    return Table(name, "Bankroll by risk of ruin, in units", columns, rows)


def gates_of(checks: Sequence[tuple[str, Checked]], name: str) -> Table:
    """Return what the jurisdiction requires of each wager, and whether the wager meets it."""
    columns = (
        Column("wager", "Wager"),
        Column("demands", "Demand"),
        Column("least", "At least"),
        Column("found", "Found"),
        Column("result", "Result"),
        Column("source", "Source", CLAUSE),
    )
    rows: Rows = tuple(
        (
            title,
            check.gate.demands,
            _shown(check, check.gate.least),
            _shown(check, check.found),
            check.result,
            check.gate.source,
        )
        for title, check in checks
    )
    notes = (
        "Returns are shares of all wagers, with meters at their resets and prizes in dollars at the maximum stake.",
        "The sources set these for electronic games; a regulator may approve a table game without them.",
    )
    return Table(name, "What the jurisdiction requires", columns, rows, notes=notes)


def _shown(check: Checked, figure: Fraction) -> str:
    if check.gate.demands == TOP_AWARD:
        return f"1 in {round(1 / figure):,}"
    return printed(PERCENT, figure)


def signed_off(configuration: str, fingerprint: str, version: str, name: str) -> Table:
    """Return the lines that people sign, under the configuration that they sign for."""
    columns = (
        Column("role", ""),
        Column("name", "Name and title"),
        Column("signature", "Signature"),
        Column("date", "Date"),
    )
    rows = tuple((role, None, None, None) for role in SIGNERS)
    notes = (
        f"Configuration SHA-256: {configuration}",
        f"Calculated by Pitboss {version}" + (f" from the submission {fingerprint}." if fingerprint else "."),
    )
    return Table(name, "Sign-off", columns, rows, notes=notes)
