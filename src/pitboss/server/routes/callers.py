"""Who asks: the session behind a cookie, and tickets that open one socket each."""

from collections import OrderedDict
from dataclasses import dataclass, replace

from pitboss.house.people.commands import SignOut
from pitboss.house.people.sessions import KeptSession
from pitboss.record.system_interface import Clock, Randomness
from pitboss.rules.refusal import Refusal
from pitboss.server.open_floor import OpenFloor
from pitboss.table.people import Person

COOKIE = "pitboss_session"
TICKET_MS = 30_000
TICKETS_MOST = 10_000


@dataclass(frozen=True, slots=True)
class Guest:
    """Somebody who has signed in."""

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
    """Return who holds a session's token, if the session stands."""
    if not token:
        return None
    office = floor.office
    kept = office.sessions.check(office.people, token)
    if isinstance(kept, Refusal) and floor.processes is not None:
        office.stream.catch_up(floor.store)  # somebody may have signed in at another process a moment ago
        kept = office.sessions.check(office.people, token)
    if isinstance(kept, Refusal):
        return None
    return Guest(kept.person, tuple(office.people.accounts[kept.person].roles), kept)


def still_here(floor: OpenFloor, guest: Guest) -> Guest | None:
    """Return somebody whose session stands, with its use noted, or None."""
    kept = floor.office.sessions.use(floor.office.people, guest.kept)
    return None if isinstance(kept, Refusal) else replace(guest, kept=kept)


class Tickets:
    """Tickets that were issued and not used yet."""

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
        """Return whose ticket this is, and forget it; None where it is used, old or for another table."""
        until, guest, where = self._open.pop(ticket, (0, None, ""))
        return guest if where == table and self._clock.now_ms() < until else None
