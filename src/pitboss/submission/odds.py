"""Checks a table's own odds: higher than the book's where it sets minimum odds, otherwise for analysis only."""

from collections.abc import Iterator
from fractions import Fraction

from pitboss.rules.payoff import For, MeterShare, Payoff, Prize, Push, payoff
from pitboss.rules.paytable import Line
from pitboss.rules.wager import Wager
from pitboss.submission.case import Case, clause_of_paytables
from pitboss.submission.fault import Fault, Finding
from pitboss.submission.toml_keys import nearest, shown


def odds_findings(case: Case) -> Iterator[Finding]:
    """Yield what is wrong with the odds of every wager, or acceptable for analysis only."""
    for wager in case.offered:
        if case.stated(wager).odds:
            yield from _of_wager(case, wager)


def _of_wager(case: Case, wager: Wager) -> Iterator[Finding]:
    if not (wager.paytables or wager.defined_by_submission):
        reason = f"{wager.title} has no paytable to change; remove odds"
        yield case.fault(("wagers", wager.name, "odds"), reason, wager.cite)
        return
    printed = case.printed_table(wager)
    lines = {line.hand: line for line in printed.lines} if printed else {}
    known = set(lines) if printed else set(case.lines_of_own(wager))
    for hand, written in case.stated(wager).odds.items():
        path = ("wagers", wager.name, "odds", hand)
        if known and hand not in known:
            reason = f"{wager.title} has no line called {shown(hand)}; {nearest(hand, known)}"
            yield case.fault(path, reason, printed.cite if printed else wager.cite)
            continue
        pays = _payoff(written)
        if pays is None:
            reason = f'{shown(written)} is not odds; write, for example, "9 to 1", "$1,000", "10 % of meter" or "push"'
            yield case.fault(path, reason)
            continue
        yield from _wording(case, wager, path, pays)
        if hand in lines:
            yield from _against_the_book(case, wager, lines[hand], pays)
    if printed is None and wager.letters and case.stated(wager).paytable is None:
        reason = f"{wager.title} uses its own paytable instead of one from the rulebook"
        yield case.unlawful(("wagers", wager.name, "odds"), reason, clause_of_paytables(wager))


def _wording(case: Case, wager: Wager, path: tuple[str, ...], pays: Payoff) -> Iterator[Finding]:
    layout = case.game.layout
    if isinstance(pays, For) and "for" not in layout.odds_words:
        clause = case.cite(layout.odds_words_cites) or layout.odds_words_cite
        yield case.unlawful(path, f'Write odds with "to", not with "for" as in {pays}', clause)
    if isinstance(pays, MeterShare) and not case.is_progressive(wager):
        yield case.fault(path, f"{wager.title} has no meter; state odds or a dollar amount", wager.cite)


def _against_the_book(case: Case, wager: Wager, line: Line, pays: Payoff) -> Iterator[Finding]:
    path = ("wagers", wager.name, "odds", line.hand)
    if pays == line.payoff:
        return
    if not wager.minimum_odds:
        reason = f"The rulebook sets {wager.title} for {line.title} at {line.payoff}, not {pays}"
        yield case.unlawful(path, reason, line.cite)
        return
    least, worth = _worth(line.payoff), _worth(pays)
    if least is None or worth is None:
        yield case.fault(path, f"{pays} cannot be compared with {line.payoff}; state odds", line.cite)
    elif worth < least:
        reason = f"{wager.title} must pay at least {line.payoff} for {line.title}; {pays} is less"
        yield case.unlawful(path, reason, line.cite)


def _payoff(written: str) -> Payoff | None:
    try:
        return payoff(written)
    except ValueError:
        return None


def _worth(pays: Payoff) -> Fraction | None:
    if isinstance(pays, Push):
        return Fraction(0)
    if isinstance(pays, Prize | MeterShare):
        return None
    return pays.units - 1 if isinstance(pays, For) else pays.units


def own_table_faults(case: Case) -> Iterator[Fault]:
    """Yield what is missing from a wager that the submission defines: its hand, paytable or meter."""
    for wager in case.offered:
        if wager.defined_by_submission:
            yield from _undefined(case, wager)


def _undefined(case: Case, wager: Wager) -> Iterator[Fault]:
    stated, path = case.stated(wager), ("wagers", wager.name)
    hands = ", ".join(wager.hands)
    if stated.hand not in wager.hands:
        wrong = (
            f"{shown(stated.hand)} is not a hand of {wager.title}"
            if stated.hand
            else f"The hand that decides {wager.title} is missing"
        )
        yield case.fault((*path, "hand"), f"{wrong}; use one of {hands}", wager.cite)
    if not stated.odds:
        reason = f"{wager.title} has no paytable in the rulebook; state odds for each hand that pays"
        yield case.fault((*path, "odds"), reason, wager.cite)
    elif not any(isinstance(item, MeterShare) for _, item in case.readable_odds(wager)):
        reason = f'No hand of {wager.title} pays from the meter; add a share such as "100 % of meter"'
        yield case.fault((*path, "odds"), reason, wager.cite)
