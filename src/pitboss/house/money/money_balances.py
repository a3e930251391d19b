"""The balances of the accounts that the money stream keeps, as they follow from its entries."""

from pitboss.record.entries import Entry
from pitboss.record.snapshots import Fold

POSTINGS = "postings"
Held = dict[str, int]  # cents by account


def balances_after(held: Held, entry: Entry) -> Held:
    """Return the balances after an entry; they are changed in place, because a house may have a million accounts."""
    postings = entry.body.get(POSTINGS, {})
    after = {account: held.get(account, 0) + cents for account, cents in postings.items()}
    for account, cents in after.items():  # all of them before any is changed: half an entry would be counted twice
        is_kept = account.startswith(("purse:", "deposit:", "outstanding:"))
        assert cents >= 0 or not is_kept, f"{account} fell below zero"
    held.update(after)
    return held


MONEY_FOLD: Fold[Held] = Fold("money 1", dict, balances_after, dict, dict)
