"""Checks which wagers a table lists, what it states about each, and which paytables it chooses."""

from collections.abc import Iterator

from pitboss.rules.payoff import dollars
from pitboss.rules.wager import Wager
from pitboss.submission.case import Case, clause_of_paytables
from pitboss.submission.fault import Fault, Finding
from pitboss.submission.toml_keys import listed, nearest, shown

_LIMITS = ("minimum", "maximum", "step")
_METER_KEYS = ("rate", "initial", "reset", "envy")


def wager_faults(case: Case) -> Iterator[Finding]:
    """Yield what is wrong with the list of wagers and the letters chosen."""
    for name in case.table.wagers:
        if name not in case.game.wagers_by_name:
            reason = f"{case.game.title} has no wager called {shown(name)}; {nearest(name, case.game.wagers_by_name)}"
            yield case.fault(("wagers", name), reason)
    for wager in case.game.wagers:
        if wager.always_offered_cite and not case.is_offered(wager.name):
            offers = f"Every {case.game.title} table must offer {wager.title}"
            reason = f"{offers}, although players don't have to place it; add it"
            yield case.unlawful(("wagers", wager.name), reason, wager.always_offered_cite)
    for wager in case.offered:
        if _listed_in_vain(case, wager):
            reason = f"{wager.title} is placed by the player's action; remove it"
            yield case.fault(("wagers", wager.name), reason, wager.cite)
            continue
        yield from _conditions(case, wager)
        yield from _misplaced(case, wager)
        yield from _letter(case, wager)
        yield from _stake(case, wager)


def _listed_in_vain(case: Case, wager: Wager) -> bool:
    # An action places this wager, so there is nothing to offer; the table can only choose its letter or odds.
    return wager.by_action and wager.name in case.table.wagers and not (wager.letters or case.stated(wager).odds)


def _conditions(case: Case, wager: Wager) -> Iterator[Fault]:
    path = ("wagers", wager.name)
    for needed in wager.needs:
        if not case.is_offered(needed):
            title = case.game.wagers_by_name[needed].title
            reason = f"{wager.title} needs {title}, which is not offered; offer both or neither"
            yield case.fault(path, reason, wager.needs_cite or wager.cite)
    if wager.dealing and case.table.dealing not in (None, wager.dealing):
        reason = f"{wager.title} may be offered only with {wager.dealing} dealing; remove it"
        yield case.fault(path, reason, wager.dealing_cite or wager.cite)


def _misplaced(case: Case, wager: Wager) -> Iterator[Fault]:
    stated = case.stated(wager).stated
    for key in sorted(stated):
        reason = _why_misplaced(case, wager, key)
        if reason:
            yield case.fault(("wagers", wager.name, key), reason, wager.cite)


def _why_misplaced(case: Case, wager: Wager, key: str) -> str | None:
    if wager.by_action and key not in ("odds", "paytable"):
        return f"{wager.title} is placed by the player's action and has no {key} of its own; remove it"
    if wager.required and key in _LIMITS:
        return f"{wager.title} uses the table's {key}; move it next to the table's name"
    if key in _LIMITS and case.takes_one_stake(wager):
        return f"{wager.title} has a fixed stake; state stake instead of {key}"
    if key == "stake" and not case.takes_one_stake(wager):
        return f"{wager.title} has no fixed stake; state its minimum and maximum"
    if key in _METER_KEYS and not case.is_progressive(wager):
        return f"{wager.title} is not a progressive wager; remove {key}"
    if key == "hand" and not wager.defined_by_submission:
        return f"The rulebook sets which cards decide {wager.title}; remove hand"
    return None


def _letter(case: Case, wager: Wager) -> Iterator[Fault]:
    stated, path = case.stated(wager), ("wagers", wager.name, "paytable")
    clause = clause_of_paytables(wager)
    if stated.paytable is None:
        own = case.table.analysis and stated.odds
        if len(wager.letters) > 1 and "paytable" not in stated.stated and not own:
            reason = f"{wager.title} needs a paytable; choose {listed(wager.letters)}"
            yield case.fault(path if wager.name in case.table.wagers else path[:2], reason, clause)
    elif not wager.letters:
        yield case.fault(path, f"{wager.title} has no lettered paytables; remove the letter", clause)
    elif stated.paytable not in wager.letters:
        reason = f"{wager.title} has no paytable called {shown(stated.paytable)}; choose {listed(wager.letters)}"
        yield case.fault(path, reason, clause)


def _stake(case: Case, wager: Wager) -> Iterator[Fault]:
    stake = case.stated(wager).stake
    if stake is not None and wager.stakes_cents and stake not in wager.stakes_cents:
        allowed = listed(dollars(cents) for cents in wager.stakes_cents)
        reason = f"The stake of {wager.title} must be {allowed} for the whole table, not {dollars(stake)}"
        yield case.fault(("wagers", wager.name, "stake"), reason, wager.stakes_cite or wager.cite)
