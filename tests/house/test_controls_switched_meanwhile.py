"""Commands at the cage window that wait for their turn while two people switch money controls on."""

import asyncio
import random
from typing import Any

import pytest

from house.floors import run
from house.wild_controls import ROLES, ControlledHouse
from pitboss.house.back_office import agreed_on
from pitboss.house.money.ledger import purse
from pitboss.house.running_tables import Answer, Asked, Done
from pitboss.rules.refusal import Refusal

ON = {"kind": "ChangeHouseSettings", "settings": {"money_controls": True}}
CONFIRM = {"kind": "Confirm", "proposal": "on", "digest": agreed_on("ChangeHouseSettings", ON)}


async def about_to_switch() -> ControlledHouse:
    house = ControlledHouse()
    await house.open(random.Random(1))
    await house.count_cage()
    await house.together("olga", "otto", {"kind": "ChangeHouseSettings", "settings": {}})
    assert isinstance(await house.ask("olga", ON, "on"), Done)
    return house


def issue(cents: int) -> dict[str, Any]:
    return {"kind": "IssueMoney", "person": "pat", "cents": cents, "free_play": False}


async def at_once(house: ControlledHouse, lock: asyncio.Lock, *asked: tuple[str, dict[str, Any]]) -> list[Answer]:
    """Have commands wait for one lock, and return their answers."""
    async with lock:
        waiting = []
        for name, body in asked:
            command = Asked(house.floor.command_id(), name, (ROLES[name],), body)
            waiting.append(asyncio.create_task(house.office.do(command)))
            for _ in range(10):
                await asyncio.sleep(0)
    return [await asyncio.wait_for(answer, 5) for answer in waiting]


def test_the_cages_books_are_those_of_the_record_whichever_comes_first() -> None:
    async def worked() -> None:
        house = await about_to_switch()
        account = house.floor.house.money.of(purse("pat", free_play=False))
        issued, switched = await at_once(house, account.lock, ("cay", issue(100_00)), ("otto", CONFIRM))
        assert isinstance(issued, Done)
        assert isinstance(switched, Done)
        house.checker.follow(house.floor.store)
        house.compare()
        house.read_again()

    run(worked())


@pytest.mark.parametrize(("cents", "clause"), [(100_00, "H-44"), (2_500_00, "H-45")])
def test_what_waited_at_the_window_follows_the_controls_in_force(cents: int, clause: str) -> None:
    async def worked() -> None:
        house = await about_to_switch()
        lock = house.floor.house.controls.lock
        switched, issued = await at_once(house, lock, ("otto", CONFIRM), ("cay", issue(cents)))
        assert isinstance(switched, Done)
        assert isinstance(issued, Refusal)  # the cage is closed, or a cashier doesn't do this alone any more
        assert issued.clause == clause
        house.checker.follow(house.floor.store)
        house.compare()

    run(worked())


def test_two_cashiers_do_not_pay_a_person_who_was_excluded_while_their_request_waited() -> None:
    async def worked() -> None:
        house = await about_to_switch()
        settings = {"exclusions": True, "money_controls": True}
        await house.together("olga", "otto", {"kind": "ChangeHouseSettings", "settings": settings})
        await house.count_cage()
        account = purse("pat", free_play=False)
        held = house.floor.house.money.state[account]
        assert held >= 3_000_00
        pay = {"kind": "RedeemMoney", "person": "pat", "cents": 3_000_00, "free_play": False}
        assert isinstance(await house.ask("cay", pay, "much"), Done)
        await house.ask("pit", {"kind": "AddExclusion", "person": "pat", "reason": "barred"})
        confirm = {"kind": "Confirm", "proposal": "much", "digest": agreed_on("MoveMuchMoney", pay)}
        answer = await house.ask("cam", confirm)
        assert isinstance(answer, Refusal)
        assert answer.clause == "H-46"
        assert house.floor.house.money.state[account] == held

    run(worked())
