"""Checks a whole submission: every fault at once, each with its place, what to do and its clause."""

import re
from collections.abc import Iterator

from pitboss.games.catalogue import game_names, unsound
from pitboss.submission.case import Case, cases_of
from pitboss.submission.document import Submission
from pitboss.submission.equipment import equipment_faults
from pitboss.submission.fault import Fault, Finding, Note, covers
from pitboss.submission.odds import odds_findings, own_table_faults
from pitboss.submission.options import option_faults
from pitboss.submission.progressive_terms import progressive_faults
from pitboss.submission.stake_limits import limit_faults
from pitboss.submission.toml_keys import nearest, shown
from pitboss.submission.wagers import wager_faults

_TABLE = re.compile(r"table\[(\d+)\]")


def check(submission: Submission) -> tuple[Fault, ...]:
    """Return every fault of the submission, in the order of the file."""
    return tuple(finding for finding in _findings(submission) if isinstance(finding, Fault))


def notes(submission: Submission) -> tuple[Note, ...]:
    """Return what is accepted only because a table is for analysis."""
    return tuple(finding for finding in _findings(submission) if isinstance(finding, Note))


def _findings(submission: Submission) -> tuple[Finding, ...]:
    # A key of the wrong type is reported once; faults that only follow from it are left out.
    misshapen = [fault.where for fault in submission.faults]
    found = dict.fromkeys(
        fault for fault in _of_rules(submission) if not any(covers(place, fault.where) for place in misshapen)
    )
    return tuple(sorted((*submission.faults, *found), key=_order))


def _order(finding: Finding) -> int:
    number = _TABLE.match(finding.where)
    return int(number[1]) if number else -1


def _of_rules(submission: Submission) -> Iterator[Finding]:
    yield from _names(submission)
    cases = tuple(cases_of(submission))
    for case in cases:
        yield from _jurisdiction(submission, case)
        yield from equipment_faults(case)
        yield from limit_faults(case)
        yield from wager_faults(case)
        yield from odds_findings(case)
        yield from own_table_faults(case)
        yield from progressive_faults(case)
        yield from option_faults(case)
    yield from _versions(cases)


def _names(submission: Submission) -> Iterator[Fault]:
    seen: set[str] = set()
    for index, table in enumerate(submission.tables):
        if table.name is not None and table.name in seen:
            reason = f"Two tables are called {shown(table.name)}; give each table its own name"
            yield Fault(table.name, f"table[{index}].name", reason, path=("table", "name"))
        seen.add(table.name or "")
        if table.game is not None and table.game in (wrong := unsound()):
            reason = f"The game's definition has errors:\n{wrong[table.game]}"
            yield Fault(table.name, f"table[{index}].game", reason, path=("table", "game"))
        elif table.game is not None and table.game not in game_names():
            reason = f"There is no game called {shown(table.game)}; {nearest(table.game, game_names())}"
            yield Fault(table.name, f"table[{index}].game", reason, path=("table", "game"))


def _jurisdiction(submission: Submission, case: Case) -> Iterator[Fault]:
    stated, rulebook = submission.facility.jurisdiction, case.game.rulebook
    if stated is not None and stated != rulebook.jurisdiction:
        reason = f"{case.game.title} is a {rulebook.jurisdiction} game; a facility in {shown(stated)} may not offer it"
        yield Fault(case.table.name, "facility.jurisdiction", reason, path=("facility", "jurisdiction"))


def _versions(cases: tuple[Case, ...]) -> Iterator[Fault]:
    first: dict[str, Case] = {}
    for case in cases:
        option = case.game.one_version_option
        if option is None:
            continue
        other = first.setdefault(case.game.name, case)
        if case.options[option] != other.options[option]:
            reason = (
                f"All {case.game.title} tables of a facility must use the same {option}; "
                f"{shown(other.table.name or 'another table')} uses {other.options[option]}"
            )
            yield case.fault(("options", option), reason, case.game.one_version_cite)
