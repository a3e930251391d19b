"""What has happened to the people of the house; nothing here holds a password or a token."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, get_args

from pitboss.house.people import house_rules as rule

# Why an account is locked.
FAILURES = "failed sign-ins"
ORDER = "order"

# Why a session ended.
SIGNED_OUT = "signed out"
IDLE = "idle"
LAPSED = "lapsed"
ELSEWHERE = "signed in elsewhere"
LOCKED = "locked"
REVOKED = "revoked"
ROLES_CHANGED = "roles changed"
PASSWORD_CHANGED = "password changed"
ENDINGS = (SIGNED_OUT, IDLE, LAPSED, ELSEWHERE, LOCKED, REVOKED, ROLES_CHANGED, PASSWORD_CHANGED)

# How somebody signed in.
BY_PASSWORD = "password"
BY_LINK = "link"


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonAdded:
    person: str
    roles: tuple[str, ...]
    clause: ClassVar[str] = rule.ROLES


@dataclass(frozen=True, slots=True, kw_only=True)
class RolesChanged:
    person: str
    roles: tuple[str, ...]
    before: tuple[str, ...]
    clause: ClassVar[str] = rule.ROLES


@dataclass(frozen=True, slots=True, kw_only=True)
class PasswordSet:
    """A password is in force; the credential is the name it is kept under, outside the record."""

    person: str
    credential: str
    replaced: str | None
    clause: ClassVar[str] = rule.SIGN_IN


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonLocked:
    """An account is closed by an order until it is unlocked, or by failed sign-ins for a while."""

    person: str
    cause: str
    reason: str
    until: int = 0  # when a lock by failed sign-ins ends by itself
    source: str | None = None  # the address that failed; none where the whole account is closed
    clause: ClassVar[str] = rule.SIGN_IN


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonUnlocked:
    person: str
    clause: ClassVar[str] = rule.SIGN_IN


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonRevoked:
    person: str
    reason: str
    clause: ClassVar[str] = rule.SIGN_IN


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkIssued:
    """A sign-in link is good once and until a time; the record has the hash of its token."""

    person: str
    digest: str
    until: int
    clause: ClassVar[str] = rule.SIGN_IN


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkUsed:
    person: str
    digest: str
    clause: ClassVar[str] = rule.SIGN_IN


@dataclass(frozen=True, slots=True, kw_only=True)
class SignInFailed:
    person: str
    failures: int
    source: str = ""  # the address it came from
    clause: ClassVar[str] = rule.SIGN_IN


@dataclass(frozen=True, slots=True, kw_only=True)
class SignedIn:
    """A session begins; it has a name in the record, and its token is known to the person alone."""

    person: str
    session: str
    way: str
    at: int
    source: str = ""  # the address it came from
    clause: ClassVar[str] = rule.SIGN_IN


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionEnded:
    person: str
    session: str
    reason: str
    clause: ClassVar[str] = rule.SIGN_IN


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposed:
    """Something that takes two people waits for the other one."""

    proposal: str
    kind: str
    body: Mapping[str, Any]
    by: str
    role: str
    until: int
    clause: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Confirmed:
    """Two people stand behind a proposal; an automaton in either place is recorded as one."""

    proposal: str
    by: str
    role: str
    proposed_by: str
    proposed_as: str
    clause: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Declined:
    proposal: str
    by: str
    reason: str
    clause: str


Event = (
    PersonAdded
    | RolesChanged
    | PasswordSet
    | PersonLocked
    | PersonUnlocked
    | PersonRevoked
    | LinkIssued
    | LinkUsed
    | SignInFailed
    | SignedIn
    | SessionEnded
    | Proposed
    | Confirmed
    | Declined
)
KINDS: Mapping[str, type] = {one.__name__: one for one in get_args(Event)}
# What the floor is told besides.
SIGNIFICANT = (RolesChanged, PersonLocked, PersonUnlocked, PersonRevoked, SignInFailed)
