"""Access that one person gives another: when it takes two administrators, and who then counts as two people."""

from dataclasses import dataclass

from pitboss.house.people import commands as asked
from pitboss.house.people import house_rules as rule
from pitboss.house.people.accounts import Account, People
from pitboss.house.people.role_names import ADMINISTRATOR
from pitboss.rules.refusal import Refusal
from pitboss.table.people import AUTOMATON, Person

GIVE_ACCESS = "GiveAccess"
NOBODY = Account(())
ADMINISTRATORS_ENOUGH = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class GiveLink:
    """Let a person sign in once with the token that has this digest, as soon as two administrators agree."""

    person: str
    digest: str

    def ordered(self, by: str, second: str, at: int, until: int) -> asked.IssueLink:
        """Return the command of two people."""
        return asked.IssueLink(
            by=Person(by, ADMINISTRATOR), at=at, person=self.person, digest=self.digest, until=until, second=second
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class GivePassword:
    """Put a person's new password in force, as soon as two administrators agree; it is stored under this name."""

    person: str
    credential: str

    def ordered(self, by: str, second: str, at: int, until: int) -> asked.SetPassword:
        """Return the command of two people."""
        return asked.SetPassword(
            by=Person(by, ADMINISTRATOR), at=at, person=self.person, credential=self.credential, second=second
        )


OfAccess = GiveLink | GivePassword


def takes_two_to_give(people: People, *, has_money: bool) -> bool:
    """Say whether access for others takes two administrators: with real money always, else as soon as there are two."""
    # Otherwise one of two would lock the other, and then act alone.
    return has_money or len(people.administrators | people.locked_administrators) >= ADMINISTRATORS_ENOUGH


def check_access(people: People, command: asked.IssueLink | asked.SetPassword) -> Refusal | None:
    """Return why an administrator may not give this access, or None; the program's own was checked before."""
    if command.by.role == AUTOMATON:
        return None
    if command.second == command.person:
        return Refusal("You can't do this to your own account. Ask another administrator", rule.ACCESS, "second")
    if not command.second and takes_two_to_give(people, has_money=command.has_money):
        return Refusal("Another administrator has to confirm this", rule.ACCESS, "second")
    return None


def givers(command: asked.IssueLink | asked.SetPassword) -> tuple[str, ...]:
    """Return the people who give this access."""
    if command.by.role == AUTOMATON:
        return ()
    return (command.by.name, command.second) if command.second else (command.by.name,)


def still_given(account: Account) -> tuple[str, ...]:
    """Return who still counts as the giver once a person sets their own password: only a giver who acted alone."""
    return account.access_from if len(account.access_from) == 1 else ()


def check_two(
    people: People, first: str, second: str, *, has_money: bool, proposed_with: tuple[str, ...] = ()
) -> Refusal | None:
    """Return why two accounts don't count as two people, or None."""
    account, other = people.accounts.get(first, NOBODY), people.accounts.get(second, NOBODY)
    for giver, person, given in (
        (second, first, (*account.access_from, *proposed_with)),
        (first, second, other.access_from),
    ):
        if giver in given:
            reason = (
                f"{giver} gave {person} access, so they can't be the two people for this. Ask someone else, or make "
                f"{person} a link on the machine that holds the keys"
            )
            return Refusal(reason, rule.ACCESS, "by")
    if has_money and len(account.access_from) == 1 and account.access_from == other.access_from:
        reason = (
            f"{account.access_from[0]} gave both {first} and {second} access without a second administrator. Have two "
            "administrators give one of them a new link, or make it on the machine that holds the keys"
        )
        return Refusal(reason, rule.ACCESS, "by")
    return None
