"""Alerts: what someone on the floor has to look at, open until they acknowledge it."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from pitboss.house import entry_kinds
from pitboss.house.live_table.table_terms import ReadTerms
from pitboss.house.money.ledger import inventory
from pitboss.house.money.shift import TRAY_LOW_PART
from pitboss.house.narrator import at_seat, irregularity_title, seats_title
from pitboss.house.patrons import is_patron
from pitboss.house.people import house_rules as rule
from pitboss.house.people.authorization import clause_of
from pitboss.house.people.leases import Lease, used
from pitboss.house.people.people_entries import STREAM as PEOPLE
from pitboss.house.reports.account_access import said_of_account
from pitboss.house.reports.cage_watch import CageWatch
from pitboss.house.reports.cash_log import CashLog
from pitboss.house.reports.patron_alerts import said_of_patron
from pitboss.house.reports.raised_alert import Acknowledgement, Alert, counters
from pitboss.house.reports.table_facts import is_free_play
from pitboss.house.reports.theory import (
    ALERT_ROUNDS,
    Actual,
    ChanceOf,
    Key,
    Results,
    Theories,
    Theory,
    compared,
    said_of_hold,
    summed_data,
    summed_from,
)
from pitboss.house.stream_names import ACCOUNTS, CONTROLS, MONEY, TABLES
from pitboss.record.entries import Body, Draft, Entry
from pitboss.rules.payoff import dollars
from pitboss.rules.plain import plain
from pitboss.rules.refusal import Refusal
from pitboss.table import evolve, new_table
from pitboss.table.conditions import deck_due_at, deck_hours, deck_title, is_count_due, stub_count
from pitboss.table.state import TableState
from pitboss.table.table_data import event_from_dict, state_from_dict, state_to_dict

DECK_DUE, COUNT_DUE, METER_HIT = "deck-due", "count-due", "meter-hit"
DEVICE_OUT, HOLD_OUT, DISPUTE = "device-out", "hold-out", "dispute"
TRAY_LOW, TRAY_OFF, DEALER_GONE, MISREAD = "tray-low", "tray-off", "dealer-gone", "misread"
LEAK, SHUFFLE_OFF = "leak", "shuffle-off"
RECORD_ALTERED, WITNESS = "record-altered", "witness"
ACCOUNT, KEYBOARD, READER, CAGE = "account", "keyboard", "reader", "cage"
VARIANCE, CASH, CALL, SENSOR, EXCLUDED = "variance", "cash", "call", "sensor", "excluded"
KINDS = (
    *(DECK_DUE, COUNT_DUE, METER_HIT, DEVICE_OUT, HOLD_OUT, DISPUTE, TRAY_LOW, TRAY_OFF, DEALER_GONE, MISREAD),
    *(
        CALL,
        ACCOUNT,
        KEYBOARD,
        READER,
        SENSOR,
        CAGE,
        VARIANCE,
        CASH,
        EXCLUDED,
        RECORD_ALTERED,
        WITNESS,
        LEAK,
        SHUFFLE_OFF,
    ),
)
FLOOR, PERMISSION = "floor", "AcknowledgeAlert"
GONE_AFTER_MS = 30_000  # a dealer's relief takes a while
HOLD_EVERY_ROUNDS = 100  # each check against a band can be wrong by chance, so not after every round
_DEVICES = {
    entry_kinds.DEVICE_JAMMED: "is jammed",
    entry_kinds.DEVICE_FAILED: "has failed",
    entry_kinds.DEVICE_TAKEN_OUT: "is out of service",
}
_DISPUTES = (entry_kinds.IRREGULARITY_REPORTED, entry_kinds.WRONG_COUNT_RULED)


@dataclass(slots=True)
class _Watched:
    cards: TableState | None = None
    document: Body | None = None
    tray_cents: int = 0
    opening_cents: int = 0
    round: str = ""
    is_in_round: bool = False
    dealer: str = ""
    dealer_until: int = 0  # when the last dealer left, or their lease expires


class _Look(NamedTuple):
    # A table's results at the moment they were due for a check.
    table: str
    sequence: int
    at: int
    results: dict[Key, Results]


class Alerts:
    """Follows every stream; an alert and its acknowledgement may be read in either order."""

    def __init__(
        self, read_terms: ReadTerms, theories: Theories | None = None, chance_of: ChanceOf | None = None
    ) -> None:
        self._read_terms, self._chance_of = read_terms, chance_of
        self.theories: dict[str, tuple[Theory, ...]] = dict(theories or {})
        self._looks: dict[str, list[_Look]] = {}  # by a version of the rules whose theory isn't known yet
        self._tables: dict[str, _Watched] = {}
        self.actual = Actual()
        self._raised: dict[str, Alert] = {}
        self._standing: dict[tuple[str, str, str], str] = {}  # by kind, table and subject: the alert's id
        self._acknowledged: dict[str, Acknowledgement] = {}
        self._cage = CageWatch()
        self.cash = CashLog()
        self._last_count = "", ""  # its form, and who counted

    def add(self, entry: Entry) -> None:
        """Process the next entry of any stream."""
        if (cash := self.cash.add(entry)) is not None:
            self._raise(CASH, "", cash[0], entry.at, cash[1], rule.TRAYS, cash[0])
        if entry.stream.startswith(TABLES):
            self._at_table(entry.stream[len(TABLES) :], entry)
        elif entry.kind == entry_kinds.METER_HIT:
            self._hit(entry)
        elif entry.kind == entry_kinds.RECORD_ALTERED:
            says, name = entry.body["says"], f"{entry.stream}-{entry.sequence}"
            self._raise(RECORD_ALTERED, "", name, entry.at, says, rule.ALERTS, name)
        elif entry.kind in (entry_kinds.WITNESS_SILENT, entry_kinds.WITNESS_DISAGREES):
            about, name = f"{entry.body['witness']}:{entry.kind}", f"{entry.stream}-{entry.sequence}"
            self._raise(WITNESS, "", about, entry.at, entry.body["says"], rule.ALERTS, name)
        elif entry.kind == entry_kinds.WITNESS_ANSWERS:
            for kind in (entry_kinds.WITNESS_SILENT, entry_kinds.WITNESS_DISAGREES):
                self._end(WITNESS, "", f"{entry.body['witness']}:{kind}", entry.at)
        elif entry.kind == entry_kinds.ALERT_ACKNOWLEDGED:
            body = entry.body
            self._acknowledged.setdefault(body["alert"], Acknowledgement(entry.actor, entry.at, body["note"]))
        elif (said := said_of_patron(entry)) is not None:
            self._raise(EXCLUDED, said.table, said.about, entry.at, said.says, entry.clause, said.about)
        elif entry.kind == entry_kinds.READER_OUT_OF_ORDER:
            body = entry.body
            says = f"card reader {body['reader']} sent message {body['sequence']} instead of {body['expected']}"
            about = f"{body['reader']}:{entry.sequence}"
            self._raise(READER, body["table"], about, entry.at, says, entry.clause, str(entry.sequence))
        elif entry.kind == entry_kinds.SENSOR_OUT_OF_ORDER:
            body = entry.body
            says = f"bet sensor {body['sensor']} sent message {body['sequence']} instead of {body['expected']}"
            about = f"{body['sensor']}:{entry.sequence}"
            self._raise(SENSOR, body["table"], about, entry.at, says, entry.clause, str(entry.sequence))
        elif entry.stream == MONEY or entry.stream.startswith(ACCOUNTS):
            if (crossed := self._cage.crossed(entry)) is not None:
                self._raise(CAGE, "", crossed[0], entry.at, crossed[1], rule.TRAYS, crossed[0])
        elif entry.stream == CONTROLS:
            self._at_controls(entry)
        elif entry.stream == PEOPLE and (access := said_of_account(entry)) is not None:
            name = f"{entry.body.get('person', '')}:{entry.sequence}"
            self._raise(ACCOUNT, "", name, entry.at, access, entry.clause, name)

    def _at_controls(self, entry: Entry) -> None:
        body = entry.body
        if names := counters(entry):
            self._last_count = body["form"], ", ".join(names)
        if entry.kind == entry_kinds.INVENTORY_SLIP_WRITTEN and not body["is_final"]:
            # The amount stays hidden until the recount: someone who knew it could enter what the books say.
            says = f"{' and '.join(names)} counted a tray that differs from the books; a recount is due"
            self._raise(VARIANCE, body["table"], body["form"], entry.at, says, entry.clause, *self._last_count)
        elif entry.kind == entry_kinds.INVENTORY_SLIP_WRITTEN:
            for kind, table, about in [key for key in self._standing if key[:2] == (VARIANCE, body["table"])]:
                if not about.startswith(VARIANCE):
                    self._end(kind, table, about, entry.at, "; the tray was counted again")
        elif entry.kind == entry_kinds.VARIANCE_FOUND:
            about = f"{VARIANCE}:{body['variance']}"
            says = f"the count {body['form']} ({body['what']}) is {_off(body['over_cents'])}, unexplained"
            by = self._last_count[1] if self._last_count[0] == body["form"] else entry.actor
            self._raise(VARIANCE, body["table"], about, entry.at, says, entry.clause, body["variance"], by)
        elif entry.kind == entry_kinds.VARIANCE_EXPLAINED:
            about = f"{VARIANCE}:{body['variance']}"
            table = next((key[1] for key in self._standing if key[2] == about), "")
            self._end(VARIANCE, table, about, entry.at, f"; explained: {body['explanation']}")

    def learn(self, rules: str, theories: tuple[Theory, ...]) -> None:
        """Store the theory for a version of the rules, and check the results that waited for it."""
        self.theories[rules] = theories
        for look in self._looks.pop(rules, ()):
            self._look(look)

    def learn_of(self, kind: str, table: str, about: str, at: int, says: str) -> None:
        """Raise an alert that a test of the record found; raising it again changes nothing."""
        self._raise(kind, table, about, at, says, rule.ALERTS, f"{about}:{at}")

    def awaited(self) -> tuple[str, ...]:
        """Return the versions of the rules whose theory is needed to check results."""
        return tuple(self._looks)

    def held(self, now_ms: int) -> tuple[Alert, ...]:
        """Return the alerts not yet acknowledged, including those raised only by the passing of time, oldest first."""
        due = [alert for table in self._tables for _, alert in self._by_time(table, now_ms)]
        found = {alert.id: alert for alert in (*due, *self._raised.values())}
        return tuple(sorted((alert for alert in found.values() if alert.id not in self._acknowledged), key=_age))

    def answered(self) -> tuple[tuple[Alert, Acknowledgement], ...]:
        """Return the acknowledged alerts, with who acknowledged them and what they noted."""
        both = ((alert, self._acknowledged.get(alert.id)) for alert in self._raised.values())
        return tuple((alert, by) for alert, by in both if by is not None)

    def acknowledge(self, alert: str, note: str, now_ms: int, by: str = "") -> Draft | Refusal:
        """Return what to record when someone has looked at an alert."""
        kind, _, about = alert.partition("::")
        if kind == ACCOUNT and by and about.partition(":")[0] == by:
            reason = "This alert is about your own account. Someone else has to acknowledge it"
            return Refusal(reason, clause_of(PERMISSION))
        waiting = next((open_alert for open_alert in self.held(now_ms) if open_alert.id == alert), None)
        if waiting is not None and by and by in waiting.by.split(", "):
            reason = "This alert is about something you did. Someone else has to acknowledge it"
            return Refusal(reason, clause_of(PERMISSION))
        if waiting is not None:
            return Draft(FLOOR, entry_kinds.ALERT_ACKNOWLEDGED, {"alert": alert, "note": note}, clause_of(PERMISSION))
        return Refusal("There is no open alert with this name", clause_of(PERMISSION), "alert")

    def to_data(self) -> dict[str, Any]:
        """Return the whole state as plain data."""
        return {
            "tables": {table: _watched_data(watched) for table, watched in self._tables.items()},
            "actual": self.actual.to_data(),
            "raised": [plain(alert) for alert in self._raised.values()],
            "standing": [[*key, alert] for key, alert in self._standing.items()],
            "acknowledged": {alert: plain(acknowledgement) for alert, acknowledgement in self._acknowledged.items()},
            "cage": self._cage.to_data(),
            "cash": self.cash.to_data(),
            "looks": [
                [rules, look.table, look.sequence, look.at, summed_data(look.results)]
                for rules, looks in self._looks.items()
                for look in looks
            ],
        }

    def restore(self, data: Mapping[str, Any]) -> None:
        """Restore the state from plain data."""
        self._tables = {table: self._watched(watched) for table, watched in data["tables"].items()}
        self.actual.restore(data["actual"])
        self._raised = {alert["id"]: Alert(**alert) for alert in data["raised"]}
        self._standing = {(kind, table, about): alert for kind, table, about, alert in data["standing"]}
        self._acknowledged = {
            alert: Acknowledgement(**acknowledgement) for alert, acknowledgement in data["acknowledged"].items()
        }
        self._cage.restore(data["cage"])
        self.cash.restore(data["cash"])
        self._looks = {}
        for rules, table, sequence, at, results in data["looks"]:
            self._looks.setdefault(rules, []).append(_Look(table, sequence, at, summed_from(results)))
        for rules in self.theories.keys() & self._looks.keys():
            self.learn(rules, self.theories[rules])

    def _watched(self, data: Mapping[str, Any]) -> _Watched:
        rest = {name: value for name, value in data.items() if name != "cards"}
        if data["document"] is None:
            return _Watched(**rest)
        settings = self._read_terms(data["document"]).settings
        return _Watched(cards=state_from_dict(data["cards"], settings), **rest)

    def _of_cash(self, table: str, watched: _Watched, entry: Entry) -> None:
        if watched.document is None or is_free_play(watched.document):
            return
        if (crossed := self._cage.took_cash(table, entry)) is not None:
            self._raise(CAGE, table, crossed[0], entry.at, crossed[1], rule.PATRONS, str(entry.sequence))

    def _at_table(self, table: str, entry: Entry) -> None:
        watched = self._tables.get(table) or self._tables.setdefault(table, _Watched())
        for about, due in self._by_time(table, entry.at):
            self._raised.setdefault(due.id, due)
            self._standing.setdefault((due.kind, table, about), due.id)
        room, _, kind = entry.kind.partition(".")
        body = entry.body
        if room == "table" and watched.cards is not None and _is_handled(watched.cards):
            self._of_cards(table, watched, entry, kind)
        elif entry.kind == entry_kinds.SUBMISSION_ACTIVATED:
            watched.document = body["document"]
            watched.cards = new_table(self._read_terms(body["document"]).settings)
        elif entry.kind == entry_kinds.ROUND_BEGUN:
            watched.round, watched.is_in_round = body["round"], True
        elif entry.kind == entry_kinds.TABLE_OPENED:
            watched.opening_cents = body["tray_cents"]
        elif entry.kind == entry_kinds.TABLE_CLOSED:
            watched.opening_cents = 0
            self._end(KEYBOARD, table, "", entry.at)
            self._end(CALL, table, "", entry.at)
        self._of_dealer(table, watched, entry)
        if entry.kind in _DISPUTES:
            during = f" in round {watched.round}" if watched.round else ""
            about = f"{irregularity_title(body['irregularity'])}{during}"
            seat = at_seat(body.get("seat"))
            says = f"{about}{seat} was reported; the table is on hold" if room == "house" else f"wrong count: {about}"
            clause = body.get("by_clause") or entry.clause
            self._raise(DISPUTE, table, watched.round, entry.at, says, clause, str(entry.sequence))
        elif entry.kind == entry_kinds.READ_CORRECTED:
            says = f"a card of round {watched.round} was misread; {entry.actor} and {body['second']} corrected it"
            name, both = str(entry.sequence), f"{entry.actor}, {body['second']}"
            self._raise(MISREAD, table, name, entry.at, says, entry.clause, name, both)
        elif entry.kind == entry_kinds.KEYBOARD_SWITCHED:
            self._of_keyboard(table, entry)
        elif entry.kind == entry_kinds.CHIPS_BOUGHT and is_patron(body["player"]):
            self._of_cash(table, watched, entry)
        elif entry.kind == entry_kinds.READER_ENROLLED:
            says = f"{entry.actor} and {body['second']} enrolled the card reader {body['reader']}"
            name, both = str(entry.sequence), f"{entry.actor}, {body['second']}"
            self._raise(READER, table, name, entry.at, says, entry.clause, name, both)
        elif entry.kind == entry_kinds.SENSOR_ENROLLED:
            says = f"{entry.actor} and {body['second']} enrolled the bet sensor {body['sensor']}"
            name, both = str(entry.sequence), f"{entry.actor}, {body['second']}"
            self._raise(SENSOR, table, name, entry.at, says, entry.clause, name, both)
        elif entry.kind in (entry_kinds.FLOOR_CALLED, entry_kinds.CALL_ANSWERED):
            self._of_call(table, entry)
        elif entry.kind == entry_kinds.DISPUTE_REPORTED:
            says = f"the settlement of round {body['round']} is disputed at {seats_title(body['seats'])}"
            self._raise(DISPUTE, table, watched.round, entry.at, says, body["by_clause"], str(entry.sequence))
        elif entry.kind == entry_kinds.DISPUTE_RESOLVED:
            self._end(DISPUTE, table, watched.round, entry.at)
        elif entry.kind == entry_kinds.INCIDENT_ANSWERED:
            self._end(DISPUTE, table, watched.round, entry.at, _answer(entry))
        elif entry.kind in (entry_kinds.IRREGULARITY_RULED, entry_kinds.ROUND_ENDED):
            self._end(DISPUTE, table, watched.round, entry.at)
        self.actual.add(entry)
        if entry.kind == entry_kinds.ROUND_ENDED:
            self._check_hold(table, entry)
        self._check_tray(table, watched, entry)

    def _of_call(self, table: str, entry: Entry) -> None:
        if entry.kind == entry_kinds.CALL_ANSWERED:
            alert = self._standing.get((CALL, table, ""))
            if alert is not None:  # who comes to the table has seen it
                self._acknowledged.setdefault(alert, Acknowledgement(entry.actor, entry.at, ""))
            self._end(CALL, table, "", entry.at)
            return
        reason = entry.body["reason"]
        says = f"{entry.actor} calls the floor{': ' if reason else ''}{reason}"
        self._raise(CALL, table, "", entry.at, says, entry.clause, str(entry.sequence))

    def _of_keyboard(self, table: str, entry: Entry) -> None:
        if not entry.body["is_on"]:
            self._end(KEYBOARD, table, "", entry.at)
            return
        says = f"{entry.actor} let the dealer enter cards by keyboard: {entry.body['reason']}"
        self._raise(KEYBOARD, table, "", entry.at, says, entry.clause, str(entry.sequence), entry.actor)

    def _of_dealer(self, table: str, watched: _Watched, entry: Entry) -> None:
        if entry.kind in (entry_kinds.LEASE_TAKEN, entry_kinds.LEASE_RENEWED):
            watched.dealer, watched.dealer_until = entry.body["dealer"], entry.body["until"]
        elif entry.kind in (entry_kinds.LEASE_RELEASED, entry_kinds.LEASE_WITHDRAWN):
            watched.dealer, watched.dealer_until = "", entry.at
        elif entry.kind == entry_kinds.ROUND_ENDED:
            watched.is_in_round = False
        lease = used(Lease(watched.dealer or None, 0, watched.dealer_until), entry.actor, entry.at)
        watched.dealer_until = lease.until  # a dealer who acts keeps the place
        if entry.kind in (entry_kinds.LEASE_TAKEN, entry_kinds.ROUND_ENDED):
            self._end(DEALER_GONE, table, "", entry.at)

    def _of_cards(self, table: str, watched: _Watched, entry: Entry, kind: str) -> None:
        body = {name: value for name, value in entry.body.items() if name != "postings"}
        before = watched.cards
        assert before is not None
        cards = watched.cards = evolve(before, event_from_dict({"kind": kind, **body}))
        if entry.kind == entry_kinds.ROUND_OPENED and is_count_due(cards):
            says = f"the stub of round {body['round']} is due to be counted"
            self._raise(COUNT_DUE, table, "", entry.at, says, stub_count(cards).cite, body["round"])
        elif entry.kind in (entry_kinds.STUB_COUNTED, entry_kinds.DEVICE_COUNTED, entry_kinds.DECK_COUNTED):
            self._end(COUNT_DUE, table, "", entry.at)
        elif entry.kind == entry_kinds.DECK_REMOVED:
            self._end(DECK_DUE, table, body["deck"], entry.at)
        elif entry.kind in _DEVICES:
            says = f"the {body['device']} {_DEVICES[entry.kind]}"
            self._raise(DEVICE_OUT, table, body["device"], entry.at, says, entry.clause, str(entry.sequence))
        elif entry.kind == entry_kinds.DEVICE_RETURNED:
            self._end(DEVICE_OUT, table, body["device"], entry.at)

    def _hit(self, entry: Entry) -> None:
        body = entry.body
        what = f"{body['player']} at seat {body['seat']} won {dollars(body['paid_cents'])}"
        meter = "the meter" if body["meter"] == "meter" else f"the meter {body['meter']}"
        says = f"{what}, {body['percent']}% of {meter}, for {body['hand'] or 'a hand'}"
        about = f"{body['round']}:{body['seat']}:{body['meter']}"
        name = f"{entry.stream.partition('/')[2]}-{entry.sequence}"
        self._raise(METER_HIT, body["table"], about, entry.at, says, entry.clause, name)

    def _check_tray(self, table: str, watched: _Watched, entry: Entry) -> None:
        is_off = entry.kind == entry_kinds.TRAY_COUNTED and entry.body["tray_cents"] != entry.body["expected_cents"]
        is_free = watched.document is not None and is_free_play(watched.document)
        # Under money controls the difference is a variance, with an alert of its own.
        if is_off and (is_free or not self.cash.settings.money_controls):
            counted, expected = dollars(entry.body["tray_cents"]), dollars(entry.body["expected_cents"])
            says = f"{entry.actor} counted {counted} in the tray, but the books say {expected}"
            name = str(entry.sequence)
            self._raise(TRAY_OFF, table, name, entry.at, says, rule.TRAYS, name, entry.actor)
        change = entry.body.get("postings", {}).get(inventory(table), 0)
        watched.tray_cents += change
        is_closing = entry.kind in (entry_kinds.TRAY_LOCKED, entry_kinds.TRAY_CREDITED) and not entry.body.get("second")
        if watched.tray_cents * TRAY_LOW_PART >= watched.opening_cents or is_closing:
            self._end(TRAY_LOW, table, "", entry.at)
        elif change:
            # Without an amount: the people who count the tray blind may read this first.
            says = f"the tray is down to less than 1/{TRAY_LOW_PART} of its opener"
            self._raise(TRAY_LOW, table, "", entry.at, says, rule.TRAYS, str(entry.sequence))

    def _check_hold(self, table: str, entry: Entry) -> None:
        if self.actual.rounds.get(table, 0) % HOLD_EVERY_ROUNDS:
            return
        rules = self.actual.rules_at(table)
        results = self.actual.of(table, rules)
        look = _Look(table, entry.sequence, entry.at, results)
        if rules in self.theories:
            self._look(look)
        elif any(result.rounds >= ALERT_ROUNDS for result in results.values()):
            # A theory may take minutes to compute; its verdict on this moment must not depend on when it is ready.
            self._looks.setdefault(rules, []).append(look)

    def _look(self, look: _Look) -> None:
        for line in compared(look.results, self.theories, tables_together=False, chance_of=self._chance_of):
            about = f"{line.rules}:{line.wager}"
            if not line.is_outside:
                self._end(HOLD_OUT, look.table, about, look.at)
                continue
            name = f"{line.wager or 'all'}:{look.sequence}"
            self._raise(HOLD_OUT, look.table, about, look.at, said_of_hold(line), rule.ALERTS, name)

    def _by_time(self, table: str, now_ms: int) -> Iterator[tuple[str, Alert]]:
        yield from self._due(table, now_ms)
        watched = self._tables[table]
        until, cards = watched.dealer_until, watched.cards
        is_missed = until and watched.is_in_round and until + GONE_AFTER_MS <= now_ms
        if is_missed and cards is not None and _is_handled(cards):
            alert = f"{DEALER_GONE}:{table}:{until}"
            yield "", Alert(alert, DEALER_GONE, table, until, f"round {watched.round} has no dealer", rule.LEASES)

    def _due(self, table: str, now_ms: int) -> Iterator[tuple[str, Alert]]:
        cards = self._tables[table].cards
        hours = deck_hours(cards) if cards is not None else None
        if cards is None or hours is None or not _is_handled(cards):
            return
        for deck in cards.decks:
            due_at = deck_due_at(cards, deck)
            alert = f"{DECK_DUE}:{table}:{deck.name}:{due_at}"
            if due_at is not None and due_at <= now_ms:
                says = f"{deck_title(deck.name)} is due for replacement after {hours[0]} hours"
                yield deck.name, Alert(alert, DECK_DUE, table, due_at, says, hours[1] or None)

    def _raise(
        self,
        kind: str,
        table: str,
        about: str,
        at: int,
        says: str,
        clause: str | None,
        name: str,
        by: str = "",
    ) -> None:
        key = (kind, table, about)
        if key in self._standing:
            return  # one alert per cause, until it goes away
        alert = f"{kind}:{table}:{name}"
        self._standing[key] = alert
        self._raised[alert] = Alert(alert, kind, table, at, says, clause, by=by)

    def _end(self, kind: str, table: str, about: str, at: int, how: str = "") -> None:
        alert = self._standing.pop((kind, table, about), None)
        if alert is not None and alert in self._raised:
            raised = self._raised[alert]
            self._raised[alert] = raised._replace(over_at=at, says=f"{raised.says}{how}")


def _off(over_cents: int) -> str:
    return f"{dollars(abs(over_cents))} {'more' if over_cents > 0 else 'less'} than the books"


def _answer(entry: Entry) -> str:
    reason = f": {entry.body['reason']}" if entry.body["reason"] else ""
    return f"; {entry.body['outcome']} by {entry.actor}{reason}"


def _age(alert: Alert) -> tuple[int, str]:
    return alert.at, alert.id


def _is_handled(cards: TableState) -> bool:
    # An automatic table has no cards that anyone could count or change.
    return not cards.settings.self_dealing


def _watched_data(watched: _Watched) -> dict[str, Any]:
    return {
        "cards": state_to_dict(watched.cards) if watched.cards is not None else None,
        "document": watched.document,
        "tray_cents": watched.tray_cents,
        "opening_cents": watched.opening_cents,
        "round": watched.round,
        "is_in_round": watched.is_in_round,
        "dealer": watched.dealer,
        "dealer_until": watched.dealer_until,
    }
