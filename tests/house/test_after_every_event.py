"""After every event: the ledger sums to zero, every meter balances, and a command given again changes nothing."""

import random
from collections import Counter
from dataclasses import replace
from typing import Any

import pytest

from house.checked_office import SECRET, Office, failed
from house.floors import PROGRESSIVE, TRAY, Floor, read_terms, run
from house.live_table import test_anything
from house.wild_controls import asked_of_controls
from pitboss.games.catalogue import game_names
from pitboss.house.back_office import KINDS, agreed_on
from pitboss.house.live_table import commands
from pitboss.house.live_table.table_terms import AUTOMATON, HOUSE_DEALER, version_of
from pitboss.house.running_tables import Answer, Asked, Done
from pitboss.house.unrecorded_commands import REUSED
from pitboss.rules.plain import plain
from pitboss.rules.refusal import Refusal
from pitboss.table.people import Person
from simulation.checks import Checker

pytestmark = pytest.mark.slow

ADA = Person("ada", "administrator")
DEMANDED = ((), ("dealer",), ("cage",), ("cage", "dealer"), ("cook",))
METERED = next(name for name in game_names() if read_terms({"game": name}).progressive)


class Repeating(Floor):
    """A floor on which every command is given again, and once more with another content; all is checked each time."""

    def __init__(self, seed: int = 1) -> None:
        super().__init__(seed)
        self.checker = Checker(self.keyring, read_terms, failed)
        self.accepted: Counter[str] = Counter()
        self.repeated: Counter[str] = Counter()

    async def ask(self, table: str, person: str, role: str, body: Any, **rest: Any) -> Answer:
        """Give a command, and then again what was accepted."""
        self.clock.now += 1
        data = dict(body) if isinstance(body, dict) else commands.data_of(body)
        asked = Asked(self.command_id(), person, (role,), data, **rest)
        answer = await self.house.do(table, asked)
        self.checker.follow(self.store)
        if isinstance(answer, Done):
            self.accepted[str(data["kind"])] += 1
            await self._again(table, asked, answer)
        return answer

    async def _again(self, table: str, asked: Asked, done: Done) -> None:
        live, heads = self.house.live(table), self.store.heads()
        again = await self.house.do(table, asked)
        assert again == Done(done.entries, again=True), asked
        other = replace(asked, body={"kind": "Tip", "cents": 7})
        assert await self.house.do(table, other) == REUSED, asked
        assert await self.house.do(table, replace(asked, person="mallory")) == REUSED, asked
        assert self.house.live(table) is live
        left = {stream: head for stream, head in self.store.heads().items() if stream != "floor"}
        assert left == {stream: head for stream, head in heads.items() if stream != "floor"}
        self.checker.follow(self.store)
        self.repeated[str(asked.body["kind"])] += 1


@pytest.mark.parametrize("cards", ["reader", "shuffle"])
def test_whatever_is_asked_of_a_table(monkeypatch: pytest.MonkeyPatch, cards: str) -> None:
    monkeypatch.setattr(test_anything, "Floor", Repeating)

    async def watched() -> Counter[str]:
        accepted: Counter[str] = Counter()
        for number, name in enumerate(game_names()):
            watch = await test_anything.wild(name, number + 40, 450, cards=cards)
            floor = watch.table.floor
            assert isinstance(floor, Repeating)
            assert floor.repeated == floor.accepted
            floor.checker.compare(watch.table.live)
            accepted += floor.accepted
        return accepted

    accepted = run(watched())
    # The simulator sees to it that every kind of command is accepted; here it is most of them, each of them twice.
    assert len(accepted) >= 25, sorted(accepted)


@pytest.mark.parametrize("name", game_names())
def test_whole_rounds_of_a_table_that_deals_by_itself(name: str) -> None:
    async def played() -> Repeating:
        floor = Repeating(6)
        await floor.open("t", name)
        for person, seat in (("alice", 1), ("bob", 2)):
            await floor.sit("t", person, seat)
        await floor.rounds("t", 6)
        token = floor.house.live("t").lease.token
        for command in (commands.Fill(cents=50_00), commands.Credit(cents=20_00)):
            await floor.must("t", HOUSE_DEALER, AUTOMATON, command, token=token)
        floor.checker.compare(floor.house.live("t"))
        return floor

    floor = run(played())
    assert floor.repeated == floor.accepted
    assert {"PlaceWagers", "Act", "DealCards", "Settle", "EndRound", "Fill", "Credit"} <= set(floor.accepted)


