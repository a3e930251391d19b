"""The back office without a server: who approved what, available money, and two streams written together."""

from collections.abc import Callable, Coroutine
from dataclasses import replace
from typing import Any

import pytest

from house.floors import Chance, Floor, read_terms, run
from house.live_table.staffed import OPERATOR, StaffedTable
from house.people.in_memory import CredentialsInMemory, SessionsInMemory
from pitboss.games.catalogue import game_names
from pitboss.house.back_office import KINDS, BackOffice, agreed_on
from pitboss.house.live_table import commands
from pitboss.house.people import commands as of_people
from pitboss.house.people.decide import SignInRules
from pitboss.house.people.password_hash import ArgonHasher
from pitboss.house.people.people_office import Office, PeopleStream
from pitboss.house.people.second_factors import SecondFactors
from pitboss.house.people.sessions import Sessions
from pitboss.house.people.sign_in import FrontDoor
from pitboss.house.running_tables import Answer, Asked, Done
from pitboss.record.group_commit import InlineRunner
from pitboss.rules.plain import plain
from pitboss.rules.refusal import Refusal
from pitboss.table.people import AUTOMATON, Person

GAME = game_names()[0]
PROGRAM = Person("supervisor", AUTOMATON)
METERED = {"game": next(name for name in game_names() if read_terms({"game": name}).meters)}
METERS = [plain(meter) for meter in read_terms(METERED).meters]
OPEN = {"kind": "OpenMeters", "progressive": "shared", "meters": METERS}
FILE = {"kind": "SubmitRules", "table": "metered", "document": METERED}


class Staffed:
    """A floor with a back office and a person of each department."""

    def __init__(self) -> None:
        self.floor = Floor()
        house, rules, chance = self.floor.house, SignInRules(), Chance(9)
        table = SessionsInMemory()
        credentials = CredentialsInMemory()
        door = FrontDoor(
            hasher=ArgonHasher(chance, passes=1, memory_kib=64, lanes=1),
            credentials=credentials,
            sessions=table,
            clock=self.floor.clock,
            randomness=chance,
            rules=rules,
            factors=SecondFactors(
                keys=lambda: house.keyring, credentials=credentials, clock=self.floor.clock, randomness=chance
            ),
        )
        self.people = Office(
            store=house.store,
            writer=house.writer,
            stream=PeopleStream(),
            door=door,
            sessions=Sessions(table, self.floor.clock, rules),
            clock=self.floor.clock,
            randomness=chance,
            runner=InlineRunner(),
            rules=rules,
        )
        self.office = BackOffice(house, self.people)

    async def hire(self) -> "Staffed":
        for name, role in (("cay", "cage"), ("olga", "operator"), ("pit", "pit-manager"), ("pat", "player")):
            added = of_people.AddPerson(by=PROGRAM, at=0, person=name, roles=(role,))
            assert not isinstance(await self.people.put(added), Refusal)
        assert isinstance(await self.ask("olga", FILE), Done)
        return self

    async def ask(self, name: str, body: dict[str, Any], command: str | None = None) -> Answer:
        roles = self.people.people.accounts[name].roles
        return await self.office.do(Asked(command or self.floor.command_id(), name, roles, body))

    def heads(self) -> dict[str, int]:
        return {stream: head.sequence for stream, head in self.floor.store.heads().items()}


def staffed(test: Callable[[Staffed], Coroutine[Any, Any, None]]) -> None:
    async def work() -> None:
        await test(await Staffed().hire())

    run(work())


def test_a_confirmation_and_what_it_brings_are_one_batch() -> None:
    async def test(house: Staffed) -> None:
        await house.ask("olga", OPEN, "opening")
        assert house.floor.house.progressive("shared").state.meters == {}
        digest = agreed_on("ChangeProgressive", OPEN)
        answer = await house.ask("pit", {"kind": "Confirm", "proposal": "opening", "digest": digest})
        assert isinstance(answer, Done)
        assert [entry.kind for entry in answer.entries] == [
            "people.Confirmed",
            *["progressive.MeterOpened"] * len(METERS),
        ]
        assert len({entry.command for entry in answer.entries}) == 1
        opened = answer.entries[-1].body
        assert (opened["by"], opened["second"]) == ("olga", "pit")

    staffed(test)


def test_a_person_who_has_lost_the_role_cannot_be_confirmed() -> None:
    async def test(house: Staffed) -> None:
        boss = of_people.AddPerson(by=PROGRAM, at=0, person="adam", roles=("administrator",))
        await house.people.put(boss)
        await house.ask("olga", OPEN, "opening")
        revoked = {"kind": "RevokePerson", "person": "olga", "reason": "left"}
        assert isinstance(await house.ask("adam", revoked), Done)
        digest = agreed_on("ChangeProgressive", OPEN)
        answer = await house.ask("pit", {"kind": "Confirm", "proposal": "opening", "digest": digest})
        assert isinstance(answer, Refusal)
        assert house.floor.house.progressive("shared").state.meters == {}

    staffed(test)


