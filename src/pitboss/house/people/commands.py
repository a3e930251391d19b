"""What may be asked about the people of the house; each command says who asks and when, in UTC milliseconds."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pitboss.house.people.authorization import HOUSE, Place
from pitboss.table.people import AUTOMATON, Person

# Whoever signs in is nobody yet: these commands are the door's.
THE_DOOR = Person("front door", AUTOMATON)
# Somebody at the machine that holds the keys; no account can have a name with spaces.
KEY_HOLDER = Person("holder of the keys", AUTOMATON)


@dataclass(frozen=True, slots=True, kw_only=True)
class PeopleCommand:
    """What every command carries."""

    by: Person
    at: int


@dataclass(frozen=True, slots=True, kw_only=True)
class AddPerson(PeopleCommand):
    """Give somebody an account."""

    person: str
    roles: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeRoles(PeopleCommand):
    """Give somebody other roles."""

    person: str
    roles: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SetPassword(PeopleCommand):
    """Put another's new password in force, which is kept under this credential."""

    person: str
    credential: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeOwnPassword(PeopleCommand):
    """Put one's own new password in force; the proof is the credential that the old one opened."""

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
class IssueLink(PeopleCommand):
    """Let somebody sign in once with the token that has this digest."""

    person: str
    digest: str
    until: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SignIn(PeopleCommand):
    """Begin a session for whoever gave this name; the proof is the credential that the password opened."""

    person: str
    proof: str | None
    session: str
    source: str = ""  # the address the request came from


@dataclass(frozen=True, slots=True, kw_only=True)
class FollowLink(PeopleCommand):
    """Begin a session for whoever holds the token that has this digest."""

    digest: str
    session: str
    source: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SignOut(PeopleCommand):
    """End one's own session."""

    session: str


@dataclass(frozen=True, slots=True, kw_only=True)
class EndSession(PeopleCommand):
    """End a session whose time is over."""

    session: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Propose(PeopleCommand):
    """Ask for a second person to a command that takes two."""

    proposal: str
    kind: str
    body: Mapping[str, Any]
    place: Place = HOUSE


@dataclass(frozen=True, slots=True, kw_only=True)
class Confirm(PeopleCommand):
    """Stand as the other person behind a proposal; the digest says what was read before agreeing."""

    proposal: str
    digest: str
    place: Place = HOUSE


@dataclass(frozen=True, slots=True, kw_only=True)
class Decline(PeopleCommand):
    """Turn a proposal down, or withdraw one's own."""

    proposal: str
    reason: str
    place: Place = HOUSE


OfAccounts = AddPerson | ChangeRoles | SetPassword | LockPerson | UnlockPerson | RevokePerson | IssueLink
OfSessions = ChangeOwnPassword | SignIn | FollowLink | SignOut | EndSession
OfPairs = Propose | Confirm | Decline
Command = OfAccounts | OfSessions | OfPairs
