"""What somebody did to another person's account that lets them act as that person or alone, as alerts say it."""

from pitboss.house import entry_kinds
from pitboss.house.people.commands import KEY_HOLDER
from pitboss.house.people.details import Details
from pitboss.house.people.events import ORDER
from pitboss.record.entries import Body, Entry
from pitboss.rules.plain import made
from pitboss.rules.procedure import PLAYER
from pitboss.table.people import AUTOMATON


def said_of_account(entry: Entry) -> str | None:
    """Return what the floor has to look at, or None: only a second real person can tell whether it was right."""
    body, by, person = entry.body, entry.actor, entry.body.get("person")
    if by == KEY_HOLDER.name:
        by = "the holder of the keys"
    elif entry.role == AUTOMATON:
        return None  # the program sets a floor up while no administrator could
    match entry.kind:
        case entry_kinds.PERSON_ADDED if body["roles"] != [PLAYER]:
            return f"{by} added {person} as {' and '.join(body['roles'])}"
        case entry_kinds.DETAILS_CHANGED:
            was, now = (made(Details, body[name]).signed(str(person)) for name in ("before", "details"))
            return f"{by} changed the details of {person} from {was} to {now}"
        case entry_kinds.ROLES_CHANGED:
            return f"{by} made {person} {' and '.join(body['roles'])} instead of {' and '.join(body['before'])}"
        case entry_kinds.PASSWORD_SET if entry.actor != person:
            return f"{_givers(body, by)} set the password of {person}"
        case entry_kinds.LINK_ISSUED:
            return f"{_givers(body, by)} made a sign-in link for {person}"
        case entry_kinds.ACCOUNT_RESET:
            return f"{by} reset the account of {person}"
        case entry_kinds.FACTORS_RESET:
            both = f"{body['by']} and {body['second']}" if body["second"] else by
            return f"{both} removed the second factors of {person}"
        case entry_kinds.SECOND_FACTOR_DEMANDED:
            now = " and ".join(body["roles"]) or "no role"
            return f"{body['by']} and {body['second']} require a second factor for {now}"
        case entry_kinds.PERSON_LOCKED if body["cause"] == ORDER:
            return f"{by} locked {person}: {body['reason']}"
        case entry_kinds.PERSON_REVOKED:
            return f"{by} revoked {person}: {body['reason']}"
        case entry_kinds.PERSON_UNLOCKED if entry.actor == KEY_HOLDER.name:
            return f"{by} unlocked {person}"
    return None


def _givers(body: Body, by: str) -> str:
    return " and ".join(body.get("given_by", ())) or by
