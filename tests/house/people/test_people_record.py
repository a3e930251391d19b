"""The people's stream: what is recorded rebuilds who they are, with a clause on every entry."""

import json
from functools import reduce
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from house.people.house import ADMINISTRATOR, INSTALLER, WRONG, House, founded
from pitboss.house.people import commands as asked
from pitboss.house.people import events as happened
from pitboss.house.people.accounts import People
from pitboss.house.people.decide import decide
from pitboss.house.people.details import Details
from pitboss.house.people.events import KINDS
from pitboss.house.people.house_rules import HOUSE_RULES
from pitboss.house.people.people_entries import drafts, event_of, events_of, evolve_entry, people_of, people_to_data
from pitboss.house.people.two_people import digest_of
from pitboss.record.entries import Circumstances, Entry, Head, canonical, chain, entry_of, line_of
from pitboss.rules.plain import Malformed
from pitboss.rules.refusal import Refusal
from pitboss.table.people import Person

BY = Circumstances("ada", "administrator", "c", 1)


def entries(events: list[happened.Event]) -> tuple[Entry, ...]:
    """Return events as the entries they are recorded as, through the text of a log and back."""
    by_stream: dict[str, list[Any]] = {}
    for draft in drafts(events):
        by_stream.setdefault(draft.stream, []).append(draft)
    return tuple(
        entry_of(line_of(entry)) for stream in sorted(by_stream) for entry in chain(Head(), by_stream[stream], BY)
    )


def rebuilt(recorded: tuple[Entry, ...]) -> People:
    """Return the people that a record rebuilds."""
    return reduce(evolve_entry, (entry for entry in recorded if entry.stream == "people"), People())


def busy_house() -> House:
    """Return a house in which everything that can happen has happened."""
    house = founded()
    house.add("bo", "dealer")
    house.add("cy", "cage", password=None)
    link = house.door.new_link(ADMINISTRATOR, "cy")
    house.put(link.command)
    attempt = house.door.follow_link(link.token)
    house.door.admit(attempt, house.put(attempt.command))
    for _ in range(3):
        house.sign_in("bo", WRONG)
    house.do(asked.UnlockPerson, person="bo")
    house.admitted("bo")
    house.do(asked.ChangeRoles, person="bo", roles=("dealer", "floorperson"))
    house.put(house.door.new_link(ADMINISTRATOR, "bo").command)
    cage, floor = Person("cy", "cage"), Person("bo", "floorperson")
    fills = {"p1": 300, "p2": 100, "p3": 200}
    for name, cents in fills.items():
        house.do(asked.Propose, by=cage, proposal=name, kind="Fill", body={"table": "4", "cents": cents})
    house.do(asked.Decline, by=floor, proposal="p1", reason="too much")
    agreed = digest_of("Fill", {"table": "4", "cents": 100})
    house.do(asked.Confirm, by=floor, proposal="p2", digest=agreed)
    house.add("di", "player")
    house.do(asked.RevokePerson, person="di", reason="left")
    house.do(asked.ResetPerson, person="cy")
    own = {"by": Person("cy", "cage"), "proof": None}
    house.do(asked.AddFactor, **own, factor="f1", kind="code", label="Phone", step=5, digests=("d1", "d2"))
    used = {**own, "second": asked.Second(factor="f1", step=6)}
    house.do(asked.AddFactor, **used, factor="f2", kind="passkey", label="Key", step=7)
    house.do(asked.RemoveFactor, **own, second=asked.Second(recovery="d2"), factor="f1")
    house.do(asked.ResetFactors, by=asked.KEY_HOLDER, person="cy")
    house.do(asked.ChangeDetails, person="cy", details=Details(full_name="Cyd Ayala", badge="7", license="C-7"))
    account = house.people.accounts["bo"]
    house.do(asked.SetPin, by=floor, credential="pin", proof=account.credential)
    session = house.admitted("bo").session
    house.do(asked.UnlockConsole, by=floor, session=session, proof=None)
    house.do(asked.UnlockConsole, by=floor, session=session, proof="pin")
    house.do(asked.DemandSecondFactor, roles=("cage",), second="bob")
    house.admitted("ada")
    return house


def test_the_record_rebuilds_the_people() -> None:
    house = busy_house()
    assert {type(event).__name__ for event in house.events} == set(KINDS)
    recorded = entries(house.events)
    assert rebuilt(recorded) == house.people
    assert events_of(recorded) == tuple(house.events)


def test_a_snapshot_is_the_people() -> None:
    people = busy_house().people
    assert people.sessions
    assert people.links
    assert people.proposals
    assert people_of(json.loads(canonical(people_to_data(people)))) == people


