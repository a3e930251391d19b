"""What a command about people brings about, or why it may not: accounts, passwords, links and sessions."""

from collections.abc import Iterator
from dataclasses import dataclass

from pitboss.house.people import commands as asked
from pitboss.house.people import events as happened
from pitboss.house.people import house_rules as rule
from pitboss.house.people.accounts import NAME, Account, People, check_roles, check_standing
from pitboss.house.people.allowed import Place, allowed
from pitboss.house.people.events import Event
from pitboss.house.people.two_people import decide_pair
from pitboss.rules.refusal import Refusal
from pitboss.table.people import AUTOMATON

Decision = tuple[Event, ...] | Refusal

# One sentence for every reason, so that a door tells nobody which names exist or are locked.
NOT_LET_IN = Refusal(
    "The name or the password is wrong, or the account is locked; an administrator can unlock it", rule.SIGN_IN
)
LINK_REFUSED = Refusal("This link was used, has run out or was never issued; ask for another", rule.SIGN_IN)


@dataclass(frozen=True, slots=True, kw_only=True)
class SignInRules:
    """How strict the door is."""

    failures_most: int = 3
    sessions_at_once: int = 1  # of one person; a further one ends the oldest
    idle_minutes: int = 15
    session_hours: int = 12
    link_minutes: int = 60
    proposal_minutes: int = 10


def decide(people: People, command: asked.Command, rules: SignInRules | None = None) -> Decision:
    """Return the events of a command, or a refusal; some failures are recorded, and still let nobody in."""
    rules = rules or SignInRules()
    match command:
        case asked.SignIn() | asked.FollowLink():
            return _let_in(people, command, rules)
        case asked.EndSession():
            return _end(people, command)
        case asked.SignOut():
            return _sign_out(people, command)
        case asked.ChangeOwnPassword():
            return _change_own_password(people, command, rules)
        case asked.Propose() | asked.Confirm() | asked.Decline():
            return decide_pair(people, command, rules.proposal_minutes * 60_000)
        case _:
            return _check(people, command, command.person) or _administer(people, command)


def _check(people: People, command: asked.Command, concerns: str) -> Refusal | None:
    place = Place(concerns=concerns, is_founding=not people.administrators)
    return check_standing(people, command.by) or allowed(command.by, type(command).__name__, place)


def _administer(people: People, command: asked.OfAccounts) -> Decision:
    person = command.person
    if isinstance(command, asked.AddPerson):
        return _add(people, command)
    account = people.accounts.get(person)
    if account is None:
        return Refusal(f"Nobody here is called {person!r}", rule.ROLES, "person")
    # So the house is never left without an administrator either: whoever restricts another stays one.
    if person == command.by.name:
        return Refusal("Another administrator does this to your account", rule.ROLES, "person")
    if account.is_revoked:
        return Refusal(f"{person} is revoked for good", rule.SIGN_IN, "person")
    match command:
        case asked.SetPassword():
            return tuple(_password_set(people, person, account, command.credential))
        case asked.IssueLink():
            return _issue_link(account, command)
        case asked.UnlockPerson():
            return _unlock(account, command)
        case asked.ChangeRoles() | asked.LockPerson() | asked.RevokePerson():
            return _restrict(people, command, account)


def _add(people: People, command: asked.AddPerson) -> Decision:
    if not NAME.fullmatch(command.person):
        reason = "A name begins with a small letter or digit and has at most 40 of these, dots, dashes and underscores"
        return Refusal(reason, rule.ROLES, "person")
    if command.person in people.accounts:
        return Refusal(f"There is or was somebody called {command.person!r}", rule.ROLES, "person")
    if refusal := check_roles(command.roles):
        return refusal
    return (happened.PersonAdded(person=command.person, roles=command.roles),)


def _restrict(
    people: People, command: asked.ChangeRoles | asked.LockPerson | asked.RevokePerson, account: Account
) -> Decision:
    person = command.person
    if isinstance(command, asked.ChangeRoles):
        if refusal := check_roles(command.roles):
            return refusal
        if set(command.roles) == set(account.roles):
            return Refusal(f"{person} has these roles", rule.ROLES, "roles")
        changed = happened.RolesChanged(person=person, roles=command.roles, before=account.roles)
        return (changed, *_ended(people, person, happened.ROLES_CHANGED))
    if not command.reason.strip():
        return Refusal("A reason is to be stated", rule.SIGN_IN, "reason")
    if isinstance(command, asked.RevokePerson):
        revoked = happened.PersonRevoked(person=person, reason=command.reason)
        return (revoked, *_ended(people, person, happened.REVOKED))
    if account.locked == happened.ORDER:
        return Refusal(f"{person} is locked", rule.SIGN_IN, "person")
    locked = happened.PersonLocked(person=person, cause=happened.ORDER, reason=command.reason)
    return (locked, *_ended(people, person, happened.LOCKED))


