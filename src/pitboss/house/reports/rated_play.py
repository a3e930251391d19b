"""Rated play from the record: who sat where, for how long, what they bet on each wager, and what that is worth."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from fractions import Fraction
from typing import Any, NamedTuple

from pitboss.house import entry_kinds
from pitboss.house.controls.gaming_day import day_start
from pitboss.house.controls.house_settings import HouseSettings
from pitboss.house.patrons import account_of_patron
from pitboss.house.reports.table_facts import HOUR_MS, Followed, follow_table
from pitboss.house.reports.theory import Theories
from pitboss.record.entries import Entry
from pitboss.rules.plain import made, plain


@dataclass(slots=True)
class Sitting:
    """One player's time at one table under one version of its rules, in one gaming day."""

    player: str
    table: str
    game: str
    rules: str
    free_play: bool
    began_at: int
    ended_at: int | None = None
    last_at: int = 0  # of the last settlement
    rounds: int = 0
    bet_cents: dict[str, int] = field(default_factory=dict)  # by wager
    bets: dict[str, int] = field(default_factory=dict)  # how many, by wager
    lost_cents: int = 0
    round: str = ""


class RatedRow(NamedTuple):
    """A line of the report; the theoretical win is exact, or None while the lab hasn't computed it."""

    player: str
    table: str
    game: str
    began_at: int
    ended_at: int | None
    minutes: int
    rounds: int
    rounds_per_hour: int
    average_bets: str
    bet_cents: int
    lost_cents: int
    theoretical_cents: Fraction | None
    comp_base_cents: int | None
    free_play: bool


