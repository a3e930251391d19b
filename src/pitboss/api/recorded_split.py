"""The luck-and-skill ledger of a record: its finished rounds split, and added up by player, table, dealer and more."""

from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any, NamedTuple

from pitboss.house.finished_rounds import FinishedRound, RoundsOfTable
from pitboss.house.live_table.table_terms import ReadTerms
from pitboss.house.reports.alerts import HOLD_EVERY_ROUNDS, HOLD_OUT
from pitboss.house.reports.hold import GAMING_DAY_BEGINS_HOUR
from pitboss.house.reports.table_facts import HOUR_MS
from pitboss.house.reports.theory import ALERT_ERRORS, LARGEST_IN_AN_ERROR
from pitboss.house.stream_names import TABLES
from pitboss.lab.exact_counts import NotAnalysed
from pitboss.lab.settled_seats import settled_seats
from pitboss.lab.split import Parts, SettledSeat, Splitter
from pitboss.lab.split_sums import BAND_95, LuckOff, SplitLine, SplitSums
from pitboss.record.entries import Head, head_of
from pitboss.record.store import Store
from pitboss.rules.payoff import dollars

VERSION = "recorded-split-2"  # change this whenever the same entries give a different sum
PLAYER, TABLE, DEALER, GAME, SHIFT = "player", "table", "dealer", "game", "shift"
GROUPINGS = (PLAYER, TABLE, DEALER, GAME, SHIFT)
SHIFT_HOURS = 8  # from the beginning of the gaming day
DAY_MS = 24 * HOUR_MS
CLOSED_ROUNDS_LEAST = 20  # rounds a line grows by before its closed figures are updated
ALERT_ROUNDS = 300  # luck has no part of the stakes or of the skill in it, so fewer rounds will do than for a win
KINDS_OF_LUCK = {
    "cards": "the luck of the players' cards",
    "board": "the luck of the board",
    "dealer": "the luck of the dealer's cards",
    "sides": "the luck of side wagers",
}

_Key = tuple[str, str, bool]  # a grouping, the name of a line in it, and whether it is play money


def _later(before: dict[str, Any] | None, now: dict[str, Any]) -> dict[str, Any] | None:
    grown = now["rounds"] - (before["rounds"] if before is not None else 0)
    return now if grown >= CLOSED_ROUNDS_LEAST else before


class LuckAlert(NamedTuple):
    """A table whose luck is further from zero than chance explains."""

    table: str
    about: str
    at: int
    says: str

    def as_dict(self) -> dict[str, Any]:
        """Return the alert as the floor's alerts take it."""
        return {"kind": HOLD_OUT, **self._asdict()}


