"""Each dealer's pace and errors: hours at tables, rounds dealt, and what went wrong there."""

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any, NamedTuple

from pitboss.house import entry_kinds
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
        self._since: dict[str, tuple[str, int]] = {}  # by table: its dealer, and since when
        self.dealt: dict[tuple[str, str, int], Dealt] = {}  # by dealer, game and hour

    def add(self, entry: Entry) -> None:
        """Process the next entry of any stream."""
        facts = follow_table(self._tables, entry)
        if facts is None:
            return
        dealer, since = self._since.get(facts.table, (NOBODY, 0))
        if facts.dealer != dealer:
            if dealer != NOBODY:
                for hour, spent in _by_hour(since, entry.at):
                    self._of(dealer, facts.game, hour).at_table_ms += spent
            self._since[facts.table] = (facts.dealer, entry.at)
        if facts.dealer == NOBODY:
            return
        if entry.kind == entry_kinds.ROUND_BEGUN:
            self._of(facts.dealer, facts.game, hour_of(entry.at)).rounds += 1
        elif entry.kind in _ERRORS:
            here, name = self._of(facts.dealer, facts.game, hour_of(entry.at)), _ERRORS[entry.kind]
            setattr(here, name, getattr(here, name) + 1)

    def rows(self, now_ms: int, *, since_ms: int = 0, until_ms: int | None = None) -> tuple[PaceRow, ...]:
        """Return a line for each dealer and game, for some hours or all."""
        sums: dict[tuple[str, str], Dealt] = {}
        for (dealer, game, hour), dealt in self.dealt.items():
            if is_hour_in(hour, since_ms, until_ms):
                add_up(sums.setdefault((dealer, game), Dealt()), dealt)
        for table, (dealer, since) in self._since.items():
            still = sum(spent for hour, spent in _by_hour(since, now_ms) if is_hour_in(hour, since_ms, until_ms))
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
            "since": {table: list(since) for table, since in self._since.items()},
            "dealt": [[*key, asdict(dealt)] for key, dealt in self.dealt.items()],
        }

    def restore(self, data: Mapping[str, Any]) -> None:
        """Restore the sums from plain data."""
        self._tables = {kept[0]: Followed.from_data(kept) for kept in data["tables"]}
        self._since = {table: (who, at) for table, (who, at) in data["since"].items()}
        self.dealt = {(dealer, game, hour): Dealt(**dealt) for dealer, game, hour, dealt in data["dealt"]}

    def _of(self, dealer: str, game: str, hour: int) -> Dealt:
        return self.dealt.setdefault((dealer, game, hour), Dealt())


def _by_hour(since: int, until: int) -> Iterator[tuple[int, int]]:
    for hour in range(hour_of(since), until, HOUR_MS):
        yield hour, min(until, hour + HOUR_MS) - max(since, hour)
