"""Searches the record for rounds, newest first, and sums each one up."""

import heapq
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from pitboss.house import entry_kinds
from pitboss.house.stream_names import stream_of
from pitboss.record.entries import Body, Entry, entry_of
from pitboss.record.evidence import TABLES
from pitboss.record.store import Store

_TOLD = frozenset(
    {
        entry_kinds.ROUND_BEGUN,
        entry_kinds.ROUND_ENDED,
        entry_kinds.WAGERS_PLACED,
        entry_kinds.WAGERS_WITHDRAWN,
        entry_kinds.WAGER_RETURNED,
        entry_kinds.ACTION_TAKEN,
        entry_kinds.WAGERS_SETTLED,
        entry_kinds.WAGERS_REVERSED,
        entry_kinds.ENVY_PAID,
    }
)
WINDOW = 4_000  # entries read at once, going back
SCANNED_MOST = 120_000  # entries examined for one answer


@dataclass(slots=True)
class Summary:
    """A round as a list shows it."""

    round: str
    table: str
    number: int
    at: int
    sequence: int
    rules: str | None
    players: dict[int, str] = field(default_factory=dict)
    stakes: dict[int, dict[str, int]] = field(default_factory=dict)
    nets: dict[int, int] = field(default_factory=dict)
    outcome: str | None = None
    ended_at: int | None = None

    @property
    def staked_cents(self) -> int:
        """Return the total staked by all seats."""
        return sum(sum(stake.values()) for stake in self.stakes.values())

    @property
    def net_cents(self) -> int:
        """Return the players' total gain, negative for a loss."""
        return sum(self.nets.values())

    def take(self, entry: Entry) -> None:
        """Add what an entry of the round says."""
        body = entry.body
        seat: int = body.get("seat", 0)
        if entry.kind == entry_kinds.WAGERS_PLACED:
            self.players[seat] = body["player"]
            self.stakes[seat] = dict(body["stakes"])
        elif entry.kind == entry_kinds.WAGERS_WITHDRAWN:
            self.players.pop(seat, None)
            self.stakes.pop(seat, None)
        elif entry.kind == entry_kinds.WAGER_RETURNED:
            self.stakes.get(seat, {}).pop(body["wager"], None)
        elif entry.kind == entry_kinds.ACTION_TAKEN and body["wager"]:
            self.stakes.setdefault(seat, {})[body["wager"]] = body["stake"]
        elif entry.kind in (entry_kinds.WAGERS_SETTLED, entry_kinds.WAGERS_REVERSED):
            sign = 1 if entry.kind == entry_kinds.WAGERS_SETTLED else -1
            net = sum(result["net"] for result in body["results"]) + body.get("envy", 0)
            self.nets[seat] = self.nets.get(seat, 0) + sign * net
        elif entry.kind == entry_kinds.ENVY_PAID:
            self.nets[seat] = self.nets.get(seat, 0) + body["net"]
        elif entry.kind == entry_kinds.ROUND_ENDED:
            self.outcome, self.ended_at = body["outcome"], entry.at


class Wanted(NamedTuple):
    """Search criteria for rounds; None means any."""

    table: str | None = None
    since: int | None = None
    until: int | None = None
    player: str | None = None
    outcome: str | None = None
    before: tuple[int, str] | None = None  # the last round of the previous page

    def is_past(self, summary: Summary) -> bool:
        """Return whether a round comes after the previous page, newest first."""
        return self.before is None or (-summary.at, summary.round) > (-self.before[0], self.before[1])

    def fits(self, summary: Summary) -> bool:
        """Return whether a round meets the criteria."""
        return (
            (self.since is None or summary.at >= self.since)
            and (self.until is None or summary.at <= self.until)
            and (self.player is None or self.player in summary.players.values())
            and (self.outcome is None or summary.outcome == self.outcome)
        )


class Found(NamedTuple):
    """A page of rounds, newest first, and where the next page begins, if there may be one."""

    rounds: tuple[Summary, ...]
    next: tuple[int, str] | None


def search(store: Store, wanted: Wanted, most: int, scanned_most: int = SCANNED_MOST) -> Found:
    """Return the newest rounds that meet the criteria; a search that takes too long stops and can be resumed."""
    tables = [stream for stream in store.heads() if stream.startswith(TABLES)]
    if wanted.table is not None:
        tables = [stream for stream in tables if stream == stream_of(wanted.table)]
    scanned = _Scanned()
    each = [_newest_first(store, stream, wanted, scanned) for stream in tables]
    found: list[Summary] = []
    last: tuple[int, str] | None = None
    for summary in heapq.merge(*each, key=lambda summary: (-summary.at, summary.round)):
        if wanted.since is not None and summary.at < wanted.since:
            break
        if not wanted.is_past(summary):
            continue
        last = (summary.at, summary.round)
        if wanted.fits(summary):
            found.append(summary)
        if len(found) == most or scanned.count > scanned_most:
            return Found(tuple(found), last)
    return Found(tuple(found), None)


class _Scanned:
    def __init__(self) -> None:
        self.count = 0


def _newest_first(store: Store, stream: str, wanted: Wanted, scanned: _Scanned) -> Iterator[Summary]:
    # Reads windows of the stream from its end to its start; a round cut by a window is completed by the next one.
    end = store.heads()[stream].sequence
    latest = min(
        (bound for bound in (wanted.until, wanted.before and wanted.before[0]) if bound is not None), default=None
    )
    begin = end if latest is None else _sequence_at(store, stream, latest, end)
    rest: list[Entry] = _to_the_end(store, stream, begin, end)
    while begin > 0:
        after = max(0, begin - WINDOW)
        scanned.count += begin - after
        entries = [entry for line in store.lines(stream, after, begin) if (entry := entry_of(line)).kind in _TOLD]
        entries += rest
        first = next(
            (place for place, entry in enumerate(entries) if entry.kind == entry_kinds.ROUND_BEGUN), len(entries)
        )
        yield from reversed(summaries(entries[first:], stream))
        rest, begin = entries[:first], after


def _to_the_end(store: Store, stream: str, begin: int, end: int) -> list[Entry]:
    found: list[Entry] = []
    if begin < end:
        for entry in store.read(stream, begin, kinds=_TOLD):
            if entry.kind == entry_kinds.ROUND_BEGUN:
                break
            found.append(entry)
    return found


def summaries(entries: list[Entry], stream: str) -> list[Summary]:
    """Return a summary of each round that begins among the entries."""
    found: list[Summary] = []
    for entry in entries:
        if entry.kind == entry_kinds.ROUND_BEGUN:
            body: Body = entry.body
            table = stream.removeprefix(TABLES)
            found.append(Summary(body["round"], table, body["number"], entry.at, entry.sequence, entry.rules))
        elif found:
            found[-1].take(entry)
    return found


def _sequence_at(store: Store, stream: str, at: int, end: int) -> int:
    # Entries of a stream are in time order, so the last one at a given time is found by binary search.
    def time_of(sequence: int) -> int:
        return entry_of(next(iter(store.lines(stream, sequence - 1, sequence)))).at

    return bisect_right(range(1, end + 1), at, key=time_of)
