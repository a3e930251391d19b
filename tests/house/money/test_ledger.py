"""The ledger: every transfer sums to zero, only the house's account can be negative, values never change."""

import json
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pitboss.house.money import ledger
from pitboss.house.money.ledger import CAGE, HOUSE, Balances, Posting, apply
from pitboss.rules.refusal import Refusal

ACCOUNTS = [
    ledger.purse("ann", free_play=True),
    ledger.stack("one", "ann"),
    ledger.felt("one"),
    ledger.pool("linked"),
    CAGE,
    HOUSE,
]


def moved(balances: Balances, *postings: tuple[str, int]) -> Balances:
    after = apply(balances, [Posting(*posting) for posting in postings])
    assert isinstance(after, Balances), after
    return after


def test_accounts_are_named_by_their_kind_and_whose_they_are() -> None:
    assert ledger.stack("one", "ann") == "stack:one:ann"
    assert [kind("one") for kind in (ledger.felt, ledger.inventory, ledger.drop, ledger.tips)] == [
        "felt:one",
        "inventory:one",
        "drop:one",
        "tips:one",
    ]
    assert (ledger.purse("ann", free_play=True), ledger.pool("linked")) == ("purse:ann", "pool:linked")
    assert ledger.purse("ann", free_play=False) == "deposit:ann"


@pytest.mark.parametrize("name", ["", "one:two"])
def test_a_name_that_would_be_misread_is_no_part_of_an_account(name: str) -> None:
    with pytest.raises(AssertionError):
        ledger.stack(name, "ann")
    with pytest.raises(AssertionError):
        ledger.stack("one", name)


def test_money_moves_and_what_was_before_stays_as_it_was() -> None:
    before = moved(Balances(), (HOUSE, -500), (CAGE, 500))
    after = moved(before, (CAGE, -200), (ledger.inventory("one"), 200))
    assert (after.of(CAGE), after.of("inventory:one"), after.of(HOUSE)) == (300, 200, -500)
    assert (before.of(CAGE), before.of("inventory:one")) == (500, 0)
    assert before.total() == after.total() == 0


def test_only_the_houses_equity_may_be_negative() -> None:
    for account in ACCOUNTS:
        after = apply(Balances(), (Posting(account, -1), Posting("purse:bob", 1)))
        assert isinstance(after, Refusal) == (account != HOUSE)


@pytest.mark.parametrize(
    ("account", "reason"),
    [
        ("stack:one:ann", "ann's stack at one holds only $1; $2.50 is needed"),
        ("purse:ann", "ann's play-money account holds only $1; $2.50 is needed"),
        ("deposit:ann", "ann's deposit account holds only $1; $2.50 is needed"),
        ("inventory:one", "The tray at one holds only $1; $2.50 is needed"),
        ("felt:one", "The layout at one holds only $1; $2.50 is needed"),
        ("drop:one", "The drop box at one holds only $1; $2.50 is needed"),
        ("tips:one", "The tip box at one holds only $1; $2.50 is needed"),
        ("pool:linked", "The pool of linked holds only $1; $2.50 is needed"),
        ("cage", "The cage holds only $1; $2.50 is needed"),
    ],
)
def test_a_refusal_says_what_the_account_holds_and_what_was_asked(account: str, reason: str) -> None:
    funded = moved(Balances(), (HOUSE, -100), (account, 100))
    refused = apply(funded, (Posting(account, -250), Posting(HOUSE, 250)))
    assert refused == Refusal(reason, None, account)


def test_an_account_is_judged_by_all_its_postings_together() -> None:
    funded = moved(Balances(), (HOUSE, -100), (CAGE, 100))
    through = moved(funded, (CAGE, -300), ("purse:ann", 100), (CAGE, 200))
    assert (through.of(CAGE), through.of("purse:ann")) == (0, 100)


def test_postings_that_do_not_sum_to_zero_are_our_own_fault() -> None:
    with pytest.raises(AssertionError, match="sum to zero"):
        apply(Balances(), (Posting(HOUSE, -100), Posting(CAGE, 99)))


def test_balances_are_equal_whatever_way_led_to_them() -> None:
    straight = moved(Balances(), (HOUSE, -5), (CAGE, 5))
    roundabout = moved(moved(straight, (CAGE, -5), ("purse:ann", 5)), ("purse:ann", -5), (CAGE, 5))
    assert straight == roundabout
    assert hash(straight) == hash(roundabout)
    assert straight != Balances()
    assert repr(roundabout) == "Balances({'cage': 5, 'house': -5})"


def test_balances_survive_being_written_down() -> None:
    balances = moved(Balances(), (HOUSE, -7), ("purse:bob", 3), ("purse:ann", 4))
    written = json.loads(json.dumps(balances.to_data()))
    assert list(written) == ["house", "purse:ann", "purse:bob"]
    assert Balances(written) == balances


def test_netted_postings_name_each_account_once_and_none_that_stays() -> None:
    postings = (Posting("a", 5), Posting("b", -5), Posting("a", -2), Posting("c", 2), Posting("c", -2), Posting("b", 2))
    assert ledger.netted(postings) == (Posting("a", 3), Posting("b", -3))


amounts = st.integers(-400, 400)
moves = st.lists(st.tuples(st.sampled_from(ACCOUNTS), amounts), min_size=1, max_size=4)


@given(st.lists(moves, max_size=40))
@settings(max_examples=200, derandomize=True, deadline=None, database=None)
def test_any_row_of_transfers_keeps_the_sum_at_zero_and_accounts_above_nothing(
    rows: list[list[tuple[str, int]]],
) -> None:
    balances, model = Balances(), dict.fromkeys(ACCOUNTS, 0)
    for row in rows:
        postings = [Posting(*item) for item in row]
        postings.append(Posting(HOUSE, -sum(posting.cents for posting in postings)))
        after = apply(balances, postings)
        expected = dict(model)
        for account, cents in postings:
            expected[account] += cents
        allowed = all(cents >= 0 for account, cents in expected.items() if account != HOUSE)
        assert isinstance(after, Balances) == allowed
        if isinstance(after, Balances):
            balances, model = after, expected
        assert balances.total() == 0
        assert {account: balances.of(account) for account in ACCOUNTS} == model


def test_a_posting_costs_little_among_ten_thousand_accounts() -> None:
    people = [ledger.purse(f"person {number}", free_play=True) for number in range(10_000)]
    balances = Balances({**dict.fromkeys(people, 1_000_000), HOUSE: -10_000 * 1_000_000})
    rows = [(Posting(people[number], -5), Posting(people[-number - 1], 5)) for number in range(5_000)]
    start = time.process_time()
    for row in rows:
        after = apply(balances, row)
        assert isinstance(after, Balances)
        balances = after
    seconds = time.process_time() - start
    assert balances.total() == 0
    assert 2 * len(rows) / seconds > 50_000  # measured: 350,000 postings a second
