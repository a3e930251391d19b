"""A player's statement: what they deposited, bought, bet, won, lost and were paid, by gaming day or month."""

from collections.abc import Mapping
from dataclasses import asdict, astuple, dataclass
from typing import Any, NamedTuple

from pitboss.house import entry_kinds
from pitboss.house.controls.gaming_day import working_at
from pitboss.house.controls.house_settings import HouseSettings
from pitboss.house.money.ledger import stack_holder
from pitboss.house.patron_controls.play_totals import account_at
from pitboss.house.reports.table_facts import Followed, follow_table
from pitboss.record.entries import Entry
from pitboss.rules.plain import made, plain


@dataclass(slots=True)
class _Day:
    deposits_cents: int = 0
    payouts_cents: int = 0
    buy_ins_cents: int = 0
    cash_outs_cents: int = 0
    wagers_cents: int = 0
    wins_cents: int = 0
    losses_cents: int = 0


class StatementRow(NamedTuple):
    """A line of a statement, for a gaming day or a month; only real money counts."""

    period: str
    deposits_cents: int  # paid in at the cage
    payouts_cents: int  # paid out at the cage
    buy_ins_cents: int  # at tables
    cash_outs_cents: int  # chips that left tables
    wagers_cents: int  # decided; returned wagers don't count
    wins_cents: int
    losses_cents: int
    net_cents: int  # wins less losses


class Statements:
    """Follows tables and the cage; a patron the house doesn't know has no statement."""

    def __init__(self) -> None:
        self._settings = HouseSettings()
        self._tables: dict[str, Followed] = {}
        self._seats: dict[str, dict[int, str]] = {}
        self._days: dict[str, dict[str, _Day]] = {}  # by account and gaming day

    def add(self, entry: Entry) -> None:
        """Process the next entry of any stream."""
        kind, body = entry.kind, entry.body
        if kind == entry_kinds.SETTINGS_CHANGED:
            self._settings = made(HouseSettings, body["settings"])
        elif kind in (entry_kinds.MONEY_ISSUED, entry_kinds.MONEY_REDEEMED):
            if body.get("free_play") is False:
                day = self._day(body["person"], entry.at)
                day.deposits_cents += body["cents"] if kind == entry_kinds.MONEY_ISSUED else 0
                day.payouts_cents += body["cents"] if kind == entry_kinds.MONEY_REDEEMED else 0
        else:
            facts = follow_table(self._tables, entry)
            if facts is not None and not facts.free_play:
                self._at_table(facts, entry)

    def _at_table(self, facts: Followed, entry: Entry) -> None:
        kind, body = entry.kind, entry.body
        seats = self._seats.setdefault(facts.table, {})
        if kind == entry_kinds.WAGERS_PLACED:
            seats[body["seat"]] = body["player"]  # who left is still settled, or settled again for a dispute
        elif kind == entry_kinds.CORRECTED:
            self._corrected(entry)
        elif kind in (entry_kinds.CHIPS_BOUGHT, entry_kinds.CHIPS_CARRIED_AWAY):
            person = account_at(body["player"])
            if person is not None:
                day = self._day(person, entry.at)
                day.buy_ins_cents += body["cents"] if kind == entry_kinds.CHIPS_BOUGHT else 0
                day.cash_outs_cents += body["cents"] if kind == entry_kinds.CHIPS_CARRIED_AWAY else 0
        elif kind in (entry_kinds.WAGERS_SETTLED, entry_kinds.WAGERS_REVERSED):
            self._settled(facts, seats, entry)
        elif kind == entry_kinds.ENVY_PAID:
            person = account_at(seats.get(body["seat"], ""))
            if person:
                self._day(person, entry.at).wins_cents += body["net"]

    def _corrected(self, entry: Entry) -> None:
        for account, cents in entry.body.get("postings", {}).items():
            person = account_at(stack_holder(account) or "")
            if person and entry.body["kind"] == entry_kinds.CHIPS_BOUGHT:
                self._day(person, entry.at).buy_ins_cents += cents
            elif person and entry.body["kind"] == entry_kinds.CHIPS_CARRIED_AWAY:
                self._day(person, entry.at).cash_outs_cents -= cents

    def _settled(self, facts: Followed, seats: Mapping[int, str], entry: Entry) -> None:
        person = account_at(seats.get(entry.body["seat"], ""))
        results = facts.decided(entry)
        if not person:
            return
        day, sign = self._day(person, entry.at), -1 if entry.kind == entry_kinds.WAGERS_REVERSED else 1
        for result in results:
            day.wagers_cents += sign * result.stake
            day.wins_cents += sign * max(result.net, 0)
            day.losses_cents += sign * max(-result.net, 0)
        if entry.kind == entry_kinds.WAGERS_REVERSED:
            day.wins_cents -= entry.body.get("envy", 0)

    def _day(self, person: str, at: int) -> _Day:
        days = self._days.setdefault(person, {})
        return days.setdefault(working_at(self._settings, at).day, _Day())

    def rows(self, person: str, year: int, *, by_month: bool = False) -> tuple[StatementRow, ...]:
        """Return a person's statement of a year, a line for each gaming day or month with activity."""
        sums: dict[str, _Day] = {}
        for day, held in sorted(self._days.get(person, {}).items()):
            if int(day[:4]) == year:
                period = day[:7] if by_month else day
                both = zip(astuple(sums.get(period, _Day())), astuple(held), strict=True)
                sums[period] = _Day(*(before + more for before, more in both))
        return tuple(
            StatementRow(period=period, **asdict(held), net_cents=held.wins_cents - held.losses_cents)
            for period, held in sums.items()
        )

    def to_data(self) -> dict[str, Any]:
        """Return the statements as plain data."""
        return {
            "settings": plain(self._settings),
            "tables": [followed.to_data() for followed in self._tables.values()],
            "seats": {table: [[seat, who] for seat, who in seats.items()] for table, seats in self._seats.items()},
            "days": {
                person: {day: list(astuple(held)) for day, held in days.items()} for person, days in self._days.items()
            },
        }

    def restore(self, data: Mapping[str, Any]) -> None:
        """Restore the statements from plain data."""
        self._settings = made(HouseSettings, data["settings"])
        self._tables = {kept[0]: Followed.from_data(kept) for kept in data["tables"]}
        self._seats = {table: dict(seats) for table, seats in data["seats"].items()}
        self._days = {person: {day: _Day(*held) for day, held in days.items()} for person, days in data["days"].items()}
