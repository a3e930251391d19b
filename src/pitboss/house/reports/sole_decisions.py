"""Decisions that one person made alone: rulings, forfeits, answers for absent players, declined reports and voids."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from pitboss.house import entry_kinds
from pitboss.house.people.people_entries import STREAM as PEOPLE
from pitboss.house.stream_names import TABLES
from pitboss.record.entries import Entry
from pitboss.rules.irregularity import SETTLE_ONLY
from pitboss.rules.plain import plain
from pitboss.table.people import AUTOMATON

FORFEIT, ABSENT, RULING, DECLINED, VOID = "forfeit", "answer for an absent player", "ruling", "declined report", "void"


_REQUEST = "request for a second person"


class Sole(NamedTuple):
    """A decision, who made it, and what it led to."""

    at: int
    table: str
    sequence: int
    person: str
    role: str
    what: str
    outcome: str
    clause: str


class SoleBy(NamedTuple):
    """How often a person decided something alone."""

    person: str
    what: str
    outcome: str
    times: int


class SoleDecisions:
    """Follows the tables' streams; a decision that a second person confirmed isn't one person's."""

    def __init__(self) -> None:
        self.found: list[Sole] = []
        self._confirmed: dict[str, str] = {}  # by stream: the last command that confirmed a proposal
        self._proposed: dict[str, str] = {}  # by proposal: who made it

    def add(self, entry: Entry) -> None:
        """Process the next entry of any stream."""
        if not entry.stream.startswith((TABLES, PEOPLE)):
            return
        if entry.kind in (entry_kinds.PROPOSED, entry_kinds.PEOPLE_PROPOSED):
            self._proposed[entry.body["proposal"]] = entry.actor
            return
        if entry.kind in (entry_kinds.CONFIRMED, entry_kinds.PEOPLE_CONFIRMED):
            self._confirmed[entry.stream] = entry.command
            self._proposed.pop(entry.body["proposal"], None)
            return
        said = _said(entry, self._proposed)
        if said is None or self._confirmed.get(entry.stream) == entry.command or entry.role == AUTOMATON:
            return
        table = entry.stream.removeprefix(TABLES) if entry.stream.startswith(TABLES) else ""
        what, outcome = said
        place = (entry.at, table, entry.sequence)
        if entry.kind == entry_kinds.INCIDENT_ANSWERED and self.found and self.found[-1].outcome == _REQUEST:
            last = self.found[-1]
            if (last.table, last.sequence) == (table, entry.sequence - 1):
                self.found.pop()  # the report's own request went with it
        self.found.append(Sole(*place, entry.actor, entry.role, what, outcome, entry.clause or ""))

    def by_person(self, *, since_ms: int = 0, until_ms: int | None = None) -> tuple[SoleBy, ...]:
        """Return how often each person made which decision alone."""
        counts: dict[tuple[str, str, str], int] = {}
        for sole in self.rows(since_ms=since_ms, until_ms=until_ms):
            key = (sole.person, sole.what, sole.outcome)
            counts[key] = counts.get(key, 0) + 1
        return tuple(SoleBy(*key, count) for key, count in sorted(counts.items()))

    def rows(self, *, since_ms: int = 0, until_ms: int | None = None) -> tuple[Sole, ...]:
        """Return the decisions, newest first."""
        return tuple(
            sole
            for sole in sorted(self.found, reverse=True)
            if since_ms <= sole.at and (until_ms is None or sole.at < until_ms)
        )

    def to_data(self) -> dict[str, Any]:
        """Return the decisions as plain data."""
        kept = {"confirmed": dict(self._confirmed), "proposed": dict(self._proposed)}
        return {"found": [plain(sole) for sole in self.found], **kept}

    def restore(self, data: Mapping[str, Any]) -> None:
        """Restore the decisions from plain data."""
        self.found = [Sole(**sole) for sole in data["found"]]
        self._confirmed, self._proposed = dict(data["confirmed"]), dict(data["proposed"])


def _said(entry: Entry, proposed: dict[str, str]) -> tuple[str, str] | None:
    body = entry.body
    match entry.kind:
        case entry_kinds.IRREGULARITY_RULED:
            remedy = str(body["remedy"])
            what = {FORFEIT: FORFEIT, VOID: VOID, SETTLE_ONLY: VOID}.get(remedy, RULING)
            return what, f"{body['irregularity']}: {remedy}"
        case entry_kinds.WRONG_COUNT_RULED:
            return RULING, str(body["irregularity"])
        case entry_kinds.ACTION_TAKEN if body.get("absent"):
            return ABSENT, str(body["action"])
        case entry_kinds.INCIDENT_ANSWERED if body["outcome"] == "declined" and body["second"] is None:
            return DECLINED, str(body["irregularity"])
        case entry_kinds.DECLINED | entry_kinds.PEOPLE_DECLINED if not body.get("has_lapsed"):
            maker = proposed.pop(body["proposal"], "")
            return None if maker == entry.actor or body.get("by", entry.actor) != entry.actor else (DECLINED, _REQUEST)
    return None
