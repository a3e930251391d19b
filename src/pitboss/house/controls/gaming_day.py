"""The gaming day and the shift that a moment belongs to, by the house's clock."""

from datetime import datetime, timedelta
from typing import NamedTuple
from zoneinfo import ZoneInfo

from pitboss.house.controls.house_settings import HouseSettings


class Working(NamedTuple):
    """A gaming day, written as its date, and a shift of it."""

    day: str
    shift: str


def working_at(settings: HouseSettings, at_ms: int) -> Working:
    """Return the gaming day and shift of a moment in UTC milliseconds."""
    local = datetime.fromtimestamp(at_ms / 1000, ZoneInfo(settings.time_zone))
    minutes = local.hour * 60 + local.minute
    is_early = minutes < settings.day_begins_minutes
    day = (local - timedelta(days=1) if is_early else local).date().isoformat()
    # Shifts in the order of the gaming day, so that one that begins after midnight comes last.
    begun = [
        shift
        for shift in sorted(settings.shifts, key=lambda shift: _since(settings, shift.begins_minutes))
        if _since(settings, shift.begins_minutes) <= _since(settings, minutes)
    ]
    return Working(day, begun[-1].name if begun else settings.shifts[0].name)


def day_start(settings: HouseSettings, at_ms: int, *, days_before: int = 0) -> int:
    """Return when the gaming day of a moment began, or one that many days earlier, in UTC milliseconds."""
    first = datetime.fromisoformat(working_at(settings, at_ms).day) - timedelta(days=days_before)
    return date_start(settings, first.date().isoformat())


def date_start(settings: HouseSettings, day: str) -> int:
    """Return when the gaming day of a date begins, in UTC milliseconds."""
    midnight, zone = datetime.fromisoformat(day), ZoneInfo(settings.time_zone)
    local = (midnight + timedelta(minutes=settings.day_begins_minutes)).replace(tzinfo=zone)
    return int(local.timestamp()) * 1000


def clock_time(settings: HouseSettings, at_ms: int) -> str:
    """Return a moment as the house's clock shows it."""
    return datetime.fromtimestamp(at_ms / 1000, ZoneInfo(settings.time_zone)).strftime("%Y-%m-%d %H:%M:%S %Z")


def _since(settings: HouseSettings, minutes: int) -> int:
    return (minutes - settings.day_begins_minutes) % (24 * 60)