class RecordedSplit:
    """Follows the tables' streams; a round counts when the next one of its table begins."""

    def __init__(self, read_terms: ReadTerms, day_begins_hour: int = GAMING_DAY_BEGINS_HOUR) -> None:
        self._read_terms = read_terms
        self._day_ms = day_begins_hour * HOUR_MS
        self._tables: dict[str, RoundsOfTable] = {}
        self._sums: dict[_Key, SplitSums] = {}
        self._splitter = lru_cache(maxsize=64)(Splitter)
        self.alerts: dict[tuple[str, str], LuckAlert] = {}  # by table and what the alert is about
        self.rounds = 0
        self.left_out = 0  # rounds of rules that can't be computed
        self.closed_at: int | None = None  # start of the gaming day before which the closed lines end
        self._closed: dict[str, list[dict[str, Any]]] = {}  # by grouping: lines of real money

    def read(self, store: Store, now_ms: int | None = None) -> None:
        """Split the rounds that became final since the last read; at a new gaming day, close the previous day."""
        final: list[FinishedRound] = []
        for stream, head in sorted(store.heads().items()):
            if not stream.startswith(TABLES):
                continue
            name = stream.removeprefix(TABLES)
            table = self._tables.setdefault(name, RoundsOfTable(name, self._read_terms))
            if table.head.sequence < head.sequence:
                found = map(table.add, store.read(stream, table.head.sequence))
                final += (finished for finished in found if finished is not None)
        today = now_ms - (now_ms - self._day_ms) % DAY_MS if now_ms is not None else None
        if today is not None and (self.closed_at is None or self.closed_at < today):
            self._add_all(finished for finished in final if finished.ended_ms < today)
            self._close(today)
            final = [finished for finished in final if finished.ended_ms >= today]
        self._add_all(final)

    def closed(self, by: str) -> list[dict[str, Any]]:
        """Return the lines of real money as of the last gaming day that ended."""
        return self._closed.get(by, [])

    def _close(self, today: int) -> None:
        # A line is updated by many rounds at once, so the difference of two readings says nothing about one round.
        self.closed_at = today
        for by in GROUPINGS:
            before = {line[by]: line for line in self._closed.get(by, [])}
            now = [line.as_dict() for line in self.lines(by)]
            kept = (_later(before.get(line[by]), line) for line in now if not line["free_play"])
            self._closed[by] = [line for line in kept if line is not None]

    def add_pending(self) -> None:
        """Count each table's last round too; a dispute may change it, so these sums are not for keeping."""
        self._add_all(finished for table in self._tables.values() if (finished := table.pending()) is not None)

    def lines(self, by: str) -> list[SplitLine]:
        """Return a line for each player, table, dealer, game or shift, play money apart."""
        return [
            sums.line({by: name, "free_play": free_play})
            for (grouping, name, free_play), sums in sorted(self._sums.items(), key=lambda item: item[0])
            if grouping == by
        ]

    def to_data(self) -> dict[str, Any]:
        """Return the sums as plain data, to continue from after a restart."""
        return {
            "version": VERSION,
            "tables": {name: table.to_data() for name, table in self._tables.items()},
            "sums": [[*key, self._sums[key].to_data()] for key in sorted(self._sums)],
            "alerts": [list(self.alerts[key]) for key in sorted(self.alerts)],
            "rounds": [self.rounds, self.left_out],
            "closed": [self.closed_at, self._closed],
        }

    def restore(self, data: Mapping[str, Any], store: Store) -> bool:
        """Continue from saved sums, unless another version made them or they belong to another record."""
        if data["version"] != VERSION:
            return False
        for name, kept in data["tables"].items():
            head = Head(*kept["head"])
            last = next(iter(store.read(f"{TABLES}{name}", head.sequence - 1)), None) if head.sequence else None
            if head.sequence and (last is None or head_of(last) != head):
                return False
            self._tables[name] = RoundsOfTable.from_data(name, kept, self._read_terms)
        self._sums = {
            (grouping, name, free_play): SplitSums.from_data(sums) for grouping, name, free_play, sums in data["sums"]
        }
        self.alerts = {(table, about): LuckAlert(table, about, *rest) for table, about, *rest in data["alerts"]}
        self.rounds, self.left_out = data["rounds"]
        self.closed_at, closed = data.get("closed", (None, {}))
        self._closed = dict(closed)
        return True

    def _add_all(self, finished: Iterable[FinishedRound]) -> None:
        for each in sorted(finished, key=lambda each: (each.ended_ms, each.table, each.round)):
            self._add(each)

    def _add(self, finished: FinishedRound) -> None:
        splitter = self._splitter(finished.play.rules)
        try:
            seats = [
                (finished.play.players[seat], settled, splitter.split(settled))
                for seat, settled in settled_seats(finished.play, finished.events).items()
            ]
        except NotAnalysed:
            self.left_out += 1
            return
        self.rounds += 1
        whole = [(settled, parts) for _, settled, parts in seats]
        names = {
            TABLE: finished.table,
            DEALER: finished.dealer,
            GAME: finished.play.rules.game.name,
            SHIFT: self._shift(finished.ended_ms),
        }
        for grouping, name in names.items():
            self._of(grouping, name, finished).add(whole, finished.began_ms, finished.table)
        for player in dict.fromkeys(player for player, _, _ in seats):
            own: list[tuple[SettledSeat, Parts]] = [(settled, parts) for of, settled, parts in seats if of == player]
            self._of(PLAYER, player, finished).add(own, finished.began_ms, finished.table)
        for alert in luck_alerts(finished.table, finished.ended_ms, self._of(TABLE, finished.table, finished)):
            self.alerts.setdefault((alert.table, alert.about), alert)

    def _of(self, grouping: str, name: str, finished: FinishedRound) -> SplitSums:
        return self._sums.setdefault((grouping, name, finished.free_play), SplitSums())

    def _shift(self, at: int) -> str:
        begins = at - (at - self._day_ms) % (SHIFT_HOURS * HOUR_MS)
        return datetime.fromtimestamp(begins // 1000, UTC).strftime("%Y-%m-%dT%H:00Z")


def luck_alerts(table: str, at: int, sums: SplitSums) -> Iterator[LuckAlert]:
    """Yield an alert for each kind of luck that is further from zero than chance explains, every hundred rounds."""
    if sums.rounds < ALERT_ROUNDS or sums.rounds % HOLD_EVERY_ROUNDS:
        return
    for kind, title in KINDS_OF_LUCK.items():
        off = sums.luck_off(kind)
        # A single prize that is large next to the error would make an alert of plain chance.
        if off is None or abs(off.errors) <= ALERT_ERRORS or off.largest * LARGEST_IN_AN_ERROR > off.error:
            continue
        yield LuckAlert(table, f"luck:{kind}", at, says_of_luck(title, off, sums.line({})))


def says_of_luck(title: str, off: LuckOff, line: SplitLine) -> str:
    """Return what an alert says about luck: where it was, how far it is off, and the win without it."""
    went = "cost the house" if off.cents > 0 else "brought the house"
    amount, errors = dollars(abs(round(off.cents))), f"{abs(off.errors):.1f} standard errors"
    found = f"{title} {went} {amount} in {line.rounds} rounds, {errors}"
    band = dollars(round(BAND_95 * line.without_luck_error_cents))
    known = f"{found}; without luck the win is {dollars(round(line.without_luck_cents))}, give or take {band}"
    fewer = line.fewer_rounds
    return (
        known if fewer is None else f"{known}, which the win alone would show after {fewer:,.0f} times as many rounds"
    )


def recorded_split(store: Store, read_terms: ReadTerms) -> RecordedSplit:
    """Read a whole record and split it."""
    found = RecordedSplit(read_terms)
    found.read(store)
    found.add_pending()
    return found
