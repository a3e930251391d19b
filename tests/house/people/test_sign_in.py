"""The front door: passwords, failures, locks and links."""

import pytest

from house.people.house import ADMINISTRATOR, MINUTE, RIGHT, WRONG, House, founded
from pitboss.house.people import commands as asked
from pitboss.house.people import events as happened
from pitboss.house.people.accounts import SOURCES_KEPT, evolve
from pitboss.house.people.decide import LINK_REFUSED, NOT_LET_IN, SignInRules, decide
from pitboss.house.people.passwords import Password
from pitboss.house.people.sign_in import Admitted
from pitboss.rules.refusal import Refusal
from pitboss.table.people import Person


def failing(house: House, person: str, times: int) -> list[str]:
    """Sign in with a wrong password this many times, and return what was recorded."""
    before = len(house.events)
    for _ in range(times):
        assert house.sign_in(person, WRONG) == NOT_LET_IN
    return [type(event).__name__ for event in house.events[before:]]


def test_the_right_password_lets_a_person_in() -> None:
    house = founded()
    house.add("bo", "player")
    admitted = house.admitted("bo")
    assert house.people.sessions_of("bo") == (admitted.session,)
    assert house.events[-1] == happened.SignedIn(
        person="bo", session=admitted.session, way=happened.BY_PASSWORD, at=house.clock.now, given_by=("ada",)
    )


def test_three_failures_in_a_row_lock() -> None:
    house = founded()
    house.add("bo", "player")
    assert failing(house, "bo", 3) == ["SignInFailed", "SignInFailed", "SignInFailed", "PersonLocked"]
    assert house.events[-1] == happened.PersonLocked(
        person="bo",
        cause=happened.FAILURES,
        reason="3 failed sign-ins in a row from one address",
        until=house.clock.now + MINUTE,
        source="",
    )
    assert house.sign_in("bo", RIGHT) == NOT_LET_IN


def test_a_lockout_ends_by_itself_and_the_next_lasts_twice_as_long() -> None:
    house = founded()
    house.add("bo", "player")
    for minutes in (1, 2, 4, 8, 16, 32, 60, 60):
        failing(house, "bo", 3)
        house.clock.now += minutes * MINUTE - 1
        assert house.sign_in("bo", RIGHT) == NOT_LET_IN
        house.clock.now += 1
    house.admitted("bo")
    failing(house, "bo", 3)
    house.clock.now += MINUTE
    house.admitted("bo")


def test_wrong_passwords_from_one_address_lock_out_no_other() -> None:
    house = founded()
    house.add("bo", "player")
    for _ in range(3):
        house.sign_in("bo", WRONG, "198.51.100.7")
    assert house.sign_in("bo", RIGHT, "198.51.100.7") == NOT_LET_IN
    assert isinstance(house.sign_in("bo", RIGHT, "192.0.2.1"), Admitted)
    # The stranger's lockout continues although the person signed in elsewhere.
    assert house.sign_in("bo", RIGHT, "198.51.100.7") == NOT_LET_IN


def test_many_addresses_together_close_the_account_to_strangers_for_a_while() -> None:
    house = founded()
    house.add("bo", "player")
    assert isinstance(house.sign_in("bo", RIGHT, "192.0.2.1"), Admitted)
    for number in range(30):
        house.sign_in("bo", WRONG, f"198.51.100.{number}")
    assert house.people.accounts["bo"].locked_until == house.clock.now + MINUTE
    assert house.sign_in("bo", RIGHT, "203.0.113.5") == NOT_LET_IN
    assert isinstance(house.sign_in("bo", RIGHT, "192.0.2.1"), Admitted)
    house.clock.now += MINUTE
    assert isinstance(house.sign_in("bo", RIGHT, "203.0.113.5"), Admitted)


def test_an_address_that_keeps_guessing_fills_no_memory() -> None:
    house = founded()
    house.add("bo", "player")
    for number in range(200):
        house.sign_in("bo", WRONG, f"2001:db8::{number:x}")
        house.clock.now += 61 * MINUTE
    assert len(house.people.accounts["bo"].tries) == SOURCES_KEPT


