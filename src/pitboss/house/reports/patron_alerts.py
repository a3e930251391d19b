"""Alerts about excluded people who try to play, claim money or are identified at a hand pay."""

from typing import NamedTuple

from pitboss.house import entry_kinds
from pitboss.record.entries import Entry
from pitboss.rules.payoff import dollars


class Said(NamedTuple):
    """An alert about a person."""

    about: str
    table: str
    says: str


def said_of_patron(entry: Entry) -> Said | None:
    """Return the alert that an entry raises about an excluded person, or None."""
    body = entry.body
    if entry.kind == entry_kinds.EXCLUDED_TRIED:
        says = f"{body['person']} is excluded ({body['exclusion']}) and tried to {body['tried']}"
        held = "; the money is held" if body["tried"] == "claim a payout" else ""
        return Said(f"{entry.stream}:{entry.sequence}", body["table"], says + held)
    if entry.kind == entry_kinds.HAND_PAY_RECORDED and body["exclusion"]:
        says = f"the winner of {dollars(body['cents'])} at seat {body['seat']} is excluded ({body['exclusion']})"
        return Said(body["form"], body["table"], f"{says}; the chips are held")
    return None
