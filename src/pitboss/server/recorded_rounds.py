"""Recorded rounds: searched newest first, and replayed from their own entries."""

import heapq
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from pitboss.cards.deck import face
from pitboss.house.live_table.evolve import Reading
from pitboss.house.live_table.sealed_events import opened
from pitboss.house.live_table.state import stream_of
from pitboss.house.live_table.table_terms import TableTerms
from pitboss.house.replay import DISPUTES, DamagedRecord
from pitboss.record.entries import Body, Entry, MalformedEntry, entry_of
from pitboss.record.evidence import ROUND_BEGUN, ROUND_ENDED, TABLES, Segment, find_round
from pitboss.record.seal import SealBroken
from pitboss.record.store import Store
from pitboss.round import evolve, open_round
from pitboss.round.again import Disagreement, decided_again
from pitboss.round.events import Event
from pitboss.round.state import Round
from pitboss.rules.dealing import BURN
from pitboss.rules.plain import Malformed
from pitboss.server.table_documents import UnsoundDocument
from pitboss.table.conditions import rules_under

ACTIVATED, DEALING_CHANGED = "house.SubmissionActivated", "table.DealingChanged"
PLACED, ACTED, SETTLED, REVERSED = (
    "round.WagersPlaced",
    "round.ActionTaken",
    "round.WagersSettled",
    "round.WagersReversed",
)
WITHDRAWN, RETURNED, ENVY = "round.WagersWithdrawn", "round.WagerReturned", "round.EnvyPaid"
_TOLD = frozenset({ROUND_BEGUN, ROUND_ENDED, PLACED, WITHDRAWN, RETURNED, ACTED, SETTLED, REVERSED, ENVY})
WINDOW = 4_000  # entries read at once, going back
SCANNED_MOST = 120_000  # entries examined for one answer


class PlayedStep(NamedTuple):
    """An entry of a round, the event of play it records if any, and the round after it."""

    entry: Entry
    event: Event | None
    play: Round


class PlayedRound(NamedTuple):
    """A round replayed from its entries."""

    round: str
    table: str
    terms: TableTerms
    segment: Segment
    steps: tuple[PlayedStep, ...]
    is_over: bool

    def disagreements(self) -> tuple[Disagreement, ...]:
        """Return where the rules, applied again, differ from what was recorded."""
        events = [step.event for step in self.steps if step.event is not None]
        return tuple(decided_again(self.steps[0].play.rules, events))

    def cards(self, step: PlayedStep) -> Mapping[str, list[str]]:
        """Return every card dealt by a step, for those who may see them all."""
        held = step.play.cards
        return {str(place): [face(card) for card in cards] for place, cards in held.items() if place != BURN}


def segment_of(store: Store, round_id: str) -> Segment:
    """Return the entries of a round, or raise UnknownRound; the round's name says which table to search first."""
    stream = stream_of(round_id.rsplit("-", 2)[0])
    head = store.heads().get(stream)
    if head is None:
        return find_round(store, round_id)
    first = _place(store.read(stream, kinds=(ROUND_BEGUN,)), round_id)
    if first is None:
        return find_round(store, round_id)
    last = _place(store.read(stream, first, kinds=(ROUND_ENDED,)), round_id)
    for entry in store.read(stream, last, kinds=(ROUND_BEGUN, *DISPUTES)) if last else ():
        if entry.kind == ROUND_BEGUN:
            break
        last = entry.sequence  # a dispute about the round belongs to it
    return Segment(stream, first, last or head.sequence)


def played_over(store: Store, round_id: str, reading: Reading) -> PlayedRound:
    """Return a round step by step; raise UnknownRound, or DamagedRecord if it can't be replayed."""
    try:
        segment = segment_of(store, round_id)
        lines = store.lines(segment.stream, segment.first - 1, segment.last)
        return played_from(map(entry_of, lines), segment, reading, *under(store, segment, reading))
    except (MalformedEntry, Malformed, SealBroken, UnsoundDocument, KeyError, AssertionError) as fault:
        raise DamagedRecord(f"The record of round {round_id} cannot be followed: {fault}.") from None


def under(store: Store, segment: Segment, reading: Reading) -> tuple[TableTerms, str]:
    """Return the terms in force when a round began, and the dealing method in use then."""
    document, method = None, None
    for entry in store.read(segment.stream, kinds=(ACTIVATED, DEALING_CHANGED)):
        if entry.sequence > segment.first:
            break
        if entry.kind == ACTIVATED:
            document, method = entry.body["document"], None
        else:
            method = entry.body["method"]
    assert document is not None, "a round is played under a submission"
    terms = reading.read_terms(document)
    return terms, method or terms.settings.dealing


def played_from(
    entries: Iterable[Entry], segment: Segment, reading: Reading, terms: TableTerms, method: str
) -> PlayedRound:
    """Return a round step by step from its entries, given the terms it was played under."""
    play = open_round(rules_under(terms.settings, method))
    steps: list[PlayedStep] = []
    name, key, is_over = "", "", False
    for entry in entries:
        room, _, kind = entry.kind.partition(".")
        event = None
        if entry.kind == ROUND_BEGUN:
            name, key = entry.body["round"], entry.body["key"]
        if room == "round":
            event = opened(kind, entry.body, reading.opener(name, key))[0]
            play = evolve(play, event)
        if is_over and event is None and entry.kind not in DISPUTES:
            continue  # after a round, only a dispute about it belongs to it
        is_over = is_over or entry.kind == ROUND_ENDED
        steps.append(PlayedStep(entry, event, play))
    return PlayedRound(name, segment.stream.removeprefix(TABLES), terms, segment, tuple(steps), is_over)


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
        if entry.kind == PLACED:
            self.players[seat] = body["player"]
            self.stakes[seat] = dict(body["stakes"])
        elif entry.kind == WITHDRAWN:
            self.players.pop(seat, None)
            self.stakes.pop(seat, None)
        elif entry.kind == RETURNED:
            self.stakes.get(seat, {}).pop(body["wager"], None)
        elif entry.kind == ACTED and body["wager"]:
            self.stakes.setdefault(seat, {})[body["wager"]] = body["stake"]
        elif entry.kind in (SETTLED, REVERSED):
            sign = 1 if entry.kind == SETTLED else -1
            net = sum(result["net"] for result in body["results"]) + body.get("envy", 0)
            self.nets[seat] = self.nets.get(seat, 0) + sign * net
        elif entry.kind == ENVY:
            self.nets[seat] = self.nets.get(seat, 0) + body["net"]
        elif entry.kind == ROUND_ENDED:
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
        first = next((place for place, entry in enumerate(entries) if entry.kind == ROUND_BEGUN), len(entries))
        yield from reversed(summaries(entries[first:], stream))
        rest, begin = entries[:first], after


def _to_the_end(store: Store, stream: str, begin: int, end: int) -> list[Entry]:
    found: list[Entry] = []
    if begin < end:
        for entry in store.read(stream, begin, kinds=_TOLD):
            if entry.kind == ROUND_BEGUN:
                break
            found.append(entry)
    return found


def summaries(entries: list[Entry], stream: str) -> list[Summary]:
    """Return a summary of each round that begins among the entries."""
    found: list[Summary] = []
    for entry in entries:
        if entry.kind == ROUND_BEGUN:
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


def _place(entries: Iterator[Entry], round_id: str) -> int | None:
    return next((entry.sequence for entry in entries if entry.body.get("round") == round_id), None)
