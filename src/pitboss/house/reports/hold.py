"""Hold: handle, drop and win by table, game, wager, dealer, hour and gaming day, equal to the trays to the cent."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from fractions import Fraction
from typing import Any, NamedTuple

from pitboss.house import entry_kinds
from pitboss.house.controls.gaming_day import working_at
from pitboss.house.controls.house_settings import HouseSettings, ShiftTime
from pitboss.house.money.ledger import coupons, inventory
from pitboss.house.money.postings import is_paid_by_meter
from pitboss.house.reports.table_facts import Followed, add_up, follow_table, hour_of, is_hour_in
from pitboss.record.entries import Body, Entry
from pitboss.round.events import SETTLED as ROUND_SETTLED
from pitboss.round.events import WagerResult
from pitboss.rules.plain import made, plain

TABLE, GAME, DEALER, HOUR, DAY, WAGER, SHIFT = "table", "game", "dealer", "hour", "day", "wager", "shift"
GROUPINGS = (TABLE, GAME, DEALER, HOUR, DAY, WAGER, SHIFT)
ENVY = "envy bonuses"
_RowKey = tuple[tuple[str, ...], bool]  # what a line covers, and whether it is play money
GAMING_DAY_BEGINS_HOUR = 6  # in UTC, unless the house sets another


class Place(NamedTuple):
    """Where and when money moved."""

    table: str
    game: str
    dealer: str
    hour: int  # UTC milliseconds
    free_play: bool = False


@dataclass(slots=True)
class Staked:
    """The totals of one wager."""

    decisions: int = 0
    handle_cents: int = 0
    won_cents: int = 0  # by the tray
    from_meters_cents: int = 0  # paid to players by meters, which the tray fed earlier
    coupons_cents: int = 0  # the face values of coupons taken, which aren't money and not part of the win


@dataclass(slots=True)
class Books:
    """What went through a tray and its drop box, and how many rounds were voided there."""

    opening_cents: int = 0
    fills_cents: int = 0
    credits_cents: int = 0
    closing_cents: int = 0  # trays at closing, sent to the cage or locked
    drop_cents: int = 0
    won_cents: int = 0
    contributed_cents: int = 0
    counted_over_cents: int = 0
    corrected_cents: int = 0
    coupons_cents: int = 0  # the face values of coupons taken, which aren't money and not part of the win
    tray_change_cents: int = 0  # of the tray's account, for any reason
    voided_rounds: int = 0  # whole rounds, not single seats or wagers
    settled_rounds: int = 0

    @property
    def win_cents(self) -> int:
        """Return the win according to counts and slips."""
        came_out = self.tray_change_cents + self.closing_cents + self.credits_cents + self.drop_cents
        return came_out - self.opening_cents - self.fills_cents

    @property
    def explained_cents(self) -> int:
        """Return the win according to rounds, meters, counts and corrections."""
        return self.won_cents - self.contributed_cents + self.counted_over_cents + self.corrected_cents


class HoldRow(NamedTuple):
    """A line of the report; percentages are exact, and None if nothing was dropped or staked."""

    of: Mapping[str, str]
    handle_cents: int | None
    drop_cents: int | None  # None if the line is for a wager, which has no drop box of its own
    win_cents: int
    hold: Fraction | None  # win divided by drop
    won_of_handle: Fraction | None
    coupons_cents: int  # the face values of coupons taken, in addition to the money
    voided_rounds: int | None  # whole rounds; None if the line is for a wager, which isn't voided by itself
    free_play: bool  # play money, which is never added to money


class Reconciled(NamedTuple):
    """A table's tray and drop box since its record began; nothing is unexplained if the books are sound."""

    table: str
    tray_cents: int
    win_cents: int
    unexplained_cents: int
    opening_cents: int
    fills_cents: int
    credits_cents: int
    closing_cents: int
    drop_cents: int
    won_cents: int
    contributed_cents: int
    counted_over_cents: int
    corrected_cents: int
    coupons_cents: int