def _unlock(account: Account, command: asked.UnlockPerson) -> Decision:
    if account.locked is None:
        return Refusal(f"{command.person} is not locked", rule.SIGN_IN, "person")
    return (happened.PersonUnlocked(person=command.person),)


def _issue_link(account: Account, command: asked.IssueLink) -> Decision:
    if not account.can_sign_in:
        return Refusal(f"{command.person} is locked", rule.SIGN_IN, "person")
    if command.until <= command.at:
        return Refusal("A link that has run out lets nobody in", rule.SIGN_IN, "until")
    return (happened.LinkIssued(person=command.person, digest=command.digest, until=command.until),)


def _password_set(people: People, person: str, account: Account, credential: str) -> Iterator[Event]:
    yield happened.PasswordSet(person=person, credential=credential, replaced=account.credential)
    yield from _ended(people, person, happened.PASSWORD_CHANGED)


def _change_own_password(people: People, command: asked.ChangeOwnPassword, rules: SignInRules) -> Decision:
    person = command.by.name
    if refusal := _check(people, command, person):
        return refusal
    account = people.accounts[person]
    if account.locked is not None:
        return NOT_LET_IN
    # Somebody who came by a link has no password to prove yet, and sets their first.
    if command.proof != account.credential:
        return tuple(_failed(person, account, rules))
    return tuple(_password_set(people, person, account, command.credential))


def _let_in(people: People, command: asked.SignIn | asked.FollowLink, rules: SignInRules) -> Decision:
    assert command.by.role == AUTOMATON, "the door itself asks"
    link = people.links.get(command.digest) if isinstance(command, asked.FollowLink) else None
    person = command.person if isinstance(command, asked.SignIn) else link.person if link else ""
    refused = NOT_LET_IN if isinstance(command, asked.SignIn) else LINK_REFUSED
    account = people.accounts.get(person)
    if account is None or not account.can_sign_in or command.session in people.sessions:
        return refused
    if isinstance(command, asked.FollowLink):
        if link is None or command.at >= link.until:
            return refused
        used = happened.LinkUsed(person=person, digest=command.digest)
        return (used, *_begun(people, person, command.session, happened.BY_LINK, command.at, rules))
    if account.credential is None:
        return refused
    if command.proof != account.credential:
        return tuple(_failed(person, account, rules))
    return tuple(_begun(people, person, command.session, happened.BY_PASSWORD, command.at, rules))


def _begun(people: People, person: str, session: str, way: str, at: int, rules: SignInRules) -> Iterator[Event]:
    open_already = people.sessions_of(person)
    for one in open_already[: max(0, len(open_already) + 1 - rules.sessions_at_once)]:
        yield happened.SessionEnded(person=person, session=one, reason=happened.ELSEWHERE)
    yield happened.SignedIn(person=person, session=session, way=way, at=at)


def _failed(person: str, account: Account, rules: SignInRules) -> Iterator[Event]:
    failures = account.failures + 1
    yield happened.SignInFailed(person=person, failures=failures)
    if failures >= rules.failures_most:
        reason = f"{failures} failed sign-ins in a row"
        yield happened.PersonLocked(person=person, cause=happened.FAILURES, reason=reason)


def _ended(people: People, person: str, reason: str) -> Iterator[Event]:
    for session in people.sessions_of(person):
        yield happened.SessionEnded(person=person, session=session, reason=reason)


def _end(people: People, command: asked.EndSession) -> Decision:
    assert command.by.role == AUTOMATON, "the door itself asks"
    assert command.reason in happened.ENDINGS, "a session ends for a reason that is known"
    session = people.sessions.get(command.session)
    if session is None:
        return Refusal("This session is over", rule.SIGN_IN, "session")
    return (happened.SessionEnded(person=session.person, session=command.session, reason=command.reason),)


def _sign_out(people: People, command: asked.SignOut) -> Decision:
    session = people.sessions.get(command.session)
    if session is None:
        return Refusal("This session is over", rule.SIGN_IN, "session")
    if refusal := _check(people, command, session.person):
        return refusal
    ended = happened.SessionEnded(person=session.person, session=command.session, reason=happened.SIGNED_OUT)
    return (ended,)
