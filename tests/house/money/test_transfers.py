"""Money outside a round: the cage, buy-ins, fills and credits, counts, tips, corrections; a shift that adds up."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from house.booked import PLENTY, TABLE, Books, funded, transfers_of
from pitboss.house.money import shift, transfers
from pitboss.house.money.ledger import CAGE, HOUSE, Balances, Posting, Transfer, apply, drop, inventory, stack, tips
from pitboss.house.money.shift import Shift
from pitboss.round import open_round
from pitboss.rules.refusal import Refusal
from round.played import GAMES, RandomPlay


def books_with(**held: int) -> Books:
    accounts = {name.replace("_", ":"): cents for name, cents in held.items()}
    return Books(balances=Balances({**accounts, HOUSE: -sum(accounts.values())}))


@pytest.mark.parametrize(
    ("transfer", "postings"),
    [
        (transfers.funding(900), {"house": -900, "cage": 900}),
        (transfers.issue("ann", 900, free_play=True), {"house": -900, "purse:ann": 900}),
        (transfers.redemption("ann", 900, free_play=True), {"purse:ann": -900, "house": 900}),
        (
            transfers.buy_in("one", "ann", 900, free_play=True),
            {"purse:ann": -900, "drop:one": 900, "inventory:one": -900, "stack:one:ann": 900},
        ),
        (transfers.cash_out("one", "ann", 900, free_play=True), {"stack:one:ann": -900, "purse:ann": 900}),
        (transfers.fill("one", 900), {"cage": -900, "inventory:one": 900}),
        (transfers.credit("one", 900), {"inventory:one": -900, "cage": 900}),
        (transfers.closing_count("one", 800, 900), {"inventory:one": -100, "house": 100}),
        (transfers.closing_count("one", 900, 900), {}),
        (transfers.closing_count("one", 950, 900), {"inventory:one": 50, "house": -50}),
        (transfers.drop_collected("one", 900), {"drop:one": -900, "cage": 900}),
        (transfers.tip("one", "ann", 900), {"stack:one:ann": -900, "tips:one": 900}),
        (transfers.tips_collected("one", 900), {"tips:one": -900, "house": 900}),
        (transfers.contribution("one", "linked", 90), {"inventory:one": -90, "pool:linked": 90}),
        (transfers.contribution("one", "linked", -90), {"inventory:one": 90, "pool:linked": -90}),
        (transfers.seed("linked", 900), {"house": -900, "pool:linked": 900}),
    ],
)
def test_each_transfer_takes_from_one_account_what_it_gives_another(
    transfer: Transfer, postings: dict[str, int]
) -> None:
    assert dict(transfer.postings) == postings
    assert sum(postings.values()) == 0


@pytest.mark.parametrize("cents", [0, -5])
def test_nothing_and_less_cannot_be_moved(cents: int) -> None:
    for make in (transfers.fill, transfers.credit, transfers.drop_collected, transfers.tips_collected):
        with pytest.raises(AssertionError):
            make("one", cents)
    with pytest.raises(AssertionError):
        transfers.buy_in("one", "ann", cents, free_play=True)
    with pytest.raises(AssertionError):
        transfers.closing_count("one", -1, 0)


def test_chips_that_are_not_in_the_tray_cannot_be_bought() -> None:
    books = books_with(purse_ann=1000, inventory_one=500)
    refusal = books.try_move(transfers.buy_in("one", "ann", 600, free_play=True))
    assert refusal is not None
    assert refusal.field == "inventory:one"
    books.move(transfers.buy_in("one", "ann", 500, free_play=True))
    assert books.balances.of(drop("one")) == books.balances.of(stack("one", "ann")) == 500


def test_a_correction_undoes_a_transfer_with_a_reason_and_two_people() -> None:
    books = books_with(cage=1000)
    before = books.balances
    wrong = transfers.fill("one", 400)
    books.move(wrong)
    undone = transfers.correction(wrong, "filled the wrong table", "cashier", "floor 1")
    assert isinstance(undone, Transfer)
    assert undone.cause == transfers.CORRECTION
    books.move(undone)
    assert books.balances == before


@pytest.mark.parametrize(
    ("reason", "by", "second", "field"),
    [
        (" ", "ann", "bob", "reason"),
        ("slip", "ann", "ann", "second_person"),
        ("slip", "", "bob", "second_person"),
        ("slip", "ann", " ", "second_person"),
    ],
)
def test_a_correction_without_its_reason_or_second_person_is_refused(
    reason: str, by: str, second: str, field: str
) -> None:
    refusal = transfers.correction(transfers.fill("one", 1), reason, by, second)
    assert isinstance(refusal, Refusal)
    assert refusal.field == field


def test_a_correction_cannot_take_what_is_no_longer_there() -> None:
    books = books_with(cage=1000)
    wrong = transfers.fill("one", 400)
    books.move(wrong)
    books.move(transfers.credit("one", 100))
    undone = transfers.correction(wrong, "never came", "cashier", "floor 1")
    assert isinstance(undone, Transfer)
    refusal = books.try_move(undone)
    assert refusal is not None
    assert refusal.field == "inventory:one"


class Night:
    """A table's shift with rounds, fills, buy-ins, corrections and counts that do not agree, at random."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)
        self.books = Books(balances=funded(tray=PLENTY))
        self.shift = shift.opened(TABLE, PLENTY)
        self.seen = 0

    def event(self) -> None:
        chance, books = self.chance, self.books
        cents = chance.randint(1, 10**6)
        match chance.randrange(9):
            case 0:
                table = RandomPlay(chance.choice(GAMES), chance.randrange(10**6)).play()
                for player in sorted(set(table.state.players.values())):
                    books.seat(player)
                for transfer in transfers_of(open_round(table.rules), table.events):
                    books.move(transfer)
            case 1:
                books.move(transfers.fill(TABLE, cents))
            case 2:
                books.move(transfers.credit(TABLE, cents))
            case 3:
                books.move(transfers.issue("ann", cents, free_play=True))
                books.move(transfers.buy_in(TABLE, "ann", cents, free_play=True))
            case 4:
                counted = books.balances.of(inventory(TABLE)) + chance.randint(-100, 100)
                books.move(transfers.closing_count(TABLE, counted, books.balances.of(inventory(TABLE))))
            case 5:
                books.move(transfers.contribution(TABLE, "linked", chance.randint(1, 500)))
            case 6:
                # Not the chips that players were given to begin with: they go on wagering.
                booked = [transfer for transfer in books.transfers if transfer.cause != "given"]
                wrong = chance.choice(booked) if booked else transfers.fill(TABLE, 1)
                undone = transfers.correction(wrong, "wrong", "ann", "bob")
                assert isinstance(undone, Transfer)
                books.try_move(undone)
            case 7:
                if in_box := books.balances.of(drop(TABLE)):
                    books.move(transfers.drop_collected(TABLE, in_box))
            case 8:
                books.seat("ann")
                if books.balances.of(stack(TABLE, "ann")):
                    books.move(transfers.tip(TABLE, "ann", 1))
                    books.move(transfers.tips_collected(TABLE, books.balances.of(tips(TABLE))))
        for transfer in books.transfers[self.seen :]:
            self.shift = shift.booked(self.shift, transfer)
        self.seen = len(books.transfers)


