"""One dealer at a table: a lease with a token that only grows, whatever the clock does."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pitboss.house.people.leases import (
    LEASE_MS,
    Event,
    Lease,
    LeaseReleased,
    LeaseTaken,
    LeaseWithdrawn,
    ReleaseLease,
    RenewLease,
    TakeLease,
    WithdrawLease,
    check_token,
    decide,
    evolve,
    used,
)
from pitboss.rules.refusal import Refusal
from pitboss.table.people import Person

DEE = Person("dee", "dealer")
EVE = Person("eve", "dealer")
PIT = Person("pat", "pit-manager")
START = 5_000_000


class Place:
    """The dealer's place at one table."""

    def __init__(self) -> None:
        self.lease = Lease()
        self.now = START

    def ask(self, kind: type, by: Person, **fields: Any) -> tuple[Event, ...] | Refusal:
        answer = decide(self.lease, kind(by=by, at=self.now, **fields))
        if not isinstance(answer, Refusal):
            for event in answer:
                self.lease = evolve(self.lease, event)
        return answer

    def take(self, by: Person) -> int:
        answer = self.ask(TakeLease, by)
        assert not isinstance(answer, Refusal), str(answer)
        return self.lease.token

    def may_act(self, by: Person, token: int | None) -> bool:
        return check_token(self.lease, by.name, token, self.now) is None


@pytest.fixture
def place() -> Place:
    return Place()


def test_a_free_table_is_taken_with_a_token(place: Place) -> None:
    assert not place.may_act(DEE, None)
    assert not place.may_act(DEE, 0)
    token = place.take(DEE)
    assert place.may_act(DEE, token)
    assert not place.may_act(EVE, token)


def test_a_held_table_is_not_taken_by_another(place: Place) -> None:
    place.take(DEE)
    place.now += LEASE_MS - 1
    answer = place.ask(TakeLease, EVE)
    assert isinstance(answer, Refusal)
    assert str(answer) == "dee is dealing at this table. The floor can relieve them (H-16)"


def test_a_lease_that_ran_out_is_over_and_may_be_taken(place: Place) -> None:
    token = place.take(DEE)
    place.now += LEASE_MS
    assert not place.may_act(DEE, token)
    answer = place.ask(TakeLease, EVE)
    assert answer == (LeaseTaken(dealer="eve", token=2, until=place.now + LEASE_MS, after="dee"),)


def test_acting_and_renewing_keep_the_place(place: Place) -> None:
    token = place.take(DEE)
    for _ in range(5):
        place.now += LEASE_MS - 1
        place.lease = used(place.lease, "dee", place.now)
    for _ in range(5):
        place.now += LEASE_MS - 1
        place.ask(RenewLease, DEE, token=token)
    assert place.may_act(DEE, token)


def test_another_persons_act_keeps_nothing(place: Place) -> None:
    token = place.take(DEE)
    place.now += LEASE_MS - 1
    place.lease = used(place.lease, "pat", place.now)
    place.now += 1
    assert not place.may_act(DEE, token)


def test_a_released_table_is_free_and_its_token_is_dead(place: Place) -> None:
    token = place.take(DEE)
    assert place.ask(ReleaseLease, DEE, token=token) == (LeaseReleased(dealer="dee", token=1),)
    assert not place.may_act(DEE, token)
    assert isinstance(place.ask(ReleaseLease, DEE, token=token), Refusal)
    assert place.take(EVE) == 2


def test_the_same_dealer_at_a_second_console_kills_the_first(place: Place) -> None:
    first = place.take(DEE)
    second = place.take(DEE)
    assert not place.may_act(DEE, first)
    assert place.may_act(DEE, second)
    for kind in (RenewLease, ReleaseLease):
        refusal = place.ask(kind, DEE, token=first)
        assert isinstance(refusal, Refusal)
        assert refusal.field == "token"


