"""Each dealer's pace and errors: hours at tables, rounds dealt, and what went wrong there.

A dealer is at a table while their lease of it runs. A lease that nobody uses ends by itself, without an entry.
"""

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any, NamedTuple

from pitboss.house import entry_kinds
from pitboss.house.people.leases import LEASE_MS
from pitboss.house.reports.table_facts import HOUR_MS, NOBODY, Followed, add_up, follow_table, hour_of, is_hour_in
from pitboss.record.entries import Entry


@dataclass(slots=True)
class Dealt:
    """What one dealer did at one game in an hour, or in all the hours asked for."""

    rounds: int = 0
    at_table_ms: int = 0
    misreads: int = 0
    wrong_counts: int = 0
    irregularities: int = 0
    voids: int = 0


class AtTable(NamedTuple):
    """Who deals at a table, since when, and until when their lease of it runs."""

    dealer: str
    since: int
    until: int


class PaceRow(NamedTuple):
    """A line of the report."""

    dealer: str
    game: str
    minutes: int
    rounds: int
    rounds_per_hour: int
    misreads: int
    wrong_counts: int
    irregularities: int
    voids: int
    errors_per_1000_rounds: int


_ERRORS = {
    entry_kinds.READ_CORRECTED: "misreads",
    entry_kinds.WRONG_COUNT_RULED: "wrong_counts",
    entry_kinds.IRREGULARITY_REPORTED: "irregularities",
    entry_kinds.ROUND_VOIDED: "voids",
}


class DealerPace:
    """Follows the tables' streams."""

    def __init__(self) -> None:
        self._tables: dict[str, Followed] = {}
        self._since: dict[str, AtTable] = {}  # by table
        self.dealt: dict[tuple[str, str, int], Dealt] = {}  # by dealer, game and hour

    def add(self, entry: Entry) -> None:
        """Process the next entry of any stream."""
        facts = follow_table(self._tables, entry)
        if facts is None:
            return
        here = self._since.get(facts.table, AtTable(NOBODY, 0, 0))
        if entry.kind == entry_kinds.LEASE_TAKEN or facts.dealer != here.dealer:
            if here.dealer != NOBODY:
                for hour, spent in _by_hour(here.since, min(entry.at, here.until)):
                    self._of(here.dealer, facts.game, hour).at_table_ms += spent
            self._since[facts.table] = AtTable(facts.dealer, entry.at, entry.at + LEASE_MS)
        elif entry.actor == here.dealer and entry.at + LEASE_MS > here.until:  # whatever its holder does extends it
            self._since[facts.table] = here._replace(until=entry.at + LEASE_MS)
        if facts.dealer == NOBODY:
            return
        if entry.kind == entry_kinds.ROUND_BEGUN:
            self._of(facts.dealer, facts.game, hour_of(entry.at)).rounds += 1
        elif entry.kind in _ERRORS:
            dealt, name = self._of(facts.dealer, facts.game, hour_of(entry.at)), _ERRORS[entry.kind]
            setattr(dealt, name, getattr(dealt, name) + 1)

    def rows(self, now_ms: int, *, since_ms: int = 0, until_ms: int | None = None) -> tuple[PaceRow, ...]:
        """Return a line for each dealer and game, for some hours or all."""
        sums: dict[tuple[str, str], Dealt] = {}
        for (dealer, game, hour), dealt in self.dealt.items():
            if is_hour_in(hour, since_ms, until_ms):
                add_up(sums.setdefault((dealer, game), Dealt()), dealt)
        for table, (dealer, since, until) in self._since.items():
            hours = _by_hour(since, min(now_ms, until))
            still = sum(spent for hour, spent in hours if is_hour_in(hour, since_ms, until_ms))
            if dealer != NOBODY and still:
                sums.setdefault((dealer, self._tables[table].game), Dealt()).at_table_ms += still
        lines = []
        for (dealer, game), dealt in sorted(sums.items()):
            worked = dealt.at_table_ms
            errors = dealt.misreads + dealt.wrong_counts + dealt.irregularities
            lines.append(
                PaceRow(
                    *(dealer, game, worked // 60_000, dealt.rounds, dealt.rounds * HOUR_MS // max(worked, 1)),
                    *(dealt.misreads, dealt.wrong_counts, dealt.irregularities, dealt.voids),
                    errors * 1000 // dealt.rounds if dealt.rounds else 0,
                )
            )
        return tuple(lines)

    def to_data(self) -> dict[str, Any]:
        """Return the sums as plain data."""
        return {
            "tables": [followed.to_data() for followed in self._tables.values()],
            "since": {table: list(here) for table, here in self._since.items()},
            "dealt": [[*key, asdict(dealt)] for key, dealt in self.dealt.items()],
        }

    def restore(self, data: Mapping[str, Any]) -> None:
        """Restore the sums from plain data."""
        self._tables = {kept[0]: Followed.from_data(kept) for kept in data["tables"]}
        self._since = {table: AtTable(*kept) for table, kept in data["since"].items()}
        self.dealt = {(dealer, game, hour): Dealt(**dealt) for dealer, game, hour, dealt in data["dealt"]}

    def _of(self, dealer: str, game: str, hour: int) -> Dealt:
        return self.dealt.setdefault((dealer, game, hour), Dealt())


def _by_hour(since: int, until: int) -> Iterator[tuple[int, int]]:
    for hour in range(hour_of(since), until, HOUR_MS):
        yield hour, min(until, hour + HOUR_MS) - max(since, hour)
