"""When a staff session locks: at a house with real money, after the minutes in the house settings."""

from typing import TYPE_CHECKING

from pitboss.house.people.sessions import KeptSession
from pitboss.rules.procedure import PLAYER

if TYPE_CHECKING:
    from pitboss.server.open_floor import OpenFloor

MINUTE_MS = 60_000


def lock_ms(floor: "OpenFloor", person: str) -> int:
    """Return after how long without use a person's session locks, or 0 if it never does."""
    minutes = floor.house.controls.state.settings.console_lock_minutes
    account = floor.office.people.accounts.get(person)
    if not minutes or account is None or account.roles == (PLAYER,) or not floor.settings.rules.locks_consoles:
        return 0
    # Asked for every frame, so tables elsewhere aren't read for it: what their processes said of them is enough.
    return 0 if floor.back_office.is_free_play else minutes * MINUTE_MS


def goes_on(floor: "OpenFloor", person: str) -> bool:
    """Say whether a person's idle session is kept: with wagers in a round, or locked while they deal a round."""
    return floor.house.is_playing(person) or (lock_ms(floor, person) > 0 and floor.house.is_dealing(person))


def is_locked(floor: "OpenFloor", kept: KeptSession) -> bool:
    """Say whether a session is locked now."""
    after_ms = lock_ms(floor, kept.person)
    return after_ms > 0 and floor.office.sessions.is_locked(kept, after_ms)
