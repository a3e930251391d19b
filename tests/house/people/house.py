"""A house under test: commands in, events folded, a clock set by hand, and bytes that repeat from a seed."""

import random
from dataclasses import dataclass, field
from typing import Any

from house.people.in_memory import CredentialsInMemory, SessionsInMemory
from pitboss.house.people import commands as asked
from pitboss.house.people.accounts import People, evolve
from pitboss.house.people.decide import SignInRules, decide
from pitboss.house.people.events import Event
from pitboss.house.people.password_hash import ArgonHasher
from pitboss.house.people.passwords import Password
from pitboss.house.people.second_factors import SecondFactors
from pitboss.house.people.sessions import Sessions
from pitboss.house.people.sign_in import Admitted, FrontDoor
from pitboss.record.keys import Keyring, MasterKey
from pitboss.rules.refusal import Refusal
from pitboss.table.people import AUTOMATON, Person

ADMINISTRATOR = Person("ada", "administrator")
INSTALLER = Person("the installer", AUTOMATON)
MINUTE = 60_000
HOUR = 60 * MINUTE
RIGHT = "a heron on the pier"
WRONG = "a heron in the reeds"

KEYRING = Keyring((MasterKey(bytes(range(32))),))


@dataclass
class HandClock:
    now: int = 1_000_000

    def now_ms(self) -> int:
        return self.now


@dataclass
class SeededBytes:
    generator: random.Random = field(default_factory=lambda: random.Random(4))

    def token(self, count: int) -> bytes:
        return self.generator.randbytes(count)


class House:
    """One process of a house: what was recorded is folded, followed by the door, and told to connections."""

    def __init__(self, rules: SignInRules | None = None) -> None:
        self.rules = rules or SignInRules()
        self.clock, self.bytes = HandClock(), SeededBytes()
        self.people = People()
        self.events: list[Event] = []
        self.credentials, self.table = CredentialsInMemory(), SessionsInMemory()
        self.hasher = ArgonHasher(self.bytes, passes=1, memory_kib=8, lanes=1)
        self.sessions = Sessions(self.table, self.clock, self.rules)
        self.door = FrontDoor(
            hasher=self.hasher,
            credentials=self.credentials,
            sessions=self.table,
            clock=self.clock,
            randomness=self.bytes,
            rules=self.rules,
            factors=SecondFactors(
                keys=lambda: KEYRING, credentials=self.credentials, clock=self.clock, randomness=self.bytes
            ),
        )

    def put(self, command: asked.Command) -> tuple[Event, ...] | Refusal:
        """Decide a command and take in what it brings about."""
        answer = decide(self.people, command, self.rules)
        if isinstance(answer, Refusal):
            return answer
        before = self.people
        for event in answer:
            self.people = evolve(self.people, event)
            self.events.append(event)
        self.sessions.follow(answer)
        self.door.follow(answer, before)
        return answer

    def do(self, command: type, /, by: Person = ADMINISTRATOR, **fields: Any) -> tuple[Event, ...]:
        """Carry a command out; it must not be refused."""
        answer = self.put(command(by=by, at=fields.pop("at", self.clock.now), **fields))
        assert not isinstance(answer, Refusal), str(answer)
        return answer

    def refused(self, command: type, /, by: Person = ADMINISTRATOR, **fields: Any) -> Refusal:
        """Return the refusal a command meets; it must meet one."""
        before = self.people
        answer = self.put(command(by=by, at=fields.pop("at", self.clock.now), **fields))
        assert isinstance(answer, Refusal), f"{command.__name__} was allowed"
        assert self.people is before
        return answer

    def add(self, person: str, *roles: str, by: Person = ADMINISTRATOR, password: str | None = RIGHT) -> Person:
        """Give a person an account, with a password unless told otherwise."""
        self.do(asked.AddPerson, by=by, person=person, roles=roles)
        if password is not None:
            command = self.door.new_password(by, person, Password(password))
            assert not isinstance(command, Refusal), str(command)
            self.put(command)
        return Person(person, roles[0])

    def sign_in(self, person: str, password: str = RIGHT, source: str = "") -> Admitted | Refusal:
        """Come to the door with a name and a password."""
        attempt = self.door.attempt(self.people, person, Password(password), source)
        return self.door.admit(attempt, self.put(attempt.command))

    def admitted(self, person: str) -> Admitted:
        """Come to the door with the right password, and be let in."""
        answer = self.sign_in(person)
        assert isinstance(answer, Admitted), str(answer)
        return answer


def founded(rules: SignInRules | None = None) -> House:
    """Return a house with one administrator, who was added by the installer."""
    house = House(rules)
    house.add("ada", "administrator", by=INSTALLER)
    return house
