"""What a command about people leads to, or why it is refused: accounts, passwords, links and sessions."""

from collections.abc import Iterator
from dataclasses import dataclass

from pitboss.house.people import commands as asked
from pitboss.house.people import events as happened
from pitboss.house.people import house_rules as rule
from pitboss.house.people.access import check_access, givers, still_given
from pitboss.house.people.accounts import NAME, Account, People, Tries, check_account, check_roles, check_standing
from pitboss.house.people.authorization import Place, allowed
from pitboss.house.people.details import check_details
from pitboss.house.people.events import Event
from pitboss.house.people.roles import DEPARTMENTS
from pitboss.house.people.two_people import decide_pair
from pitboss.rules.refusal import Refusal
from pitboss.table.people import AUTOMATON

Decision = tuple[Event, ...] | Refusal

# One message for every reason, so that sign-in doesn't reveal which names exist or are locked.
NOT_LET_IN = Refusal(
    (
        "Wrong name or password, or too many attempts. Wait a minute and try again, or ask an administrator for a "
        "sign-in link"
    ),
    rule.SIGN_IN,
)
OWN_SESSION = "own session"  # the source recorded for a wrong current password, in place of an address
SECOND_NEEDED = Refusal(
    "Enter a code from your app or a recovery code, or use your passkey", rule.SECOND_FACTOR, "second"
)
FACTORS_MOST = 5
_OWN = asked.SignOut | asked.ChangeOwnPassword | asked.SetPin | asked.UnlockConsole | asked.OwnFactors
PINS_MOST = 3  # wrong in a row, before the session ends
_ALWAYS = (asked.KEY_HOLDER, asked.DEMONSTRATION_DESK)  # they need no administrator
LABEL_LONGEST = 40
HELD_MONEY = "handpay-"  # begins the deposit accounts of excluded people without an account, named after a form
LINK_REFUSED = Refusal("This link was used, has expired or isn't valid. Ask for a new one", rule.SIGN_IN)


@dataclass(frozen=True, slots=True, kw_only=True)
class SignInRules:
    """How strict sign-in is."""

    failures_most: int = 3  # in a row from one address, before it must wait
    account_failures_most: int = 30  # in a row from all addresses, before unknown addresses must wait
    lockout_seconds: int = 60  # of the first lockout; each further one lasts twice as long
    lockout_seconds_most: int = 3_600
    sessions_at_once: int = 1  # per person; one more ends the oldest
    idle_minutes: int = 15
    session_hours: int = 12
    link_minutes: int = 60
    proposal_minutes: int = 10
    locks_consoles: bool = True  # after the minutes in the house settings
    reusable_links: bool = False  # only a demonstration's may be used again; elsewhere they don't work at all


def decide(people: People, command: asked.Command, rules: SignInRules | None = None) -> Decision:
    """Return a command's events, or a refusal; some failures are recorded and still let no one in."""
    rules = rules or SignInRules()
    match command:
        case asked.SignIn() | asked.FollowLink():
            return _let_in(people, command, rules)
        case asked.EndSession():
            return _end(people, command)
        case asked.SignOut():
            return _sign_out(people, command)
        case asked.ChangeOwnPassword() | asked.SetPin():
            return _change_own_password(people, command, rules)
        case asked.UnlockConsole():
            return _unlock_console(people, command)
        case asked.AddFactor() | asked.RemoveFactor() | asked.MakeRecoveryCodes():
            return _change_own_factors(people, command, rules)
        case asked.ResetFactors():
            return _reset_factors(people, command)
        case asked.DemandSecondFactor():
            return _demand_factor(people, command)
        case asked.Propose() | asked.Confirm() | asked.Decline():
            return decide_pair(people, command, rules.proposal_minutes * 60_000)
        case _:
            return _check(people, command, command.person) or _administer(people, command)


def _check(people: People, command: asked.Command, concerns: str) -> Refusal | None:
    place = Place(concerns=concerns, is_founding=not people.administrators or command.by in _ALWAYS)
    is_own = isinstance(command, _OWN)
    standing = check_account if is_own else check_standing
    return standing(people, command.by) or allowed(command.by, type(command).__name__, place)


def _administer(people: People, command: asked.OfAccounts) -> Decision:
    person = command.person
    if isinstance(command, asked.AddPerson):
        return _add(people, command)
    account = people.accounts.get(person)
    if account is None:
        return Refusal(f"There is no account named {person!r}", rule.ROLES, "person")
    # This also ensures that the house always has an administrator: one who restricts another remains one.
    if person == command.by.name:
        return Refusal("You can't do this to your own account. Ask another administrator", rule.ROLES, "person")
    if account.is_revoked:
        return Refusal(f"{person} has been revoked permanently", rule.SIGN_IN, "person")
    match command:
        case asked.SetPassword():
            given = tuple(_password_set(people, person, account, command.credential, givers(command)))
            return check_access(people, command) or given
        case asked.IssueLink():
            return check_access(people, command) or _issue_link(account, command)
        case asked.UnlockPerson():
            return _unlock(account, command)
        case asked.ChangeDetails():
            return _change_details(people, command, account)
        case asked.ResetPerson():
            reset = happened.AccountReset(person=person, replaced=account.credential)
            return (reset, *_ended(people, person, happened.RESET))
        case asked.ChangeRoles() | asked.LockPerson() | asked.RevokePerson():
            return _restrict(people, command, account)


