"""Filings: the versions of each table's rules on record, the commission's approvals and the notices of changes."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from pitboss.house import entry_kinds
from pitboss.house.stream_names import FLOOR
from pitboss.record.entries import Entry
from pitboss.record.store import Store

KINDS = (entry_kinds.RULES_SUBMITTED, entry_kinds.APPROVAL_RECORDED, entry_kinds.NOTICE_POSTED)
DAY_MS = 24 * 60 * 60_000


@dataclass(frozen=True, slots=True)
class Notice:
    """A notice of a change to players, and how many days before the change it is given."""

    at: int
    by: str
    days: int

    @property
    def until(self) -> int:
        """Return when the notice period ends."""
        return self.at + self.days * DAY_MS


@dataclass(frozen=True, slots=True)
class Filing:
    """A filed version of a table's rules; filing it again updates the date."""

    table: str
    version: str
    at: int
    by: str
    document: Mapping[str, Any]
    approval: str | None = None  # the commission's reference
    notice: Notice | None = None


ByVersion = Mapping[tuple[str, str], Filing]  # by table and version


def filed(known: ByVersion, entry: Entry) -> ByVersion:
    """Return the filings after an entry of the floor's stream, the latest last."""
    if entry.kind not in KINDS:
        return known
    place = (str(entry.body["table"]), str(entry.body["version"]))
    before = known.get(place)
    if entry.kind == entry_kinds.RULES_SUBMITTED:
        approval = entry.body.get("approval") or (before.approval if before else None)
        notice = before.notice if before else None
        filing = Filing(*place, entry.at, entry.actor, entry.body["document"], approval, notice)
        return {**{other: earlier for other, earlier in known.items() if other != place}, place: filing}
    assert before is not None, "only filed rules are approved or announced"
    if entry.kind == entry_kinds.APPROVAL_RECORDED:
        return {**known, place: replace(before, approval=str(entry.body["approval"]))}
    notice = Notice(entry.at, entry.actor, int(entry.body["days"]))
    return {**known, place: replace(before, notice=notice)}


def filings_of(entries: Iterable[Entry]) -> ByVersion:
    """Return the filings made by entries of the floor's stream."""
    known: ByVersion = {}
    for entry in entries:
        known = filed(known, entry)
    return known


def filings_at(store: Store, table: str) -> list[Filing]:
    """Return what was filed for a table, newest first."""
    known = filings_of(entry for entry in store.read(FLOOR, kinds=KINDS) if entry.body["table"] == table)
    return [*reversed(tuple(known.values()))]


class Filings:
    """A floor's filings, read up to the end of its record on every request."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._known: ByVersion = {}
        self._read = 0

    def of(self, table: str, version: str) -> Filing | None:
        """Return a version filed for a table, or None."""
        self._catch_up()
        return self._known.get((table, version))

    def newest(self, table: str) -> Filing | None:
        """Return the latest filing for a table, or None."""
        self._catch_up()
        return next((filing for place, filing in reversed(tuple(self._known.items())) if place[0] == table), None)

    def every(self) -> tuple[Filing, ...]:
        """Return all filings, the latest last."""
        self._catch_up()
        return tuple(self._known.values())

    def _catch_up(self) -> None:
        for entry in self._store.read(FLOOR, self._read, KINDS):
            self._known, self._read = filed(self._known, entry), entry.sequence
