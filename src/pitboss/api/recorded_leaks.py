"""The leak test over a record: reads finished rounds from its entries and keeps the evidence of every test."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any, NamedTuple

from pitboss.house import entry_kinds
from pitboss.house.live_table.evolve import ROUND
from pitboss.house.live_table.sealed_events import opened
from pitboss.house.live_table.table_terms import ReadTerms, TableTerms
from pitboss.house.replay import PublishedKey
from pitboss.house.stream_names import TABLES
from pitboss.lab.leaks import SHUFFLE, Alarm, FinishedRound, Leaks, PlayedHand, alarm_of
from pitboss.lab.shuffle_watch import ShuffleWatch
from pitboss.record.entries import Body, Entry, Head, head_of
from pitboss.record.store import Store
from pitboss.round import events as happened
from pitboss.rules.dealing import BURN
from pitboss.rules.in_force import RulesInForce
from pitboss.table.conditions import rules_under

VERSION = "recorded-leaks-1"
# After these, someone may have seen cards by an open mistake, which is dealt with at the table.
_NOT_AS_USUAL = (happened.IrregularityRuled, happened.CardCorrected, happened.WagersReversed)
_READ = frozenset(
    {
        entry_kinds.ROUND_BEGUN,
        entry_kinds.ROUND_ENDED,
        entry_kinds.SEAL_OPENED,
        entry_kinds.SUBMISSION_ACTIVATED,
        entry_kinds.DEALING_CHANGED,
        entry_kinds.LEASE_TAKEN,
        entry_kinds.LEASE_RELEASED,
        entry_kinds.LEASE_WITHDRAWN,
    }
)


class RaisedAlarm(NamedTuple):
    """An alarm, with the table and the entry that ended the round."""

    alarm: Alarm
    table: str
    at: int
    sequence: int


@dataclass(slots=True)
class _Table:
    document: Body | None = None
    method: str | None = None
    dealer: str = ""
    head: Head = field(default_factory=Head)  # where the last finished round ended, to read on from after a restart
    round: str = ""
    entries: list[Entry] = field(default_factory=list)  # the round's, until its cards can be opened
    key: str | None = None
    ended: Entry | None = None


class _Finished(NamedTuple):
    at: int
    table: str
    sequence: int
    round: FinishedRound
    dealt: tuple[int, ...]
    is_usual: bool


class RecordedLeaks:
    """Follows the tables' streams; evidence is taken in by the time at which rounds ended."""

    def __init__(self, read_terms: ReadTerms) -> None:
        self._read_terms = read_terms
        self.heads: dict[str, Head] = {}
        self.leaks = Leaks()
        self.shuffles: dict[str, ShuffleWatch] = {}
        self._tables: dict[str, _Table] = {}
        self._rules: dict[tuple[str, str | None], tuple[RulesInForce, TableTerms]] = {}
        self._waiting: list[_Finished] = []
        self.alarms: list[RaisedAlarm] = []

    def read(self, store: Store, most: int | None = None) -> int:
        """Read new entries of every table, at most this many if a limit is given, and return how many were read."""
        count = 0
        for stream, head in sorted(store.heads().items()):
            known = self.heads.get(stream, Head())
            if not stream.startswith(TABLES) or known.sequence >= head.sequence:
                continue
            for entry in store.read(stream, known.sequence):
                if count == most:
                    return count
                self.add(entry)
                count += 1
        return count

    def add(self, entry: Entry) -> None:
        """Process the next entry of a table's stream."""
        if not entry.stream.startswith(TABLES):
            return
        self.heads[entry.stream] = head_of(entry)
        name = entry.stream.removeprefix(TABLES)
        table = self._tables.setdefault(name, _Table())
        if entry.kind.startswith(f"{ROUND}.") and table.round:
            table.entries.append(entry)
        elif entry.kind in _READ:
            self._follow(name, table, entry)

    def work(self, most: int | None = None) -> tuple[RaisedAlarm, ...]:
        """Test the rounds that were read and ended first, and return the alarms they raise."""
        self._waiting.sort(key=lambda finished: (finished.at, finished.table, finished.sequence))
        due, self._waiting = self._waiting[:most], self._waiting[len(self._waiting[:most]) :]
        raised = tuple(alarm for finished in due for alarm in self._test(finished))
        self.alarms += raised
        return raised

    @property
    def waiting(self) -> int:
        """Return how many rounds were read and not yet tested."""
        return len(self._waiting)

    def _follow(self, name: str, table: _Table, entry: Entry) -> None:
        body = entry.body
        if entry.kind == entry_kinds.SUBMISSION_ACTIVATED:
            table.document, table.method = body["document"], None
        elif entry.kind == entry_kinds.DEALING_CHANGED:
            table.method = body["method"]
        elif entry.kind == entry_kinds.LEASE_TAKEN:
            table.dealer = body["dealer"]
        elif entry.kind in (entry_kinds.LEASE_RELEASED, entry_kinds.LEASE_WITHDRAWN):
            table.dealer = ""
        elif entry.kind == entry_kinds.ROUND_BEGUN:
            table.round, table.entries, table.key, table.ended = body["round"], [], None, None
        elif entry.kind == entry_kinds.SEAL_OPENED and body["round"] == table.round:
            table.key = body["dealt_key"]
        elif entry.kind == entry_kinds.ROUND_ENDED:
            table.ended = entry
        if table.key is not None and table.ended is not None:
            self._finish(name, table, table.ended)
            table.head = self.heads[entry.stream]

    def _finish(self, name: str, table: _Table, ended: Entry) -> None:
        opener = PublishedKey(table.round, {table.round: table.key or ""})
        kinds = (entry.kind.partition(".")[2] for entry in table.entries)
        events = [
            opened(kind, entry.body, partial(_same, opener))[0]
            for kind, entry in zip(kinds, table.entries, strict=True)
        ]
        rules, terms = self._in_force(table)
        dealer = "" if terms.settings.self_dealing else table.dealer
        played = finished_round(table.round, rules, dealer, events, name)
        number = {card: at for at, card in enumerate(rules.game.deck.cards)}
        dealt = tuple(
            number[card]
            for event in events
            if isinstance(event, happened.CardsDealt) and event.place != BURN
            for card in event.cards
        )
        is_usual = not any(isinstance(event, _NOT_AS_USUAL) for event in events)
        self._waiting.append(_Finished(ended.at, name, ended.sequence, played, dealt, is_usual))
        table.round, table.entries, table.key, table.ended = "", [], None, None

    def _in_force(self, table: _Table) -> tuple[RulesInForce, TableTerms]:
        assert table.document is not None, "a round is played under a submission"
        key = (repr(table.document), table.method)
        if key not in self._rules:
            terms = self._read_terms(table.document)
            self._rules[key] = (rules_under(terms.settings, table.method or terms.settings.dealing), terms)
        return self._rules[key]

    def _test(self, finished: _Finished) -> Iterator[RaisedAlarm]:
        alarms = list(self.leaks.add(finished.round)) if finished.is_usual else []
        if finished.dealt:
            test = self.leaks.tests[SHUFFLE].of((finished.table,))
            cards = len(finished.round.rules.game.deck)
            watch = self.shuffles.get(finished.table)
            if watch is None or watch.cards != cards:
                watch = self.shuffles[finished.table] = ShuffleWatch(cards, test)
            if watch.add(finished.dealt, finished.round.name):
                alarms.append(alarm_of(SHUFFLE, (finished.table,), test))
        for alarm in alarms:
            yield RaisedAlarm(alarm, finished.table, finished.at, finished.sequence)

    def to_data(self) -> dict[str, Any]:
        """Return all evidence as plain data, to continue from after a restart; every round read must be tested."""
        assert not self._waiting, "rounds that were read are tested before the evidence is saved"
        tables = {
            name: [table.document, table.method, table.dealer, list(table.head)] for name, table in self._tables.items()
        }
        return {
            "version": VERSION,
            "tables": tables,
            "leaks": self.leaks.to_data(),
            "shuffles": {name: [watch.cards, watch.to_data()] for name, watch in self.shuffles.items()},
            "alarms": [[list(raised.alarm), *raised[1:]] for raised in self.alarms],
        }

    def restore(self, data: Mapping[str, Any], store: Store) -> bool:
        """Continue from saved evidence, unless another version made it or it belongs to another record."""
        if data["version"] != VERSION or not self.leaks.restore(data["leaks"]):
            return False
        for name, (document, method, dealer, head) in data["tables"].items():
            table = _Table(document, method, dealer, Head(*head))
            last = (
                next(iter(store.read(f"{TABLES}{name}", table.head.sequence - 1)), None)
                if table.head.sequence
                else None
            )
            if table.head.sequence and (last is None or head_of(last) != table.head):
                return False
            self._tables[name], self.heads[f"{TABLES}{name}"] = table, table.head
        for name, (cards, counts) in data["shuffles"].items():
            self.shuffles[name] = ShuffleWatch(cards, self.leaks.tests[SHUFFLE].of((name,)))
            self.shuffles[name].restore(counts)
        self.alarms = [RaisedAlarm(_alarm(alarm), table, at, sequence) for alarm, table, at, sequence in data["alarms"]]
        return True