class RatedPlay:
    """Follows the tables' streams; nobody types anything in."""

    def __init__(self) -> None:
        self._tables: dict[str, Followed] = {}
        self.sittings: list[Sitting] = []
        self._here: dict[tuple[str, str], Sitting] = {}  # by table and player
        self._seats: dict[str, dict[int, str]] = {}
        self.settings = HouseSettings()

    def add(self, entry: Entry) -> None:
        """Process the next entry of any stream."""
        if entry.kind == entry_kinds.SETTINGS_CHANGED:
            self.settings = made(HouseSettings, entry.body["settings"])
        facts = follow_table(self._tables, entry)
        if facts is None:
            return
        seats = self._seats.setdefault(facts.table, {})
        body = entry.body
        if entry.kind == entry_kinds.SEAT_TAKEN:
            seats[body["seat"]] = body["player"]
            if (facts.table, body["player"]) not in self._here:
                self._sit(body["player"], facts, entry.at)
        elif entry.kind == entry_kinds.SEAT_LEFT:
            player = seats.pop(body["seat"], "")
            if player not in seats.values() and (left := self._here.pop((facts.table, player), None)) is not None:
                left.ended_at = entry.at
        elif entry.kind in (entry_kinds.WAGERS_SETTLED, entry_kinds.WAGERS_REVERSED):
            sitting = self._here.get((facts.table, seats.get(body["seat"], "")))
            if sitting is not None:
                self._settled(self._of_today(sitting, facts, entry.at), facts, entry)
        elif entry.kind == entry_kinds.SUBMISSION_ACTIVATED:
            for player in [who for table, who in self._here if table == facts.table]:
                self._move_on(self._here[facts.table, player], facts, entry.at)

    def _sit(self, player: str, facts: Followed, at: int) -> Sitting:
        sitting = Sitting(player, facts.table, facts.game, facts.rules, facts.free_play, at)
        self._here[facts.table, player] = sitting
        self.sittings.append(sitting)
        return sitting

    def _move_on(self, sitting: Sitting, facts: Followed, at: int) -> Sitting:
        sitting.ended_at = at
        following = self._sit(sitting.player, facts, at)
        following.round = sitting.round  # which counts once
        return following

    def _of_today(self, sitting: Sitting, facts: Followed, at: int) -> Sitting:
        # What is settled after the gaming day began counts in it, so that days add up.
        begins = day_start(self.settings, at)
        return self._move_on(sitting, facts, begins) if sitting.began_at < begins else sitting

    def _settled(self, sitting: Sitting, facts: Followed, entry: Entry) -> None:
        sign = -1 if entry.kind == entry_kinds.WAGERS_REVERSED else 1
        is_new = sitting.round != facts.round
        for result in facts.decided(entry):
            sitting.bet_cents[result.wager] = sitting.bet_cents.get(result.wager, 0) + sign * result.stake
            sitting.bets[result.wager] = sitting.bets.get(result.wager, 0) + sign
            sitting.lost_cents -= sign * result.net
        sitting.rounds += is_new
        sitting.round, sitting.last_at = facts.round, entry.at

    def rows(
        self, theories: Theories, now_ms: int, *, player: str = "", since_ms: int = 0, until_ms: int | None = None
    ) -> tuple[RatedRow, ...]:
        """Return a line for each sitting with a decided wager that overlaps a time, newest first."""
        found = (sitting for sitting in reversed(self.sittings) if sitting.rounds)
        return tuple(
            _row(sitting, theories, self.settings, now_ms)
            for sitting in found
            if (not player or player in (sitting.player, account_of_patron(sitting.player)))
            and (until_ms is None or sitting.began_at < until_ms)
            and sitting.last_at >= since_ms
        )

    def to_data(self) -> dict[str, Any]:
        """Return the sittings as plain data."""
        return {
            "tables": [followed.to_data() for followed in self._tables.values()],
            "sittings": [asdict(sitting) for sitting in self.sittings],
            "here": [[*key, self.sittings.index(sitting)] for key, sitting in self._here.items()],
            "seats": {table: [[seat, who] for seat, who in seats.items()] for table, seats in self._seats.items()},
            "settings": plain(self.settings),
        }

    def restore(self, data: Mapping[str, Any]) -> None:
        """Restore the sittings from plain data."""
        self._tables = {kept[0]: Followed.from_data(kept) for kept in data["tables"]}
        self.sittings = [Sitting(**sitting) for sitting in data["sittings"]]
        self._here = {(table, player): self.sittings[place] for table, player, place in data["here"]}
        self._seats = {table: dict(seats) for table, seats in data["seats"].items()}
        self.settings = made(HouseSettings, data["settings"])


def _row(sitting: Sitting, theories: Theories, settings: HouseSettings, now_ms: int) -> RatedRow:
    ended = sitting.ended_at or max(sitting.last_at, min(now_ms, sitting.last_at + HOUR_MS))
    played_ms = max(ended - sitting.began_at, 1)
    averages = ", ".join(
        f"{wager} {sitting.bet_cents[wager] // bets / 100:.2f}" for wager, bets in sorted(sitting.bets.items()) if bets
    )
    expected = _theoretical(sitting, theories)
    comp = (
        None
        if expected is None or sitting.free_play
        else int(max(expected, Fraction(0)) * settings.comp_percent // 100)
    )
    return RatedRow(
        sitting.player,
        sitting.table,
        sitting.game,
        sitting.began_at,
        sitting.ended_at,
        played_ms // 60_000,
        sitting.rounds,
        sitting.rounds * HOUR_MS // played_ms,
        averages,
        sum(sitting.bet_cents.values()),
        sitting.lost_cents,
        expected,
        comp,
        sitting.free_play,
    )


def _theoretical(sitting: Sitting, theories: Theories) -> Fraction | None:
    known = theories.get(sitting.rules)
    if not known:
        return None
    # A theory is the player's: what its base wager and the wagers played with it return.
    per_wager = (
        theory.expected * sitting.bet_cents[theory.wager] + theory.expected_cents * sitting.bets[theory.wager]
        for theory in known
        if theory.wager in sitting.bet_cents
    )
    return -sum(per_wager, Fraction(0))