@dataclass(slots=True)
class Played:
    """What went through a table's tray, and how often each wager was decided there."""

    books: Books = field(default_factory=Books)
    decisions: dict[str, int] = field(default_factory=dict)  # by wager


class Hold:
    """Follows the tables' streams; its sums can be saved and restored."""

    def __init__(self, day_begins_hour: int = GAMING_DAY_BEGINS_HOUR) -> None:
        begins = day_begins_hour * 60
        usual = HouseSettings()
        shifts = usual.shifts if begins == usual.day_begins_minutes else (ShiftTime("day", begins),)
        self.settings = HouseSettings(day_begins_minutes=begins, shifts=shifts)
        self._tables: dict[str, Followed] = {}
        self.books: dict[Place, Books] = {}
        self.staked: dict[tuple[Place, str], Staked] = {}
        self._banked: dict[str, set[tuple[int, str]]] = {}  # by table: whose progressive chips are in its tray
        self.differences: list[str] = []  # entries whose results and tray don't agree; none if the books are sound

    def add(self, entry: Entry) -> None:
        """Process the next entry of any stream."""
        if entry.kind == entry_kinds.SETTINGS_CHANGED:
            self.settings = made(HouseSettings, entry.body["settings"])
        followed = follow_table(self._tables, entry)
        if followed is None:
            return
        table = followed.table
        if entry.kind == entry_kinds.ROUND_BEGUN:
            self._banked.pop(table, None)
        booked = _BOOKED.get(entry.kind)
        moved = entry.body.get("postings")
        if booked is None and not moved:
            return
        place = Place(table, followed.game, followed.dealer, hour_of(entry.at), followed.free_play)
        books = self.books.get(place) or self.books.setdefault(place, Books())
        change = moved.get(inventory(table), 0) if moved else 0
        books.tray_change_cents += change
        books.coupons_cents += moved.get(coupons(table), 0) if moved else 0
        if booked is not None:
            booked(books, entry.body, change)
        if entry.kind == entry_kinds.STAKES_BANKED:
            self._banked.setdefault(table, set()).update((seat, entry.body["wager"]) for seat in entry.body["seats"])
        if entry.kind in _STAKED:
            self._stake(place, followed, entry, change)

    def rows(self, *by: str, since_ms: int = 0, until_ms: int | None = None) -> tuple[HoldRow, ...]:
        """Return the report by any of table, game, dealer, hour, day, shift and wager, for some hours or all."""
        assert set(by) <= set(GROUPINGS), f"hold can't be grouped by {by}"

        def is_asked(place: Place) -> bool:
            return is_hour_in(place.hour, since_ms, until_ms)

        if WAGER in by:
            return self._by_wager(by, is_asked)
        sums: dict[_RowKey, Books] = {}
        handles: dict[_RowKey, int] = {}
        for place, books in filter(lambda item: is_asked(item[0]), self.books.items()):
            add_up(sums.setdefault(self._key(place, by), Books()), books)
        for (place, _), staked in filter(lambda item: is_asked(item[0][0]), self.staked.items()):
            key = self._key(place, by)
            handles[key] = handles.get(key, 0) + staked.handle_cents
        rows = []
        for key, books in sorted(sums.items()):
            names, free_play = key
            of = dict(zip(by, names, strict=True))
            win, drop, handle = books.win_cents, books.drop_cents, handles.get(key, 0)
            shares = _part(win, drop), _part(win, handle)
            rows.append(HoldRow(of, handle, drop, win, *shares, books.coupons_cents, books.voided_rounds, free_play))
        return tuple(rows)

    def by_table(self, *, since_ms: int = 0, until_ms: int | None = None) -> dict[tuple[str, bool], Played]:
        """Return what was played by table, and by whether it was play money, for some hours or all."""
        found: dict[tuple[str, bool], Played] = {}
        for place, books in self.books.items():
            if is_hour_in(place.hour, since_ms, until_ms):
                add_up(found.setdefault((place.table, place.free_play), Played()).books, books)
        for (place, wager), staked in self.staked.items():
            if is_hour_in(place.hour, since_ms, until_ms):
                decisions = found.setdefault((place.table, place.free_play), Played()).decisions
                decisions[wager] = decisions.get(wager, 0) + staked.decisions
        return found

    def reconciled(self) -> tuple[Reconciled, ...]:
        """Return what went through each table's tray and drop box, and how much of it is unexplained."""
        found = []
        for table in sorted({place.table for place in self.books}):
            books = self.of_table(table)
            rest = {name: value for name, value in asdict(books).items() if name in Reconciled._fields}
            unexplained = books.win_cents - books.explained_cents
            found.append(Reconciled(table, books.tray_change_cents, books.win_cents, unexplained, **rest))
        return tuple(found)

    def of_table(self, table: str) -> Books:
        """Return everything that went through a table's tray."""
        total = Books()
        for place, books in self.books.items():
            if place.table == table:
                add_up(total, books)
        return total

    def to_data(self) -> dict[str, Any]:
        """Return the sums as plain data."""
        return {
            "tables": [followed.to_data() for followed in self._tables.values()],
            "books": [[*place, asdict(sums)] for place, sums in self.books.items()],
            "staked": [[*place, wager, asdict(sums)] for (place, wager), sums in self.staked.items()],
            "banked": [[table, sorted(map(list, stakes))] for table, stakes in sorted(self._banked.items())],
            "differences": list(self.differences),
            "settings": plain(self.settings),
        }

    def restore(self, data: Mapping[str, Any]) -> None:
        """Restore the sums from plain data."""
        self._tables = {kept[0]: Followed.from_data(kept) for kept in data["tables"]}
        self.books = {Place(*place): Books(**sums) for *place, sums in data["books"]}
        self.staked = {(Place(*place), wager): Staked(**sums) for *place, wager, sums in data["staked"]}
        self._banked = {table: {(seat, wager) for seat, wager in stakes} for table, stakes in data.get("banked", ())}
        self.differences = list(data["differences"])
        self.settings = made(HouseSettings, data["settings"])

    def _stake(self, place: Place, followed: Followed, entry: Entry, change: int) -> None:
        sign = -1 if entry.kind == _REVERSED else 1
        if entry.kind == entry_kinds.ENVY_PAID:
            told = self._one(place, ENVY, 0, -entry.body["net"], 0)
        else:
            results = [WagerResult(**result) for result in entry.body["results"]]
            told = sum(self._result(place, result, sign) for result in followed.decided(entry))
            # Chips that were already in the tray aren't a gain of this entry.
            banked = self._banked.get(place.table, set())
            told -= sign * sum(result.stake for result in results if (entry.body["seat"], result.wager) in banked)
            if entry.body.get("envy"):
                told += self._one(place, ENVY, 0, entry.body["envy"], 0)
        if told != change:
            self.differences.append(
                f"{entry.stream} {entry.sequence}: results add up to {told}, but the tray changed by {change}"
            )

    def _result(self, place: Place, result: WagerResult, sign: int) -> int:
        from_meter = result.paid if result.paid and is_paid_by_meter(result) else 0
        won, from_meter = sign * (from_meter - result.net), sign * from_meter
        return self._one(place, result.wager, sign * result.stake, won, from_meter, sign * result.coupon)

    def _one(self, place: Place, wager: str, stake: int, won: int, from_meters: int, coupon: int = 0) -> int:
        key = (place, wager)
        staked = self.staked.get(key) or self.staked.setdefault(key, Staked())
        staked.decisions += (stake > 0) - (stake < 0)
        staked.handle_cents += stake
        staked.won_cents += won
        staked.from_meters_cents += from_meters
        staked.coupons_cents += coupon
        return won

    def _by_wager(self, by: tuple[str, ...], is_asked: Callable[[Place], bool]) -> tuple[HoldRow, ...]:
        sums: dict[_RowKey, Staked] = {}
        for (place, wager), staked in filter(lambda item: is_asked(item[0][0]), self.staked.items()):
            add_up(sums.setdefault(self._key(place, by, wager), Staked()), staked)
        return tuple(
            HoldRow(
                dict(zip(by, names, strict=True)),
                total.handle_cents,
                None,
                total.won_cents,
                None,
                _part(total.won_cents, total.handle_cents),
                total.coupons_cents,
                None,
                free_play,
            )
            for (names, free_play), total in sorted(sums.items())
        )

    def _key(self, place: Place, by: tuple[str, ...], wager: str = "") -> _RowKey:
        return tuple(self._named(place, column, wager) for column in by), place.free_play

    def _named(self, place: Place, column: str, wager: str) -> str:
        if column == HOUR:
            return datetime.fromtimestamp(place.hour // 1000, UTC).strftime("%Y-%m-%dT%H:00Z")
        if column in (DAY, SHIFT):
            working = working_at(self.settings, place.hour)
            return working.day if column == DAY else working.shift
        return wager if column == WAGER else str(getattr(place, column))


def _part(cents: int, of_cents: int) -> Fraction | None:
    return Fraction(cents, of_cents) if of_cents else None


def _opened(books: Books, body: Body, change: int) -> None:
    books.opening_cents += body["tray_cents"]


def _filled(books: Books, body: Body, change: int) -> None:
    books.fills_cents += change


def _credited(books: Books, body: Body, change: int) -> None:
    if body.get("second") is None:
        books.closing_cents -= change  # nobody requested a credit: the table was closed
    else:
        books.credits_cents -= change


def _locked(books: Books, body: Body, change: int) -> None:
    books.closing_cents -= change


def _bought(books: Books, body: Body, change: int) -> None:
    books.drop_cents += body["cents"]


def _won(books: Books, body: Body, change: int) -> None:
    books.won_cents += change


def _contributed(books: Books, body: Body, change: int) -> None:
    books.contributed_cents -= change


def _counted(books: Books, body: Body, change: int) -> None:
    books.counted_over_cents += change


def _corrected(books: Books, body: Body, change: int) -> None:
    # A reversed slip counts as never written: no one won or lost by it.
    books.drop_cents += body["drop_cents"]
    if body["kind"] == entry_kinds.TRAY_FILLED:
        books.fills_cents += change
    elif body["kind"] == entry_kinds.TRAY_CREDITED:
        books.credits_cents -= change
    else:
        books.corrected_cents += change + body["drop_cents"]


def _voided(books: Books, body: Body, change: int) -> None:
    books.voided_rounds += 1


def _ended(books: Books, body: Body, change: int) -> None:
    books.settled_rounds += body["outcome"] == ROUND_SETTLED


_SETTLED, _REVERSED = entry_kinds.WAGERS_SETTLED, entry_kinds.WAGERS_REVERSED
_STAKED: Iterable[str] = frozenset({_SETTLED, _REVERSED, entry_kinds.ENVY_PAID})
_BOOKED: Mapping[str, Callable[[Books, Body, int], None]] = {
    entry_kinds.TABLE_OPENED: _opened,
    entry_kinds.TRAY_FILLED: _filled,
    entry_kinds.TRAY_CREDITED: _credited,
    entry_kinds.TRAY_LOCKED: _locked,
    entry_kinds.CHIPS_BOUGHT: _bought,
    entry_kinds.TRAY_COUNTED: _counted,
    entry_kinds.CONTRIBUTION_PAID: _contributed,
    entry_kinds.CORRECTED: _corrected,
    entry_kinds.STAKES_BANKED: _won,
    entry_kinds.WAGER_RETURNED: _won,
    _SETTLED: _won,
    _REVERSED: _won,
    entry_kinds.ENVY_PAID: _won,
    entry_kinds.ROUND_VOIDED: _voided,
    entry_kinds.ROUND_ENDED: _ended,
}
