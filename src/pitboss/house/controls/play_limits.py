"""Limits on a player's buy-ins, losses and time at tables, by gaming day and by week; none where a limit is None."""

from dataclasses import dataclass, fields

MOST_CENTS = 100_000_000_00
DAY_MINUTES, WEEK_MINUTES = 24 * 60, 7 * 24 * 60


@dataclass(frozen=True, slots=True)
class PlayLimits:
    """What a player sets for themselves, or the house for every player; a week is the last seven gaming days."""

    deposit_day_cents: int | None = None  # bought in at tables
    deposit_week_cents: int | None = None
    loss_day_cents: int | None = None
    loss_week_cents: int | None = None
    day_minutes: int | None = None
    week_minutes: int | None = None

    def fault(self) -> tuple[str, str] | None:
        """Return the field that isn't a limit and why, or None."""
        for field in fields(self):
            amount: int | None = getattr(self, field.name)
            most = {"day_minutes": DAY_MINUTES, "week_minutes": WEEK_MINUTES}.get(field.name, MOST_CENTS)
            if amount is not None and not 0 <= amount <= most:
                return field.name, f"Enter a limit from 0 to {most:,}, not {amount:,}"
        return None


NO_LIMITS = PlayLimits()


def stricter(limits: PlayLimits, other: PlayLimits) -> PlayLimits:
    """Return the stricter of two limits, one by one."""
    both = {field.name: (getattr(limits, field.name), getattr(other, field.name)) for field in fields(PlayLimits)}
    return PlayLimits(
        **{name: min((amount for amount in pair if amount is not None), default=None) for name, pair in both.items()}
    )