def finished_round(
    name: str, rules: RulesInForce, dealer: str, events: Iterable[happened.Event], place: str = ""
) -> FinishedRound:
    """Return a round from its events, as the leak test reads it."""
    stakes: dict[int, tuple[str, int]] = {}
    cards: dict[happened.Place, list[Any]] = {}
    answers: dict[int, list[tuple[str, str, Any]]] = {}
    absent: set[int] = set()
    main = next(wager.name for wager in rules.game.wagers if wager.required)
    for event in events:
        if isinstance(event, happened.WagersPlaced):
            stakes[event.seat] = (event.player, event.stakes.get(main, 0))
        elif isinstance(event, happened.WagersWithdrawn):
            stakes.pop(event.seat, None)
        elif isinstance(event, happened.CardsDealt):
            cards.setdefault(event.place, []).extend(event.cards)
        elif isinstance(event, happened.ActionTaken):
            given = answers.setdefault(event.seat, [])
            asks = rules.asks
            if len(given) < len(asks):
                given.append((asks[len(given)].name, event.action, event.discard))
            if event.absent:
                absent.add(event.seat)
    hands = tuple(
        PlayedHand(
            player,
            tuple(cards.get(seat, ())),
            () if seat in absent else tuple(answers.get(seat, ())),
            cents,
        )
        for seat, (player, cents) in sorted(stakes.items())
    )
    table = {str(where): tuple(held) for where, held in cards.items() if isinstance(where, str)}
    return FinishedRound(name, rules, dealer, hands, table, place)


def recorded_leaks(store: Store, read_terms: ReadTerms) -> RecordedLeaks:
    """Read a whole record and test it."""
    found = RecordedLeaks(read_terms)
    found.read(store)
    found.work()
    return found


def _alarm(data: list[Any]) -> Alarm:
    kind, subject, *rest = data
    return Alarm(kind, tuple(subject), *rest)


def _same(opener: PublishedKey) -> PublishedKey:
    return opener
