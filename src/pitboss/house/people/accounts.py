"""The state of the house's people: accounts, open sessions, links and proposals, all derived from events."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from pitboss.house.people import events as happened
from pitboss.house.people import house_rules as rule
from pitboss.house.people.details import NO_DETAILS, Details
from pitboss.house.people.roles import ADMINISTRATOR, DEPARTMENTS
from pitboss.rules.refusal import Refusal
from pitboss.table.people import AUTOMATON, Person, role_words

# No space and no colon: names the program acts under contain a space, and colons separate the parts of ledger accounts.
NAME = re.compile(r"[a-z0-9][a-z0-9._-]{0,39}")
SOURCES_KEPT = 50  # addresses with failed sign-ins, per account
KNOWN_KEPT = 8  # addresses a person signed in from, per account


@dataclass(frozen=True, slots=True)
class Tries:
    """Failed sign-ins from one address: in a row, how often it was locked out, and until when."""

    failures: int = 0
    lockouts: int = 0
    until: int = 0


@dataclass(frozen=True, slots=True)
class Factor:
    """A second factor: its kind, the person's name for it, and the last step that was used."""

    kind: str
    label: str
    step: int


@dataclass(frozen=True, slots=True)
class Account:
    """One person's account."""

    roles: tuple[str, ...]
    credential: str | None = None  # the name the password is stored under
    failures: int = 0  # in a row, from all addresses
    locked: str | None = None  # the reason for a lock that lasts until someone removes it
    is_revoked: bool = False
    tries: Mapping[str, Tries] = field(default_factory=dict)  # by address
    lockouts: int = 0  # how often the whole account was closed for a while
    locked_until: int = 0
    known: tuple[str, ...] = ()  # addresses the person signed in from, most recent first
    factors: Mapping[str, Factor] = field(default_factory=dict)  # second factors, by the name of their secret
    recovery: tuple[str, ...] = ()  # digests of unused recovery codes
    details: Details = NO_DETAILS
    password_from: tuple[str, ...] = ()  # who gave the password, if others did
    pin: str | None = None  # the name the PIN is stored under
    access_from: tuple[str, ...] = ()  # who gave the link or password of the last sign-in

    @property
    def is_active(self) -> bool:
        """Return whether its person may act and get a link; failed sign-ins only slow down passwords."""
        return self.locked is None and not self.is_revoked

    def is_locked_out(self, source: str, at: int) -> bool:
        """Say whether passwords from an address are refused now because of too many wrong ones."""
        if at < self.tries.get(source, Tries()).until:
            return True
        # A guessing attack from many addresses closes the account, but not to addresses the person has used before.
        return at < self.locked_until and source not in self.known

    def is_slowed(self, at: int) -> bool:
        """Say whether wrong passwords have locked out any address, or the whole account, at this time."""
        return at < self.locked_until or any(at < tries.until for tries in self.tries.values())


@dataclass(frozen=True, slots=True)
class OpenSession:
    """A signed-in session."""

    person: str
    begun: int
    wrong_pins: int = 0  # in a row


@dataclass(frozen=True, slots=True)
class Link:
    """A sign-in link that works now."""

    person: str
    until: int
    given_by: tuple[str, ...] = ()
    is_reusable: bool = False
    used_from: str | None = None  # the address that used it first, and the only one that may use it again


@dataclass(frozen=True, slots=True)
class Proposal:
    """A command that waits for its second person."""

    kind: str
    body: Mapping[str, Any]
    by: str
    role: str
    until: int
    clause: str
    access_from: tuple[str, ...] = ()  # who gave the proposer's access at the time


