"""What each table earns for the hours it was open, and whether its minimum or its opening should change."""

from typing import NamedTuple

from pitboss.house.controls.house_settings import HouseSettings
from pitboss.house.reports.hold import Hold
from pitboss.house.reports.openings import Openings
from pitboss.house.reports.table_facts import HOUR_MS

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
    hold: Hold, openings: Openings, rounds: dict[str, int], settings: HouseSettings, now_ms: int
) -> tuple[YieldRow, ...]:
    """Return a line for each table that was ever open."""
    lines = []
    for table in sorted({opening.table for opening in openings.openings}):
        own = [opening for opening in openings.openings if opening.table == table]
        open_ms = max(sum((opening.closed_at or now_ms) - opening.opened_at for opening in own), 1)
        decisions: dict[str, int] = {}
        for (place, wager), staked in hold.staked.items():
            if place.table == table:
                decisions[wager] = decisions.get(wager, 0) + staked.decisions
        played, win = rounds.get(table, 0), sum(opening.win_cents for opening in own)
        seats = round(max(decisions.values(), default=0) / played, 2) if played else 0.0
        per_hour = win * HOUR_MS // open_ms
        cost = settings.table_cost_cents
        lines.append(
            YieldRow(
                *(table, own[-1].game, open_ms // 60_000, played, played * HOUR_MS // open_ms, seats),
                *(win, per_hour, cost, _advice(seats, per_hour, cost), own[-1].free_play),
            )
        )
    return tuple(lines)


def _advice(seats: float, per_hour_cents: int, cost_cents: int) -> str:
    if seats >= FULL_SEATS:
        return RAISE
    if seats <= EMPTY_SEATS:
        return CLOSE if per_hour_cents < cost_cents else LOWER
    return KEEP