def anything(house: Office, chance: random.Random, number: int) -> tuple[str, dict[str, Any]]:
    """Return a person and a back-office command, valid or not."""
    cents = chance.choice((-5, 0, 1_00, 50_00, 10_000_00))
    person = chance.choice(("pat", "nobody", "cay"))
    opened = [plain(meter) for meter in read_terms({"game": METERED}).meters]
    terms = {**chance.choice(opened), "rate": chance.choice(("1/10", "1/7", "1/7", "3/2"))}
    version = version_of({"game": METERED})
    other = {"game": METERED, "progressive": "other"}
    moved = {"meter": terms["name"], "to_progressive": "other", "to_meter": terms["name"], "reason": "it ends"}
    waiting = house.people.people.proposals
    proposal = chance.choice(list(waiting)) if waiting else "none"
    proposed = waiting.get(proposal)
    digest = agreed_on(proposed.kind, proposed.body) if proposed else "none"
    new = f"new-{number}"
    known = chance.choice([account for account in house.people.people.accounts if account.startswith("new-")] or [new])
    by = chance.choice(("olga", "pit", "cay", "ada"))
    return chance.choice(
        (
            ("cay", {"kind": "IssueMoney", "person": person, "cents": cents}),
            ("cay", {"kind": "RedeemMoney", "person": person, "cents": cents}),
            ("cay", {"kind": "SellChips", "cents": cents}),
            ("cay", {"kind": "RedeemChips", "cents": cents}),
            ("cay", {"kind": "CollectDrop", "table": "t", "cents": cents}),
            ("olga", {"kind": "SubmitRules", "table": "t", "document": {"game": METERED}}),
            ("olga", {"kind": "SubmitRules", "table": "u", "document": other, "approval": "reference"}),
            ("olga", {"kind": "RecordApproval", "table": "t", "version": version, "approval": "reference"}),
            ("olga", {"kind": "PostNotice", "table": "t", "version": version, "days": chance.choice((0, 3))}),
            ("olga", {"kind": "OpenMeters", "progressive": PROGRESSIVE, "meters": opened}),
            ("olga", {"kind": "OpenMeters", "progressive": "other", "meters": opened}),
            ("olga", {"kind": "MoveMeter", "progressive": PROGRESSIVE, **moved, "retires": number > 300}),
            ("olga", {"kind": "ChangeTerms", "progressive": PROGRESSIVE, "terms": terms, "reason": "agreed"}),
            ("olga", {"kind": "LinkTable", "progressive": PROGRESSIVE, "table": "t"}),
            ("olga", {"kind": "UnlinkTable", "progressive": PROGRESSIVE, "table": "t"}),
            ("pit", {"kind": "Confirm", "proposal": proposal, "digest": digest}),
            ("pit", {"kind": "Confirm", "proposal": proposal, "digest": digest}),
            ("pit", {"kind": "Confirm", "proposal": proposal, "digest": digest}),
            (by, {"kind": "Decline", "proposal": proposal, "reason": "no"}),
            ("ada", {"kind": "AddPerson", "person": new, "roles": ["dealer"]}),
            ("ada", {"kind": "ChangeRoles", "person": known, "roles": [chance.choice(("dealer", "floorperson"))]}),
            ("ada", {"kind": "ChangeDetails", "person": known, "details": {"full_name": f"Person {number}"}}),
            ("ada", {"kind": "LockPerson", "person": known, "reason": "asked for"}),
            ("ada", {"kind": "UnlockPerson", "person": known}),
            ("ada", {"kind": "ResetPerson", "person": known}),
            ("ada", {"kind": "RevokePerson", "person": known, "reason": "left"}),
            ("ada", {"kind": "DemandSecondFactor", "roles": list(chance.choice(DEMANDED))}),
            ("ada", {"kind": "ResetFactors", "person": chance.choice(("cay", "pat", "ada", "nobody"))}),
            ("adam", {"kind": "Confirm", "proposal": proposal, "digest": digest}),
            ("adam", {"kind": "Confirm", "proposal": proposal, "digest": digest}),
        )
    )


async def asked_of_office() -> Counter[str]:
    """Return how often each command was accepted in three free-play houses, asked for anything."""
    accepted: Counter[str] = Counter()
    for seed in range(3):
        house, chance = Office(), random.Random(seed)
        await house.hire()
        await house.add(("ada", "administrator"), ("adam", "administrator"))
        for name in ("cay", "pat"):
            assert not isinstance(await house.people.set_password(ADA, name, SECRET), Refusal)
        await opened(house)
        for number in range(400):
            if number % 20 == 0:  # whoever lost a second factor gets another, so that nobody stays locked out
                await equipped(house)
            who, body = anything(house, chance, number)
            await house.ask(who, body)
        accepted += house.accepted
    return accepted


def test_whatever_is_asked_of_the_back_office() -> None:
    accepted = run(asked_of_office()) + run(asked_of_controls())
    assert set(KINDS) == set(accepted), sorted(set(KINDS) ^ set(accepted))


async def equipped(house: Office) -> None:
    """Enroll a second factor for those who have a password and none."""
    for name, role in (("cay", "cage"), ("pat", "player")):
        if not house.people.people.accounts[name].factors:
            await house.enroll(name, role)


async def opened(house: Office) -> None:
    """Open a table with money in its drop box, so that there is something to collect and to link."""
    floor = house.floor
    floor.house.open("t")
    submission = commands.ActivateSubmission(document={"game": METERED})
    await floor.must("t", HOUSE_DEALER, AUTOMATON, submission)
    await floor.must("t", HOUSE_DEALER, AUTOMATON, commands.OpenTable(tray_cents=TRAY))
    await floor.sit("t", "pat", 1)
