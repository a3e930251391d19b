"""Commands about the house's people; each states who gives it and when, in UTC milliseconds."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pitboss.house.people.authorization import HOUSE, Place
from pitboss.house.people.details import NO_DETAILS, Details
from pitboss.table.people import AUTOMATON, Person

# A person signing in isn't identified yet, so sign-in commands are given in this name.
THE_DOOR = Person("front door", AUTOMATON)
# Someone at the machine that holds the keys; no account name can contain spaces.
KEY_HOLDER = Person("holder of the keys", AUTOMATON)
# The program's own desk at a demonstration, which gives guests their accounts.
DEMONSTRATION_DESK = Person("demonstration desk", AUTOMATON)


@dataclass(frozen=True, slots=True, kw_only=True)
class Second:
    """The second factor that a person showed, with its step, or a recovery code's digest; a wrong one has neither."""

    factor: str = ""
    step: int = 0
    recovery: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PeopleCommand:
    """What every command carries."""

    by: Person
    at: int


@dataclass(frozen=True, slots=True, kw_only=True)
class AddPerson(PeopleCommand):
    """Create an account for a person."""

    person: str
    roles: tuple[str, ...]
    details: Details = NO_DETAILS


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeDetails(PeopleCommand):
    """Change a person's full name, badge and license number."""

    person: str
    details: Details


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeRoles(PeopleCommand):
    """Change a person's roles."""

    person: str
    roles: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SetPassword(PeopleCommand):
    """Put another person's new password in force; it is stored under this credential."""

    person: str
    credential: str
    second: str = ""  # the other administrator
    has_money: bool = False  # whether the house has a real-money table


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeOwnPassword(PeopleCommand):
    """Put your own new password in force; the proof is the credential that the old one unlocked."""

    credential: str
    proof: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class LockPerson(PeopleCommand):
    """Close an account until it is unlocked."""

    person: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class UnlockPerson(PeopleCommand):
    """Open a locked account again."""

    person: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RevokePerson(PeopleCommand):
    """Close an account for good."""

    person: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ResetPerson(PeopleCommand):
    """Remove an account's password and locks, so that its person starts again with a link."""

    person: str


@dataclass(frozen=True, slots=True, kw_only=True)
class IssueLink(PeopleCommand):
    """Let a person sign in once with the token that has this digest, or in a demonstration as often as they like."""

    person: str
    digest: str
    until: int
    second: str = ""
    has_money: bool = False
    is_reusable: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class SignIn(PeopleCommand):
    """Begin a session for the person with this name; the proof is the credential that the password unlocked."""

    person: str
    proof: str | None
    session: str
    source: str = ""  # the address the request came from
    second: Second | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class FollowLink(PeopleCommand):
    """Begin a session for the holder of the token that has this digest."""

    digest: str
    session: str
    source: str = ""
    second: Second | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnFactors(PeopleCommand):
    """A change to your own second factors, with proof of the password and of a factor if there is one."""

    proof: str | None
    second: Second | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class AddFactor(OwnFactors):
    """Put a new second factor in force; the first one comes with recovery codes."""

    factor: str
    kind: str
    label: str
    step: int
    digests: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class RemoveFactor(OwnFactors):
    """Remove a second factor."""

    factor: str


@dataclass(frozen=True, slots=True, kw_only=True)
class MakeRecoveryCodes(OwnFactors):
    """Replace the recovery codes."""

    digests: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ResetFactors(PeopleCommand):
    """Remove a person's second factors, by two administrators or the holder of the keys."""

    person: str
    second: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class DemandSecondFactor(PeopleCommand):
    """Require a second factor for these roles and no others, for two administrators."""

    roles: tuple[str, ...]
    second: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SetPin(PeopleCommand):
    """Put your own PIN in force; the proof is the credential that the password unlocked."""

    credential: str
    proof: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class UnlockConsole(PeopleCommand):
    """Unlock a session; the proof is the credential that the PIN unlocked."""

    session: str
    proof: str | None
    source: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SignOut(PeopleCommand):
    """End your own session."""

    session: str


@dataclass(frozen=True, slots=True, kw_only=True)
class EndSession(PeopleCommand):
    """End an expired session."""

    session: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Propose(PeopleCommand):
    """Ask for a second person for a command that takes two."""

    proposal: str
    kind: str
    body: Mapping[str, Any]
    place: Place = HOUSE


@dataclass(frozen=True, slots=True, kw_only=True)
class Confirm(PeopleCommand):
    """Confirm a proposal as the second person; the digest identifies what was read before agreeing."""

    proposal: str
    digest: str
    place: Place = HOUSE
    has_money: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Decline(PeopleCommand):
    """Decline a proposal, or withdraw your own."""

    proposal: str
    reason: str
    place: Place = HOUSE


OfAccounts = (
    AddPerson
    | ChangeDetails
    | ChangeRoles
    | SetPassword
    | LockPerson
    | UnlockPerson
    | ResetPerson
    | RevokePerson
    | IssueLink
)
OfSessions = ChangeOwnPassword | SetPin | UnlockConsole | SignIn | FollowLink | SignOut | EndSession
OfPairs = Propose | Confirm | Decline
OfFactors = AddFactor | RemoveFactor | MakeRecoveryCodes | ResetFactors | DemandSecondFactor
Command = OfAccounts | OfSessions | OfFactors | OfPairs
