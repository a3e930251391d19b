"""What people from the pit see of a table besides its play: limits, reservations, the call for the floor, notes."""

from dataclasses import dataclass

from pitboss.house.live_table.pit_commands import is_reserved, limits_now
from pitboss.house.live_table.state import LiveTable


@dataclass(frozen=True, slots=True)
class LimitsShown:
    """What a wager takes now, and what was submitted."""

    wager: str
    title: str
    least_cents: int | None
    most_cents: int | None
    submitted_least_cents: int | None
    submitted_most_cents: int | None


@dataclass(frozen=True, slots=True)
class ReservedShown:
    """A seat that is kept for somebody."""

    seat: int
    player: str  # an account; empty for a player the house doesn't know
    until: int


@dataclass(frozen=True, slots=True)
class NoteShown:
    """A note for the people who work the table next."""

    at: int
    by: str
    text: str


@dataclass(frozen=True, slots=True)
class PitShown:
    """A table's limits, reserved seats, call for the floor, notes and bet sensors."""

    limits: tuple[LimitsShown, ...]
    reserved: tuple[ReservedShown, ...]
    called_at: int | None
    notes: tuple[NoteShown, ...]
    sensors: tuple[str, ...]


def pit_view(live: LiveTable, at: int) -> PitShown:
    """Return what the pit sees of a table."""
    return PitShown(
        limits=_limits(live),
        reserved=tuple(
            ReservedShown(seat, kept.player, kept.until)
            for seat, kept in sorted(live.reserved.items())
            if is_reserved(live, seat, at)
        ),
        called_at=live.called_at or None,
        notes=tuple(NoteShown(note.at, note.by, note.text) for note in reversed(live.notes)),
        sensors=tuple(live.sensors),
    )


def _limits(live: LiveTable) -> tuple[LimitsShown, ...]:
    if live.terms is None or not live.terms.is_dealt_by_people:
        return ()
    rules = live.terms.settings.rules
    found = []
    for wager in rules.game.wagers:
        submitted = rules.limits(wager.name)
        is_its_own = not (wager.equals and wager.required)  # one that equals another follows its limits
        if wager.name not in rules.offered or wager.by_action or submitted.fixed or not is_its_own:
            continue
        now = limits_now(live, wager.name, submitted)
        found.append(
            LimitsShown(wager.name, wager.title, now.minimum, now.maximum, submitted.minimum, submitted.maximum)
        )
    return tuple(found)
