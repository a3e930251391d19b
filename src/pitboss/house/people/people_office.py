"""The people's stream in one process: decides, records and follows commands, and turns sign-ins into sessions."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, fields, replace
from typing import Any, TypeVar

from pitboss.house.fair_turns import FairTurns
from pitboss.house.people import commands as asked
from pitboss.house.people import events as happened
from pitboss.house.people import house_rules as rule
from pitboss.house.people.access import GiveLink, GivePassword, check_two
from pitboss.house.people.accounts import People, check_standing
from pitboss.house.people.decide import SECOND_NEEDED, SignInRules, decide
from pitboss.house.people.passwords import Password
from pitboss.house.people.people_entries import (
    STREAM,
    drafts,
    events_of,
    evolve_entry,
    people_of,
    people_to_data,
)
from pitboss.house.people.second_factors import Given, NewCode, Site
from pitboss.house.people.sessions import KeptSession, Sessions, Spares, nobody, token_digest
from pitboss.house.people.sign_in import NOTHING, Admitted, Attempt, FrontDoor, NewLink, OwnProof
from pitboss.house.unrecorded_commands import REUSED, floor_note, reuse_noted, stopped
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
_NOT_SENT = {
    "by",
    "at",
    "place",
    "credential",
    "proof",
    "session",
    "until",
    "source",
    "second",
    "has_money",
    "step",
    "factor",
    "digests",
}
_BUSY = Refusal("Accounts are busy. Try again")

_NOT_ENROLLED = Refusal(
    "The code or passkey is wrong, or more than five minutes have passed. Start again",
    rule.SECOND_FACTOR,
    "code",
)
_WRONG_PROOF = Refusal("The password or the second factor is wrong", rule.SECOND_FACTOR, "old")
_WRONG_PIN = Refusal("The PIN is wrong. Try again", rule.CONSOLE_LOCK, "pin")
_PINS_OVER = Refusal("The PIN was wrong too often. Sign in again", rule.CONSOLE_LOCK, "pin")
_NO_ID = Refusal("A command ID must be text without NUL characters", None, "id")


@dataclass(frozen=True, slots=True)
class SecondAsked:
    """The password or link was right, and a second factor is needed; the options are for a browser with a passkey."""

    passkey: dict[str, Any] | None


Events = tuple[happened.Event, ...]
Follower = Callable[[Events, People], None]  # what happened, and the people before it
Hashed = TypeVar("Hashed")


FOLD: Fold[People] = Fold("people 5", People, evolve_entry, people_to_data, people_of)


class PeopleStream(SharedStream[People]):
    """The people as far as this process has read their stream, and the listeners for what it reads from now on."""

    def __init__(self) -> None:
        super().__init__(STREAM, FOLD)
        self.followers: list[Follower] = []

    def standing(self, person: Person) -> Refusal | None:
        """Return why a person may no longer act in a role, or None."""
        return check_standing(self.state, person)

    def are_two(self, first: str, second: str, *, has_money: bool) -> Refusal | None:
        """Return why two accounts don't count as two people, or None."""
        return check_two(self.state, first, second, has_money=has_money)

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

    async def sign_in(
        self, person: str, password: Password, source: str = "", given: Given = NOTHING, site: Site | None = None
    ) -> Admitted | Refusal | SecondAsked:
        """Sign a person in with a name and a password, or raise TooManyWaiting if this address sends too many."""
        attempt = await self._hashed(
            f"address {source}", lambda: self._door.attempt(self.people, person, password, source, given, site)
        )
        return await self._let_in(attempt, person, site)

    async def follow_link(
        self, token: str, source: str = "", given: Given = NOTHING, site: Site | None = None
    ) -> Admitted | Refusal | SecondAsked:
        """Sign a person in with a link."""
        people, link = self.people, self.people.links.get(token_digest(token))
        person = link.person if link else ""
        second = await self._runner.run(lambda: self._door.shown(people, person, given, site))
        return await self._let_in(self._door.follow_link(token, source, second), person, site)

    def begin_code(self, by: Person) -> NewCode:
        """Return a secret for an app that shows codes."""
        return self._door.factors.begin_code(by.name)

    async def begin_passkey(self, by: Person, site: Site) -> dict[str, Any]:
        """Return the options with which a browser makes a passkey."""
        account = self.people.accounts[by.name]
        return await self._runner.run(lambda: self._door.factors.begin_passkey(by.name, account, site))

    async def ask_passkey(self, by: Person, site: Site) -> dict[str, Any] | None:
        """Return the options with which a browser answers with a passkey of its person, if there is one."""
        account = self.people.accounts[by.name]
        return await self._runner.run(lambda: self._door.factors.ask_passkey(by.name, account, site))

    async def add_factor(
        self, by: Person, label: str, own: OwnProof, *, ticket: str = "", code: str = "", made: Any = None
    ) -> tuple[str, ...] | Refusal:
        """Put a new second factor in force; return the recovery codes if it is the first."""
        factors = self._door.factors
        enrolled = await self._runner.run(
            lambda: (
                factors.code_enrolled(by.name, ticket, code)
                if made is None
                else factors.passkey_enrolled(by.name, made, own.site)
            )
        )
        if enrolled is None:
            return _NOT_ENROLLED
        people = self.people
        command, codes = await self._hashed(by.name, lambda: self._door.new_factor(people, by, enrolled, label, own))
        recorded = _changed(await self.put(command), happened.FactorAdded)
        if isinstance(recorded, Refusal):
            await self._runner.run(lambda: factors.forget(enrolled.factor))
            return recorded
        is_first = any(isinstance(event, happened.RecoveryCodesMade) for event in recorded)
        return codes if is_first else ()

    async def remove_factor(self, by: Person, factor: str, own: OwnProof) -> Events | Refusal:
        """Remove a second factor."""
        command = await self._hashed(by.name, lambda: self._door.old_factor(self.people, by, factor, own))
        return _changed(await self.put(command), happened.FactorRemoved)

    async def new_recovery_codes(self, by: Person, own: OwnProof) -> tuple[str, ...] | Refusal:
        """Replace the recovery codes and return the new ones."""
        command, codes = await self._hashed(by.name, lambda: self._door.new_codes(self.people, by, own))
        recorded = _changed(await self.put(command), happened.RecoveryCodesMade)
        return recorded if isinstance(recorded, Refusal) else codes

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

    async def set_pin(self, by: Person, password: Password, pin: str) -> Events | Refusal:
        """Set the caller's own PIN, or raise TooManyWaiting."""
        command = await self._hashed(by.name, lambda: self._door.new_pin(self.people, by, password, pin))
        return _changed(await self._put_password(command, None), happened.PinSet)

    async def unlock(self, by: Person, kept: KeptSession, pin: str, source: str) -> Refusal | None:
        """Unlock a session if the PIN is right, or say why not."""
        command = await self._hashed(by.name, lambda: self._door.unlock(self.people, by, kept.session, pin, source))
        recorded = await self.put(command)
        if isinstance(recorded, Refusal):
            return recorded
        if not any(isinstance(event, happened.ConsoleUnlocked) for event in recorded):
            has_ended = any(isinstance(event, happened.SessionEnded) for event in recorded)
            return _PINS_OVER if has_ended else _WRONG_PIN
        self.sessions.unlocked(kept)
        await self._runner.run(self.sessions.store_uses)  # the other processes read it there
        return None

    def link_to_give(self, by: Person, person: str) -> tuple[GiveLink, NewLink]:
        """Return a link that works once two administrators have agreed to it."""
        link = self._door.new_link(by, person)
        return GiveLink(person=person, digest=link.command.digest), link

    async def password_to_give(self, by: Person, person: str, password: Password) -> GivePassword | Refusal:
        """Store a password that is in force once two administrators have agreed to it, or raise TooManyWaiting."""
        command = await self._hashed(by.name, lambda: self._door.new_password(by, person, password))
        if isinstance(command, Refusal):
            return command
        return GivePassword(person=person, credential=command.credential)

    async def discard_password(self, given: GivePassword) -> None:
        """Delete a stored password that nobody will agree to."""
        await self._runner.run(lambda: self._door.forget(given.credential))

    def link_until(self, at: int) -> int:
        """Return until when a link given now works."""
        return at + self._rules.link_minutes * 60_000

    async def issue_link(self, by: Person, person: str) -> NewLink | Refusal:
        """Return a sign-in link for a person."""
        link = self._door.new_link(by, person)
        recorded = await self.put(link.command)
        return recorded if isinstance(recorded, Refusal) else link

    async def keep_link(self, person: str, token: str, until: int) -> Refusal | None:
        """Issue a demonstration's link, which can be used again, unless it is in force already."""
        link = self.people.links.get(token_digest(token))
        if link is not None and link.person == person:
            return None
        recorded = await self.put(self._door.reusable_link(person, token, until).command)
        return recorded if isinstance(recorded, Refusal) else None

    async def sweep(self, spares: Spares = nobody) -> None:
        """End expired sessions, but not those of the people to spare."""
        for command in await self._runner.run(lambda: self.sessions.overdue(self.people, spares)):
            await self.put(command)
        await self._runner.run(lambda: self.sessions.forget_ended(self.people))

    async def _hashed(self, by: str, work: Callable[[], Hashed]) -> Hashed:
        async with self._hashes.turn(by):
            return await self._hashing.run(work)

    async def _let_in(self, attempt: Attempt, person: str, site: Site | None) -> Admitted | Refusal | SecondAsked:
        recorded = await self.put(attempt.command)
        answer = await self._runner.run(lambda: self._door.admit(attempt, recorded))
        if answer != SECOND_NEEDED:
            return answer
        account, passkey = self.people.accounts.get(person), None
        if site is not None and account is not None:
            passkey = await self._runner.run(lambda: self._door.factors.ask_passkey(person, account, site))
        return SecondAsked(passkey)

    async def _put_password(
        self, command: asked.SetPassword | asked.ChangeOwnPassword | asked.SetPin | Refusal, command_id: str | None
    ) -> Events | Refusal:
        if isinstance(command, Refusal):
            return command
        recorded = await self.put(command, command_id)
        in_force = isinstance(recorded, tuple) and any(
            isinstance(event, happened.PasswordSet | happened.PinSet) and event.credential == command.credential
            for event in recorded
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
                self.stream.apply_and_save(outcome.entries, self._snapshots, self._writer)
                return events_of(outcome.entries)
            case Repeated():
                return events_of(outcome.entries)
            case AnotherBody():
                return await self._reused(command, command_id)
            case Stopped():
                return stopped(outcome)
            case _:
                raise AssertionError("no lease was shown, so none was lost")

    def _was_behind(self) -> bool:
        # Someone at the machine may have unlocked an account or issued a link while the floor is open.
        before = self.stream.head
        self.stream.catch_up(self._store)
        return self.stream.head != before

    async def _reused(self, command: asked.Command, command_id: str) -> Refusal:
        noted = reuse_noted(command_id, command.by.name)
        by = Circumstances(command.by.name, command.by.role, self._fresh(), command.at)
        await self._writer.commit(floor_note(noted, by))
        return REUSED

    def _fresh(self) -> str:
        return self._randomness.token(NAME_BYTES).hex()


def _changed(recorded: Events | Refusal, kind: type) -> Events | Refusal:
    if isinstance(recorded, Refusal) or any(isinstance(event, kind) for event in recorded):
        return recorded
    return _WRONG_PROOF


def sent(command: asked.Command) -> dict[str, Any]:
    """Return the part of a command that comes from the sender, which is the same when it is sent again."""
    left_out = _NOT_SENT if isinstance(command, asked.Confirm) else {*_NOT_SENT, "digest"}
    said = {field.name: plain(getattr(command, field.name)) for field in fields(command) if field.name not in left_out}
    return {KIND: type(command).__name__, **said}
