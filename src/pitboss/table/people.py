"""The people at a table and what each of them may do."""

from dataclasses import dataclass

from pitboss.rules.procedure import DEALER, FLOORPERSON, PLAYER
from pitboss.rules.refusal import Refusal
from pitboss.table.settings import TableSettings

PIT_MANAGER = "pit-manager"
TECHNICIAN = "technician"
AUTOMATON = "automaton"  # deals only at a self-dealing table
ROLES = (DEALER, FLOORPERSON, PIT_MANAGER, PLAYER, TECHNICIAN, AUTOMATON)

# Staff who show the player the cards may record it, and a supervisor may do what a technician may.
_ACTS_AS = {
    DEALER: (DEALER,),
    FLOORPERSON: (FLOORPERSON, PIT_MANAGER),
    PLAYER: (PLAYER, DEALER, FLOORPERSON, PIT_MANAGER),
    TECHNICIAN: (TECHNICIAN, FLOORPERSON, PIT_MANAGER),
}


@dataclass(frozen=True, slots=True)
class Person:
    """A person at the table, identified by name."""

    name: str
    role: str


def role_words(role: str) -> str:
    """Return a role as people say it."""
    return "program" if role == AUTOMATON else role.replace("-", " ")


def check_role(settings: TableSettings, person: Person, *roles: str, clause: str | None) -> Refusal | None:
    """Return why this person may not do what only these roles or higher may do, or None."""
    if any(person.role in _ACTS_AS[role] for role in roles):
        return None
    if person.role == AUTOMATON and settings.self_dealing and (DEALER in roles or PLAYER in roles):
        return None
    above = " or above" if FLOORPERSON in roles else ""
    who = f"the {role_words(person.role)}"
    return Refusal(f"Only a {' or a '.join(roles)}{above} can do this; {who} can't", clause or None, "by")


def check_other_person(person: Person, first: str, clause: str | None) -> Refusal | None:
    """Return why the person who did the first part may not also do this one, or None."""
    if person.name != first:
        return None
    return Refusal(f"{first} did this, so someone else must verify it", clause, "by")
