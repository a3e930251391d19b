"""The house's settings: its name, its gaming day and shifts, and the amounts at or above which a control applies."""

from dataclasses import dataclass
from zoneinfo import ZoneInfo

from pitboss.house.controls.play_limits import NO_LIMITS, PlayLimits
from pitboss.house.people import house_rules as rule
from pitboss.rules.refusal import Refusal

DAY_MINUTES = 24 * 60
NAME_LONGEST = 80
LOOSENING_HOURS_MOST = 90 * 24
LOCK_MINUTES_MOST = 60


@dataclass(frozen=True, slots=True)
class ShiftTime:
    """A shift's name and when it begins, in minutes after midnight."""

    name: str
    begins_minutes: int


@dataclass(frozen=True, slots=True)
class HouseSettings:
    """What the house decided about its own controls; the defaults are the usual thresholds."""

    facility: str = ""
    time_zone: str = "UTC"
    day_begins_minutes: int = 6 * 60
    shifts: tuple[ShiftTime, ...] = (ShiftTime("day", 6 * 60), ShiftTime("swing", 14 * 60), ShiftTime("night", 22 * 60))
    money_controls: bool = False  # slips, blind counts and a counted cage, at real-money tables
    cashier_limit_cents: int = 2_500_00  # from here on a cashier needs a second person
    cash_log_cents: int = 2_500_00
    cash_warning_cents: int = 8_000_00
    cash_report_cents: int = 10_000_00  # cash in, or out, above this in a gaming day is reported
    comp_percent: int = 20  # of the theoretical win of rated play
    table_cost_cents: int = 0  # of running a table for an hour
    retention_years: int = 5
    exclusions: bool = False  # the exclusion list applies at real-money tables and at the cage
    player_limits: bool = False  # players may set their own limits, and the house has some for everyone
    play_limits: PlayLimits = NO_LIMITS  # of the house, for every player
    loosening_hours: int = 24  # before a player's looser limit takes effect
    hand_pays: bool = False  # a large payout waits for identity and tax data
    hand_pay_times: int = 300  # a hand pay is at least this multiple of the wager
    hand_pay_cents: int = 2_000_00  # and at least this amount; the tax authority sets it for each year
    console_lock_minutes: int = 5  # of a staff session that nobody uses; 0 if none locks


def check_settings(settings: HouseSettings) -> Refusal | None:
    """Return what is wrong with settings, or None."""
    if len(settings.facility) > NAME_LONGEST:
        return _wrong("facility", f"A facility's name has at most {NAME_LONGEST} characters")
    try:
        ZoneInfo(settings.time_zone)
    except (ValueError, OSError, LookupError):
        return _wrong("time_zone", f"{settings.time_zone!r} isn't a time zone such as America/New_York")
    if not 0 <= settings.day_begins_minutes < DAY_MINUTES:
        return _wrong("day_begins_minutes", "Start the gaming day at a minute from 0 to 1439")
    starts = [shift.begins_minutes for shift in settings.shifts]
    names = [shift.name for shift in settings.shifts]
    is_named = all(name.strip() and len(name) <= NAME_LONGEST and ":" not in name for name in names)
    if not starts or len(set(starts)) != len(starts) or len(set(names)) != len(names) or not is_named:
        return _wrong("shifts", "Each shift needs its own name and its own start")
    if not all(0 <= minutes < DAY_MINUTES for minutes in starts) or settings.day_begins_minutes not in starts:
        return _wrong("shifts", "Start each shift at a minute from 0 to 1439, and one of them with the gaming day")
    amounts = {name: getattr(settings, name) for name in ("cashier_limit_cents", "cash_log_cents", "table_cost_cents")}
    wrong = next((name for name, cents in amounts.items() if cents < 0), None)
    if wrong is not None or not 0 <= settings.comp_percent <= 100:
        return _wrong(wrong or "comp_percent", "Enter an amount of at least $0, and a percentage from 0 to 100")
    if not settings.cash_log_cents <= settings.cash_warning_cents <= settings.cash_report_cents:
        return _wrong(
            "cash_warning_cents",
            "The cash log must start at or below the warning, and the warning at or below the report",
        )
    if settings.retention_years < 1:
        return _wrong("retention_years", "Enter at least 1")
    if not 0 <= settings.console_lock_minutes <= LOCK_MINUTES_MOST:
        return _wrong("console_lock_minutes", f"Enter 1 to {LOCK_MINUTES_MOST} minutes, or 0 to never lock consoles")
    return _check_patrons(settings)


def _check_patrons(settings: HouseSettings) -> Refusal | None:
    fault = settings.play_limits.fault()
    if fault is not None:
        return _wrong("play_limits", fault[1])
    if not 0 <= settings.loosening_hours <= LOOSENING_HOURS_MOST:
        return _wrong("loosening_hours", f"Enter from 0 to {LOOSENING_HOURS_MOST} hours")
    if settings.hand_pay_times < 1 or settings.hand_pay_cents < 0:
        return _wrong("hand_pay_times", "Enter a multiple of at least 1, and an amount of at least $0")
    return None


def _wrong(field: str, reason: str) -> Refusal:
    return Refusal(reason, rule.SETTINGS, field)
