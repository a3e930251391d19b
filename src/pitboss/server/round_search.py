"""Searches the record for rounds, newest first, and sums each one up."""

from dataclasses import dataclass, field
from typing import NamedTuple

from pitboss.house import entry_kinds
from pitboss.house.round_index import Criteria, Position, RoundIndex, RoundPlace
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
LOOKED_MOST = 1_000  # rounds examined for one answer


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
    before: Position | None = None  # the last round of the previous page

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
    next: Position | None


def search(store: Store, index: RoundIndex, wanted: Wanted, most: int, looked_most: int = LOOKED_MOST) -> Found:
    """Return the newest rounds that meet the criteria; a search that takes too long stops and can be resumed."""
    index.catch_up()
    stream = None if wanted.table is None else stream_of(wanted.table)
    criteria = Criteria(stream, wanted.since, wanted.until, wanted.player, wanted.outcome)
    found: list[Summary] = []
    before, looked = wanted.before, 0
    while True:
        places = index.find(criteria, before, most)
        for place in places:
            before, looked = (place.at, place.round), looked + 1
            summary = _summed_up(store, place)
            if summary is not None and wanted.fits(summary):
                found.append(summary)
            if len(found) == most or looked == looked_most:
                return Found(tuple(found), before)
        if not places:
            return Found(tuple(found), None)


def _summed_up(store: Store, place: RoundPlace) -> Summary | None:
    # The index says only where to look; what is said about a round comes from its entries.
    lines = store.lines(place.stream, place.first - 1, place.last)
    entries = [entry for line in lines if (entry := entry_of(line)).kind in _TOLD]
    summed_up = summaries(entries, place.stream)
    return summed_up[0] if summed_up and summed_up[0].round == place.round else None


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