def test_a_dealer_who_sends_no_token_gets_that_reason(place: Place) -> None:
    place.take(DEE)
    refusal = check_token(place.lease, "dee", None, place.now)
    assert isinstance(refusal, Refusal)
    assert "Include your lease token" in refusal.reason
    stale = check_token(place.lease, "dee", 0, place.now)
    assert isinstance(stale, Refusal)
    assert "lease on this table was replaced" in stale.reason


def test_the_floor_relieves_a_dealer_and_puts_another_in_the_place(place: Place) -> None:
    stale = place.take(DEE)
    answer = place.ask(WithdrawLease, PIT, reason="end of shift", dealer="eve")
    assert answer == (
        LeaseWithdrawn(dealer="dee", token=1, reason="end of shift"),
        LeaseTaken(dealer="eve", token=2, until=START + LEASE_MS),
    )
    assert not place.may_act(DEE, stale)
    assert place.may_act(EVE, 2)


def test_the_floor_relieves_a_dealer_and_leaves_the_place_free(place: Place) -> None:
    stale = place.take(DEE)
    place.ask(WithdrawLease, PIT, reason="ill")
    assert not place.may_act(DEE, stale)
    refusal = place.ask(WithdrawLease, PIT, reason="again")
    assert isinstance(refusal, Refusal)
    assert place.take(EVE) == 2


def test_a_dealer_is_relieved_for_a_stated_reason(place: Place) -> None:
    place.take(DEE)
    refusal = place.ask(WithdrawLease, PIT, reason="  ")
    assert isinstance(refusal, Refusal)
    assert refusal.field == "reason"


def test_a_dealer_of_another_table_leaves_it_first(place: Place) -> None:
    refusal = place.ask(TakeLease, DEE, elsewhere="7")
    assert str(refusal) == "dee is dealing at table 7 and has to leave it first (H-16)"


def test_a_clock_that_jumps_ahead_costs_the_place_and_never_gives_it_to_two(place: Place) -> None:
    dee = place.take(DEE)
    place.now += 100 * LEASE_MS
    eve = place.take(EVE)
    place.now = START  # and back: by the clock, the first lease would still run
    assert not place.may_act(DEE, dee)
    assert place.may_act(EVE, eve)


def test_a_clock_that_jumps_back_leaves_the_dealer_in_place(place: Place) -> None:
    dee = place.take(DEE)
    place.now -= 100 * LEASE_MS
    assert place.may_act(DEE, dee)
    place.ask(RenewLease, DEE, token=dee)
    assert place.lease.until == START + LEASE_MS  # a renewal shortens nothing
    assert isinstance(place.ask(TakeLease, EVE), Refusal)
    place.ask(WithdrawLease, PIT, reason="the clock is wrong", dealer="eve")
    assert not place.may_act(DEE, dee)


STEPS = st.lists(
    st.tuples(
        st.sampled_from([TakeLease, RenewLease, ReleaseLease, WithdrawLease]),
        st.sampled_from(["dee", "eve", "fay"]),
        st.integers(0, 12),
        st.integers(-3 * LEASE_MS, 3 * LEASE_MS),
    ),
    max_size=30,
)


@given(STEPS)
def test_of_all_tokens_ever_given_at_most_one_works_and_it_is_the_last(
    steps: list[tuple[type, str, int, int]],
) -> None:
    place = Place()
    given_out: list[tuple[str, int]] = []
    for kind, name, token, jump in steps:
        place.now += jump
        fields: dict[str, Any] = {"token": token} if kind in (RenewLease, ReleaseLease) else {}
        if kind is WithdrawLease:
            fields = {"reason": "r", "dealer": name if token % 2 else None}
        answer = place.ask(kind, Person(name, "dealer"), **fields)
        for event in answer if isinstance(answer, tuple) else ():
            if isinstance(event, LeaseTaken):
                assert all(event.token > earlier for _, earlier in given_out)
                given_out.append((event.dealer, event.token))
        working = [
            (dealer, number)
            for dealer in ("dee", "eve", "fay")
            for number in range(40)
            if place.may_act(Person(dealer, "dealer"), number)
        ]
        assert len(working) <= 1
        assert set(working) <= set(given_out[-1:])
