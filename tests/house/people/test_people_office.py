"""Two processes of one house: what one records applies in the other, once, and after a crash."""

import asyncio
from collections.abc import Coroutine
from dataclasses import replace
from typing import Any, TypeVar

import pytest

from house.people.house import ADMINISTRATOR, INSTALLER, KEYRING, MINUTE, RIGHT, WRONG, HandClock, SeededBytes
from house.people.in_memory import CredentialsInMemory, SessionsInMemory
from pitboss.house.people import commands as asked
from pitboss.house.people import events as happened
from pitboss.house.people.decide import LINK_REFUSED, NOT_LET_IN, SignInRules
from pitboss.house.people.password_hash import ArgonHasher
from pitboss.house.people.passwords import Password
from pitboss.house.people.people_entries import events_of
from pitboss.house.people.people_office import FOLD, Office, PeopleStream, sent
from pitboss.house.people.second_factors import SecondFactors
from pitboss.house.people.sessions import NO_SESSION, Sessions
from pitboss.house.people.sign_in import Admitted, FrontDoor, NewLink
from pitboss.record.group_commit import GroupCommit, InlineRunner
from pitboss.record.memory_store import MemoryStore
from pitboss.record.simulated_disk import SimulatedDisk
from pitboss.record.snapshots import Snapshots
from pitboss.record.store import StoreFull
from pitboss.rules.refusal import Refusal
from pitboss.table.people import Person

Result = TypeVar("Result")


class Machine:
    """A disk, a database, and processes that share them."""

    def __init__(self) -> None:
        self.disk = SimulatedDisk()
        self.clock, self.bytes = HandClock(), SeededBytes()
        self.credentials, self.table = CredentialsInMemory(), SessionsInMemory()

    def process(self) -> Office:
        """Start a process that has read the record."""
        store, rules = MemoryStore(self.disk), SignInRules()
        snapshots = Snapshots(store, bytes(32), every=3)
        stream = PeopleStream()
        stream.restore(snapshots)
        sessions = Sessions(self.table, self.clock, rules)
        door = FrontDoor(
            hasher=ArgonHasher(self.bytes, passes=1, memory_kib=8, lanes=1),
            credentials=self.credentials,
            sessions=self.table,
            clock=self.clock,
            randomness=self.bytes,
            rules=rules,
            factors=SecondFactors(
                keys=lambda: KEYRING, credentials=self.credentials, clock=self.clock, randomness=self.bytes
            ),
        )
        return Office(
            store=store,
            writer=GroupCommit(store, InlineRunner()),
            stream=stream,
            door=door,
            sessions=sessions,
            clock=self.clock,
            randomness=self.bytes,
            runner=InlineRunner(),
            rules=rules,
            snapshots=snapshots,
        )

    def entries(self, stream: str) -> list[str]:
        """Return the kinds of a stream's entries."""
        return [entry.kind for entry in MemoryStore(self.disk).read(stream)]


def run(scene: Coroutine[Any, Any, Result]) -> Result:
    return asyncio.run(scene)


async def founded(machine: Machine) -> Office:
    """Return a process of a house with an administrator and a dealer."""
    office = machine.process()
    for by, person, role in ((INSTALLER, "ada", "administrator"), (ADMINISTRATOR, "bo", "dealer")):
        assert await office.put(asked.AddPerson(by=by, at=0, person=person, roles=(role,)))
        assert not isinstance(await office.set_password(by, person, Password(RIGHT)), Refusal)
    return office


def caught_up(machine: Machine, office: Office) -> Office:
    """Have a process read what others wrote, as a notice from the database would."""
    office.stream.catch_up(MemoryStore(machine.disk))
    return office


async def let_in(office: Office, person: str) -> Admitted:
    answer = await office.sign_in(person, Password(RIGHT))
    assert isinstance(answer, Admitted), str(answer)
    return answer


def test_failures_at_two_doors_count_together() -> None:
    async def scene() -> None:
        machine = Machine()
        first = await founded(machine)
        other = machine.process()
        for office in (first, other, first):
            assert await office.sign_in("bo", Password(WRONG)) == NOT_LET_IN
        assert first.people.accounts["bo"].is_slowed(machine.clock.now_ms())
        # The other process has not read of the lock yet; it decides on the record all the same.
        assert not other.people.accounts["bo"].is_slowed(machine.clock.now_ms())
        assert await other.sign_in("bo", Password(RIGHT)) == NOT_LET_IN
        assert machine.entries("floor") == ["floor.SignInFailed"] * 3 + ["floor.PersonLocked"]

    run(scene())