def test_a_lock_of_an_older_record_has_ended_by_itself() -> None:
    house = founded()
    house.add("bo", "player")
    house.people = evolve(house.people, happened.PersonLocked(person="bo", cause=happened.FAILURES, reason="3 failed"))
    house.admitted("bo")


def test_a_link_lets_somebody_in_whose_password_is_locked_out() -> None:
    house = founded()
    house.add("bo", "player")
    failing(house, "bo", 3)
    link = house.door.new_link(ADMINISTRATOR, "bo")
    house.put(link.command)
    attempt = house.door.follow_link(link.token)
    assert isinstance(house.door.admit(attempt, house.put(attempt.command)), Admitted)


def test_two_failures_and_a_success_start_the_count_again() -> None:
    house = founded()
    house.add("bo", "player")
    failing(house, "bo", 2)
    house.admitted("bo")
    failing(house, "bo", 2)
    house.admitted("bo")


def test_a_locked_account_records_no_more_failures() -> None:
    house = founded()
    house.add("bo", "player")
    failing(house, "bo", 3)
    assert failing(house, "bo", 50) == []


def test_an_administrator_unlocks_and_nobody_else() -> None:
    house = founded()
    house.add("bo", "player")
    pit = house.add("pat", "pit-manager")
    failing(house, "bo", 3)
    assert house.refused(asked.UnlockPerson, by=pit, person="bo").clause == "H-17"
    house.do(asked.UnlockPerson, person="bo")
    failing(house, "bo", 2)
    house.admitted("bo")


def test_failures_of_a_stranger_do_not_throw_out_who_is_inside() -> None:
    house = founded()
    house.add("bo", "dealer")
    inside = house.admitted("bo")
    failing(house, "bo", 3)
    assert house.people.sessions_of("bo") == (inside.session,)
    assert not isinstance(house.sessions.check(house.people, inside.token), Refusal)


def test_the_door_says_the_same_whatever_is_wrong() -> None:
    house = founded()
    house.add("bo", "player")
    house.add("cy", "player", password=None)
    house.add("di", "player")
    house.do(asked.RevokePerson, person="di", reason="left")
    failing(house, "bo", 3)
    answers = [house.sign_in(name, password) for name in ("bo", "cy", "di", "nobody") for password in (RIGHT, WRONG)]
    assert answers == [NOT_LET_IN] * 8


def test_a_name_that_nobody_has_costs_the_same_work_and_leaves_no_trace() -> None:
    house = founded()
    calls: list[str] = []
    fits = house.hasher.fits

    def counted(password: Password, verifier: str) -> bool:
        calls.append(verifier)
        return fits(password, verifier)

    house.hasher.fits = counted  # type: ignore[method-assign]
    before = len(house.events)
    house.sign_in("nobody", RIGHT)
    house.sign_in("ada", WRONG)
    assert len(calls) == 2
    assert calls[0] != calls[1]
    assert [type(event) for event in house.events[before:]] == [happened.SignInFailed]


def test_a_password_that_was_changed_meanwhile_lets_nobody_in() -> None:
    house = founded()
    house.add("bo", "player")
    attempt = house.door.attempt(house.people, "bo", Password(RIGHT))
    command = house.door.new_password(asked.THE_DOOR, "bo", Password("an otter by the weir"))
    assert isinstance(command, asked.SetPassword)
    house.do(asked.SetPassword, person="bo", credential=command.credential)
    assert house.door.admit(attempt, house.put(attempt.command)) == NOT_LET_IN
    assert house.people.accounts["bo"].failures == 1


def test_a_second_sign_in_ends_the_first_and_the_record_says_so() -> None:
    house = founded()
    house.add("bo", "dealer")
    first = house.admitted("bo")
    told: list[str] = []
    house.sessions.listen(first.session, told.append)
    second = house.admitted("bo")
    assert told == [happened.ELSEWHERE]
    assert house.people.sessions_of("bo") == (second.session,)
    assert isinstance(house.sessions.check(house.people, first.token), Refusal)


