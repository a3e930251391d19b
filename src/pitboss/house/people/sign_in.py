"""Sign-in: passwords and links become commands, and recorded sign-ins become sessions."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from pitboss.house.people import commands as asked
from pitboss.house.people import events as happened
from pitboss.house.people.accounts import People
from pitboss.house.people.decide import LINK_REFUSED, NOT_LET_IN, SignInRules
from pitboss.house.people.passwords import Credentials, Hasher, Password
from pitboss.house.people.sessions import KeptSession, SessionTable, token_digest
from pitboss.record.system_interface import Clock, Randomness
from pitboss.rules.refusal import Refusal
from pitboss.table.people import Person

TOKEN_BYTES = 32
NAME_BYTES = 16


@dataclass(frozen=True, slots=True)
class Attempt:
    """A sign-in attempt: the command to record, and the token the person gets if it succeeds."""

    command: asked.SignIn | asked.FollowLink
    token: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Admitted:
    """A person who was signed in."""

    person: str
    session: str
    token: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class NewLink:
    """A link to record, and the token that only the person gets."""

    command: asked.IssueLink
    token: str = field(repr=False)


class FrontDoor:
    """Signs people in; `attempt` and the new passwords hash slowly, so call them outside the event loop."""

    def __init__(
        self,
        *,
        hasher: Hasher,
        credentials: Credentials,
        sessions: SessionTable,
        clock: Clock,
        randomness: Randomness,
        rules: SignInRules,
    ) -> None:
        self._hasher = hasher
        self._credentials = credentials
        self._sessions = sessions
        self._clock = clock
        self._randomness = randomness
        self._rules = rules
        # An unknown name takes as much time as an existing one.
        self._decoy = hasher.verifier(Password(self._token()))

    def attempt(self, people: People, person: str, password: Password, source: str = "") -> Attempt:
        """Return the sign-in command for a name and a password."""
        command = asked.SignIn(
            by=asked.THE_DOOR,
            at=self._clock.now_ms(),
            person=person,
            proof=self._proof(people, person, password),
            session=self._name(),
            source=source,
        )
        return Attempt(command, self._token())

    def follow_link(self, token: str, source: str = "") -> Attempt:
        """Return the sign-in command for a link."""
        now, digest = self._clock.now_ms(), token_digest(token)
        command = asked.FollowLink(by=asked.THE_DOOR, at=now, digest=digest, session=self._name(), source=source)
        return Attempt(command, self._token())

    def admit(self, attempt: Attempt, recorded: Iterable[happened.Event] | Refusal) -> Admitted | Refusal:
        """Return the session of a recorded sign-in, or why there is none."""
        refused = NOT_LET_IN if isinstance(attempt.command, asked.SignIn) else LINK_REFUSED
        if isinstance(recorded, Refusal):
            return refused
        for event in recorded:
            if isinstance(event, happened.SignedIn) and event.session == attempt.command.session:
                digest = token_digest(attempt.token)
                self._sessions.add(KeptSession(digest, event.session, event.person, event.at, event.at))
                return Admitted(event.person, event.session, attempt.token)
        return refused

    def new_password(self, by: Person, person: str, password: Password) -> asked.SetPassword | Refusal:
        """Store another person's new password and return the command that puts it in force."""
        if refusal := password.check(person):
            return refusal
        credential = self._kept(password)
        return asked.SetPassword(by=by, at=self._clock.now_ms(), person=person, credential=credential)

    def new_own_password(
        self, people: People, by: Person, old: Password, password: Password
    ) -> asked.ChangeOwnPassword | Refusal:
        """Store the person's own new password and return the command that puts it in force."""
        if refusal := password.check(by.name):
            return refusal
        proof = self._proof(people, by.name, old)
        return asked.ChangeOwnPassword(by=by, at=self._clock.now_ms(), credential=self._kept(password), proof=proof)

    def discard(self, command: asked.SetPassword | asked.ChangeOwnPassword) -> None:
        """Delete a new password whose command was refused."""
        self._credentials.forget(command.credential)

    def new_link(self, by: Person, person: str) -> NewLink:
        """Return the command that issues a sign-in link, and the link's token."""
        now, token = self._clock.now_ms(), self._token()
        until = now + self._rules.link_minutes * 60_000
        command = asked.IssueLink(by=by, at=now, person=person, digest=token_digest(token), until=until)
        return NewLink(command, token)

    def follow(self, events: Iterable[happened.Event], before: People) -> None:
        """Delete the passwords that events put out of force."""
        for event in events:
            if isinstance(event, happened.PasswordSet | happened.AccountReset) and event.replaced is not None:
                self._credentials.forget(event.replaced)
            elif isinstance(event, happened.PersonRevoked):
                credential = before.accounts[event.person].credential
                if credential is not None:
                    self._credentials.forget(credential)

    def _proof(self, people: People, person: str, password: Password) -> str | None:
        account = people.accounts.get(person)
        credential = account.credential if account else None
        verifier = self._credentials.verifier(credential) if credential else None
        fits = self._hasher.fits(password, verifier or self._decoy)
        if not (fits and verifier and credential):
            return None
        if self._hasher.is_outdated(verifier):
            self._credentials.keep(credential, self._hasher.verifier(password))
        return credential

    def _kept(self, password: Password) -> str:
        credential = self._name()
        self._credentials.keep(credential, self._hasher.verifier(password))
        return credential

    def _name(self) -> str:
        return self._randomness.token(NAME_BYTES).hex()

    def _token(self) -> str:
        return self._randomness.token(TOKEN_BYTES).hex()