def test_the_drop_is_collected_to_the_cent_and_no_further() -> None:
    async def test(house: Staffed) -> None:
        await house.floor.open("one", GAME)
        await house.floor.sit("one", "ann", 1, 700_00)
        too_much = await house.ask("cay", {"kind": "CollectDrop", "table": "one", "cents": 700_01})
        assert isinstance(too_much, Refusal)
        assert isinstance(await house.ask("cay", {"kind": "CollectDrop", "table": "one", "cents": 700_00}), Done)
        assert house.floor.house.money.state["drop:one"] == 0

    staffed(test)


def test_the_program_issues_no_money_where_people_deal() -> None:
    async def test(house: Staffed) -> None:
        issue = Asked("a", "supervisor", (AUTOMATON,), {"kind": "IssueMoney", "person": "pat", "cents": 5})
        assert isinstance(await house.office.do(issue), Refusal)  # no table at all
        await house.floor.open("one", GAME)
        assert isinstance(await house.office.do(replace(issue, id="b")), Done)

    staffed(test)


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_refused_changes_nothing(kind: str) -> None:
    async def test(house: Staffed) -> None:
        before = house.heads()
        answer = await house.ask("pat", {"kind": kind})
        assert isinstance(answer, Refusal)
        assert house.heads() == before

    staffed(test)


def test_play_money_and_money_are_kept_apart() -> None:
    async def test(house: Staffed) -> None:
        floor = house.floor
        await floor.open("free", GAME)
        program = Asked("a", "supervisor", (AUTOMATON,), {"kind": "IssueMoney", "person": "pat", "cents": 900})
        assert isinstance(await house.office.do(program), Done)
        paid = StaffedTable(floor, GAME, "paid", free_play=False, pace=30_000)
        await paid.open()
        for_money = {**program.body, "free_play": False}
        assert isinstance(await house.office.do(replace(program, id="b", body=for_money)), Refusal)
        await floor.must("paid", "pat", "player", commands.TakeSeat(seat=1))
        poor = await floor.ask("paid", "pat", "player", commands.BuyIn(cents=100))
        assert str(poor) == "Your balance is $0, so you can't buy in for $1 (H-22)"
        out = await house.ask("cay", {"kind": "RedeemMoney", "person": "pat", "cents": 100})
        assert str(out) == "pat's deposit account holds only $0 (H-13)"
        assert isinstance(await house.ask("cay", {"kind": "IssueMoney", "person": "pat", "cents": 700}), Done)
        await floor.must("paid", "pat", "player", commands.BuyIn(cents=700))
        await floor.must("paid", "pat", "player", commands.CashOut(cents=700))
        held = {account: cents for account, cents in floor.house.money.state.items() if account.endswith(":pat")}
        assert held == {"purse:pat": 900, "deposit:pat": 700}
        other = commands.ActivateSubmission(document={**paid.document, "game": GAME, "free_play": True})
        changed = await paid.ask(OPERATOR, other)
        assert isinstance(changed, Refusal)
        assert changed.clause == "H-26"

    staffed(test)


@pytest.mark.parametrize("answer", ["Confirm", "Decline"])
def test_a_person_with_several_roles_answers_in_the_one_that_may(answer: str) -> None:
    async def test(house: Staffed) -> None:
        roles = ("floorperson", "pit-manager")
        await house.people.put(of_people.AddPerson(by=PROGRAM, at=0, person="peg", roles=roles))
        await house.ask("olga", OPEN)
        (name,) = house.people.people.proposals
        body = {"kind": answer, "proposal": name}
        body |= {"digest": agreed_on(*_proposed(house, name))} if answer == "Confirm" else {"reason": "not now"}
        assert isinstance(await house.ask("peg", body), Done)

    staffed(test)


def _proposed(house: Staffed, name: str) -> tuple[str, Any]:
    waits = house.people.people.proposals[name]
    return waits.kind, waits.body


def test_before_any_table_has_rules_the_cage_says_what_kind_of_money_it_takes() -> None:
    async def test(house: Staffed) -> None:
        asked = {"kind": "IssueMoney", "person": "pat", "cents": 100_000}
        unsure = await house.ask("cay", asked)
        assert isinstance(unsure, Refusal)
        assert "Choose real money or play money" in unsure.reason
        assert isinstance(await house.ask("cay", {**asked, "free_play": False}), Done)
        assert house.floor.house.money.state["deposit:pat"] == 100_000
        for kind in ("SellChips", "RedeemChips"):
            unsure = await house.ask("cay", {"kind": kind, "cents": 500})
            assert isinstance(unsure, Refusal)
            assert "Choose real money or play money" in unsure.reason
        assert isinstance(await house.ask("cay", {"kind": "SellChips", "cents": 500, "free_play": False}), Done)
        assert house.floor.house.money.state["outstanding:money"] == 500

    staffed(test)
