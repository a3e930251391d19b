"""What somebody did to another person's account that lets them act as that person, in a sentence for an alert."""

from pitboss.house.people.commands import KEY_HOLDER
from pitboss.record.entries import Entry
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
        case "people.PersonAdded" if body["roles"] != [PLAYER]:
            return f"{by} added {person} as {' and '.join(body['roles'])}"
        case "people.RolesChanged":
            return f"{by} made {person} {' and '.join(body['roles'])} instead of {' and '.join(body['before'])}"
        case "people.PasswordSet" if entry.actor != person:
            return f"{by} set the password of {person}"
        case "people.LinkIssued":
            return f"{by} made a sign-in link for {person}"
        case "people.AccountReset":
            return f"{by} reset the account of {person}"
        case "people.PersonUnlocked" if entry.actor == KEY_HOLDER.name:
            return f"{by} unlocked {person}"
    return None
