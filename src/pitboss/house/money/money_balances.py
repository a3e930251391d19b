"""The balances of the accounts that the money stream keeps, as they follow from its entries."""

from pitboss.record.entries import Entry
from pitboss.record.snapshots import Fold

POSTINGS = "postings"
Held = dict[str, int]  # cents by account


def balances_after(held: Held, entry: Entry) -> Held:
    """Return the balances after an entry; they are changed in place, because a house may have a million accounts."""
    for account, cents in entry.body.get(POSTINGS, {}).items():
        held[account] = after = held.get(account, 0) + cents
        is_kept = account.startswith(("purse:", "deposit:", "outstanding:"))
        assert after >= 0 or not is_kept, f"{account} fell below zero"
    return held


MONEY_FOLD: Fold[Held] = Fold("money 1", dict, balances_after, dict, dict)
