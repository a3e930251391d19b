"""A back office in which every accepted command is given again, and the record is checked after every event."""

from collections import Counter
from typing import Any

from pyotp.totp import TOTP

from house.floors import read_terms
from house.test_back_office import PROGRAM, Staffed
from pitboss.house.people import commands as of_people
from pitboss.house.people.passwords import Password
from pitboss.house.people.second_factors import STEP_MS, Given, Site
from pitboss.house.people.sign_in import OwnProof
from pitboss.house.running_tables import Answer, Asked, Done
from pitboss.rules.refusal import Refusal
from pitboss.table.people import Person
from simulation.checks import Checker

SECRET = Password("a long walk home in the rain")


def failed(violation: str) -> None:
    """Stop the test at what must not happen."""
    raise AssertionError(violation)


class Office(Staffed):
    """A back office in which every command is given again; all is checked each time."""

    def __init__(self) -> None:
        super().__init__()
        self.checker = Checker(self.floor.keyring, read_terms, failed)
        self.accepted: Counter[str] = Counter()

    async def add(self, *hired: tuple[str, str]) -> None:
        """Add people, each with a role."""
        for name, role in hired:
            added = of_people.AddPerson(by=PROGRAM, at=0, person=name, roles=(role,))
            assert not isinstance(await self.people.put(added), Refusal)

    async def enroll(self, name: str, role: str) -> None:
        """Give a person with a password an app that shows codes."""
        by = Person(name, role)
        begun = self.people.begin_code(by)
        code = TOTP(begun.secret).generate_otp(self.floor.clock.now // STEP_MS)
        own = OwnProof(SECRET, Given(), Site("house", "https://house"))
        codes = await self.people.add_factor(by, "Phone", own, ticket=begun.ticket, code=code)
        assert not isinstance(codes, Refusal), codes

    async def ask(self, name: str, body: dict[str, Any], command: str | None = None) -> Answer:
        """Give a command of the back office, and then again what was accepted."""
        self.floor.clock.now += 1
        command = command or self.floor.command_id()
        people = self.people.people
        account = people.accounts[name]
        answer = await self.office.do(Asked(command, name, account.roles, body))
        self.checker.follow(self.floor.store)
        if isinstance(answer, Done):
            assert account.factors or not set(account.roles) <= set(people.needs_factor), (name, body)
            self.accepted[body["kind"]] += 1
            before = self.all_but_floor()
            again = await self.office.do(Asked(command, name, account.roles, body))
            assert isinstance(again, Done), (body, again)
            assert [entry.hash for entry in again.entries] == [entry.hash for entry in answer.entries]
            assert self.all_but_floor() == before, body
            self.checker.follow(self.floor.store)
        return answer

    def all_but_floor(self) -> dict[str, Any]:
        """Return the heads of every stream but that of mere notes."""
        return {stream: head for stream, head in self.floor.store.heads().items() if stream != "floor"}
