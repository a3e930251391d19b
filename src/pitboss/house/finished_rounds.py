"""The finished rounds of a table's stream, each with its final state, its events, its dealer and its times."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any, NamedTuple

from pitboss.house import entry_kinds
from pitboss.house.live_table.table_terms import ReadTerms
from pitboss.house.replay import CONDITIONS, PlayedUnder, PublishedKey, played_under, published_keys, steps_of
from pitboss.house.reports.table_facts import Followed, follow_table
from pitboss.house.stream_names import TABLES
from pitboss.record.entries import Entry, Head, entry_of, head_of, line_of
from pitboss.round.events import Event
from pitboss.round.state import Round


class FinishedRound(NamedTuple):
    """A round that is over, with the disputes about it applied."""

    round: str
    table: str
    dealer: str
    rules: str  # the version in force
    free_play: bool
    began_ms: int
    ended_ms: int
    play: Round
    events: tuple[Event, ...]


class RoundsOfTable:
    """Follows one table's stream; a round is final when the next one begins: until then a dispute may change it."""

    def __init__(self, table: str, read_terms: ReadTerms) -> None:
        self._read_terms = read_terms
        self._facts = {table: Followed(table)}
        self._conditions: list[Entry] = []  # the submission in force, and what changed since
        self._under: PlayedUnder | None = None  # of the last round
        self._is_changed = True
        self._current: list[Entry] = []
        self._begun = Followed(table)
        self._last = Head()
        self._resume = self._data()

    def add(self, entry: Entry) -> FinishedRound | None:
        """Process the next entry of the table; return the round that can't change any more, if there is one."""
        finished = None
        if entry.kind == entry_kinds.ROUND_BEGUN:
            finished = self.pending()
            self._resume = self._data()
        followed = follow_table(self._facts, entry)
        assert followed is not None, "rounds are in tables' streams"
        if entry.kind == entry_kinds.ROUND_BEGUN:
            if self._is_changed:
                self._under, self._is_changed = played_under(self._conditions, self._read_terms), False
            self._begun, self._current = replace(followed), [entry]
        elif self._current:
            self._current.append(entry)
        if entry.kind in CONDITIONS:
            if entry.kind == entry_kinds.SUBMISSION_ACTIVATED:
                self._conditions = []
            self._conditions.append(entry)
            self._is_changed = True
        self._last = head_of(entry)
        return finished

    def pending(self) -> FinishedRound | None:
        """Return the last round if it has ended; a dispute may still change it."""
        return _finished(self._current, self._under, self._begun) if self._under is not None else None

    @property
    def head(self) -> Head:
        """Return the last entry processed, from which reading goes on."""
        return self._last

    def to_data(self) -> dict[str, Any]:
        """Return where reading goes on after a restart: before the last round, which is then read again."""
        return self._resume

    @classmethod
    def from_data(cls, table: str, data: Mapping[str, Any], read_terms: ReadTerms) -> "RoundsOfTable":
        """Return the follower that `to_data` described."""
        found = cls(table, read_terms)
        found._facts[table] = Followed.from_data(data["facts"])
        found._conditions = list(map(entry_of, data["conditions"]))
        found._last = Head(*data["head"])
        found._resume = found._data()
        return found

    def _data(self) -> dict[str, Any]:
        (facts,) = self._facts.values()
        return {"head": list(self._last), "facts": facts.to_data(), "conditions": list(map(line_of, self._conditions))}


def finished_rounds(entries: Iterable[Entry], read_terms: ReadTerms) -> Iterator[FinishedRound]:
    """Yield the finished rounds of one table's whole stream, in order."""
    table: RoundsOfTable | None = None
    for entry in entries:
        table = table or RoundsOfTable(entry.stream.removeprefix(TABLES), read_terms)
        finished = table.add(entry)
        if finished is not None:
            yield finished
    last = table.pending() if table is not None else None
    if last is not None:
        yield last


def _finished(entries: list[Entry], under: PlayedUnder, begun: Followed) -> FinishedRound | None:
    ended = next((entry for entry in entries if entry.kind == entry_kinds.ROUND_ENDED), None)
    if ended is None:
        return None
    keys = published_keys(entries)
    steps = tuple(steps_of(entries, under, lambda name, key: PublishedKey(name, keys)))
    first = steps[0].entry
    return FinishedRound(
        first.body["round"],
        begun.table,
        begun.dealer,
        begun.rules,
        begun.free_play,
        first.at,
        ended.at,
        steps[-1].play,
        tuple(step.event for step in steps if step.event is not None),
    )