def _add(people: People, command: asked.AddPerson) -> Decision:
    if not NAME.fullmatch(command.person):
        reason = (
            "A name has up to 40 lowercase letters, digits, dots, dashes and underscores, and begins with a letter "
            "or digit"
        )
        return Refusal(reason, rule.ROLES, "person")
    if command.person in people.accounts:
        return Refusal(f"The name {command.person!r} is or was already in use. Choose another", rule.ROLES, "person")
    if command.person.startswith(HELD_MONEY):
        reason = f"Names that begin with {HELD_MONEY} are for money that the house holds. Choose another"
        return Refusal(reason, rule.EXCLUSIONS, "person")
    if refusal := check_roles(command.roles):
        return refusal
    others = (account.details for account in people.accounts.values())
    added = happened.PersonAdded(person=command.person, roles=command.roles, details=command.details)
    return check_details(command.details, others) or (added,)


def _change_details(people: People, command: asked.ChangeDetails, account: Account) -> Decision:
    others = (account.details for name, account in people.accounts.items() if name != command.person)
    if refusal := check_details(command.details, others):
        return refusal
    if command.details == account.details:
        return Refusal("The account already has these details. Change at least one", rule.DETAILS, "details")
    changed = happened.DetailsChanged(person=command.person, details=command.details, before=account.details)
    return (changed,)


def _restrict(
    people: People, command: asked.ChangeRoles | asked.LockPerson | asked.RevokePerson, account: Account
) -> Decision:
    person = command.person
    if isinstance(command, asked.ChangeRoles):
        if refusal := check_roles(command.roles):
            return refusal
        if set(command.roles) == set(account.roles):
            return Refusal(f"{person} already has these roles", rule.ROLES, "roles")
        changed = happened.RolesChanged(person=person, roles=command.roles, before=account.roles)
        return (changed, *_ended(people, person, happened.ROLES_CHANGED))
    if not command.reason.strip():
        return Refusal("Enter a reason", rule.SIGN_IN, "reason")
    if isinstance(command, asked.RevokePerson):
        revoked = happened.PersonRevoked(person=person, reason=command.reason)
        return (revoked, *_ended(people, person, happened.REVOKED))
    if account.locked == happened.ORDER:
        return Refusal(f"{person} is already locked", rule.SIGN_IN, "person")
    locked = happened.PersonLocked(person=person, cause=happened.ORDER, reason=command.reason)
    return (locked, *_ended(people, person, happened.LOCKED))


def _unlock(account: Account, command: asked.UnlockPerson) -> Decision:
    if account.locked is None and not account.is_slowed(command.at):
        return Refusal(f"{command.person} isn't locked", rule.SIGN_IN, "person")
    return (happened.PersonUnlocked(person=command.person),)


def _issue_link(account: Account, command: asked.IssueLink) -> Decision:
    if not account.is_active:
        return Refusal(f"{command.person} is locked. Unlock the account first", rule.SIGN_IN, "person")
    if command.until <= command.at:
        return Refusal("The link must expire in the future", rule.SIGN_IN, "until")
    if command.is_reusable and command.by != asked.DEMONSTRATION_DESK:
        return Refusal("Only a demonstration has links that can be used again", rule.SIGN_IN, "is_reusable")
    return (
        happened.LinkIssued(
            person=command.person,
            digest=command.digest,
            until=command.until,
            given_by=givers(command),
            is_reusable=command.is_reusable,
        ),
    )


def _password_set(
    people: People, person: str, account: Account, credential: str, given_by: tuple[str, ...]
) -> Iterator[Event]:
    yield happened.PasswordSet(person=person, credential=credential, replaced=account.credential, given_by=given_by)
    yield from _ended(people, person, happened.PASSWORD_CHANGED)


def _change_own_password(
    people: People, command: asked.ChangeOwnPassword | asked.SetPin, rules: SignInRules
) -> Decision:
    person = command.by.name
    if refusal := _check(people, command, person):
        return refusal
    account = people.accounts[person]
    if account.is_locked_out(OWN_SESSION, command.at):
        return NOT_LET_IN
    # A person who came by a link has no password to prove yet, and sets their first.
    if command.proof != account.credential:
        return tuple(_failed(person, account, OWN_SESSION, command.at, rules))
    if isinstance(command, asked.SetPin):
        return (happened.PinSet(person=person, credential=command.credential, replaced=account.pin),)
    return tuple(_password_set(people, person, account, command.credential, still_given(account)))