def test_a_revocation_ends_connections_of_every_process() -> None:
    async def scene() -> None:
        machine = Machine()
        first = await founded(machine)
        other = machine.process()
        bo = await let_in(other, "bo")
        told: list[str] = []
        other.sessions.listen(bo.session, told.append)
        caught_up(machine, first)
        assert not isinstance(first.sessions.check(first.people, bo.token), Refusal)
        await first.put(asked.RevokePerson(by=ADMINISTRATOR, at=0, person="bo", reason="left"))
        assert first.sessions.check(first.people, bo.token) == NO_SESSION
        assert other.sessions.check(other.people, bo.token) == NO_SESSION  # the shared table knows already
        assert told == []
        caught_up(machine, other)
        assert told == [happened.REVOKED]

    run(scene())


def test_a_link_followed_at_two_doors_at_once_opens_one() -> None:
    async def scene() -> None:
        machine = Machine()
        first = await founded(machine)
        link = await first.issue_link(ADMINISTRATOR, "bo")
        assert isinstance(link, NewLink)
        other = machine.process()
        answers = await asyncio.gather(*(office.follow_link(link.token) for office in (first, other, first, other)))
        assert [isinstance(answer, Admitted) for answer in answers].count(True) == 1
        assert [answer for answer in answers if answer == LINK_REFUSED] == [LINK_REFUSED] * 3
        assert machine.entries("people").count("people.LinkUsed") == 1

    run(scene())


def test_sessions_links_and_locks_outlive_a_crash() -> None:
    async def scene() -> None:
        machine = Machine()
        office = await founded(machine)
        ada = await let_in(office, "ada")
        link = await office.issue_link(ADMINISTRATOR, "bo")
        assert isinstance(link, NewLink)
        people = office.people
        machine.disk = machine.disk.crash()
        again = machine.process()
        assert again.people == people
        assert not isinstance(again.sessions.check(again.people, ada.token), Refusal)
        assert isinstance(await again.follow_link(link.token), Admitted)

    run(scene())


def test_nobody_is_notified_of_what_happened_before_a_start() -> None:
    class Counting(SessionsInMemory):
        removed = 0

        def remove(self, session: str) -> None:
            Counting.removed += 1
            super().remove(session)

    async def scene() -> None:
        machine = Machine()
        machine.table = Counting()
        office = await founded(machine)
        await let_in(office, "bo")
        await let_in(office, "bo")  # ends the first session
        assert Counting.removed == 1
        assert machine.process().people == office.people
        assert Counting.removed == 1

    run(scene())


def test_a_start_reads_the_stream_from_its_last_snapshot() -> None:
    async def scene() -> None:
        machine = Machine()
        office = await founded(machine)
        for _ in range(5):
            await let_in(office, "bo")
        await asyncio.sleep(0)  # nobody waits for a snapshot: it is written after the answer
        store = MemoryStore(machine.disk)
        restored = Snapshots(store, bytes(32)).restore("people", FOLD)
        assert restored.state == office.people
        assert restored.head == office.stream.head
        assert restored.folded < 3 < restored.head.sequence

    run(scene())


def test_the_same_command_twice_counts_once_and_gets_the_same_answer() -> None:
    async def scene() -> None:
        machine = Machine()
        office = await founded(machine)
        add = asked.AddPerson(by=ADMINISTRATOR, at=0, person="cy", roles=("cage",))
        first = await office.put(add, "command 1")
        machine.clock.now += MINUTE
        assert await office.put(add, "command 1") == first
        assert await machine.process().put(add, "command 1") == first
        assert machine.entries("people").count("people.PersonAdded") == 3

    run(scene())


def test_a_password_sent_twice_is_set_once() -> None:
    async def scene() -> None:
        machine = Machine()
        office = await founded(machine)
        first = await office.set_password(ADMINISTRATOR, "bo", Password("an otter by the weir"), "command 1")
        again = await office.set_password(ADMINISTRATOR, "bo", Password("an otter by the weir"), "command 1")
        assert again == first
        credential = office.people.accounts["bo"].credential
        assert credential is not None
        assert machine.credentials.verifier(credential) is not None
        assert len(machine.credentials._verifiers) == 2

    run(scene())


def test_an_id_reused_with_another_body_is_refused_and_reported_to_the_floor() -> None:
    async def scene() -> None:
        machine = Machine()
        office = await founded(machine)
        await office.put(asked.AddPerson(by=ADMINISTRATOR, at=0, person="cy", roles=("cage",)), "command 1")
        other = await office.put(asked.AddPerson(by=ADMINISTRATOR, at=0, person="di", roles=("cage",)), "command 1")
        assert isinstance(other, Refusal)
        assert other.field == "id"
        assert "di" not in office.people.accounts
        assert machine.entries("floor") == ["floor.CommandIdReused"]
        # Also where the second content would have been refused anyway.
        third = await office.put(asked.UnlockPerson(by=ADMINISTRATOR, at=0, person="bo"), "command 1")
        assert isinstance(third, Refusal)
        assert third.field == "id"
        assert machine.entries("floor") == ["floor.CommandIdReused"] * 2

    run(scene())


