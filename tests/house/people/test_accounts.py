"""Accounts: adding people, changing what they may do, and closing accounts."""

import pytest

from house.people.house import ADMINISTRATOR, INSTALLER, House, founded
from pitboss.house.people import commands as asked
from pitboss.house.people import events as happened
from pitboss.house.people.accounts import check_standing
from pitboss.house.people.sign_in import Admitted
from pitboss.rules.refusal import Refusal
from pitboss.table.people import AUTOMATON, Person


def test_the_program_adds_people_only_until_an_administrator_can() -> None:
    house = House()
    assert (
        house.refused(asked.AddPerson, person="ada", roles=("administrator",)).reason
        == "There is no account named 'ada'"
    )
    house.do(asked.AddPerson, by=INSTALLER, person="ada", roles=("administrator",))
    # An account that nobody can open is no administrator yet.
    house.do(asked.AddPerson, by=INSTALLER, person="bo", roles=("player",))
    house.do(asked.SetPassword, by=INSTALLER, person="ada", credential="c1")
    for kind, fields in (
        (asked.AddPerson, {"person": "cy", "roles": ("player",)}),
        (asked.SetPassword, {"person": "bo", "credential": "c2"}),
        (asked.IssueLink, {"person": "bo", "digest": "d", "until": house.clock.now + 1}),
    ):
        refusal = house.refused(kind, by=INSTALLER, **fields)
        assert refusal.reason == "An administrator can do this, so the program can't do it for them"


def test_wrong_passwords_leave_the_house_its_only_administrator() -> None:
    house = founded()
    for _ in range(3):
        house.sign_in("ada", "not the password")
    assert house.people.administrators == {"ada"}
    link = {"person": "ada", "digest": "d", "until": house.clock.now + 1}
    assert house.refused(asked.IssueLink, by=INSTALLER, **link).clause == "H-17"
    house.do(asked.IssueLink, by=asked.KEY_HOLDER, **link)
    house.do(asked.UnlockPerson, by=asked.KEY_HOLDER, person="ada")
    house.admitted("ada")


def test_a_name_is_never_reused() -> None:
    house = founded()
    house.add("bo", "dealer")
    assert house.refused(asked.AddPerson, person="bo", roles=("player",)).field == "person"
    house.do(asked.RevokePerson, person="bo", reason="left")
    assert house.refused(asked.AddPerson, person="bo", roles=("player",)).field == "person"
    for kind, fields in (
        (asked.UnlockPerson, {}),
        (asked.ResetPerson, {}),
        (asked.SetPassword, {"credential": "c"}),
        (asked.ChangeRoles, {"roles": ("player",)}),
    ):
        assert house.refused(kind, person="bo", **fields).reason == "bo has been revoked permanently"


@pytest.mark.parametrize("name", ["", "Bo", "b o", "b:o", "-bo", "b" * 41, "bö", "bo\n"])
def test_a_name_that_could_be_taken_for_another_is_refused(name: str) -> None:
    assert founded().refused(asked.AddPerson, person=name, roles=("player",)).field == "person"


@pytest.mark.parametrize(
    "roles",
    [
        (),
        ("dealer", "dealer"),
        ("croupier",),
        ("automaton",),
        ("dealer", "automaton"),
        ("player", "dealer"),
        ("cage", "floorperson"),
        ("auditor", "operator"),
        ("surveillance", "pit-manager"),
        ("administrator", "auditor"),
    ],
)
def test_roles_that_nobody_may_have_together_are_refused(roles: tuple[str, ...]) -> None:
    house = founded()
    assert house.refused(asked.AddPerson, person="bo", roles=roles).field == "roles"
    house.add("cy", "technician")
    assert house.refused(asked.ChangeRoles, person="cy", roles=roles).field == "roles"


@pytest.mark.parametrize("roles", [("dealer", "floorperson", "pit-manager"), ("auditor", "regulator"), ("player",)])
def test_roles_of_one_department_go_together(roles: tuple[str, ...]) -> None:
    house = founded()
    house.add("bo", *roles)
    assert house.people.accounts["bo"].roles == roles


def test_changed_roles_count_at_once_and_end_sessions() -> None:
    house = founded()
    dealer = house.add("bo", "dealer")
    session = house.admitted("bo").session
    events = house.do(asked.ChangeRoles, person="bo", roles=("floorperson",))
    assert events == (
        happened.RolesChanged(person="bo", roles=("floorperson",), before=("dealer",)),
        happened.SessionEnded(person="bo", session=session, reason=happened.ROLES_CHANGED),
    )
    refusal = check_standing(house.people, dealer)
    assert str(refusal) == "bo doesn't have the role dealer (H-15)"
    assert check_standing(house.people, Person("bo", "floorperson")) is None
    assert house.refused(asked.ChangeRoles, person="bo", roles=("floorperson",)).field == "roles"


