"""Ways around hand pays and the exclusion list: bonuses beside a payout, corrections and names."""

from typing import Any

import pytest

from scenarios.floor import ScenarioFloor, ScenarioTable
from scenarios.patron_floor import (
    ULTIMATE,
    done,
    exclude,
    hand_table,
    person,
    refused,
    royal,
    settle,
    take_down,
)
from scenarios.progressive import ROYAL, STAKE, dealt, locked, progressive_table

TWO_STRAIGHT_FLUSHES: dict[Any, str] = {
    1: "7s 8s",
    2: "Qs Ks",
    3: "2d 4h",
    "dealer": "7h Kd",
    "board": "9s Ts Js 3d 6c",
}


@pytest.fixture
def floor(patron_floor: ScenarioFloor) -> ScenarioFloor:
    return patron_floor


def new_table(floor: ScenarioFloor) -> Any:
    return lambda *args, **changes: ScenarioTable(floor, *args, **changes)


def waiting(table: ScenarioTable) -> list[tuple[int, str, int, str | None]]:
    found = table.floor.people["flo"].http.get(f"/api/tables/{table.table}/hand-pays").json()
    return [(pay["seat"], pay["wager"], pay["cents"], pay["form"]) for pay in found]


def test_an_envy_bonus_paid_with_a_meter_waits_for_its_form(floor: ScenarioFloor) -> None:
    table = dealt(progressive_table(new_table(floor)), ROYAL)
    if table.phase == "awaiting-verification":
        assert take_down(table, "cay").status_code == 200
        table.must("flo", "ValidatePayout", seat=1)
    assert table.phase == "awaiting-meter"
    before = table.live.stack_cents("bob")
    assert take_down(table, "cay").status_code == 200
    assert table.refused("flo", "ValidateMeter", seat=1)["clause"] == "H-48"
    assert table.live.stack_cents("bob") == before
    assert take_down(table, "cay", seat=2).status_code == 200
    table.must("flo", "ValidateMeter", seat=1)
    assert table.live.stack_cents("bob") == before + 5_000_00
    forms = floor.people["cay"].http.get("/api/controls/forms?series=HANDPAY").json()
    assert forms[0]["status"] == "paid"


def test_two_hands_that_bring_a_seat_a_bonus_take_two_forms(floor: ScenarioFloor) -> None:
    settle(floor, hand_pay_cents=1_500_00)
    table = progressive_table(new_table(floor))
    table.sit("carol", 3)
    locked(table, TWO_STRAIGHT_FLUSHES, ("alice", "bob", "carol"))
    numbers = []
    for _ in range(50):
        if table.phase == "over":
            break
        due = [pay for pay in waiting(table) if pay[3] is None]
        for seat in sorted({seat for seat, *_ in due}):
            assert take_down(table, "cay", seat=seat).status_code == 200
        numbers += [form for seat, wager, _, form in waiting(table) if (seat, wager) == (3, "envy")]
        table.step()
    settle(floor)
    paid = [entry.body["net"] for entry in table.entries("round.EnvyPaid") if entry.body["seat"] == 3]
    assert paid == [300 * STAKE, 300 * STAKE]
    assert len(numbers) == len(set(numbers)) == 2


def test_a_correction_takes_held_chips_from_where_they_are_held(floor: ScenarioFloor) -> None:
    name = person(floor)
    table = ScenarioTable(floor, ULTIMATE).open(())
    patron = table.seat_patron(1, 400_00, name)
    done(floor, "cay", "SellChips", person="somebody else", cents=500_00, free_play=False)
    exclude(floor, name)
    table.must("dana", "CashOut", seat=1, cents=150_00)
    assert floor.floor is not None
    money, account = floor.floor.house.money, f"deposit:{name}"
    out = money.state["outstanding:money"]
    assert money.state[account] == 150_00
    wrong = table.entries("house.ChipsCarriedAway")[-1].sequence
    table.both("flo", "pit", "Correct", entry=wrong, reason="entered for the wrong seat")
    assert table.live.stack_cents(patron) == 400_00
    assert (money.state.get(account, 0), money.state["outstanding:money"]) == (0, out)
    table.must("dana", "LeaveSeat", seat=1)
    assert money.state[account] == 400_00
    assert table.verified() is None


