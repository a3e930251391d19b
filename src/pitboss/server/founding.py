"""The first administrator of a floor: a name that strangers can't guess, and a link to sign in with."""

from pitboss.house.people.commands import AddPerson
from pitboss.house.people.roles import ADMINISTRATOR
from pitboss.rules.refusal import Refusal
from pitboss.server.data_folder import FloorUnusable
from pitboss.server.open_floor import SUPERVISOR, OpenFloor
from pitboss.table.people import AUTOMATON, Person

NAME_BYTES = 3


def founder_of(floor: OpenFloor, chosen: str = "") -> str:
    """Return the name of the first administrator: as chosen, as founded before, or one that nobody can guess."""
    if chosen:
        return chosen
    accounts = floor.office.people.accounts.items()
    founded = (name for name, account in accounts if ADMINISTRATOR in account.roles and not account.is_revoked)
    return next(founded, "") or f"admin-{floor.randomness.token(NAME_BYTES).hex()}"


async def link_for_founder(floor: OpenFloor, name: str) -> str:
    """Return the token of a sign-in link for the first administrator, adding the account, or raise FloorUnusable."""
    by = Person(SUPERVISOR, AUTOMATON)
    account = floor.office.people.accounts.get(name)
    if account is None:
        added = await floor.office.put(AddPerson(by=by, at=floor.clock.now_ms(), person=name, roles=(ADMINISTRATOR,)))
        if isinstance(added, Refusal):
            raise FloorUnusable(f"Couldn't add {name}: {added}.")
    elif ADMINISTRATOR not in account.roles:
        raise FloorUnusable(f"{name} isn't an administrator. Choose another name with --administrator.")
    link = await floor.office.issue_link(by, name)
    if isinstance(link, Refusal):
        raise FloorUnusable(f"Couldn't create a sign-in link for {name}: {link}.")
    return link.token