def test_nobody_administers_their_own_account() -> None:
    house = founded()
    house.add("bea", "administrator")
    for kind, fields in (
        (asked.ChangeRoles, {"roles": ("auditor",)}),
        (asked.LockPerson, {"reason": "r"}),
        (asked.RevokePerson, {"reason": "r"}),
        (asked.SetPassword, {"credential": "c"}),
        (asked.UnlockPerson, {}),
        (asked.ResetPerson, {}),
    ):
        assert house.refused(kind, person="ada", **fields).reason == (
            "You can't do this to your own account. Ask another administrator"
        )


def test_a_house_is_never_left_without_an_administrator_by_command() -> None:
    house = founded()
    bea = house.add("bea", "administrator")
    house.do(asked.RevokePerson, by=bea, person="ada", reason="left")
    refusal = house.refused(asked.RevokePerson, by=ADMINISTRATOR, person="bea", reason="revenge")
    assert str(refusal) == "ada is revoked (H-17)"
    assert house.people.administrators == {"bea"}


def test_a_lock_by_order_ends_everything_until_it_is_taken_off() -> None:
    house = founded()
    bo = house.add("bo", "dealer")
    session = house.admitted("bo").session
    events = house.do(asked.LockPerson, person="bo", reason="under inquiry")
    assert happened.SessionEnded(person="bo", session=session, reason=happened.LOCKED) in events
    assert str(check_standing(house.people, bo)) == "bo is locked (H-17)"
    assert house.refused(asked.LockPerson, person="bo", reason="again").field == "person"
    assert house.refused(asked.IssueLink, person="bo", digest="d", until=house.clock.now + 1).field == "person"
    house.do(asked.UnlockPerson, person="bo")
    assert check_standing(house.people, bo) is None
    house.admitted("bo")
    assert house.refused(asked.UnlockPerson, person="bo").reason == "bo isn't locked"


@pytest.mark.parametrize("kind", [asked.LockPerson, asked.RevokePerson])
def test_a_person_is_locked_or_revoked_for_a_stated_reason(kind: type) -> None:
    house = founded()
    house.add("bo", "dealer")
    assert house.refused(kind, person="bo", reason=" ").field == "reason"


def test_commands_about_nobody_are_refused() -> None:
    assert founded().refused(asked.UnlockPerson, person="nobody").reason == "There is no account named 'nobody'"


def test_an_administrator_who_lost_the_role_administers_nothing() -> None:
    house = founded()
    bea = house.add("bea", "administrator")
    house.do(asked.ChangeRoles, person="bea", roles=("auditor",))
    assert house.refused(asked.AddPerson, by=bea, person="cy", roles=("player",)).field == "by"


def test_an_automaton_does_not_go_by_a_persons_name() -> None:
    house = founded()
    refusal = check_standing(house.people, Person("ada", AUTOMATON))
    assert str(refusal) == "ada is a person's account, so the program can't act under that name (H-15)"
    assert check_standing(house.people, Person("house dealer", AUTOMATON)) is None


def test_who_counts_as_an_administrator_who_could_act() -> None:
    house = House()
    house.add("bo", "dealer", by=INSTALLER)
    assert house.people.administrators == frozenset()
    house.add("ada", "administrator", by=INSTALLER, password=None)
    assert house.people.administrators == frozenset()
    link = house.door.new_link(INSTALLER, "ada")
    house.put(link.command)
    attempt = house.door.follow_link(link.token)
    session = house.door.admit(attempt, house.put(attempt.command)).session
    assert house.people.administrators == {"ada"}
    house.do(asked.SignOut, session=session)
    assert house.people.administrators == frozenset()
    house.do(asked.SetPassword, by=INSTALLER, person="ada", credential="c")
    assert house.people.administrators == {"ada"}
    bea = house.add("bea", "administrator")
    house.do(asked.LockPerson, by=bea, person="ada", reason="inquiry")
    assert house.people.administrators == {"bea"}


def test_a_reset_takes_password_sessions_and_locks_away_and_leaves_the_roles() -> None:
    house = founded()
    house.add("bo", "dealer")
    assert isinstance(house.sign_in("bo"), Admitted)
    credential = house.people.accounts["bo"].credential
    house.do(asked.LockPerson, person="bo", reason="lost the token")
    house.do(asked.ResetPerson, by=asked.KEY_HOLDER, person="bo")
    account = house.people.accounts["bo"]
    assert (account.credential, account.locked, account.roles) == (None, None, ("dealer",))
    assert house.people.sessions_of("bo") == ()
    assert credential is not None
    assert house.credentials.verifier(credential) is None, "the old password is gone for good"
    assert isinstance(house.sign_in("bo"), Refusal)