def _unlock_console(people: People, command: asked.UnlockConsole) -> Decision:
    person, session = command.by.name, people.sessions.get(command.session)
    if session is None or session.person != person:
        return Refusal("This session has ended. Sign in again", rule.SIGN_IN, "session")
    if refusal := _check(people, command, person):
        return refusal
    pin = people.accounts[person].pin
    if pin is None:
        return Refusal("You have no PIN. Sign in again", rule.CONSOLE_LOCK, "pin")
    if command.proof == pin:
        return (happened.ConsoleUnlocked(person=person, session=command.session),)
    failures = session.wrong_pins + 1
    failed = happened.UnlockFailed(person=person, session=command.session, failures=failures, source=command.source)
    if failures < PINS_MOST:
        return (failed,)
    return failed, happened.SessionEnded(person=person, session=command.session, reason=happened.WRONG_PINS)


def _let_in(people: People, command: asked.SignIn | asked.FollowLink, rules: SignInRules) -> Decision:
    assert command.by.role == AUTOMATON, "only the sign-in door asks"
    link = people.links.get(command.digest) if isinstance(command, asked.FollowLink) else None
    person = command.person if isinstance(command, asked.SignIn) else link.person if link else ""
    refused = NOT_LET_IN if isinstance(command, asked.SignIn) else LINK_REFUSED
    account = people.accounts.get(person)
    if account is None or not account.is_active or command.session in people.sessions:
        return refused
    if isinstance(command, asked.FollowLink):
        if link is None or command.at >= link.until or link.used_from not in (None, command.source):
            return refused
        if link.is_reusable and not rules.reusable_links:
            return refused
        if account.factors and account.is_locked_out(command.source, command.at):
            return refused
        shown = _second_shown(person, account, command.second)
        if isinstance(shown, Refusal):
            return shown
        if shown is None:
            return tuple(_failed(person, account, command.source, command.at, rules))
        source = command.source if link.is_reusable else ""
        used = happened.LinkUsed(person=person, digest=command.digest, source=source)
        return (*shown, used, *_begun(people, person, command, link.given_by, rules))
    if account.credential is None or account.is_locked_out(command.source, command.at):
        return refused
    if command.proof != account.credential:
        return tuple(_failed(person, account, command.source, command.at, rules))
    shown = _second_shown(person, account, command.second)
    if isinstance(shown, Refusal):
        return shown
    if shown is None:
        return tuple(_failed(person, account, command.source, command.at, rules))
    return (*shown, *_begun(people, person, command, account.password_from, rules))


def _second_shown(person: str, account: Account, second: asked.Second | None) -> Decision | None:
    # None for a wrong one, which counts as a failed sign-in; what was used once is wrong the next time.
    if not account.factors:
        return ()
    if second is None:
        return SECOND_NEEDED
    factor = account.factors.get(second.factor)
    if factor is not None and second.step > factor.step:
        return (happened.FactorUsed(person=person, factor=second.factor, step=second.step),)
    if second.recovery in account.recovery:
        return (happened.RecoveryCodeUsed(person=person, digest=second.recovery),)
    return None


def _change_own_factors(
    people: People, command: asked.AddFactor | asked.RemoveFactor | asked.MakeRecoveryCodes, rules: SignInRules
) -> Decision:
    person = command.by.name
    if refusal := _check(people, command, person):
        return refusal
    account = people.accounts[person]
    if account.is_locked_out(OWN_SESSION, command.at):
        return NOT_LET_IN
    shown = _second_shown(person, account, command.second)
    if isinstance(shown, Refusal):
        return shown
    if shown is None or command.proof != account.credential:
        return tuple(_failed(person, account, OWN_SESSION, command.at, rules))
    changed = _factors_changed(person, account, command)
    return changed if isinstance(changed, Refusal) else (*shown, *changed)


def _factors_changed(
    person: str, account: Account, command: asked.AddFactor | asked.RemoveFactor | asked.MakeRecoveryCodes
) -> Decision:
    if isinstance(command, asked.MakeRecoveryCodes):
        if not account.factors:
            return Refusal("Add a second factor first", rule.SECOND_FACTOR, "factor")
        return (happened.RecoveryCodesMade(person=person, digests=command.digests),)
    if isinstance(command, asked.RemoveFactor):
        if command.factor not in account.factors:
            return Refusal("This second factor was already removed", rule.SECOND_FACTOR, "factor")
        return (happened.FactorRemoved(person=person, factor=command.factor),)
    if not command.label.strip() or len(command.label) > LABEL_LONGEST:
        return Refusal(f"Enter a name of up to {LABEL_LONGEST} characters", rule.SECOND_FACTOR, "label")
    if len(account.factors) >= FACTORS_MOST:
        return Refusal(f"You have {FACTORS_MOST} second factors. Remove one first", rule.SECOND_FACTOR, "factor")
    added = happened.FactorAdded(
        person=person, factor=command.factor, kind=command.kind, label=command.label.strip(), step=command.step
    )
    made = happened.RecoveryCodesMade(person=person, digests=command.digests)
    return (added,) if account.factors else (added, made)


