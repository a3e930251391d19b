"""Sessions end when idle, when their time is up, and at once when their person is locked or revoked."""

from collections.abc import Callable
from functools import partial

import pytest

from house.people.house import HOUR, MINUTE, House, founded
from pitboss.house.people import commands as asked
from pitboss.house.people import events as happened
from pitboss.house.people.decide import SignInRules
from pitboss.house.people.sessions import NO_SESSION, KeptSession, Sessions, token_digest
from pitboss.house.people.sign_in import Admitted
from pitboss.record.store import StoreBusy
from pitboss.rules.refusal import Refusal
from pitboss.table.people import Person


@pytest.fixture
def house() -> House:
    house = founded(SignInRules(idle_minutes=15, session_hours=12))
    house.add("bo", "dealer")
    return house


def is_open(house: House, admitted: Admitted) -> bool:
    return not isinstance(house.sessions.check(house.people, admitted.token), Refusal)


def test_a_token_opens_its_own_session(house: House) -> None:
    admitted = house.admitted("bo")
    kept = house.sessions.check(house.people, admitted.token)
    assert isinstance(kept, KeptSession)
    assert (kept.person, kept.session) == ("bo", admitted.session)


@pytest.mark.parametrize("change", [lambda token: "", lambda token: token[:-1], lambda token: token.upper() + "0"])
def test_no_other_text_opens_it(house: House, change: Callable[[str], str]) -> None:
    admitted = house.admitted("bo")
    assert house.sessions.check(house.people, change(admitted.token)) == NO_SESSION
    assert house.sessions.check(house.people, admitted.session) == NO_SESSION


def test_what_is_kept_does_not_open_it(house: House) -> None:
    admitted = house.admitted("bo")
    (kept,) = house.table.all()
    assert kept.digest == token_digest(admitted.token)
    assert house.sessions.check(house.people, kept.digest) == NO_SESSION


def test_an_idle_session_ends_and_a_used_one_does_not(house: House) -> None:
    admitted = house.admitted("bo")
    for _ in range(20):
        house.clock.now += 14 * MINUTE
        assert is_open(house, admitted)
    house.clock.now += 15 * MINUTE
    assert not is_open(house, admitted)


def test_a_page_that_only_polls_does_not_keep_a_session_alive(house: House) -> None:
    admitted = house.admitted("bo")
    for _ in range(14):
        house.clock.now += MINUTE
        assert not isinstance(house.sessions.check(house.people, admitted.token, is_idle=True), Refusal)
    house.clock.now += MINUTE
    assert not is_open(house, admitted)


def test_nobody_is_signed_out_in_the_middle_of_a_hand(house: House) -> None:
    admitted, other = house.admitted("bo"), house.admitted("ada")
    house.clock.now += 15 * MINUTE
    plays = {"bo"}.__contains__
    assert [command.session for command in house.sessions.overdue(house.people, plays)] == [other.session]
    kept = house.sessions.check(house.people, admitted.token, is_idle=True, spares=plays)
    assert isinstance(kept, KeptSession)
    assert [command.session for command in house.sessions.overdue(house.people)] == [admitted.session, other.session]
    house.clock.now += 12 * HOUR
    assert house.sessions.check(house.people, admitted.token, spares=plays) == NO_SESSION, "its hours are over"


def test_use_is_noted_now_and_then_and_no_session_ends_early_for_it(house: House) -> None:
    admitted = house.admitted("bo")
    house.clock.now += MINUTE
    assert is_open(house, admitted)
    house.clock.now += 14 * MINUTE - MINUTE // 2
    assert is_open(house, admitted)


def test_a_session_ends_after_its_hours_however_much_it_is_used(house: House) -> None:
    admitted = house.admitted("bo")
    for _ in range(12 * 6 - 1):
        house.clock.now += 10 * MINUTE
        assert is_open(house, admitted)
    house.clock.now += 10 * MINUTE
    assert not is_open(house, admitted)


def test_the_sweep_records_the_end_and_why(house: House) -> None:
    idle = house.admitted("bo")
    house.clock.now += 15 * MINUTE
    used = house.admitted("ada")
    (command,) = house.sessions.overdue(house.people)
    assert (command.session, command.reason) == (idle.session, happened.IDLE)
    house.put(command)
    assert house.people.sessions.keys() == {used.session}
    assert isinstance(house.put(command), Refusal)
    house.clock.now += 12 * HOUR
    assert [item.reason for item in house.sessions.overdue(house.people)] == [happened.LAPSED]


def test_a_session_whose_token_a_crash_lost_is_swept(house: House) -> None:
    admitted = house.admitted("bo")
    house.table.remove(admitted.session)
    assert house.sessions.overdue(house.people) == ()
    house.clock.now += MINUTE
    assert [item.session for item in house.sessions.overdue(house.people)] == [admitted.session]