def test_every_entry_cites_a_rule_that_can_be_looked_up() -> None:
    for draft in drafts(busy_house().events):
        assert draft.clause in HOUSE_RULES
        canonical(draft.body)


def test_the_floor_hears_of_failures_locks_and_changed_rights() -> None:
    house = busy_house()
    told = [draft for draft in drafts(house.events) if draft.stream == "floor"]
    assert [(draft.kind, draft.body["person"]) for draft in told] == [
        *[("floor.SignInFailed", "bo")] * 3,
        ("floor.PersonLocked", "bo"),
        ("floor.PersonUnlocked", "bo"),
        ("floor.RolesChanged", "bo"),
        ("floor.PersonRevoked", "di"),
        ("floor.AccountReset", "cy"),
        ("floor.FactorsReset", "cy"),
        ("floor.DetailsChanged", "cy"),
        ("floor.UnlockFailed", "bo"),
    ]
    assert told[3].body["reason"] == "3 failed sign-ins in a row from one address"


@pytest.mark.parametrize(
    ("kind", "body"),
    [
        ("people.PersonPromoted", {}),
        ("round.PersonAdded", {}),
        ("PersonAdded", {}),
        ("people.PersonAdded", {}),
        ("people.PersonUnlocked", {"person": 1}),
        ("people.PersonUnlocked", {"person": "bo", "more": "x"}),
    ],
)
def test_what_no_event_was_written_as_is_malformed(kind: str, body: dict[str, Any]) -> None:
    with pytest.raises(Malformed):
        event_of(kind, body)


ONE_ADDRESS, LAST = "", 9  # every sign-in comes from one address, within nine milliseconds
NAMES = st.sampled_from(["ada", "bo", "cy"])
ACTORS = st.builds(Person, NAMES, st.sampled_from(["administrator", "cage", "floorperson", "player"])) | st.just(
    INSTALLER
)
ROLES = st.sampled_from([("administrator",), ("cage",), ("floorperson",), ("player",)])
ORDERS = st.one_of(
    st.builds(asked.AddPerson, by=ACTORS, at=st.just(0), person=NAMES, roles=ROLES),
    st.builds(asked.ChangeRoles, by=ACTORS, at=st.just(0), person=NAMES, roles=ROLES),
    st.builds(asked.SetPassword, by=ACTORS, at=st.just(0), person=NAMES, credential=st.sampled_from("abc")),
    st.builds(asked.LockPerson, by=ACTORS, at=st.just(0), person=NAMES, reason=st.just("r")),
    st.builds(asked.UnlockPerson, by=ACTORS, at=st.just(0), person=NAMES),
    st.builds(asked.RevokePerson, by=ACTORS, at=st.just(0), person=NAMES, reason=st.just("r")),
    st.builds(
        asked.IssueLink, by=ACTORS, at=st.just(0), person=NAMES, digest=st.sampled_from("xyz"), until=st.integers(1, 9)
    ),
    st.builds(
        asked.SignIn,
        by=st.just(asked.THE_DOOR),
        at=st.integers(0, 9),
        person=NAMES,
        proof=st.sampled_from(["a", "b", "c", None]),
        session=st.uuids().map(str),
    ),
    st.builds(
        asked.FollowLink,
        by=st.just(asked.THE_DOOR),
        at=st.integers(0, 9),
        digest=st.sampled_from("xyz"),
        session=st.uuids().map(str),
    ),
)


@settings(deadline=None, max_examples=150)
@given(st.lists(ORDERS, max_size=40))
def test_whatever_is_asked_the_house_keeps_its_rules(orders: list[asked.Command]) -> None:
    house = founded()
    for order in orders:
        before = house.people
        answer = decide(before, order, house.rules)
        assert answer == decide(before, order, house.rules)
        house.put(order)
        people = house.people
        for session in people.sessions.values():
            assert people.accounts[session.person].is_active
        for name, account in people.accounts.items():
            assert len(people.sessions_of(name)) <= 1
            assert account.failures <= 3
            assert account.failures < 3 or account.is_locked_out(ONE_ADDRESS, LAST), "and for a while only"
        # Only failures at the door can leave the house without an administrator.
        assert people.administrators or not before.administrators or isinstance(order, asked.SignIn)
    assert rebuilt(entries(house.events)) == house.people
    assert people_of(people_to_data(house.people)) == house.people


def test_a_refusal_changes_nothing() -> None:
    house = busy_house()
    before = people_to_data(house.people)
    assert isinstance(house.put(asked.AddPerson(by=Person("bo", "dealer"), at=0, person="x", roles=("cage",))), Refusal)
    assert people_to_data(house.people) == before
