"""Identifies callers: the session behind a cookie, and tickets that open one socket each."""

from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections import OrderedDict
from dataclasses import asdict, dataclass, replace
from functools import partial

from pitboss.house.people.commands import SignOut
from pitboss.house.people.sessions import LOCKED, NO_SESSION, KeptSession
from pitboss.house.table_registry import Glance
from pitboss.rules.refusal import Refusal
from pitboss.server.cluster.envelopes import Envelope
from pitboss.server.console_locks import goes_on, is_locked, lock_ms
from pitboss.server.open_floor import OpenFloor
from pitboss.table.people import Person

TICKET_MS = 30_000
_TICKET = b"ticket "


@dataclass(frozen=True, slots=True)
class Guest:
    """A person who has signed in."""

    name: str
    roles: tuple[str, ...]
    kept: KeptSession
    network: str = ""  # where a request came from, if they made the account themselves

    @property
    def share(self) -> str:
        """Return whose share of slow work this person's requests take: guests of one network have one together."""
        return f"visitor {self.network}" if self.network else self.name

    @property
    def session(self) -> str:
        """Return the name of the session."""
        return self.kept.session

    def signing_out(self, at: int) -> SignOut:
        """Return the command that ends the session."""
        return SignOut(by=Person(self.name, self.roles[0]), at=at, session=self.session)


def caller_of(floor: OpenFloor, token: str | None, *, is_idle: bool = False) -> Guest | Refusal:
    """Return the holder of a session token, or why there is none; what an idle page asks doesn't keep it alive."""
    if not token:
        return NO_SESSION
    office, spares, locks = floor.office, partial(goes_on, floor), partial(lock_ms, floor)
    kept = office.sessions.check(office.people, token, is_idle=is_idle, spares=spares, locks=locks)
    if isinstance(kept, Refusal) and floor.processes is not None:
        office.stream.catch_up(floor.store)  # the person may have just signed in at another process
        kept = office.sessions.check(office.people, token, is_idle=is_idle, spares=spares, locks=locks)
    if isinstance(kept, Refusal):
        return kept
    return Guest(kept.person, tuple(office.people.accounts[kept.person].roles), kept)


def guest_of(floor: OpenFloor, token: str | None, *, is_idle: bool = False) -> Guest | None:
    """Return the holder of a session token, if the session is valid and not locked."""
    caller = caller_of(floor, token, is_idle=is_idle)
    return None if isinstance(caller, Refusal) else caller


def held_by(floor: OpenFloor, token: str | None) -> Guest | None:
    """Return the holder of a session token, also if the session is locked; nothing may be shown to them."""
    office = floor.office
    kept = office.sessions.held(office.people, token, partial(goes_on, floor)) if token else None
    return Guest(kept.person, tuple(office.people.accounts[kept.person].roles), kept) if kept else None


def money_tables(floor: OpenFloor) -> list[Glance]:
    """Return the tables of the floor that aren't marked as free play."""
    return [glance for glance in floor.house.all_glances() if not glance.free_play]


def is_free_play(floor: OpenFloor) -> bool:
    """Say whether the floor has tables and all of them are for free play, so that anyone may look around."""
    return bool(floor.house.tables) and not money_tables(floor)


def still_here(floor: OpenFloor, guest: Guest, *, is_idle: bool = False) -> Guest | None:
    """Return the holder of a valid session, locked or not, and note its use, or return None."""
    kept = floor.office.sessions.use(
        floor.office.people,
        guest.kept,
        is_idle=is_idle,
        spares=partial(goes_on, floor),
        lock_ms=lock_ms(floor, guest.name),
    )
    if kept == LOCKED:
        return guest  # who may keep a lease alive, and nothing else
    return None if isinstance(kept, Refusal) else replace(guest, kept=kept)


def ticket_holder(floor: OpenFloor, kept: KeptSession) -> Guest | None:
    """Return the person whose session a ticket names, if the session is still valid."""
    office = floor.office
    if kept.session not in office.people.sessions and floor.processes is not None:
        office.stream.catch_up(floor.store)  # the ticket may be from another process, where the person just signed in
    if kept.person not in office.people.accounts:
        return None
    guest = still_here(floor, Guest(kept.person, tuple(office.people.accounts[kept.person].roles), kept))
    return None if guest is None or is_locked(floor, guest.kept) else guest


class Tickets:
    """Tickets sealed with the house's keys: every process of the floor accepts them, each process once."""

    def __init__(self, envelope: Envelope) -> None:
        self._envelope = envelope
        self._used: OrderedDict[bytes, int] = OrderedDict()  # by ticket: when it expires

    def issue(self, guest: Guest, table: str) -> str:
        """Return a ticket for one socket to a table."""
        sealed = self._envelope.seal({"table": table, "session": asdict(guest.kept)}, _TICKET)
        return urlsafe_b64encode(sealed).decode()

    def use(self, ticket: str, table: str) -> KeptSession | None:
        """Return the session that a ticket is for; None if it was used here, has expired or is for another table."""
        try:
            sealed = urlsafe_b64decode(ticket)
        except ValueError:
            return None
        message, now = self._envelope.open(sealed, _TICKET), self._envelope.clock.now_ms()
        while self._used and next(iter(self._used.values())) <= now:
            self._used.popitem(last=False)
        if message is None or now - message["sent"] >= TICKET_MS or sealed in self._used:
            return None
        self._used[sealed] = max(now, message["sent"]) + TICKET_MS  # the other process's clock may be ahead
        return KeptSession(**message["session"]) if message["table"] == table else None
