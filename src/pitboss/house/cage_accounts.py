"""Which accounts a command at the cage is about, so that it waits for no others."""

from collections.abc import Mapping
from typing import Any

from pitboss.house.money.ledger import drop, is_part, outstanding, purse


def accounts_of(fields: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the accounts that a cage command with these fields can move; none if its names can't be an account's."""
    if "table" in fields:
        return (drop(fields["table"]),) if is_part(fields["table"]) else ()
    # Both kinds of money if the command doesn't say: which one it is may change before it is decided.
    kinds = (True, False) if fields["free_play"] is None else (fields["free_play"],)
    if "chips" in fields:
        return tuple(outstanding(free_play=free) for free in kinds)
    return tuple(purse(fields["person"], free_play=free) for free in kinds) if is_part(fields["person"]) else ()