def test_a_correction_takes_an_unknown_patrons_held_chips_from_the_account_of_the_form(floor: ScenarioFloor) -> None:
    exclude(floor, full_name="Jos\u00e9 Held", identifier="DE 44-55")
    table = hand_table(floor)
    patron = table.seat_patron(1, 500_00)
    royal(table, patron)
    assert take_down(table, "cay", full_name="Jose\u0301 Held").status_code == 200, (
        "the accent is a character of its own"
    )
    table.must("flo", "ValidatePayout", seat=1)
    while table.live.in_round:
        table.step()
    done(floor, "cay", "SellChips", person="somebody else", cents=500_00, free_play=False)
    table.must("dana", "CashOut", seat=1, cents=100_00)
    assert floor.floor is not None
    money, account = floor.floor.house.money, f"deposit:{floor.floor.house.patrons.state.held[-1]}"
    assert money.state[account] == 100_00
    out = money.state["outstanding:money"]
    table.both("flo", "pit", "Correct", entry=table.entries("house.ChipsCarriedAway")[-1].sequence, reason="seat")
    assert (money.state.get(account, 0), money.state["outstanding:money"]) == (0, out)


def test_no_account_is_named_like_money_that_the_house_holds(floor: ScenarioFloor) -> None:
    said = refused(floor, "adam", "AddPerson", person="handpay-000099", roles=["player"])
    assert (said["clause"], said["field"]) == ("H-46", "person")


def test_a_seat_settled_again_for_a_dispute_is_a_hand_pay_too(floor: ScenarioFloor) -> None:
    table, name = hand_table(floor), person(floor)
    table.sit(name, 1, 500_00)
    table.begin()
    table.wager(name, ante=10_00, blind=10_00)
    table.close_bets()
    table.lay({1: "As Kd", "dealer": "2c 7d", "board": "Qs Js Ts 9d 4h"})  # the king of spades was misread
    while table.live.in_round:
        table.step()
    before = table.live.stack_cents(name)
    table.must("dana", "ReportDispute", seats=[1], note="the king was a spade")
    answer = {"outcome": "resettle", "note": "read from the rack", "cards": {"1": ["As", "Ks"]}}
    proposal = table.must("flo", "ResolveDispute", **answer)["proposal"]
    assert table.refused("fred", "Confirm", proposal=proposal)["clause"] == "H-48"
    assert table.live.stack_cents(name) == before
    assert waiting(table) == [(1, "blind", 5_000_00, None)]
    assert take_down(table, "cay", seat=2).status_code == 409
    assert take_down(table, "cay").status_code == 200
    table.must("fred", "Confirm", proposal=proposal)
    assert table.live.stack_cents(name) > before + 4_900_00
    assert floor.people["cay"].http.get("/api/controls/forms?series=HANDPAY").json()[0]["status"] == "paid"
    assert waiting(table) == []
    assert table.verified() is None


def lines(floor: ScenarioFloor, name: str) -> list[dict[str, Any]]:
    year = floor.people["aud"].http.get("/api/controls").json()["day"][:4]
    found: list[dict[str, Any]] = floor.people[name].http.get(f"/api/me/statement?year={year}").json()["lines"]
    return found


def test_what_was_corrected_is_not_on_the_statement(floor: ScenarioFloor) -> None:
    table, name = ScenarioTable(floor, ULTIMATE).open(()), person(floor)
    table.sit(name, 1, 800_00)
    table.must(name, "CashOut", cents=300_00)
    for kind in ("house.ChipsCarriedAway", "house.ChipsBought"):
        wrong = table.entries(kind)[-1].sequence
        table.both("flo", "pit", "Correct", entry=wrong, reason="entered for the wrong player")
    [line] = lines(floor, name)
    assert (line["deposits_cents"], line["buy_ins_cents"], line["cash_outs_cents"]) == (800_00, 0, 0)


def test_a_dispute_about_a_seat_is_on_the_statement_of_who_played_there(floor: ScenarioFloor) -> None:
    table, first, other, later = ScenarioTable(floor, ULTIMATE).open(()), person(floor), person(floor), person(floor)
    table.sit(first, 1, 500_00)
    table.sit(other, 2, 500_00)
    table.begin()
    table.wager(first)
    table.wager(other)
    table.close_bets()
    table.lay({1: "2c 7d", 2: "2d 8h", "dealer": "As Ad", "board": "Ah Kc Qd 9s 4h"})  # both lose
    while table.live.in_round:
        table.step()
    table.must(other, "LeaveSeat", seat=2)
    table.sit(later, 2, 500_00)
    before = lines(floor, other)[0]["wagers_cents"]
    assert before > 0
    table.must("flo", "ReportDispute", seats=[1], note="both hands were fouled")
    table.both("flo", "pit", "ResolveDispute", outcome="void", seats=[1, 2], note="both hands were fouled")
    assert lines(floor, later)[0]["wagers_cents"] == 0
    assert lines(floor, other)[0]["wagers_cents"] == 0
