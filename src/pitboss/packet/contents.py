"""The contents of a packet as values: each table's choices, rulings, figures, strategy, layout and sign."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from importlib.metadata import version

from pitboss.lab.advice import chart_of
from pitboss.lab.arguments import USUAL_STAKE_CENTS
from pitboss.lab.configuration import configuration_hash
from pitboss.lab.edges import cases
from pitboss.lab.exact_counts import MAIN, counts_of, main_wagers
from pitboss.lab.gates import Checked, checked
from pitboss.lab.vulnerability import MAXIMUM_CENTS, MINIMUM_CENTS, vulnerability
from pitboss.lab.worth import Worth, worth_of
from pitboss.packet.cells import CLAUSE, NUMBER, PERCENT, Column, Table, printed
from pitboss.packet.exposed_cards import exposure_rules_table, exposures_table
from pitboss.packet.par import Sheet, figures_of, lines_of
from pitboss.packet.posted import layout_tables, sign_tables
from pitboss.packet.progressive_figures import ProgressiveTerms, initial_meters, progressive_of
from pitboss.packet.risk_tables import bankrolls_of, gates_of, percentiles_of, signed_off, waits_of
from pitboss.packet.rulings import rulings_table
from pitboss.packet.spread import band_of, distribution_of
from pitboss.packet.strategy_pages import Decision, decisions_of
from pitboss.rules.game import GameDefinition
from pitboss.rules.in_force import RulesInForce
from pitboss.rules.payoff import Prize, dollars
from pitboss.rules.wager import Wager
from pitboss.submission.case import Case, cases_of
from pitboss.submission.check import notes
from pitboss.submission.document import Submission
from pitboss.submission.explain import explain
from pitboss.submission.printed import Printed
from pitboss.submission.printed import printed as printed_at
from pitboss.submission.table_choices import choices_of


@dataclass(frozen=True)
class Part:
    """The part of the packet about one table."""

    name: str  # begins the name of each of its tables
    table: str
    game: GameDefinition
    remarks: tuple[str, ...]  # why a table for analysis cannot be opened
    choices: Table
    rulings: Table
    glance: Table
    main: Worth
    main_title: str
    main_figures: Table
    main_sheets: tuple[Sheet, ...]
    main_notes: tuple[str, ...]
    side_sheets: tuple[Sheet, ...]
    progressive: ProgressiveTerms | None
    decisions: tuple[Decision, ...]
    strategy_cost: Fraction
    distribution: Table
    band: Table
    risk: tuple[Table, ...]  # percentiles of a session, waits for a hit, bankrolls
    gates: Table
    sign_off: Table
    posted: Printed
    areas: Table
    inscriptions: Table
    furniture: Table
    odds: tuple[Table, ...]
    limits: Table
    exposures: Table | None = None  # where asked for
    exposure_rules: Table | None = None

    def tables(self) -> Iterator[Table]:
        """Yield every table of the part, in the order of its pages."""
        yield from (self.choices, self.rulings, self.glance, self.main_figures)
        yield from (sheet.lines for sheet in self.main_sheets)
        yield self.distribution
        yield from (table for table in (self.exposures, self.exposure_rules) if table)
        for sheet in self.side_sheets:
            yield from (table for table in (sheet.figures, sheet.lines) if table)
        if self.progressive:
            yield from (self.progressive.figures, self.progressive.meters, self.progressive.funding)
            yield from (self.progressive.envy,) if self.progressive.envy else ()
        yield from (self.band, *self.risk, self.gates)
        for decision in self.decisions:
            yield from (table for table in (decision.rules, decision.hands, decision.grid) if table)
        yield from (self.areas, self.inscriptions, self.furniture, *self.odds, self.limits)


@dataclass(frozen=True)
class Packet:
    """A whole packet: the facility, its jurisdiction, and a part for each table."""

    facility: str
    jurisdiction: str
    fingerprint: str  # of the submission's file
    parts: tuple[Part, ...]

    def tables(self) -> Iterator[Table]:
        """Yield every table of the packet."""
        for part in self.parts:
            yield from part.tables()


def packet_of(
    submission: Submission,
    fingerprint: str = "",
    announce: Callable[[str], None] = lambda _: None,
    *,
    with_exposures: bool = False,
) -> Packet:
    """Return the packet of a submission without faults, if wanted with what exposed cards are worth."""
    facility = submission.facility
    parts = tuple(
        _part(submission, case, fingerprint, announce, with_exposures=with_exposures) for case in cases_of(submission)
    )
    return Packet(facility.name or "", facility.jurisdiction or "", fingerprint, parts)


def _part(
    submission: Submission, case: Case, fingerprint: str, announce: Callable[[str], None], *, with_exposures: bool
) -> Part:
    rules = RulesInForce(case.game, choices_of(case))
    table = case.table.name or ""
    name = f"{case.index + 1}-{re.sub(r'[^a-z0-9]+', '-', table.lower()).strip('-') or 'table'}"
    worths = {
        wager: _worth(case, rules, wager, announce)
        for wager in dict.fromkeys(name for name, _ in cases(case.game, rules.choices))
    }
    titles = {wager: _title(case, rules, wager) for wager in worths}
    main = worths.pop(MAIN)
    announce(f"{case.game.title}: finding the strategy")
    chart = chart_of(rules)
    posted = printed_at(submission, case.table)
    areas, inscriptions, furniture = layout_tables(posted, name)
    odds, limits = sign_tables(posted, name)
    progressive = next((wager for wager in case.offered if case.is_progressive(wager)), None)
    every = [(titles[MAIN], main), *((titles[wager], worth) for wager, worth in worths.items())]
    return Part(
        name=name,
        table=table,
        game=case.game,
        remarks=tuple(note.remark for note in notes(submission) if note.table == case.table.name),
        choices=_choices(submission, case, name),
        rulings=rulings_table(rules, _rulings(submission, case), name),
        glance=_glance(every, name),
        main=main,
        main_title=titles[MAIN],
        main_figures=figures_of(main, f"{name}-main-figures", titles[MAIN]),
        main_sheets=tuple(_main_sheets(rules, main, name)),
        main_notes=tuple(_main_notes(case)),
        side_sheets=tuple(_side_sheet(case, rules, wager, worth, name) for wager, worth in worths.items()),
        progressive=progressive_of(case, rules, progressive, f"{name}-progressive") if progressive else None,
        decisions=decisions_of(chart, f"{name}-strategy"),
        strategy_cost=chart.cost,
        distribution=distribution_of(main, f"{name}-distribution"),
        band=band_of(every, f"{name}-band"),
        risk=(
            percentiles_of(every, f"{name}-percentiles"),
            waits_of(every, f"{name}-waits"),
            bankrolls_of(every, f"{name}-bankrolls"),
        ),
        gates=gates_of(_checks(case, rules, main, titles, submission.facility.jurisdiction or ""), f"{name}-gates"),
        sign_off=signed_off(configuration_hash(rules), fingerprint, version("pitboss"), f"{name}-sign-off"),
        posted=posted,
        areas=areas,
        inscriptions=inscriptions,
        furniture=furniture,
        odds=odds,
        limits=limits,
        **(_exposures(case, rules, name, announce) if with_exposures else {}),
    )


def _exposures(case: Case, rules: RulesInForce, name: str, announce: Callable[[str], None]) -> dict[str, Table | None]:
    required = next(wager for wager in case.game.wagers if wager.required)
    least, most = case.minimum(required) or MINIMUM_CENTS, case.maximum(required) or MAXIMUM_CENTS
    sheet = vulnerability(rules, minimum_cents=least, maximum_cents=most, announce=announce)
    return {"exposures": exposures_table(sheet, name), "exposure_rules": exposure_rules_table(sheet, name)}


def _title(case: Case, rules: RulesInForce, wager: str) -> str:
    if wager != MAIN:
        return case.game.wagers_by_name[wager].title
    names = [case.game.wagers_by_name[wager].title for wager in main_wagers(rules)]
    return f"{', '.join(names[:-1])} and {names[-1]}" if len(names) > 1 else names[0]


def _worth(case: Case, rules: RulesInForce, wager: str, announce: Callable[[str], None]) -> Worth:
    announce(f"{case.game.title}: {wager}")
    if wager == MAIN:
        return worth_of(rules, MAIN)
    chosen = case.game.wagers_by_name[wager]
    meters = initial_meters(case, chosen) if case.is_progressive(chosen) else None
    return worth_of(rules, wager, stake_cents=_least_stake(case, chosen), meters=meters)


def _checks(
    case: Case, rules: RulesInForce, main: Worth, titles: Mapping[str, str], jurisdiction: str
) -> list[tuple[str, Checked]]:
    found = [(titles[MAIN], check) for check in checked(main, jurisdiction)]
    for wager, title in titles.items():
        if wager != MAIN:
            # The lowest return a player can have: meters at their resets, prizes in dollars at the highest stake.
            chosen = case.game.wagers_by_name[wager]
            stake = case.stake(chosen) if case.is_progressive(chosen) else case.maximum(chosen)
            lowest = worth_of(rules, wager, stake_cents=stake or _least_stake(case, chosen))
            found += [(title, check) for check in checked(lowest, jurisdiction)]
    return found


def _least_stake(case: Case, wager: Wager) -> int:
    return case.minimum(wager) or USUAL_STAKE_CENTS


def _choices(submission: Submission, case: Case, name: str) -> Table:
    rows = tuple(
        (line.sentence, line.clause, ", ".join(line.rulings) or None)
        for line in explain(submission)
        if line.table == case.table.name and line.where.startswith(case.place())
    )
    columns = (Column("choice", "Choice"), Column("clause", "Clause", CLAUSE), Column("rulings", "Rulings", CLAUSE))
    return Table(f"{name}-choices", "Choices", columns, rows)


def _rulings(submission: Submission, case: Case) -> frozenset[str]:
    return frozenset(
        ruling
        for line in explain(submission)
        if line.table == case.table.name and line.where.startswith(case.place())
        for ruling in line.rulings
    )


def _glance(worths: list[tuple[str, Worth]], name: str) -> Table:
    columns = (
        Column("wager", "Wager"),
        Column("paytable", "Paytable"),
        Column("house_edge", "House edge", PERCENT),
        Column("element_of_risk", "Element of risk", PERCENT),
        Column("hit_frequency", "Hit frequency", PERCENT),
        Column("average_wager", "Average wager", NUMBER),
    )
    rows = tuple(
        (title, worth.paytable, worth.house_edge, worth.element_of_risk, worth.hit_frequency, worth.average_wager)
        for title, worth in worths
    )
    return Table(f"{name}-glance", "Every wager at a glance", columns, rows)


def _main_sheets(rules: RulesInForce, main: Worth, name: str) -> Iterator[Sheet]:
    counts = counts_of(rules, MAIN)
    found = Fraction(0)
    for wager in main_wagers(rules):
        lines = lines_of(rules, wager, counts, f"{name}-par-{wager}")
        contribution = lines.totals[-1]
        assert isinstance(contribution, Fraction)
        found += contribution
        yield _sheet(rules, wager, None, lines)
    assert found == main.ev, "the wagers played together are worth what they are worth one by one"


def _side_sheet(case: Case, rules: RulesInForce, wager: str, worth: Worth, name: str) -> Sheet:
    chosen = case.game.wagers_by_name[wager]
    meters = initial_meters(case, chosen) if case.is_progressive(chosen) else None
    counts, named = counts_of(rules, wager), f"{name}-par-{wager}"
    lines = lines_of(rules, wager, counts, named, stake_cents=worth.stake_cents, meters=meters)
    assert lines.totals[-1] == worth.ev, "the lines of a sheet add up to the worth of the wager"
    figures = figures_of(worth, f"{name}-figures-{wager}", chosen.title)
    return _sheet(rules, wager, figures, lines, tuple(_stake_notes(case, rules, chosen, worth)))


def _sheet(
    rules: RulesInForce, wager: str, figures: Table | None, lines: Table, remarks: tuple[str, ...] = ()
) -> Sheet:
    chosen, table = rules.game.wagers_by_name[wager], rules.paytables.get(wager)
    return Sheet(
        wager,
        chosen.title,
        table.letter if table else None,
        table.cite if table else chosen.cite,
        figures,
        lines,
        remarks,
    )


def _stake_notes(case: Case, rules: RulesInForce, wager: Wager, worth: Worth) -> Iterator[str]:
    if case.is_progressive(wager):
        stake = dollars(worth.stake_cents)
        yield f"At a stake of {stake} with every meter at its starting amount; envy bonuses are not included."
    table, most = rules.paytables.get(wager.name), case.maximum(wager)
    if table is None or not any(isinstance(line.payoff, Prize) for line in table.lines):
        return
    least = dollars(worth.stake_cents)
    yield f"Prizes in dollars do not grow with the stake, so these figures are for the minimum stake, {least}."
    if most and most != worth.stake_cents:
        edge = worth_of(rules, wager.name, stake_cents=most).house_edge
        yield f"At the maximum stake, {dollars(most)}, the house edge is {printed(PERCENT, edge)}."


def _main_notes(case: Case) -> Iterator[str]:
    yield "Main game figures are per unit of Ante, with optimal play; of equal actions, the one that wagers more."
    for amount in case.game.money_options:
        if amount.name in case.amounts:
            limit = dollars(case.amounts[amount.name])
            yield f"The {amount.name.replace('-', ' ')} of {limit} is not included ({case.cite(amount.cites)})."
