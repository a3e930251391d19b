"""The figures of a progressive wager: value at its meters, break-even, growth, hit intervals and envy."""

from dataclasses import dataclass
from fractions import Fraction

from pitboss.lab.exact_counts import counts_of
from pitboss.lab.meters import courses
from pitboss.lab.risk import HitWait
from pitboss.lab.worth import worth_of
from pitboss.odds.outcomes import Counts
from pitboss.packet.cells import CLAUSE, COUNT, MONEY, ODDS, PERCENT, PROBABILITY, UNITS, Column, Table, one_row
from pitboss.rules.in_force import RulesInForce
from pitboss.rules.payoff import MeterShare
from pitboss.rules.wager import Wager, meter_title
from pitboss.submission.case import Case

LATE = Fraction(99, 100)


@dataclass(frozen=True, slots=True)
class ProgressiveTerms:
    """A progressive's figures besides its PAR sheet: meters, and what other players' hands are worth in envy."""

    wager: str
    title: str
    clause: str | None
    figures: Table
    meters: Table
    funding: Table
    envy: Table | None


def initial_meters(case: Case, wager: Wager) -> dict[str, int]:
    """Return the amount of each meter when the table opens."""
    return dict(case.by_meter(case.stated(wager).initial, case.meters(wager)))


def progressive_of(case: Case, rules: RulesInForce, wager: Wager, name: str) -> ProgressiveTerms:
    """Return a progressive's figures with its meters at their starting amounts."""
    initial, stake = initial_meters(case, wager), case.stake(wager)
    reset = dict(case.by_meter(case.stated(wager).reset, case.meters(wager)))
    at_start = worth_of(rules, wager.name, stake_cents=stake, meters=initial)
    at_reset = worth_of(rules, wager.name, stake_cents=stake, meters=reset)
    top = next(iter(initial))
    rate = sum((Fraction(rate) for rate in case.rates(wager).values()), Fraction(0))
    figures = one_row(
        f"{name}-figures",
        f"{wager.title} at the meters' starting amounts",
        {
            Column("stake", "Stake", MONEY): stake,
            Column("edge_at_initial", "Edge at start", PERCENT): at_start.house_edge,
            Column("edge_at_reset", "Edge at reset", PERCENT): at_reset.house_edge,
            Column("break_even_meter", f"Break-even, {meter_title(top)}", MONEY): at_start.break_even_meter,
            Column("rate", "Share of stake to meters", PERCENT): rate,
        },
    )
    meters = _meters(case, rules, wager, f"{name}-meters")
    progressive = case.game.progressive
    clause = progressive.rate_cite if progressive else wager.cite
    envy = _envy(case, rules, wager, f"{name}-envy")
    funding = _funding(case, rules, wager, f"{name}-funding")
    return ProgressiveTerms(wager.name, wager.title, clause, figures, meters, funding, envy)


def _meters(case: Case, rules: RulesInForce, wager: Wager, name: str) -> Table:
    stated, stake, rates = case.stated(wager), case.stake(wager), case.rates(wager)
    initial, reset = initial_meters(case, wager), case.by_meter(stated.reset, case.meters(wager))
    counts = counts_of(rules, wager.name)
    rows = []
    for meter in case.meters(wager):
        rate = Fraction(rates[meter.name])
        for percent, chance in sorted(_hits(rules, wager, counts, meter.name).items(), reverse=True):
            rows.append(
                (
                    meter.name,
                    f"{percent}%",
                    initial[meter.name],
                    reset[meter.name],
                    rate,
                    rate * stake,
                    chance,
                    1 / chance,
                    1 / (chance * case.positions),
                    meter.cite,
                )
            )
    columns = (
        Column("meter", "Meter"),
        Column("pays", "Pays", ODDS),
        Column("initial", "Starts at", MONEY),
        Column("reset", "Resets to", MONEY),
        Column("rate", "Rate", PERCENT),
        Column("growth", "Growth per wager", MONEY),
        Column("probability", "Probability", PROBABILITY),
        Column("interval", "Wagers per hit", COUNT),
        Column("interval_full_table", "Rounds per hit", COUNT),
        Column("clause", "Clause", CLAUSE),
    )
    return Table(name, "Meters", columns, tuple(rows))


def _funding(case: Case, rules: RulesInForce, wager: Wager, name: str) -> Table:
    # What pays a meter's hits in the long run, and what the house owes while it grows.
    initial, stake = initial_meters(case, wager), case.stake(wager)
    rates = {meter: Fraction(rate) for meter, rate in case.rates(wager).items()}
    rows = []
    for course in courses(rules, wager.name, counts_of(rules, wager.name), rates, stake_cents=stake):
        seed = course.reset_cents * course.whole_hit / stake
        late = HitWait(course.name, course.whole_hit).within(LATE) if course.whole_hit else None
        rows.append(
            (
                course.name,
                course.rate,
                seed,
                course.rate + seed,
                initial[course.name],
                initial[course.name] - course.reset_cents,
                course.mean_cents_at_hit,
                None if late is None else course.reset_cents + round(course.growth_cents * late),
            )
        )
    columns = (
        Column("meter", "Meter"),
        Column("contribution", "From wagers", PERCENT),
        Column("seed", "From the house", PERCENT),
        Column("funding", "Together", PERCENT),
        Column("liability", "Owed at start", MONEY),
        Column("above_reset", "Above reset", MONEY),
        Column("mean_at_hit", "Mean at a hit", MONEY),
        Column("late", "99% hit by", MONEY),
    )
    notes = (
        "Shares are parts of the stake: what each wager adds, and what the house adds in the long run to restart meters"
        " at their reset amounts. What a meter shows is owed to the players.",
    )
    return Table(name, "Funding and liability", columns, tuple(rows), notes=notes)


def _hits(rules: RulesInForce, wager: Wager, counts: Counts, meter: str) -> dict[int, Fraction]:
    # The chance of a hit by the percentage of the meter it pays: two hands may share a full payment.
    found: dict[int, Fraction] = {}
    for outcome in counts.outcomes:
        pays = rules.adjudicate(wager.name, outcome.facts, dict(outcome.cells).get(wager.name)).payoff
        if isinstance(pays, MeterShare) and pays.meter == meter:
            found[pays.percent] = found.get(pays.percent, Fraction(0)) + Fraction(outcome.count, counts.total)
    return found


def _envy(case: Case, rules: RulesInForce, wager: Wager, name: str) -> Table | None:
    progressive = case.game.progressive
    if progressive is None or not progressive.envy_cents:
        return None
    rows = []
    stake, meters = case.stake(wager), initial_meters(case, wager)
    for others in range(case.positions):
        worth = worth_of(rules, wager.name, stake_cents=stake, meters=meters, others=others)
        rows.append((others, worth.envy, worth.house_edge, worth.break_even_meter))
    columns = (
        Column("others", "Other players", COUNT),
        Column("envy", "Envy value per unit", UNITS),
        Column("house_edge", "House edge", PERCENT),
        Column("break_even_meter", "Break-even meter", MONEY),
    )
    note = f"Each other player's hand adds the same amount, so envy grows with the number of players ({_cited(case)})."
    return Table(name, "Envy bonuses", columns, tuple(rows), notes=(note,))


def _cited(case: Case) -> str:
    assert case.game.progressive is not None
    return case.game.progressive.envy_cite