@dataclass(frozen=True, slots=True)
class People:
    """Everyone; mappings are replaced, never changed."""

    accounts: Mapping[str, Account] = field(default_factory=dict)
    sessions: Mapping[str, OpenSession] = field(default_factory=dict)
    links: Mapping[str, Link] = field(default_factory=dict)  # by digest
    proposals: Mapping[str, Proposal] = field(default_factory=dict)
    needs_factor: tuple[str, ...] = ()  # the roles that take a second factor

    @property
    def administrators(self) -> frozenset[str]:
        """Return who could administer the house: those who can sign in with a password, or have done so."""
        inside = {session.person for session in self.sessions.values()}
        return frozenset(
            name
            for name, account in self.accounts.items()
            if ADMINISTRATOR in account.roles and account.is_active and (account.credential or name in inside)
        )

    @property
    def locked_administrators(self) -> frozenset[str]:
        """Return whom somebody locked as an administrator; the house still has them, and anyone may unlock them."""
        return frozenset(
            name
            for name, account in self.accounts.items()
            if ADMINISTRATOR in account.roles and account.locked is not None and not account.is_revoked
        )

    def sessions_of(self, person: str) -> tuple[str, ...]:
        """Return a person's open sessions, oldest first."""
        own = [(session.begun, name) for name, session in self.sessions.items() if session.person == person]
        return tuple(name for _, name in sorted(own))


def check_standing(people: People, person: Person) -> Refusal | None:
    """Return why a person may not act in a role at all, or None; the role automaton is the program's own."""
    if refusal := check_account(people, person):
        return refusal
    if person.role in people.needs_factor and not people.accounts[person.name].factors:
        reason = f"The role {person.role} requires a second factor. Add one under Your password"
        return Refusal(reason, rule.SECOND_FACTOR, "by")
    return None


def check_account(people: People, person: Person) -> Refusal | None:
    """Return why a person may not even manage their own account in a role, or None."""
    if person.role == AUTOMATON:
        taken = person.name in people.accounts
        return (
            Refusal(f"{person.name} is a person's account, so the program can't act under that name", rule.ROLES, "by")
            if taken
            else None
        )
    account = people.accounts.get(person.name)
    if account is None:
        return Refusal(f"There is no account named {person.name!r}", rule.ROLES, "by")
    if not account.is_active:
        return Refusal(f"{person.name} is {'revoked' if account.is_revoked else 'locked'}", rule.SIGN_IN, "by")
    if person.role not in account.roles:
        return Refusal(f"{person.name} doesn't have the role {role_words(person.role)}", rule.ROLES, "by")
    return None


def check_roles(roles: tuple[str, ...]) -> Refusal | None:
    """Return why no person may have these roles together, or None."""
    known = {role for department in DEPARTMENTS for role in department}
    unknown = sorted(set(roles) - known)
    if unknown or not roles or len(set(roles)) != len(roles):
        named = f"not {', '.join(unknown)}" if unknown else "each at most once"
        return Refusal(f"Choose roles from {', '.join(sorted(known))}, {named}", rule.ROLES, "roles")
    if not any(set(roles) <= set(department) for department in DEPARTMENTS):
        named = " and ".join(map(role_words, roles))
        reason = f"The roles {named} belong to different departments. All of a person's roles must be in one"
        return Refusal(reason, rule.ROLES, "roles")
    return None