def _reset_factors(people: People, command: asked.ResetFactors) -> Decision:
    account = people.accounts.get(command.person)
    if command.by != asked.KEY_HOLDER and not command.second:
        return Refusal("Only two administrators can remove a person's second factors", rule.SECOND_FACTOR, "second")
    if command.person in (command.by.name, command.second):
        reason = "You can't do this to your own account. Ask two other administrators"
        return Refusal(reason, rule.SECOND_FACTOR, "person")
    if account is None or not account.factors:
        return Refusal(f"{command.person} has no second factor", rule.SECOND_FACTOR, "person")
    reset = happened.FactorsReset(
        person=command.person, factors=tuple(account.factors), by=command.by.name, second=command.second
    )
    return (reset, *_ended(people, command.person, happened.FACTORS_GONE))


def _demand_factor(people: People, command: asked.DemandSecondFactor) -> Decision:
    known = sorted(role for department in DEPARTMENTS for role in department)
    roles = tuple(role for role in known if role in command.roles)
    if len(roles) != len(command.roles):
        return Refusal(f"Choose roles from {', '.join(known)}, each at most once", rule.SECOND_FACTOR, "roles")
    if roles == people.needs_factor:
        return Refusal("These roles already require a second factor, and no others do", rule.SECOND_FACTOR, "roles")
    return (
        happened.SecondFactorDemanded(
            roles=roles, before=people.needs_factor, by=command.by.name, second=command.second
        ),
    )


def _begun(
    people: People,
    person: str,
    command: asked.SignIn | asked.FollowLink,
    given_by: tuple[str, ...],
    rules: SignInRules,
) -> Iterator[Event]:
    open_already = people.sessions_of(person)
    for session in open_already[: max(0, len(open_already) + 1 - rules.sessions_at_once)]:
        yield happened.SessionEnded(person=person, session=session, reason=happened.ELSEWHERE)
    yield happened.SignedIn(
        person=person,
        session=command.session,
        way=happened.BY_PASSWORD if isinstance(command, asked.SignIn) else happened.BY_LINK,
        at=command.at,
        source=command.source,
        given_by=given_by,
    )


def _failed(person: str, account: Account, source: str, at: int, rules: SignInRules) -> Iterator[Event]:
    failures, tries = account.failures + 1, account.tries.get(source, Tries())
    yield happened.SignInFailed(person=person, failures=failures, source=source)
    if tries.failures + 1 >= rules.failures_most:
        yield happened.PersonLocked(
            person=person,
            cause=happened.FAILURES,
            reason=f"{tries.failures + 1} failed sign-ins in a row from one address",
            until=at + _lockout_ms(tries.lockouts, rules),
            source=source,
        )
    if failures % rules.account_failures_most == 0:
        yield happened.PersonLocked(
            person=person,
            cause=happened.FAILURES,
            reason=f"{failures} failed sign-ins in a row",
            until=at + _lockout_ms(account.lockouts, rules),
        )


def _lockout_ms(before: int, rules: SignInRules) -> int:
    doubled = rules.lockout_seconds << min(before, 20)
    return min(doubled, rules.lockout_seconds_most) * 1_000


def _ended(people: People, person: str, reason: str) -> Iterator[Event]:
    for session in people.sessions_of(person):
        yield happened.SessionEnded(person=person, session=session, reason=reason)


def _end(people: People, command: asked.EndSession) -> Decision:
    assert command.by.role == AUTOMATON, "only the sign-in door asks"
    assert command.reason in happened.ENDINGS, "unknown reason for ending a session"
    session = people.sessions.get(command.session)
    if session is None:
        return Refusal("This session has ended. Sign in again", rule.SIGN_IN, "session")
    return (happened.SessionEnded(person=session.person, session=command.session, reason=command.reason),)


def _sign_out(people: People, command: asked.SignOut) -> Decision:
    session = people.sessions.get(command.session)
    if session is None:
        return Refusal("This session has ended. Sign in again", rule.SIGN_IN, "session")
    if refusal := _check(people, command, session.person):
        return refusal
    ended = happened.SessionEnded(person=session.person, session=command.session, reason=happened.SIGNED_OUT)
    return (ended,)
