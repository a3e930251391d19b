"""The people's stream in one process: decides, records and follows commands, and turns sign-ins into sessions."""

from collections.abc import Callable, Iterable
from dataclasses import fields, replace
from typing import Any, TypeVar

from pitboss.house.command_ids import REUSED, reuse_noted
from pitboss.house.fair_turns import FairTurns
from pitboss.house.people import commands as asked
from pitboss.house.people import events as happened
from pitboss.house.people.accounts import People, check_standing
from pitboss.house.people.decide import SignInRules, decide
from pitboss.house.people.passwords import Password
from pitboss.house.people.people_entries import (
    STREAM,
    drafts,
    events_of,
    evolve_entry,
    people_of,
    people_to_data,
)
from pitboss.house.people.sessions import Sessions
from pitboss.house.people.sign_in import Admitted, Attempt, FrontDoor, NewLink
from pitboss.house.stream_names import FLOOR
from pitboss.record.entries import Circumstances, Entry
from pitboss.record.shared_streams import SharedStream, expected_heads
from pitboss.record.snapshots import Fold, Snapshots
from pitboss.record.store import (
    AnotherBody,
    Batch,
    Committed,
    Conflict,
    Outcome,
    Repeated,
    Stopped,
    Store,
    Writer,
    body_digest,
    is_name,
    known,
)
from pitboss.record.system_interface import Clock, Randomness, Runner
from pitboss.rules.plain import KIND, plain
from pitboss.rules.refusal import Refusal
from pitboss.table.people import Person

ATTEMPTS = 25
NAME_BYTES = 16
HASHES_AT_ONCE = 2  # each takes tens of megabytes of memory and a tenth of a second
HASHES_EACH = 2  # of one person, or of one address that signs in
HASHES_WAITING = 64
# Fields that the program, not the sender, puts into a command: they differ when the same command is sent again.
_NOT_SENT = {"by", "at", "place", "credential", "proof", "session", "until", "source"}
_BUSY = Refusal("Accounts are busy. Try again")

_NO_ID = Refusal("A command ID must be text without NUL characters", None, "id")

Events = tuple[happened.Event, ...]
Follower = Callable[[Events, People], None]  # what happened, and the people before it
Hashed = TypeVar("Hashed")


FOLD: Fold[People] = Fold("people 3", People, evolve_entry, people_to_data, people_of)


class PeopleStream(SharedStream[People]):
    """The people as far as this process has read their stream, and the listeners for what it reads from now on."""

    def __init__(self) -> None:
        super().__init__(STREAM, FOLD)
        self.followers: list[Follower] = []

    def standing(self, person: Person) -> Refusal | None:
        """Return why a person may no longer act in a role, or None."""
        return check_standing(self.state, person)

    def apply(self, entries: Iterable[Entry]) -> None:
        """Apply entries that are on disk, no matter which process wrote them."""
        for entry in entries:
            if entry.stream == STREAM and entry.sequence > self.head.sequence:
                before = self.state
                super().apply((entry,))
                for follower in self.followers:
                    follower(events_of((entry,)), before)


