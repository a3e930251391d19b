"""Amounts drawn around limits, sent over HTTP: a table's cash and payouts; and how many requests a person may have.

What is right is worked out here, apart from the program. The amounts come from a seed, so a failure can be repeated.
"""

import random
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from scenarios.controlled_house import Controlled
from scenarios.floor import ScenarioFloor, ScenarioTable
from scenarios.test_large_payouts import limited

NewTable = Callable[..., ScenarioTable]
GAME = "top-five-poker"
CASH_LIMIT = 2_500_00  # of a table where its rules say nothing else
MOST_WAITING = 20


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Controlled]:
    floor = ScenarioFloor(tmp_path_factory.mktemp("limits"))
    yield Controlled(floor)
    floor.stop()


def around(chance: random.Random, *limits: int) -> int:
    """Draw an amount: at, beside or far from one of the limits."""
    limit = chance.choice(limits)
    return chance.choice((limit, limit - 1, limit + 1, limit - 100, limit + 100, chance.randrange(-limit, 2 * limit)))


def test_cash_at_a_table_takes_a_floorperson_from_the_limit_on(new_table: NewTable) -> None:
    chance, table = random.Random(3), new_table(GAME).open(())
    patron, bought = table.seat_patron(1), 0
    for _ in range(30):
        cents = around(chance, CASH_LIMIT) // 100 * 100
        answer = table.ask("dana", "BuyIn", seat=1, cents=cents)
        if cents <= 0:
            assert answer.status_code == 409, cents
            continue
        assert answer.status_code == 200, answer.text
        proposal = answer.json()["proposal"]
        assert (proposal is not None) == (cents >= CASH_LIMIT), cents
        if proposal is not None:
            assert table.live.stack_cents(patron) == bought, "nothing is bought before the floor has confirmed it"
            table.refused("dana", "Confirm", proposal=proposal)
            table.must(chance.choice(("flo", "pit")), "Confirm", proposal=proposal)
        bought += cents
        assert table.live.stack_cents(patron) == bought
    assert table.verified() is None


def test_a_payout_waits_for_the_floor_exactly_from_the_limit_on(new_table: NewTable) -> None:
    chance = random.Random(7)
    limit = 30_00
    high = {"payout_from_times": 10**6, "keyboard_from_times": 10**6}
    table = limited(new_table, GAME, payout_from_cents=limit, keyboard_from_cents=limit, **high)
    for _ in range(6):
        table.begin()
        for player in table.live.seats.values():
            table.wager(player, ante=chance.choice((15_00, 29_00, 30_00, 31_00, 60_00)))
        while table.live.in_round:
            table.step()
    rounds = 0
    paid: dict[tuple[int, int], int] = {}
    waited: set[tuple[int, int]] = set()
    for entry in table.entries():
        if entry.kind == "house.RoundBegun":
            rounds += 1
        elif entry.kind == "round.WagersSettled":
            key = (rounds, entry.body["seat"])
            paid[key] = paid.get(key, 0) + sum(result["paid"] for result in entry.body["results"])
        elif entry.kind == "round.PayoutAwaited":
            waited.add((rounds, entry.body["seat"]))
    assert waited == {key for key, cents in paid.items() if cents >= limit}
    assert waited < set(paid)
    assert waited


def test_nobody_has_more_than_twenty_requests_waiting_at_the_office(house: Controlled) -> None:
    asked: list[str] = []
    for number in range(MOST_WAITING):
        answer = house.floor.office("olga", {"kind": "FundVault", "cash_cents": 1_00 + number})
        assert answer.status_code == 200, answer.text
        asked.append(answer.json()["proposal"])
    further = {"kind": "FundVault", "cash_cents": 50_00}
    refused = house.floor.office("olga", further)
    assert (refused.status_code, refused.json()["refused"]["field"]) == (409, "proposal")
    other = house.floor.office("otto", further)
    assert other.status_code == 200, "another person's requests are their own"
    declined = {"kind": "Decline", "proposal": asked.pop(), "reason": "a test"}
    assert house.floor.office("cay", declined).status_code == 200
    answer = house.floor.office("olga", further)
    assert answer.status_code == 200, answer.text
    for proposal in (*asked, answer.json()["proposal"], other.json()["proposal"]):
        assert house.floor.office("cay", {**declined, "proposal": proposal}).status_code == 200


def test_nobody_has_more_than_twenty_requests_waiting_at_a_table(new_table: NewTable) -> None:
    table = new_table(GAME).open(())
    asked = [str(table.must("cay", "Fill", cents=1_00 + number)["proposal"]) for number in range(MOST_WAITING)]
    assert table.refused("cay", "Fill", cents=50_00)["field"] == "proposal"
    assert table.must("cam", "Fill", cents=50_00)["proposal"] is not None
    table.must("flo", "Confirm", proposal=asked[0])
    assert table.must("cay", "Fill", cents=50_00)["proposal"] is not None


def test_requests_that_nobody_answered_in_time_are_not_counted(new_table: NewTable) -> None:
    table = new_table(GAME).open(())
    for number in range(MOST_WAITING):
        table.must("cay", "Fill", cents=1_00 + number)
    table.floor.pass_time(11 * 60_000)
    assert table.must("cay", "Fill", cents=50_00)["proposal"] is not None
    lines: Any = table.live.proposals
    assert len(lines) == 1