def test_a_house_may_allow_more_sessions_at_once() -> None:
    house = founded(SignInRules(sessions_at_once=2))
    house.add("bo", "player")
    sessions = []
    for _ in range(3):
        house.clock.now += 1
        sessions.append(house.admitted("bo").session)
    assert house.people.sessions_of("bo") == tuple(sessions[1:])


def test_a_link_lets_one_person_in_once() -> None:
    house = founded()
    house.add("bo", "player", password=None)
    link = house.door.new_link(Person("ada", "administrator"), "bo")
    assert not isinstance(house.put(link.command), Refusal)
    attempt = house.door.follow_link(link.token)
    admitted = house.door.admit(attempt, house.put(attempt.command))
    assert isinstance(admitted, Admitted)
    assert admitted.person == "bo"
    again = house.door.follow_link(link.token)
    assert house.door.admit(again, house.put(again.command)) == LINK_REFUSED


def test_the_link_of_a_demonstration_works_again_for_the_address_that_used_it_first() -> None:
    house = founded(SignInRules(reusable_links=True))
    house.add("bo", "player", password=None)
    link = house.door.reusable_link("bo", "a token", house.clock.now + MINUTE)
    assert not isinstance(house.put(link.command), Refusal)

    def follow(source: str) -> Admitted | Refusal | object:
        attempt = house.door.follow_link(link.token, source)
        return house.door.admit(attempt, house.put(attempt.command))

    for _ in range(3):
        assert isinstance(follow("192.0.2.1"), Admitted)
        assert follow("198.51.100.7") == LINK_REFUSED
    house.clock.now += MINUTE
    assert follow("192.0.2.1") == LINK_REFUSED


def test_only_a_demonstration_has_links_that_can_be_used_again() -> None:
    house = founded()
    house.add("bo", "player", password=None)
    until = house.clock.now + MINUTE
    assert house.refused(asked.IssueLink, person="bo", digest="d", until=until, is_reusable=True).field == "is_reusable"


@pytest.mark.parametrize("minutes", [60, 61, 10_000])
def test_a_link_expires(minutes: int) -> None:
    house = founded()
    house.add("bo", "player", password=None)
    link = house.door.new_link(Person("ada", "administrator"), "bo")
    house.put(link.command)
    house.clock.now += minutes * MINUTE
    attempt = house.door.follow_link(link.token)
    assert house.door.admit(attempt, house.put(attempt.command)) == LINK_REFUSED


def test_a_new_link_takes_the_place_of_the_old_one() -> None:
    house = founded()
    house.add("bo", "player", password=None)
    by = Person("ada", "administrator")
    old, new = house.door.new_link(by, "bo"), house.door.new_link(by, "bo")
    house.put(old.command)
    house.put(new.command)
    attempt = house.door.follow_link(old.token)
    assert house.door.admit(attempt, house.put(attempt.command)) == LINK_REFUSED
    attempt = house.door.follow_link(new.token)
    assert isinstance(house.door.admit(attempt, house.put(attempt.command)), Admitted)


@pytest.mark.parametrize("kind", [asked.LockPerson, asked.RevokePerson])
def test_the_link_of_a_locked_or_revoked_person_does_not_work(kind: type) -> None:
    house = founded()
    house.add("bo", "player", password=None)
    link = house.door.new_link(Person("ada", "administrator"), "bo")
    house.put(link.command)
    house.do(kind, person="bo", reason="r")
    attempt = house.door.follow_link(link.token)
    assert house.door.admit(attempt, house.put(attempt.command)) == LINK_REFUSED


def test_a_guessed_link_is_refused_and_leaves_no_trace() -> None:
    house = founded()
    before = len(house.events)
    for guess in ("", "0" * 64, "bo"):
        attempt = house.door.follow_link(guess)
        assert house.door.admit(attempt, house.put(attempt.command)) == LINK_REFUSED
    assert len(house.events) == before


