"""The people of the house as they stand: accounts, open sessions, links and proposals, all derived from events."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from pitboss.house.people import events as happened
from pitboss.house.people import house_rules as rule
from pitboss.house.people.roles import ADMINISTRATOR, DEPARTMENTS
from pitboss.rules.refusal import Refusal
from pitboss.table.people import AUTOMATON, Person

# No space and no colon: automata have names with a space, and accounts of money are told apart by colons.
NAME = re.compile(r"[a-z0-9][a-z0-9._-]{0,39}")


@dataclass(frozen=True, slots=True)
class Account:
    """One person's account."""

    roles: tuple[str, ...]
    credential: str | None = None  # the name the password is kept under
    failures: int = 0
    locked: str | None = None  # the cause, where it is
    is_revoked: bool = False

    @property
    def can_sign_in(self) -> bool:
        """Say whether the account lets anybody in."""
        return self.locked is None and not self.is_revoked

    @property
    def stands(self) -> bool:
        """Say whether its person may act; failed sign-ins close the door to new sessions and no more."""
        return self.locked != happened.ORDER and not self.is_revoked


@dataclass(frozen=True, slots=True)
class OpenSession:
    """Somebody who is signed in."""

    person: str
    begun: int


@dataclass(frozen=True, slots=True)
class Link:
    """A sign-in link that was not used yet."""

    person: str
    until: int


@dataclass(frozen=True, slots=True)
class Proposal:
    """A command that waits for its other person."""

    kind: str
    body: Mapping[str, Any]
    by: str
    role: str
    until: int
    clause: str


@dataclass(frozen=True, slots=True)
class People:
    """Everybody; mappings are replaced, never changed."""

    accounts: Mapping[str, Account] = field(default_factory=dict)
    sessions: Mapping[str, OpenSession] = field(default_factory=dict)
    links: Mapping[str, Link] = field(default_factory=dict)  # by digest
    proposals: Mapping[str, Proposal] = field(default_factory=dict)

    @property
    def administrators(self) -> frozenset[str]:
        """Return who could administer the house: those who can sign in with a password, or have done so."""
        inside = {one.person for one in self.sessions.values()}
        return frozenset(
            name
            for name, account in self.accounts.items()
            if ADMINISTRATOR in account.roles and account.can_sign_in and (account.credential or name in inside)
        )

    def sessions_of(self, person: str) -> tuple[str, ...]:
        """Return a person's open sessions, the oldest first."""
        own = [(one.begun, name) for name, one in self.sessions.items() if one.person == person]
        return tuple(name for _, name in sorted(own))


def check_standing(people: People, person: Person) -> Refusal | None:
    """Return why somebody may not act in a role at all, or None; an automaton is the program itself."""
    if person.role == AUTOMATON:
        taken = person.name in people.accounts
        return Refusal(f"{person.name} is a person and no automaton", rule.ROLES, "by") if taken else None
    account = people.accounts.get(person.name)
    if account is None:
        return Refusal(f"Nobody here is called {person.name!r}", rule.ROLES, "by")
    if not account.stands:
        return Refusal(f"{person.name} is {'revoked' if account.is_revoked else 'locked'}", rule.SIGN_IN, "by")
    if person.role not in account.roles:
        return Refusal(f"{person.name} has no role {person.role!r}", rule.ROLES, "by")
    return None


def check_roles(roles: tuple[str, ...]) -> Refusal | None:
    """Return why nobody may have these roles together, or None."""
    known = {role for department in DEPARTMENTS for role in department}
    unknown = sorted(set(roles) - known)
    if unknown or not roles or len(set(roles)) != len(roles):
        named = f"not {', '.join(unknown)}" if unknown else "each once and at least one"
        return Refusal(f"Roles are of {', '.join(sorted(known))}; {named}", rule.ROLES, "roles")
    if not any(set(roles) <= set(department) for department in DEPARTMENTS):
        return Refusal(f"{' and '.join(roles)} are of different departments", rule.ROLES, "roles")
    return None


def evolve(people: People, event: happened.Event) -> People:
    """Return the people after an event; no rule is asked here."""
    match event:
        case happened.PersonAdded():
            return replace(people, accounts={**people.accounts, event.person: Account(event.roles)})
        case happened.RolesChanged():
            return _changed(_unlinked(people, event.person), event.person, roles=event.roles)
        case happened.PasswordSet():
            return _changed(_unlinked(people, event.person), event.person, credential=event.credential, failures=0)
        case happened.PersonLocked():
            people = _unlinked(people, event.person) if event.cause == happened.ORDER else people
            return _changed(people, event.person, locked=event.cause)
        case happened.PersonUnlocked():
            return _changed(people, event.person, locked=None, failures=0)
        case happened.PersonRevoked():
            return _changed(_unlinked(people, event.person), event.person, is_revoked=True, credential=None)
        case happened.SignInFailed():
            return _changed(people, event.person, failures=event.failures)
        case happened.LinkIssued():
            # One link a person: a new one takes the place of one that was never used.
            people = _unlinked(people, event.person)
            return replace(people, links={**people.links, event.digest: Link(event.person, event.until)})
        case happened.LinkUsed():
            return replace(people, links=_without(people.links, event.digest))
        case happened.SignedIn():
            begun = OpenSession(event.person, event.at)
            people = replace(people, sessions={**people.sessions, event.session: begun})
            return _changed(people, event.person, failures=0) if people.accounts[event.person].failures else people
        case happened.SessionEnded():
            return replace(people, sessions=_without(people.sessions, event.session))
        case happened.Proposed():
            waits = Proposal(event.kind, event.body, event.by, event.role, event.until, event.clause)
            return replace(people, proposals={**people.proposals, event.proposal: waits})
        case happened.Confirmed() | happened.Declined():
            return replace(people, proposals=_without(people.proposals, event.proposal))


def _unlinked(people: People, person: str) -> People:
    return replace(people, links={digest: link for digest, link in people.links.items() if link.person != person})


def _changed(people: People, person: str, **changes: Any) -> People:
    return replace(people, accounts={**people.accounts, person: replace(people.accounts[person], **changes)})


def _without(mapping: Mapping[str, Any], gone: str) -> dict[str, Any]:
    return {name: value for name, value in mapping.items() if name != gone}
