"""The finished rounds of a table's stream, each with its final state, its events, its dealer and its times."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import NamedTuple

from pitboss.house import entry_kinds
from pitboss.house.live_table.table_terms import ReadTerms
from pitboss.house.replay import CONDITIONS, PlayedUnder, PublishedKey, played_under, published_keys, steps_of
from pitboss.house.reports.table_facts import Followed, follow_table
from pitboss.record.entries import Entry
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


def finished_rounds(entries: Iterable[Entry], read_terms: ReadTerms) -> Iterator[FinishedRound]:
    """Yield the finished rounds of one table's whole stream, in order."""
    facts: dict[str, Followed] = {}
    conditions: list[Entry] = []  # the submission in force, and what changed since
    under: PlayedUnder | None = None
    is_changed = True
    current: list[Entry] = []
    begun = Followed("")
    for entry in entries:
        followed = follow_table(facts, entry)
        if entry.kind == entry_kinds.ROUND_BEGUN:
            if current and under is not None:
                yield from _finished(current, under, begun)
            assert followed is not None, "rounds are in tables' streams"
            if is_changed:
                under, is_changed = played_under(conditions, read_terms), False
            begun, current = replace(followed), [entry]
        elif current:
            current.append(entry)
        if entry.kind in CONDITIONS:
            if entry.kind == entry_kinds.SUBMISSION_ACTIVATED:
                conditions = []
            conditions.append(entry)
            is_changed = True
    if current and under is not None:
        yield from _finished(current, under, begun)


def _finished(entries: list[Entry], under: PlayedUnder, begun: Followed) -> Iterator[FinishedRound]:
    ended = next((entry for entry in entries if entry.kind == entry_kinds.ROUND_ENDED), None)
    if ended is None:
        return
    keys = published_keys(entries)
    steps = tuple(steps_of(entries, under, lambda name, key: PublishedKey(name, keys)))
    first = steps[0].entry
    yield FinishedRound(
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
