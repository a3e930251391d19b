"""Identifies callers: the session behind a cookie, and tickets that open one socket each."""

from collections import OrderedDict
from dataclasses import dataclass, replace

from pitboss.house.people.commands import SignOut
from pitboss.house.people.sessions import KeptSession
from pitboss.house.table_registry import RunningTable
from pitboss.record.system_interface import Clock, Randomness
from pitboss.rules.refusal import Refusal
from pitboss.server.open_floor import OpenFloor
from pitboss.table.people import Person

TICKET_MS = 30_000
TICKETS_MOST = 10_000


@dataclass(frozen=True, slots=True)
class Guest:
    """A person who has signed in."""

    name: str
    roles: tuple[str, ...]
    kept: KeptSession

    @property
    def session(self) -> str:
        """Return the name of the session."""
        return self.kept.session

    def signing_out(self, at: int) -> SignOut:
        """Return the command that ends the session."""
        return SignOut(by=Person(self.name, self.roles[0]), at=at, session=self.session)


def guest_of(floor: OpenFloor, token: str | None) -> Guest | None:
    """Return the holder of a session token, if the session is valid."""
    if not token:
        return None
    office = floor.office
    kept = office.sessions.check(office.people, token)
    if isinstance(kept, Refusal) and floor.processes is not None:
        office.stream.catch_up(floor.store)  # the person may have just signed in at another process
        kept = office.sessions.check(office.people, token)
    if isinstance(kept, Refusal):
        return None
    return Guest(kept.person, tuple(office.people.accounts[kept.person].roles), kept)


def money_tables(floor: OpenFloor) -> list[RunningTable]:
    """Return the tables of the floor that aren't marked as free play."""
    return [running for running in floor.house.tables.values() if not running.live.free_play]


def is_free_play(floor: OpenFloor) -> bool:
    """Say whether the floor has tables and all of them are for free play, so that anyone may look around."""
    return bool(floor.house.tables) and not money_tables(floor)


def still_here(floor: OpenFloor, guest: Guest) -> Guest | None:
    """Return the holder of a valid session and note its use, or return None."""
    kept = floor.office.sessions.use(floor.office.people, guest.kept)
    return None if isinstance(kept, Refusal) else replace(guest, kept=kept)


class Tickets:
    """Issued tickets that haven't been used yet."""

    def __init__(self, clock: Clock, randomness: Randomness) -> None:
        self._clock, self._randomness = clock, randomness
        self._open: OrderedDict[str, tuple[int, Guest, str]] = OrderedDict()

    def issue(self, guest: Guest, table: str) -> str:
        """Return a ticket for one socket to a table."""
        ticket = self._randomness.token(24).hex()
        self._open[ticket] = (self._clock.now_ms() + TICKET_MS, guest, table)
        while len(self._open) > TICKETS_MOST:
            self._open.popitem(last=False)
        return ticket

    def use(self, ticket: str, table: str) -> Guest | None:
        """Return the ticket's holder and delete the ticket; None if it is used, expired or for another table."""
        until, guest, where = self._open.pop(ticket, (0, None, ""))
        return guest if where == table and self._clock.now_ms() < until else None
