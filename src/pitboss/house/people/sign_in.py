"""Sign-in: passwords and links become commands, and recorded sign-ins become sessions."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from pitboss.house.people import commands as asked
from pitboss.house.people import events as happened
from pitboss.house.people.access import GIVE_ACCESS
from pitboss.house.people.accounts import People
from pitboss.house.people.decide import LINK_REFUSED, NOT_LET_IN, SECOND_NEEDED, SignInRules
from pitboss.house.people.passwords import Credentials, Hasher, Password, check_pin
from pitboss.house.people.second_factors import Enrolled, Given, SecondFactors, Site, recovery_digest
from pitboss.house.people.sessions import KeptSession, SessionTable, token_digest
from pitboss.record.system_interface import Clock, Randomness
from pitboss.rules.refusal import Refusal
from pitboss.table.people import Person

NOTHING = Given()
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


@dataclass(frozen=True, slots=True)
class OwnProof:
    """What a person shows to change their own second factors: the password, and a factor if there are any."""

    password: Password
    given: Given
    site: Site


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
        factors: SecondFactors,
    ) -> None:
        self._hasher = hasher
        self._credentials = credentials
        self._sessions = sessions
        self._clock = clock
        self._randomness = randomness
        self._rules = rules
        self.factors = factors
        # An unknown name takes as much time as an existing one.
        self._decoy = hasher.decoy()

    def attempt(
        self,
        people: People,
        person: str,
        password: Password,
        source: str = "",
        given: Given = NOTHING,
        site: Site | None = None,
    ) -> Attempt:
        """Return the sign-in command for a name, a password and what was shown as a second factor."""
        command = asked.SignIn(
            by=asked.THE_DOOR,
            at=self._clock.now_ms(),
            person=person,
            proof=self._proof(people, person, password),
            session=self._name(),
            source=source,
            second=self.shown(people, person, given, site),
        )
        return Attempt(command, self._token())

    def follow_link(self, token: str, source: str = "", second: asked.Second | None = None) -> Attempt:
        """Return the sign-in command for a link, with the second factor that was shown."""
        now, digest = self._clock.now_ms(), token_digest(token)
        command = asked.FollowLink(
            by=asked.THE_DOOR, at=now, digest=digest, session=self._name(), source=source, second=second
        )
        return Attempt(command, self._token())

    def admit(self, attempt: Attempt, recorded: Iterable[happened.Event] | Refusal) -> Admitted | Refusal:
        """Return the session of a recorded sign-in, or why there is none."""
        refused = NOT_LET_IN if isinstance(attempt.command, asked.SignIn) else LINK_REFUSED
        if isinstance(recorded, Refusal):
            return SECOND_NEEDED if recorded == SECOND_NEEDED else refused
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

    def new_pin(self, people: People, by: Person, password: Password, pin: str) -> asked.SetPin | Refusal:
        """Store the person's own PIN and return the command that puts it in force."""
        if refusal := check_pin(pin):
            return refusal
        proof = self._proof(people, by.name, password)
        return asked.SetPin(by=by, at=self._clock.now_ms(), credential=self._kept(Password(pin)), proof=proof)

    def unlock(self, people: People, by: Person, session: str, pin: str, source: str) -> asked.UnlockConsole:
        """Return the command that unlocks a session if the PIN is right."""
        own = people.accounts[by.name].pin
        verifier = self._credentials.verifier(own) if own else None
        proof = own if verifier and self._hasher.fits(Password(pin), verifier) else None
        return asked.UnlockConsole(by=by, at=self._clock.now_ms(), session=session, proof=proof, source=source)

    def new_factor(
        self, people: People, by: Person, enrolled: Enrolled, label: str, own: "OwnProof"
    ) -> tuple[asked.AddFactor, tuple[str, ...]]:
        """Return the command that puts a stored factor in force, and recovery codes in case it is the first."""
        codes = self.factors.recovery_codes()
        command = asked.AddFactor(
            **self._own(people, by, own),
            factor=enrolled.factor,
            kind=enrolled.kind,
            label=label,
            step=enrolled.step,
            digests=tuple(map(recovery_digest, codes)),
        )
        return command, codes

    def old_factor(self, people: People, by: Person, factor: str, own: "OwnProof") -> asked.RemoveFactor:
        """Return the command that removes a factor."""
        return asked.RemoveFactor(**self._own(people, by, own), factor=factor)

    def new_codes(self, people: People, by: Person, own: "OwnProof") -> tuple[asked.MakeRecoveryCodes, tuple[str, ...]]:
        """Return the command that replaces the recovery codes, and the codes."""
        codes = self.factors.recovery_codes()
        digests = tuple(map(recovery_digest, codes))
        return asked.MakeRecoveryCodes(**self._own(people, by, own), digests=digests), codes

    def _own(self, people: People, by: Person, own: "OwnProof") -> dict[str, Any]:
        proof = self._proof(people, by.name, own.password)
        second = self.shown(people, by.name, own.given, own.site)
        return {"by": by, "at": self._clock.now_ms(), "proof": proof, "second": second}

    def shown(self, people: People, person: str, given: Given, site: Site | None) -> asked.Second | None:
        """Return the second factor that a person showed, if they have any and showed something."""
        account = people.accounts.get(person)
        return self.factors.proved(person, account, given, site) if account and account.factors else None

    def discard(self, command: asked.SetPassword | asked.ChangeOwnPassword | asked.SetPin) -> None:
        """Delete a new password or PIN whose command was refused."""
        self.forget(command.credential)

    def forget(self, credential: str) -> None:
        """Delete a password that isn't in force."""
        self._credentials.forget(credential)

    def new_link(self, by: Person, person: str) -> NewLink:
        """Return the command that issues a sign-in link, and the link's token."""
        now, token = self._clock.now_ms(), self._token()
        until = now + self._rules.link_minutes * 60_000
        command = asked.IssueLink(by=by, at=now, person=person, digest=token_digest(token), until=until)
        return NewLink(command, token)

    def reusable_link(self, person: str, token: str, until: int) -> NewLink:
        """Return the command that issues a demonstration's link, which the address that used it first may use again."""
        command = asked.IssueLink(
            by=asked.DEMONSTRATION_DESK,
            at=self._clock.now_ms(),
            person=person,
            digest=token_digest(token),
            until=until,
            is_reusable=True,
        )
        return NewLink(command, token)

    def follow(self, events: Iterable[happened.Event], before: People) -> None:
        """Delete the passwords that events put out of force."""
        for event in events:
            if isinstance(event, happened.PasswordSet | happened.PinSet) and event.replaced is not None:
                self._credentials.forget(event.replaced)
            elif isinstance(event, happened.Declined):
                waited = before.proposals.get(event.proposal)
                if waited is not None and waited.kind == GIVE_ACCESS and "credential" in waited.body:
                    self._credentials.forget(waited.body["credential"])
            elif isinstance(event, happened.FactorRemoved):
                self.factors.forget(event.factor)
            elif isinstance(event, happened.FactorsReset):
                for factor in event.factors:
                    self.factors.forget(factor)
            elif isinstance(event, happened.PersonRevoked | happened.AccountReset):
                account = before.accounts[event.person]
                factors = account.factors if isinstance(event, happened.PersonRevoked) else ()
                for secret in (account.credential, account.pin, *factors):
                    if secret is not None:
                        self._credentials.forget(secret)

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