def test_a_session_that_is_over_in_the_record_is_over(house: House) -> None:
    admitted = house.admitted("bo")
    (kept,) = house.table.all()
    house.do(asked.SignOut, by=Person("bo", "dealer"), session=admitted.session)
    house.table.add(kept)  # as a crash between the record and the table would leave it
    assert not is_open(house, admitted)
    house.sessions.forget_ended(house.people)
    assert tuple(house.table.all()) == ()


@pytest.mark.parametrize(
    ("kind", "fields", "reason"),
    [
        (asked.RevokePerson, {"reason": "left"}, happened.REVOKED),
        (asked.LockPerson, {"reason": "inquiry"}, happened.LOCKED),
        (asked.ChangeRoles, {"roles": ("floorperson",)}, happened.ROLES_CHANGED),
        (asked.SetPassword, {"credential": "new"}, happened.PASSWORD_CHANGED),
    ],
)
def test_open_connections_hear_of_it_at_once(house: House, kind: type, fields: dict[str, object], reason: str) -> None:
    mine, others = house.admitted("bo"), house.admitted("ada")
    told: list[tuple[str, str]] = []
    for name, admitted in (("first", mine), ("second", mine), ("other", others)):
        house.sessions.listen(admitted.session, partial(lambda name, why: told.append((name, why)), name))
    house.do(kind, person="bo", **fields)
    assert told == [("first", reason), ("second", reason)]
    assert not is_open(house, mine)
    assert is_open(house, others)


def test_another_process_that_reads_the_record_tells_its_connections_too(house: House) -> None:
    mine = house.admitted("bo")
    elsewhere = Sessions(house.table, house.clock, house.rules)
    told: list[str] = []
    elsewhere.listen(mine.session, told.append)
    events = house.do(asked.RevokePerson, person="bo", reason="left")
    elsewhere.follow(events)
    assert told == [happened.REVOKED]


def test_a_connection_that_left_is_not_notified(house: House) -> None:
    mine = house.admitted("bo")
    left: list[str] = []
    stays: list[str] = []
    stop = house.sessions.listen(mine.session, left.append)
    house.sessions.listen(mine.session, stays.append)
    stop()
    stop()
    house.do(asked.RevokePerson, person="bo", reason="left")
    assert (left, stays) == ([], [happened.REVOKED])


def test_people_end_only_their_own_sessions(house: House) -> None:
    mine = house.admitted("bo")
    house.add("cy", "dealer")
    assert house.refused(asked.SignOut, by=Person("cy", "dealer"), session=mine.session).clause == "H-17"
    house.do(asked.SignOut, by=Person("bo", "dealer"), session=mine.session)
    assert house.refused(asked.SignOut, by=Person("bo", "dealer"), session=mine.session).field == "session"


def test_a_clock_that_jumps_back_neither_ends_nor_prolongs_a_session(house: House) -> None:
    admitted = house.admitted("bo")
    start = house.clock.now
    house.clock.now = start + 10 * MINUTE
    assert is_open(house, admitted)
    house.clock.now = start - 5 * HOUR
    assert is_open(house, admitted)
    house.clock.now = start + 24 * MINUTE
    assert is_open(house, admitted)
    house.clock.now = start + 12 * HOUR
    assert not is_open(house, admitted)


def test_a_clock_that_jumps_ahead_ends_sessions(house: House) -> None:
    admitted = house.admitted("bo")
    house.clock.now += 400 * 24 * HOUR
    assert not is_open(house, admitted)


def test_a_session_that_is_used_stays_open(house: House) -> None:
    admitted = house.admitted("bo")
    kept = at_first = house.sessions.check(house.people, admitted.token)
    for _ in range(60):
        house.clock.now += MINUTE
        assert isinstance(kept, KeptSession)
        kept = house.sessions.use(house.people, kept)
    assert isinstance(at_first, KeptSession)
    assert isinstance(house.sessions.use(house.people, at_first), KeptSession), "it was used elsewhere meanwhile"
    house.clock.now += 15 * MINUTE
    assert house.sessions.use(house.people, at_first) == NO_SESSION


def test_a_use_is_noted_in_memory_and_stored_apart_so_that_no_request_waits_for_the_disk(house: House) -> None:
    admitted = house.admitted("bo")
    (before,) = house.table.all()
    house.clock.now += 10 * MINUTE
    assert is_open(house, admitted)
    assert tuple(house.table.all()) == (before,)
    house.clock.now += 10 * MINUTE
    assert is_open(house, admitted)  # although the table doesn't know of the use yet
    house.sessions.store_uses()
    (after,) = house.table.all()
    assert after.seen == house.clock.now
    assert not house.sessions.overdue(house.people)


def test_uses_that_couldnt_be_stored_are_stored_later(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    admitted = house.admitted("bo")
    house.clock.now += 10 * MINUTE
    assert is_open(house, admitted)
    with monkeypatch.context() as broken:
        broken.setattr(type(house.table), "note_uses", _busy)
        with pytest.raises(StoreBusy):
            house.sessions.store_uses()
    house.sessions.store_uses()
    assert [kept.seen for kept in house.table.all()] == [house.clock.now]


def _busy(*_: object) -> None:
    raise StoreBusy("busy")
