"""What each table earns for the hours it was open, and whether its minimum or its opening should change."""

from typing import NamedTuple

from pitboss.house.controls.house_settings import HouseSettings
from pitboss.house.reports.hold import Hold, Played
from pitboss.house.reports.openings import Openings
from pitboss.house.reports.table_facts import HOUR_MS, hour_of

CLOSE, LOWER, RAISE, KEEP = "close it", "lower the minimum", "raise the minimum or open another table", "leave it"
FULL_SEATS, EMPTY_SEATS = 5, 2


class YieldRow(NamedTuple):
    """A line of the report, with the figures behind its advice."""

    table: str
    game: str
    open_minutes: int
    rounds: int
    rounds_per_hour: int
    seats_per_round: float
    win_cents: int
    win_per_hour_cents: int
    cost_per_hour_cents: int
    advice: str
    free_play: bool


def yields(
    hold: Hold,
    openings: Openings,
    settings: HouseSettings,
    now_ms: int,
    *,
    since_ms: int = 0,
    until_ms: int | None = None,
) -> tuple[YieldRow, ...]:
    """Return a line for each table that was open in some hours, or ever; play money has lines of its own."""
    played = hold.by_table(since_ms=since_ms, until_ms=until_ms)
    until = now_ms if until_ms is None else min(now_ms, hour_of(until_ms + HOUR_MS - 1))
    open_ms: dict[tuple[str, bool], int] = {}
    games: dict[tuple[str, bool], str] = {}
    for opening in openings.openings:
        begun, ended = max(opening.opened_at, hour_of(since_ms)), min(opening.closed_at or now_ms, until)
        if begun < ended:
            key = (opening.table, opening.free_play)
            open_ms[key] = open_ms.get(key, 0) + ended - begun
            games[key] = opening.game
    lines = []
    for key, lasted in sorted(open_ms.items()):
        at_table = played.get(key, Played())
        rounds, win = at_table.books.settled_rounds, at_table.books.win_cents
        seats = round(max(at_table.decisions.values(), default=0) / rounds, 2) if rounds else 0.0
        per_hour, cost = win * HOUR_MS // lasted, settings.table_cost_cents
        table, free_play = key
        lines.append(
            YieldRow(
                *(table, games[key], lasted // 60_000, rounds, rounds * HOUR_MS // lasted, seats),
                *(win, per_hour, cost, _advice(seats, per_hour, cost), free_play),
            )
        )
    return tuple(lines)


def _advice(seats: float, per_hour_cents: int, cost_cents: int) -> str:
    if seats >= FULL_SEATS:
        return RAISE
    if seats <= EMPTY_SEATS:
        return CLOSE if per_hour_cents < cost_cents else LOWER
    return KEEP