@given(seed=st.integers(0, 2**20))
@settings(max_examples=60, derandomize=True, deadline=None, database=None)
def test_a_shifts_tray_fills_credits_drop_and_win_reconcile_to_zero_after_every_event(seed: int) -> None:
    night = Night(seed)
    for _ in range(25):
        night.event()
        assert night.shift.tray_cents == night.books.balances.of(inventory(TABLE))
        assert night.shift.unexplained_cents == 0


def test_the_hold_is_what_the_players_lost_of_what_they_bought() -> None:
    night = shift.opened("one", 5_000)
    for transfer in (
        transfers.fill("one", 1_000),
        transfers.buy_in("one", "ann", 2_000, free_play=True),
        Transfer("settlement", (Posting("felt:one", -700), Posting("inventory:one", 700))),
        transfers.credit("one", 500),
        transfers.drop_collected("one", 2_000),
        transfers.fill("two", 9_000),
    ):
        night = shift.booked(night, transfer)
    assert night.hold == (700, 2_000)
    assert (night.tray_cents, night.fills_cents, night.credits_cents) == (4_200, 1_000, 500)


def test_a_tray_that_lost_chips_nobody_booked_is_found() -> None:
    night = Shift("one", opening_cents=1_000, tray_cents=990)
    assert night.unexplained_cents == -10


def test_the_cage_is_funded_by_the_house_and_gives_no_more_than_it_has() -> None:
    funded_cage = apply(Balances(), transfers.funding(500).postings)
    assert isinstance(funded_cage, Balances)
    assert (funded_cage.of(CAGE), funded_cage.of(HOUSE)) == (500, -500)
    assert isinstance(apply(funded_cage, transfers.fill("one", 501).postings), Refusal)
