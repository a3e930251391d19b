"""What a table's layout and sign must show, as data: areas, inscriptions, odds, limits and equipment."""

from collections.abc import Iterator
from dataclasses import asdict, dataclass

from pitboss.rules.in_force import RulesInForce
from pitboss.rules.payoff import For, Payoff, To, dollars
from pitboss.rules.paytable import Paytable
from pitboss.rules.settlement import LOSE, PUSH
from pitboss.rules.wager import Wager
from pitboss.submission.case import Case, case_of
from pitboss.submission.document import Submission, SubmittedTable
from pitboss.submission.table_choices import choices_of


@dataclass(frozen=True, slots=True)
class PrintedArea:
    """A betting area of each seat, or one place of the table."""

    name: str
    title: str
    each_seat: bool
    where: str
    clause: str
    after_equals: bool = False

    @property
    def inscribed_name(self) -> str:
        """Return what is printed in it, without the sign before it."""
        return self.title.removeprefix("= ") if self.after_equals else self.title


@dataclass(frozen=True, slots=True)
class PrintedText:
    """A sentence to print, and other wordings that are allowed."""

    text: str
    alternative: str
    clause: str


@dataclass(frozen=True, slots=True)
class PrintedLine:
    """A hand, what it pays and the clause that says so."""

    hand: str
    pays: str
    clause: str | None


@dataclass(frozen=True, slots=True)
class PrintedOdds:
    """Everything one wager pays."""

    wager: str
    title: str
    paytable: str | None
    lines: tuple[PrintedLine, ...]
    clause: str | None


@dataclass(frozen=True, slots=True)
class PrintedLimits:
    """The minimum and maximum of one wager, in cents; equal if the stake is fixed."""

    wager: str
    title: str
    minimum: int | None
    maximum: int | None
    clause: str


@dataclass(frozen=True, slots=True)
class PrintedFurniture:
    """A piece of furniture the table must have, and the clause that allows it elsewhere."""

    name: str
    clause: str
    elsewhere_clause: str | None


@dataclass(frozen=True, slots=True)
class Printed:
    """One table's layout and sign."""

    facility: str
    table: str
    game: str
    positions: int
    areas: tuple[PrintedArea, ...]
    inscriptions: tuple[PrintedText, ...]
    odds: tuple[PrintedOdds, ...]
    limits: tuple[PrintedLimits, ...]
    furniture: tuple[PrintedFurniture, ...]
    odds_clause: str
    odds_words: tuple[str, ...]
    odds_words_clause: str | None
    submitted_clause: str | None
    sign_clause: str | None

    def as_dict(self) -> dict[str, object]:
        """Return the whole layout as plain data."""
        return asdict(self)


def printed(submission: Submission, table: SubmittedTable) -> Printed:
    """Return the layout and the sign of a table that checked without a fault."""
    case = case_of(table)
    assert case is not None, "only a table whose game is known is printed"
    layout = case.game.layout
    return Printed(
        facility=submission.facility.name or "",
        table=table.name or "",
        game=case.game.title,
        positions=case.positions,
        areas=tuple(
            PrintedArea(area.name, area.inscription, area.each_seat, area.where, area.cite, area.after_equals)
            for area in layout.areas
            if case.holds(area.if_offered)
        ),
        inscriptions=tuple(_inscriptions(submission, case)),
        odds=tuple(_odds(case)),
        limits=tuple(
            PrintedLimits(wager.name, wager.title, case.minimum(wager), case.maximum(wager), wager.cite)
            for wager in case.offered
            if not wager.by_action
        ),
        furniture=tuple(
            PrintedFurniture(piece.name, piece.cite, piece.elsewhere_cite)
            for piece in layout.furniture
            if case.holds(piece.if_offered) and piece.dealing in (None, table.dealing)
        ),
        odds_clause=case.cite(layout.odds_cites) or "",
        odds_words=layout.odds_words,
        odds_words_clause=case.cite(layout.odds_words_cites) or layout.odds_words_cite,
        submitted_clause=layout.submitted_cite,
        sign_clause=layout.sign_cite,
    )


def _inscriptions(submission: Submission, case: Case) -> Iterator[PrintedText]:
    amounts = {name: dollars(cents) for name, cents in case.amounts.items()}
    filled = {**case.options, **amounts, "facility": submission.facility.name or ""}
    for inscription in case.game.layout.inscriptions:
        if case.holds(inscription.when) and case.holds(inscription.also):
            yield PrintedText(
                inscription.text.format_map(filled), inscription.alternative.format_map(filled), inscription.cite
            )


def _odds(case: Case) -> Iterator[PrintedOdds]:
    rules = RulesInForce(case.game, choices_of(case))
    for wager in case.offered:
        table = rules.paytables.get(wager.name)
        if table is not None:
            yield PrintedOdds(wager.name, wager.title, table.letter, tuple(_lines(case, wager, table)), table.cite)
        else:
            lines = tuple(_fixed_lines(case, wager))
            yield PrintedOdds(wager.name, wager.title, None, lines, lines[0].clause if lines else wager.cite)
        if case.is_progressive(wager):
            yield from _envy(case, wager)


def _lines(case: Case, wager: Wager, table: Paytable) -> Iterator[PrintedLine]:
    for line in table.lines:
        paid = [cell for cell in line.cells if _is_paid(case, wager, cell)]
        if paid:
            hand = line.title if len(paid) == len(line.cells) else ", ".join(paid).replace("-", " ")
            yield PrintedLine(hand, _worded(case, line.payoff), line.cite)


def _is_paid(case: Case, wager: Wager, cell: str) -> bool:
    # A settlement row or an option may exclude a hand from a line; the sign must not promise it.
    for row in case.game.settlement[wager.name]:
        facts = {fact for fact in row.facts if not (_is_option(fact) and case.holds(fact))}
        if facts <= {cell}:
            return row.then not in (LOSE, PUSH)
    return True


def _is_option(fact: str) -> bool:
    return "=" in fact


def _fixed_lines(case: Case, wager: Wager) -> Iterator[PrintedLine]:
    rows = (row for row in case.game.settlement[wager.name] if row.odds is not None)
    found = {
        (row.odds, row.odds_cite): None
        for row in rows
        if all(case.holds(fact) for fact in row.facts if _is_option(fact))
    }
    for odds, clause in found:
        assert odds is not None
        yield PrintedLine("winning hand", _worded(case, odds), clause)


def _envy(case: Case, wager: Wager) -> Iterator[PrintedOdds]:
    progressive, letter = case.game.progressive, case.stated(wager).envy
    if progressive is None or letter is None:
        return
    amounts = progressive.envy_cents[case.stake(wager)][letter]
    lines = tuple(PrintedLine(cell.replace("-", " "), dollars(cents), cite) for cell, (cents, cite) in amounts.items())
    yield PrintedOdds(wager.name, "Envy Bonus", letter, lines, progressive.envy_cite)


def _worded(case: Case, pays: Payoff) -> str:
    # If a rulebook forbids the word "for", the same payment is stated without the returned stake.
    if isinstance(pays, For) and "for" not in case.game.layout.odds_words:
        return str(To(pays.win - pays.per, pays.per))
    return str(pays)