@pytest.mark.parametrize("command_id", ["", "a\0b", "\ud800"])
def test_an_id_that_no_store_can_keep_is_refused(command_id: str) -> None:
    async def scene() -> None:
        office = await founded(Machine())
        answer = await office.put(asked.UnlockPerson(by=ADMINISTRATOR, at=0, person="bo"), command_id)
        assert isinstance(answer, Refusal)
        assert answer.field == "id"

    run(scene())


def test_a_refused_password_is_not_kept() -> None:
    async def scene() -> None:
        machine = Machine()
        office = await founded(machine)
        kept = dict(machine.credentials._verifiers)
        assert isinstance(await office.set_password(Person("bo", "dealer"), "ada", Password(RIGHT)), Refusal)
        wrong = await office.change_own_password(Person("bo", "dealer"), Password(WRONG), Password(RIGHT))
        assert isinstance(wrong, tuple)
        assert [type(event) for event in wrong] == [happened.SignInFailed]
        assert isinstance(await office.set_password(ADMINISTRATOR, "bo", Password("easy")), Refusal)
        assert machine.credentials._verifiers == kept

    run(scene())


def test_the_sweep_ends_what_is_overdue() -> None:
    async def scene() -> None:
        machine = Machine()
        office = await founded(machine)
        bo = await let_in(office, "bo")
        machine.clock.now += 16 * MINUTE
        await office.sweep()
        assert office.people.sessions == {}
        assert machine.table.find(bo.token) is None
        assert machine.entries("people")[-1] == "people.SessionEnded"

    run(scene())


def test_a_full_disk_lets_nobody_in_and_loses_nothing() -> None:
    async def scene() -> None:
        machine = Machine()
        office = await founded(machine)
        people = office.people
        machine.disk.capacity_bytes = machine.disk.length
        with pytest.raises(StoreFull):
            await office.sign_in("bo", Password(RIGHT))
        assert office.people == people
        assert tuple(machine.table.all()) == ()
        machine.disk.capacity_bytes = None
        await let_in(office, "bo")

    run(scene())


def test_what_the_sender_repeats_is_distinguished_from_what_the_program_added() -> None:
    by = Person("pat", "pit-manager")
    read = asked.Confirm(by=by, at=1, proposal="p", digest="what was read")
    assert sent(read) == sent(replace(read, at=2))
    assert sent(read) != sent(replace(read, digest="something else"))
    link = asked.IssueLink(by=ADMINISTRATOR, at=1, person="bo", digest="of one token", until=5)
    assert sent(link) == sent(replace(link, digest="of another token", until=6))
    assert sent(link) != sent(replace(link, person="cy"))


def test_followers_hear_of_each_entry_once() -> None:
    async def scene() -> None:
        machine = Machine()
        await founded(machine)
        store, stream = MemoryStore(machine.disk), PeopleStream()
        heard: list[Any] = []
        stream.followers.append(lambda events, before: heard.extend(events or [before]))
        recorded = tuple(store.read("people"))
        stream.apply(recorded[:2])
        stream.apply(recorded)
        stream.apply([recorded[-1]._replace(stream="floor", sequence=99)])
        assert heard == list(events_of(recorded))

    run(scene())


@pytest.mark.parametrize("change", ["password", "roles", "locked", "revoked"])
def test_a_link_ends_with_what_it_was_issued_for(change: str) -> None:
    async def scene() -> None:
        machine = Machine()
        office = await founded(machine)
        link = await office.issue_link(ADMINISTRATOR, "bo")
        assert isinstance(link, NewLink)
        by = {"by": ADMINISTRATOR, "at": 0, "person": "bo"}
        if change == "password":
            assert not isinstance(await office.set_password(ADMINISTRATOR, "bo", Password(RIGHT)), Refusal)
        elif change == "roles":
            await office.put(asked.ChangeRoles(**by, roles=("floorperson",)))
        elif change == "locked":
            await office.put(asked.LockPerson(**by, reason="lost a badge"))
            await office.put(asked.UnlockPerson(**by))
        else:
            await office.put(asked.RevokePerson(**by, reason="left the house"))
        assert await office.follow_link(link.token) == LINK_REFUSED

    run(scene())
