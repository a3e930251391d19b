"""What has happened to the house's people; no event contains a password or a token."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, get_args

from pitboss.house.people import house_rules as rule
from pitboss.house.people.details import NO_DETAILS, Details

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
FACTORS_GONE = "second factors reset"
WRONG_PINS = "wrong PINs"
ENDINGS = (
    *(SIGNED_OUT, IDLE, LAPSED, ELSEWHERE, LOCKED, REVOKED),
    *(ROLES_CHANGED, PASSWORD_CHANGED, RESET, FACTORS_GONE, WRONG_PINS),
)

# How a person signed in.
BY_PASSWORD = "password"
BY_LINK = "link"

# The kinds of second factors.
CODE = "code"
PASSKEY = "passkey"


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonAdded:
    person: str
    roles: tuple[str, ...]
    details: Details = NO_DETAILS
    clause: ClassVar[str] = rule.ROLES


@dataclass(frozen=True, slots=True, kw_only=True)
class DetailsChanged:
    person: str
    details: Details
    before: Details
    clause: ClassVar[str] = rule.DETAILS


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
    given_by: tuple[str, ...] = ()  # whose access it is, if others gave it
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
    given_by: tuple[str, ...] = ()
    is_reusable: bool = False  # in a demonstration: valid again for the address that used it first
    clause: ClassVar[str] = rule.SIGN_IN


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkUsed:
    person: str
    digest: str
    source: str = ""  # the address it came from, for a link that can be used again
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
    given_by: tuple[str, ...] = ()  # who gave the link or the password
    clause: ClassVar[str] = rule.SIGN_IN


@dataclass(frozen=True, slots=True, kw_only=True)
class FactorAdded:
    """A second factor is in force; its secret is stored under its name, outside the record."""

    person: str
    factor: str
    kind: str
    label: str
    step: int  # the time step of the code, or the time of the challenge, that proved it
    clause: ClassVar[str] = rule.SECOND_FACTOR


@dataclass(frozen=True, slots=True, kw_only=True)
class FactorUsed:
    """A second factor was used; nothing from this step or an earlier one counts again."""

    person: str
    factor: str
    step: int
    clause: ClassVar[str] = rule.SECOND_FACTOR


@dataclass(frozen=True, slots=True, kw_only=True)
class FactorRemoved:
    person: str
    factor: str
    clause: ClassVar[str] = rule.SECOND_FACTOR


@dataclass(frozen=True, slots=True, kw_only=True)
class RecoveryCodesMade:
    """The person has new recovery codes; the record has their hashes."""

    person: str
    digests: tuple[str, ...]
    clause: ClassVar[str] = rule.SECOND_FACTOR


@dataclass(frozen=True, slots=True, kw_only=True)
class RecoveryCodeUsed:
    person: str
    digest: str
    clause: ClassVar[str] = rule.SECOND_FACTOR


@dataclass(frozen=True, slots=True, kw_only=True)
class FactorsReset:
    """The account's second factors and recovery codes were removed."""

    person: str
    factors: tuple[str, ...]
    by: str
    second: str
    clause: ClassVar[str] = rule.SECOND_FACTOR


@dataclass(frozen=True, slots=True, kw_only=True)
class SecondFactorDemanded:
    """People act in these roles only with a second factor."""

    roles: tuple[str, ...]
    before: tuple[str, ...]
    by: str
    second: str
    clause: ClassVar[str] = rule.SECOND_FACTOR


@dataclass(frozen=True, slots=True, kw_only=True)
class PinSet:
    """A PIN is in force; the credential is the name it is stored under, outside the record."""

    person: str
    credential: str
    replaced: str | None
    clause: ClassVar[str] = rule.CONSOLE_LOCK


@dataclass(frozen=True, slots=True, kw_only=True)
class ConsoleUnlocked:
    """A session that had locked because nobody used it was unlocked."""

    person: str
    session: str
    clause: ClassVar[str] = rule.CONSOLE_LOCK


@dataclass(frozen=True, slots=True, kw_only=True)
class UnlockFailed:
    """A wrong PIN was entered at a locked session, for the nth time in a row."""

    person: str
    session: str
    failures: int
    source: str = ""
    clause: ClassVar[str] = rule.CONSOLE_LOCK


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
    """Two people approved a proposal; the program in either place is recorded as such."""

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
    | DetailsChanged
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
    | FactorAdded
    | FactorUsed
    | FactorRemoved
    | RecoveryCodesMade
    | RecoveryCodeUsed
    | FactorsReset
    | SecondFactorDemanded
    | PinSet
    | ConsoleUnlocked
    | UnlockFailed
    | SessionEnded
    | Proposed
    | Confirmed
    | Declined
)
KINDS: Mapping[str, type] = {kind.__name__: kind for kind in get_args(Event)}
# What is also reported to the floor.
SIGNIFICANT = (
    *(DetailsChanged, RolesChanged, PersonLocked, PersonUnlocked, AccountReset, PersonRevoked),
    *(SignInFailed, UnlockFailed, FactorsReset),
)
