"""Sessions: a token that only its holder knows, the time of last use, and who is notified when they end."""

import hashlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Protocol

from pitboss.house.people import commands as asked
from pitboss.house.people import events as happened
from pitboss.house.people import house_rules as rule
from pitboss.house.people.accounts import People
from pitboss.house.people.decide import SignInRules
from pitboss.record.system_interface import Clock
from pitboss.rules.refusal import Refusal

NO_SESSION = Refusal("Sign in first", rule.SIGN_IN)
LOCKED = Refusal("Your console is locked. Enter your PIN, or sign in again", rule.CONSOLE_LOCK, "pin")
ADMITTED_WITHIN_MS = 60_000  # from the record of a sign-in to the token in the table
SEEN_EVERY = 10  # use is noted this many times per idle period, not every time


Spares = Callable[[str], bool]  # whether a person's idle session goes on


def nobody(person: str) -> bool:
    """Spare nobody."""
    return False


Locks = Callable[[str], int]  # after how many milliseconds without use a person's session locks; 0 if never


def no_lock(person: str) -> int:
    """Lock no session."""
    return 0


def token_digest(token: str) -> str:
    """Return the stored digest of a token; its 256 random bits need no slow hash."""
    return hashlib.sha256(token.encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class KeptSession:
    """A stored session: the hash of its token, and when it was last used."""

    digest: str = field(repr=False)
    session: str
    person: str
    begun: int
    seen: int


class SessionTable(Protocol):
    """Stores sessions where every process of the house finds them."""

    def add(self, kept: KeptSession) -> None:
        """Store a session."""
        ...

    def find(self, digest: str) -> KeptSession | None:
        """Return the session whose token has this digest, if there is one."""
        ...

    def note_uses(self, uses: Mapping[str, int]) -> None:
        """Store when sessions were last used."""
        ...

    def remove(self, session: str) -> None:
        """Delete a session."""
        ...

    def all(self) -> Iterable[KeptSession]:
        """Return every session."""
        ...


class Sessions:
    """The sessions of a house as one process sees them."""

    def __init__(self, table: SessionTable, clock: Clock, rules: SignInRules) -> None:
        self._table = table
        self._clock = clock
        self._rules = rules
        self._listeners: dict[str, list[Callable[[str], None]]] = {}
        self._used: dict[str, int] = {}  # by session: the last use, if it isn't stored yet
        self._last: dict[str, int] = {}  # by session: the last use that this process knows of

    def check(
        self, people: People, token: str, *, is_idle: bool = False, spares: Spares = nobody, locks: Locks = no_lock
    ) -> KeptSession | Refusal:
        """Return the session of a token and note its use, or say that it has ended or is locked."""
        kept = self._found(token_digest(token))
        if kept is None:
            return NO_SESSION
        return self.use(people, kept, is_idle=is_idle, spares=spares, lock_ms=locks(kept.person))

    def held(self, people: People, token: str, spares: Spares = nobody) -> KeptSession | None:
        """Return the session of a token, locked or not, if it hasn't ended."""
        kept = self._found(token_digest(token))
        if kept is None or kept.session not in people.sessions or self._ending(kept, self._clock.now_ms(), spares):
            return None
        return kept

    def is_locked(self, kept: KeptSession, lock_ms: int) -> bool:
        """Say whether nobody has used a session for this long."""
        if self._clock.now_ms() - max(kept.seen, self._last.get(kept.session, 0)) < lock_ms:
            return False
        found = self._found(kept.digest) or kept  # it may have been used at another process
        self._last[kept.session] = max(found.seen, self._last.get(kept.session, 0))
        return self._clock.now_ms() - found.seen >= lock_ms

    def unlocked(self, kept: KeptSession) -> None:
        """Note that the person of a locked session is back."""
        self._used[kept.session] = self._last[kept.session] = self._clock.now_ms()

    def use(
        self,
        people: People,
        kept: KeptSession,
        *,
        is_idle: bool = False,
        spares: Spares = nobody,
        lock_ms: int = 0,
    ) -> KeptSession | Refusal:
        """Return a session after one more use, or say that it has ended; what a page asks by itself is no use."""
        # The record has the last word: a session it doesn't list as open has ended. A person locked by order or
        # revoked has none open.
        if kept.session not in people.sessions:
            return NO_SESSION
        now = self._clock.now_ms()
        idle_ms = self._rules.idle_minutes * 60_000
        fresh_ms = min(idle_ms, lock_ms or idle_ms) // SEEN_EVERY
        if now - kept.seen >= fresh_ms:  # a client that holds a session can't know that it was used elsewhere
            kept = self._found(kept.digest) or kept
        if self._ending(kept, now, spares):
            return NO_SESSION
        if lock_ms and self.is_locked(kept, lock_ms):
            return LOCKED
        if is_idle or now - kept.seen < fresh_ms:
            return kept
        self._used[kept.session] = self._last[kept.session] = now
        return replace(kept, seen=now)

    def store_uses(self) -> None:
        """Store the uses since the last call; this waits for the disk, so no event loop may call it."""
        uses, self._used = self._used, {}
        stored = dict(list(uses.items()))  # the event loop may add one in the meantime
        if not stored:
            return
        try:
            self._table.note_uses(stored)
        except BaseException:
            self._used = {**stored, **self._used}
            raise

    def overdue(self, people: People, spares: Spares = nobody) -> tuple[asked.EndSession, ...]:
        """Return the commands that end sessions that expired, or that a crash left without their token."""
        now = self._clock.now_ms()
        self.store_uses()
        kept = {kept_session.session: kept_session for kept_session in self._table.all()}
        due: dict[str, str | None] = {}
        for session, begun in people.sessions.items():
            if session in kept:
                due[session] = self._ending(kept[session], now, spares)
            elif now - begun.begun >= ADMITTED_WITHIN_MS:
                due[session] = happened.LAPSED
        return tuple(
            asked.EndSession(by=asked.THE_DOOR, at=now, session=session, reason=reason)
            for session, reason in due.items()
            if reason
        )

    def forget_ended(self, people: People) -> None:
        """Delete sessions that have ended in the record but that a crash may have left in the table."""
        for kept in self._table.all():
            if kept.session not in people.sessions:
                self._table.remove(kept.session)

    def listen(self, session: str, callback: Callable[[str], None]) -> Callable[[], None]:
        """Register a connection to get the reason when its session ends; the return value unregisters it."""
        told = self._listeners.setdefault(session, [])
        told.append(callback)

        def stop() -> None:
            if callback in told:
                told.remove(callback)
            if not told:
                self._listeners.pop(session, None)

        return stop

    def follow(self, events: Iterable[happened.Event]) -> None:
        """Delete the sessions that events ended, and notify their connections."""
        for event in events:
            if isinstance(event, happened.SessionEnded):
                self._table.remove(event.session)
                self._last.pop(event.session, None)
                for callback in self._listeners.pop(event.session, []):
                    callback(event.reason)

    def _found(self, digest: str) -> KeptSession | None:
        kept = self._table.find(digest)
        return None if kept is None else replace(kept, seen=max(kept.seen, self._used.get(kept.session, 0)))

    def _ending(self, kept: KeptSession, now: int, spares: Spares) -> str | None:
        if now - kept.begun >= self._rules.session_hours * 3_600_000:
            return happened.LAPSED
        is_idle = now - kept.seen >= self._rules.idle_minutes * 60_000
        return happened.IDLE if is_idle and not spares(kept.person) else None
