"""Cash of one person in one gaming day: in and out apart, logged from one threshold, reported above another."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from pitboss.house import entry_kinds
from pitboss.house.controls.gaming_day import working_at
from pitboss.house.controls.house_settings import HouseSettings
from pitboss.house.patrons import account_of_patron, is_patron
from pitboss.house.reports.table_facts import Followed, follow_table
from pitboss.record.entries import Entry
from pitboss.rules.payoff import dollars
from pitboss.rules.plain import made, plain

IN, OUT = "in", "out"


class Cash(NamedTuple):
    """One payment in cash."""

    at: int
    day: str
    person: str
    way: str  # in, or out
    cents: int
    where: str
    by: str


class CashDay(NamedTuple):
    """A person's cash one way in one gaming day."""

    day: str
    person: str
    way: str
    cents: int
    payments: int
    is_reportable: bool


class CashLog:
    """Follows deposits, payouts and cash at the tables; play money isn't cash."""

    def __init__(self) -> None:
        self.settings = HouseSettings()
        self.payments: list[Cash] = []
        self._sums: dict[tuple[str, str, str], int] = {}
        self._tables: dict[str, Followed] = {}

    def add(self, entry: Entry) -> tuple[str, str] | None:
        """Process the next entry, and return the subject and sentence of an alert if a threshold is reached now."""
        if entry.kind == entry_kinds.SETTINGS_CHANGED:
            self.settings = made(HouseSettings, entry.body["settings"])
        facts = follow_table(self._tables, entry)
        paid = _paid(entry, facts)
        if paid is None:
            return None
        person, way, where = paid
        cash = Cash(
            entry.at, working_at(self.settings, entry.at).day, person, way, entry.body["cents"], where, entry.actor
        )
        self.payments.append(cash)
        key = (cash.day, person, way)
        before = self._sums.get(key, 0)
        self._sums[key] = after = before + cash.cents
        warning, report = self.settings.cash_warning_cents, self.settings.cash_report_cents
        done = f"{person}'s cash {way} is {dollars(after)} on {cash.day}"
        if before <= report < after:
            return f"{cash.day}:{person}:{way}:report", f"{done}: file a currency transaction report"
        if before < warning <= after:
            return f"{cash.day}:{person}:{way}:warning", f"{done}, near the limit of {dollars(report)}"
        return None

    def days(self, *, since_ms: int = 0, until_ms: int | None = None) -> tuple[CashDay, ...]:
        """Return each person's cash by whole gaming day and way, from the log's threshold on, newest first."""
        count: dict[tuple[str, str, str], int] = {}
        days = {cash.day for cash in self.payments if _is_in(cash, since_ms, until_ms)}
        for cash in self.payments:
            key = (cash.day, cash.person, cash.way)
            count[key] = count.get(key, 0) + 1
        return tuple(
            CashDay(*key, cents, count[key], cents > self.settings.cash_report_cents)
            for key, cents in sorted(self._sums.items(), reverse=True)
            if cents >= self.settings.cash_log_cents and key[0] in days
        )

    def logged(self, *, since_ms: int = 0, until_ms: int | None = None) -> tuple[Cash, ...]:
        """Return the multiple-transaction log: every payment of a person and day that reached its threshold."""
        return tuple(
            cash
            for cash in reversed(self.payments)
            if self._sums[cash.day, cash.person, cash.way] >= self.settings.cash_log_cents
            and _is_in(cash, since_ms, until_ms)
        )

    def to_data(self) -> dict[str, Any]:
        """Return the log as plain data."""
        return {
            "settings": plain(self.settings),
            "payments": [list(cash) for cash in self.payments],
            "tables": [followed.to_data() for followed in self._tables.values()],
        }

    def restore(self, data: Mapping[str, Any]) -> None:
        """Restore the log from plain data."""
        self.settings = made(HouseSettings, data["settings"])
        self._tables = {kept[0]: Followed.from_data(kept) for kept in data["tables"]}
        self.payments = [Cash(*kept) for kept in data["payments"]]
        self._sums = {}
        for cash in self.payments:
            key = (cash.day, cash.person, cash.way)
            self._sums[key] = self._sums.get(key, 0) + cash.cents


def _is_in(cash: Cash, since_ms: int, until_ms: int | None) -> bool:
    return since_ms <= cash.at and (until_ms is None or cash.at < until_ms)


def _paid(entry: Entry, facts: Followed | None) -> tuple[str, str, str] | None:
    if entry.kind in (entry_kinds.MONEY_ISSUED, entry_kinds.MONEY_REDEEMED):
        if entry.body.get("free_play") is not False:
            return None
        return entry.body["person"], IN if entry.kind == entry_kinds.MONEY_ISSUED else OUT, "cage"
    if entry.kind in (entry_kinds.CHIPS_SOLD, entry_kinds.CHIPS_REDEEMED) and entry.body.get("person"):
        if entry.body["free_play"]:
            return None
        return entry.body["person"], IN if entry.kind == entry_kinds.CHIPS_SOLD else OUT, "cage"
    if entry.kind == entry_kinds.CHIPS_BOUGHT and facts is not None and not facts.free_play:
        patron = entry.body["player"]
        if is_patron(patron):
            return account_of_patron(patron) or f"{facts.table} {patron}", IN, facts.table
    return None