def test_a_link_that_has_already_expired_is_not_issued() -> None:
    house = founded()
    house.add("bo", "player", password=None)
    assert house.refused(asked.IssueLink, person="bo", digest="d", until=house.clock.now).field == "until"


def test_a_person_who_came_by_a_link_sets_a_first_password() -> None:
    house = founded()
    bo = house.add("bo", "player", password=None)
    command = house.door.new_own_password(house.people, bo, Password(""), Password(RIGHT))
    assert isinstance(command, asked.ChangeOwnPassword)
    assert not isinstance(house.put(command), Refusal)
    house.admitted("bo")


def test_changing_your_own_password_takes_the_old_one_and_ends_every_session() -> None:
    house = founded()
    bo = house.add("bo", "player")
    inside = house.admitted("bo")
    command = house.door.new_own_password(house.people, bo, Password(RIGHT), Password("an otter by the weir"))
    assert isinstance(command, asked.ChangeOwnPassword)
    events = house.put(command)
    assert isinstance(events, tuple)
    assert events[-1] == happened.SessionEnded(person="bo", session=inside.session, reason=happened.PASSWORD_CHANGED)
    assert house.sign_in("bo", RIGHT) == NOT_LET_IN
    assert isinstance(house.sign_in("bo", "an otter by the weir"), Admitted)


def test_guessing_the_old_password_from_inside_counts_as_failing_at_the_door() -> None:
    house = founded()
    bo = house.add("bo", "player")
    for _ in range(3):
        command = house.door.new_own_password(house.people, bo, Password(WRONG), Password("an otter by the weir"))
        assert isinstance(command, asked.ChangeOwnPassword)
        house.put(command)
        house.door.discard(command)
    assert house.people.accounts["bo"].is_slowed(house.clock.now)
    right = house.door.new_own_password(house.people, bo, Password(RIGHT), Password("an otter by the weir"))
    assert isinstance(right, asked.ChangeOwnPassword)
    assert house.put(right) == NOT_LET_IN


def test_nobody_changes_anothers_password_as_their_own() -> None:
    house = founded()
    refusal = house.refused(asked.ChangeOwnPassword, by=Person("ghost", "player"), credential="c", proof=None)
    assert refusal.reason == "There is no account named 'ghost'"


def test_a_replaced_or_revoked_password_is_forgotten() -> None:
    house = founded()
    house.add("bo", "player")
    first = house.people.accounts["bo"].credential
    command = house.door.new_password(Person("ada", "administrator"), "bo", Password("an otter by the weir"))
    assert isinstance(command, asked.SetPassword)
    house.put(command)
    assert first is not None
    assert house.credentials.verifier(first) is None
    assert house.credentials.verifier(command.credential) is not None
    house.do(asked.RevokePerson, person="bo", reason="left")
    assert house.credentials.verifier(command.credential) is None


def test_a_refused_new_password_is_discarded() -> None:
    house = founded()
    command = house.door.new_password(Person("ada", "administrator"), "nobody", Password(RIGHT))
    assert isinstance(command, asked.SetPassword)
    assert isinstance(house.put(command), Refusal)
    house.door.discard(command)
    assert house.credentials.verifier(command.credential) is None


def test_what_is_decided_says_no_more_than_the_door() -> None:
    house = founded()
    sign_in = asked.SignIn(by=asked.THE_DOOR, at=0, person="nobody", proof=None, session="s")
    link = asked.FollowLink(by=asked.THE_DOOR, at=0, digest="d", session="s")
    assert decide(house.people, sign_in) == NOT_LET_IN
    assert decide(house.people, link) == LINK_REFUSED


def test_a_session_that_is_open_is_not_begun_again() -> None:
    house = founded()
    house.add("bo", "player")
    session = house.admitted("bo").session
    proof = house.people.accounts["bo"].credential
    assert house.refused(asked.SignIn, by=asked.THE_DOOR, person="bo", proof=proof, session=session) == NOT_LET_IN
