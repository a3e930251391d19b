"""Reads table documents from the record into the terms a table runs by."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from pitboss.house.live_table.table_terms import Pace, PayoutLimits, TableTerms, UnsoundDocument
from pitboss.house.people.house_rules import SUBMISSIONS
from pitboss.house.progressive import MeterTerms
from pitboss.rules.plain import made
from pitboss.rules.refusal import Refusal
from pitboss.submission.case import Case, case_of
from pitboss.submission.check import check
from pitboss.submission.document import Submission, SubmittedTable
from pitboss.submission.fault import Fault
from pitboss.submission.read import submission_from
from pitboss.submission.table_choices import settings_for
from pitboss.table.settings import READER

HOUSE, PEOPLE = "house", "people"
ENTRIES_MOST = 1_000  # of a document: everything a rulebook offers fits in a third of it


def document_of(
    facility: Mapping[str, Any],
    table: Mapping[str, Any],
    *,
    dealer: str = PEOPLE,
    progressive: str | None = None,
    pace: Mapping[str, int] | None = None,
) -> dict[str, Any]:
    """Return the document of one table: the submission, who deals, and which meters it uses."""
    document = {"facility": dict(facility), "table": dict(table), "dealer": dealer, "progressive": progressive}
    return document if pace is None else {**document, "pace": dict(pace)}


def read_terms(document: Mapping[str, Any]) -> TableTerms:
    """Return a document's terms, with the reasons a table would refuse them; raise UnsoundDocument if unreadable."""
    # A record may hold rules that an older check accepted; they are read, and only new ones are refused.
    submission = _read(document)
    faults = check(submission)
    table = submission.tables[0]
    case = case_of(table)
    if submission.faults or case is None:
        raise UnsoundDocument("; ".join(map(str, faults)))
    dealer = document.get("dealer", PEOPLE)
    if dealer not in (HOUSE, PEOPLE):
        raise UnsoundDocument(f"dealer must be {HOUSE!r} or {PEOPLE!r}, not {dealer!r}.")
    if dealer == HOUSE and not table.free_play:
        raise UnsoundDocument("Only a free-play table can deal by itself. Set free-play = true in the submission.")
    settings = replace(settings_for(table), self_dealing=dealer == HOUSE)
    if dealer == HOUSE and settings.cards == READER:
        raise UnsoundDocument("A table that deals by itself can't use physical cards, which need a dealer.")
    progressive = document.get("progressive")
    if progressive is not None and not isinstance(progressive, str):
        raise UnsoundDocument("The name of a progressive must be text.")
    return TableTerms(
        document,
        settings,
        progressive,
        made(Pace, document.get("pace", {})),
        submission.facility.name or "",
        table.analysis,
        () if faults else _meters(case),
        _refusal(document, table, faults),
        made(PayoutLimits, document.get("verification", {})),
    )


def _refusal(document: Mapping[str, Any], table: SubmittedTable, faults: tuple[Fault, ...]) -> Refusal | None:
    if faults:
        clause = next((fault.clause for fault in faults if fault.clause), SUBMISSIONS)
        return Refusal("; ".join(map(str, faults)), clause, "document")
    if not table.analysis:
        return None
    if not table.free_play:
        reason = "These rules are for analysis only, so no table can run them. Submit rules without analysis = true"
        return Refusal(reason, SUBMISSIONS, "document")
    if document.get("analysis") is not True:
        reason = (
            'These rules are for analysis only. To run them for free play, set "analysis": true next to the table. '
            "Every view of the table will then show that"
        )
        return Refusal(reason, SUBMISSIONS, "document")
    return None


def check_size(document: Mapping[str, Any]) -> None:
    """Raise UnsoundDocument if a document is larger than any table needs, before it is parsed."""
    if _entries(document) > ENTRIES_MOST:
        raise UnsoundDocument(f"This document is too large. It can have at most {ENTRIES_MOST:,} entries.")


def _entries(value: Any) -> int:
    if not isinstance(value, Mapping | list):
        return 1
    return 1 + sum(map(_entries, value.values() if isinstance(value, Mapping) else value))


def submitted(document: Mapping[str, Any]) -> SubmittedTable:
    """Return the table a document submits, or raise UnsoundDocument with its faults."""
    submission = _read(document)
    faults = check(submission)
    if faults:
        raise UnsoundDocument("; ".join(map(str, faults)))
    return submission.tables[0]


def _read(document: Mapping[str, Any]) -> Submission:
    check_size(document)
    return submission_from({"facility": document.get("facility"), "table": [document.get("table")]})


def meters_of(document: Mapping[str, Any]) -> tuple[MeterTerms, ...]:
    """Return the meters of a document's progressive wager, as the document states them."""
    case = case_of(submitted(document))
    assert case is not None, "a document without faults names a game that exists"
    return _meters(case)


def _meters(case: Case) -> tuple[MeterTerms, ...]:
    return tuple(
        MeterTerms(kind.name, start_cents, reset_cents, rate, kind.cite)
        for kind, start_cents, reset_cents, rate in case.stated_meters()
    )