class Office:
    """Handles commands about people; restore the stream before passing it in."""

    def __init__(
        self,
        *,
        store: Store,
        writer: Writer,
        stream: PeopleStream,
        door: FrontDoor,
        sessions: Sessions,
        clock: Clock,
        randomness: Randomness,
        runner: Runner,
        rules: SignInRules,
        snapshots: Snapshots | None = None,
        hashing: Runner | None = None,  # for passwords alone, so that nothing else waits behind them
    ) -> None:
        self._store = store
        self._writer = writer
        self.stream = stream
        self.sessions = sessions
        self._door = door
        self._clock = clock
        self._randomness = randomness
        self._runner = runner
        self._rules = rules
        self._snapshots = snapshots
        self._hashing = hashing or runner
        self._hashes = FairTurns(at_once=HASHES_AT_ONCE, each_most=HASHES_EACH, waiting_most=HASHES_WAITING)
        stream.followers += [lambda events, before: sessions.follow(events), door.follow]

    @property
    def people(self) -> People:
        """Return the current people."""
        return self.stream.state

    async def put(self, command: asked.Command, command_id: str | None = None) -> Events | Refusal:
        """Carry out a command and return what was recorded, or why it was refused; an id makes it count only once."""
        command_id = self._fresh() if command_id is None else command_id
        if not command_id or not is_name(command_id):
            return _NO_ID
        async with self.stream.lock:
            return await self._put(command, command_id)

    async def sign_in(self, person: str, password: Password, source: str = "") -> Admitted | Refusal:
        """Sign a person in with a name and a password, or raise TooManyWaiting if this address floods the door."""
        attempt = await self._hashed(
            f"address {source}", lambda: self._door.attempt(self.people, person, password, source)
        )
        return await self._let_in(attempt)

    async def follow_link(self, token: str, source: str = "") -> Admitted | Refusal:
        """Sign a person in with a link."""
        return await self._let_in(self._door.follow_link(token, source))

    async def set_password(
        self, by: Person, person: str, password: Password, command_id: str | None = None
    ) -> Events | Refusal:
        """Set another person's password, or raise TooManyWaiting."""
        command = await self._hashed(by.name, lambda: self._door.new_password(by, person, password))
        return await self._put_password(command, command_id)

    async def change_own_password(
        self, by: Person, old: Password, password: Password, command_id: str | None = None
    ) -> Events | Refusal:
        """Change the caller's own password, or raise TooManyWaiting."""
        command = await self._hashed(by.name, lambda: self._door.new_own_password(self.people, by, old, password))
        return await self._put_password(command, command_id)

    async def issue_link(self, by: Person, person: str) -> NewLink | Refusal:
        """Return a sign-in link for a person."""
        link = self._door.new_link(by, person)
        recorded = await self.put(link.command)
        return recorded if isinstance(recorded, Refusal) else link

    async def sweep(self) -> None:
        """End expired sessions."""
        for command in await self._runner.run(lambda: self.sessions.overdue(self.people)):
            await self.put(command)
        await self._runner.run(lambda: self.sessions.forget_ended(self.people))

    async def _hashed(self, by: str, work: Callable[[], Hashed]) -> Hashed:
        async with self._hashes.turn(by):
            return await self._hashing.run(work)

    async def _let_in(self, attempt: Attempt) -> Admitted | Refusal:
        recorded = await self.put(attempt.command)
        return await self._runner.run(lambda: self._door.admit(attempt, recorded))

    async def _put_password(
        self, command: asked.SetPassword | asked.ChangeOwnPassword | Refusal, command_id: str | None
    ) -> Events | Refusal:
        if isinstance(command, Refusal):
            return command
        recorded = await self.put(command, command_id)
        in_force = isinstance(recorded, tuple) and any(
            isinstance(event, happened.PasswordSet) and event.credential == command.credential for event in recorded
        )
        if not in_force:
            await self._runner.run(lambda: self._door.discard(command))
        return recorded

    async def _put(self, command: asked.Command, command_id: str) -> Events | Refusal:
        digest = body_digest(command.by.name, sent(command))
        for _ in range(ATTEMPTS):
            command = replace(command, at=self._clock.now_ms())
            decision = decide(self.people, command, self._rules)
            if isinstance(decision, Refusal):
                if self._was_behind():
                    continue
                before = known(self._store, command_id, digest)
                return decision if before is None else await self._answer(before, command, command_id)
            recorded = drafts(decision)
            # No decision depends on what was reported to the floor, so those entries go wherever its stream ends.
            expected = expected_heads([self.stream], recorded)
            by = Circumstances(command.by.name, command.by.role, command_id, command.at)
            outcome = await self._writer.commit(Batch(recorded, expected, by, digest))
            if not isinstance(outcome, Conflict):
                return await self._answer(outcome, command, command_id)
            self.stream.catch_up(self._store)
        return _BUSY

    async def _answer(self, outcome: Outcome, command: asked.Command, command_id: str) -> Events | Refusal:
        match outcome:
            case Committed():
                self._apply(outcome.entries)
                return events_of(outcome.entries)
            case Repeated():
                return events_of(outcome.entries)
            case AnotherBody():
                return await self._reused(command, command_id)
            case Stopped():
                found = outcome.says.removesuffix(".")
                return Refusal(f"The database was altered, so nothing more is recorded here: {found}")
            case _:
                raise AssertionError("no lease was shown, so none was lost")

    def _was_behind(self) -> bool:
        # Someone at the machine may have unlocked an account or issued a link while the floor is open.
        before = self.stream.head
        self.stream.catch_up(self._store)
        return self.stream.head != before

    def _apply(self, entries: tuple[Entry, ...]) -> None:
        before = self.stream.head
        self.stream.apply(entries)
        if self._snapshots is not None and (due := self.stream.snapshot_due(self._snapshots, before)) is not None:
            self._writer.keep(due)

    async def _reused(self, command: asked.Command, command_id: str) -> Refusal:
        noted = reuse_noted(command_id, command.by.name)
        by = Circumstances(command.by.name, command.by.role, self._fresh(), command.at)
        await self._writer.commit(Batch((noted,), {FLOOR: None}, by, body_digest(command.by.name, noted.body)))
        return REUSED

    def _fresh(self) -> str:
        return self._randomness.token(NAME_BYTES).hex()


def sent(command: asked.Command) -> dict[str, Any]:
    """Return the part of a command that comes from the sender, which is the same when it is sent again."""
    left_out = _NOT_SENT if isinstance(command, asked.Confirm) else {*_NOT_SENT, "digest"}
    said = {field.name: plain(getattr(command, field.name)) for field in fields(command) if field.name not in left_out}
    return {KIND: type(command).__name__, **said}