def evolve(people: People, event: happened.Event) -> People:
    """Return the people after an event; no rule is checked here."""
    match event:
        case happened.PersonAdded():
            account = Account(event.roles, details=event.details)
            return replace(people, accounts={**people.accounts, event.person: account})
        case happened.DetailsChanged():
            return _changed(people, event.person, details=event.details)
        case happened.RolesChanged():
            return _changed(_unlinked(people, event.person), event.person, roles=event.roles)
        case happened.PasswordSet():
            given = {"credential": event.credential, "password_from": event.given_by}
            return _changed(_unlinked(people, event.person), event.person, **given, failures=0)
        case happened.PersonLocked() if event.cause == happened.ORDER:
            return _changed(_unlinked(people, event.person), event.person, locked=event.cause)
        case happened.PersonLocked():
            return _changed(people, event.person, **_locked_out(people.accounts[event.person], event))
        case happened.PersonUnlocked():
            return _changed(people, event.person, locked=None, failures=0, tries={}, lockouts=0, locked_until=0)
        case happened.AccountReset():
            cleared: dict[str, Any] = {"locked": None, "failures": 0, "tries": {}, "lockouts": 0, "locked_until": 0}
            return _changed(
                _unlinked(people, event.person), event.person, credential=None, password_from=(), pin=None, **cleared
            )
        case happened.PersonRevoked():
            return _changed(_unlinked(people, event.person), event.person, is_revoked=True, credential=None, pin=None)
        case happened.SignInFailed():
            tries = _with_failure(people.accounts[event.person].tries, event.source)
            return _changed(people, event.person, failures=event.failures, tries=tries)
        case happened.LinkIssued():
            # One link per person: a new one replaces an unused one.
            people = _unlinked(people, event.person)
            link = Link(event.person, event.until, event.given_by, event.is_reusable)
            return replace(people, links={**people.links, event.digest: link})
        case happened.LinkUsed():
            link = people.links[event.digest]
            if link.is_reusable:
                kept = link if link.used_from is not None else replace(link, used_from=event.source)
                return replace(people, links={**people.links, event.digest: kept})
            return replace(people, links=_without(people.links, event.digest))
        case happened.SignedIn():
            begun = OpenSession(event.person, event.at)
            people = replace(people, sessions={**people.sessions, event.session: begun})
            account = people.accounts[event.person]
            is_as_before = event.given_by == account.access_from and not account.failures
            if is_as_before and event.source in ("", *account.known[:1]):
                return people
            known = tuple(dict.fromkeys((event.source, *account.known)))[:KNOWN_KEPT] if event.source else account.known
            tries = _without(account.tries, event.source)
            return _changed(people, event.person, failures=0, tries=tries, known=known, access_from=event.given_by)
        case happened.FactorAdded():
            added = Factor(event.kind, event.label, event.step)
            factors = {**people.accounts[event.person].factors, event.factor: added}
            return _changed(people, event.person, factors=factors)
        case happened.FactorUsed():
            factors = dict(people.accounts[event.person].factors)
            factors[event.factor] = replace(factors[event.factor], step=event.step)
            return _changed(people, event.person, factors=factors)
        case happened.FactorRemoved():
            left = _without(people.accounts[event.person].factors, event.factor)
            recovery = people.accounts[event.person].recovery if left else ()
            return _changed(people, event.person, factors=left, recovery=recovery)
        case happened.RecoveryCodesMade():
            return _changed(people, event.person, recovery=event.digests)
        case happened.RecoveryCodeUsed():
            unused = tuple(kept for kept in people.accounts[event.person].recovery if kept != event.digest)
            return _changed(people, event.person, recovery=unused)
        case happened.FactorsReset():
            return _changed(_unlinked(people, event.person), event.person, factors={}, recovery=())
        case happened.SecondFactorDemanded():
            return replace(people, needs_factor=event.roles)
        case happened.PinSet():
            return _changed(people, event.person, pin=event.credential)
        case happened.ConsoleUnlocked() | happened.UnlockFailed():
            wrong = event.failures if isinstance(event, happened.UnlockFailed) else 0
            session = replace(people.sessions[event.session], wrong_pins=wrong)
            return replace(people, sessions={**people.sessions, event.session: session})
        case happened.SessionEnded():
            return replace(people, sessions=_without(people.sessions, event.session))
        case happened.Proposed():
            access = people.accounts[event.by].access_from if event.by in people.accounts else ()
            waits = Proposal(event.kind, event.body, event.by, event.role, event.until, event.clause, access)
            return replace(people, proposals={**people.proposals, event.proposal: waits})
        case happened.Confirmed() | happened.Declined():
            return replace(people, proposals=_without(people.proposals, event.proposal))


def _with_failure(tries: Mapping[str, Tries], source: str) -> dict[str, Tries]:
    before = tries.get(source, Tries())
    latest = {**_without(tries, source), source: replace(before, failures=before.failures + 1)}
    return dict(list(latest.items())[-SOURCES_KEPT:])


def _locked_out(account: Account, event: happened.PersonLocked) -> dict[str, Any]:
    if event.source is None:
        # Older versions recorded a lock until someone unlocked it; such a lock has expired.
        return {"lockouts": account.lockouts + 1, "locked_until": event.until} if event.until else {}
    before = account.tries.get(event.source, Tries())
    return {"tries": {**account.tries, event.source: Tries(0, before.lockouts + 1, event.until)}}


def _unlinked(people: People, person: str) -> People:
    return replace(people, links={digest: link for digest, link in people.links.items() if link.person != person})


def _changed(people: People, person: str, **changes: Any) -> People:
    return replace(people, accounts={**people.accounts, person: replace(people.accounts[person], **changes)})


def _without(mapping: Mapping[str, Any], gone: str) -> dict[str, Any]:
    return {name: value for name, value in mapping.items() if name != gone}
