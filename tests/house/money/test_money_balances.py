"""The balances of the money stream: an entry changes all of its accounts or none."""

import pytest

from pitboss.house.money.money_balances import balances_after
from pitboss.record.entries import Entry


def moved(**cents: int) -> Entry:
    postings = {name.replace("_", ":"): amount for name, amount in cents.items()}
    return Entry("money", 1, "money.Moved", {"postings": postings}, None, "cay", "cage", "1", 0, None, "", "")


def test_an_entry_moves_every_account_it_names() -> None:
    assert balances_after({"purse:ann": 900}, moved(purse_ann=-900, drop_t=900)) == {"purse:ann": 0, "drop:t": 900}


@pytest.mark.parametrize("account", ["purse:ann", "deposit:ann", "outstanding:money"])
def test_an_entry_that_cannot_be_taken_changes_nothing(account: str) -> None:
    held = {account: 500, "house": -500}
    with pytest.raises(AssertionError, match="fell below zero"):
        balances_after(held, moved(**{"house": 501, account.replace(":", "_"): -501}))
    assert held == {account: 500, "house": -500}, "otherwise it would count twice once it is read again"
