"""What has happened to the house's people; no event contains a password or a token."""

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
RESET = "reset"
ENDINGS = (SIGNED_OUT, IDLE, LAPSED, ELSEWHERE, LOCKED, REVOKED, ROLES_CHANGED, PASSWORD_CHANGED, RESET)

# How a person signed in.
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
    """A password is in force; the credential is the name it is stored under, outside the record."""

    person: str
    credential: str
    replaced: str | None
    clause: ClassVar[str] = rule.SIGN_IN


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonLocked:
    """An account is locked by order until it is unlocked, or by failed sign-ins for a while."""

    person: str
    cause: str
    reason: str
    until: int = 0  # when a lock by failed sign-ins ends by itself
    source: str | None = None  # the address that failed; none if the whole account is closed
    clause: ClassVar[str] = rule.SIGN_IN


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonUnlocked:
    person: str
    clause: ClassVar[str] = rule.SIGN_IN


@dataclass(frozen=True, slots=True, kw_only=True)
class AccountReset:
    """The account has neither a password nor a lock any more."""

    person: str
    replaced: str | None  # the credential that is no longer in force
    clause: ClassVar[str] = rule.SIGN_IN


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonRevoked:
    person: str
    reason: str
    clause: ClassVar[str] = rule.SIGN_IN


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkIssued:
    """A sign-in link is valid once and until a time; the record has the hash of its token."""

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
    """A session begins; the record has its name, and only the person knows its token."""

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
    """A command that takes two people waits for the second one."""

    proposal: str
    kind: str
    body: Mapping[str, Any]
    by: str
    role: str
    until: int
    clause: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Confirmed:
    """Two people approved a proposal; an automaton in either place is recorded as one."""

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
    | AccountReset
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
KINDS: Mapping[str, type] = {kind.__name__: kind for kind in get_args(Event)}
# What is also reported to the floor.
SIGNIFICANT = (RolesChanged, PersonLocked, PersonUnlocked, AccountReset, PersonRevoked, SignInFailed)
