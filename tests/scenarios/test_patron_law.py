"""Exclusions, limits that players set, statements and reportable cash, over HTTP and by every role."""

import json
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from pitboss.house.live_table.table_snapshot import table_from_data, table_to_data
from pitboss.house.patron_controls.evolve import PATRONS_FOLD
from scenarios.floor import EVERYBODY, ScenarioFloor, ScenarioTable
from scenarios.patron_floor import (
    HOUR,
    ULTIMATE,
    alerts,
    done,
    exclude,
    fund,
    hand_table,
    limit,
    own,
    person,
    refused,
    royal,
    settle,
)


@pytest.fixture
def floor(patron_floor: ScenarioFloor) -> ScenarioFloor:
    return patron_floor


@pytest.fixture
def table(floor: ScenarioFloor) -> ScenarioTable:
    return ScenarioTable(floor, ULTIMATE).open(())


def test_an_excluded_person_neither_sits_nor_buys_in_nor_bets_and_the_floor_is_alerted(
    floor: ScenarioFloor, table: ScenarioTable
) -> None:
    name = person(floor)
    table.sit(name, 1, 500_00)
    table.begin()
    table.wager(name)
    table.close_bets()
    exclude(floor, name)
    while table.live.in_round:  # the round goes on to its end
        table.step()
    fund_refused = refused(floor, "cay", "IssueMoney", person=name, cents=100_00, free_play=False)
    assert fund_refused["clause"] == "H-46"
    assert refused(floor, "cay", "SellChips", person=name, cents=100_00, free_play=False)["clause"] == "H-46"
    assert table.refused(name, "BuyIn", cents=1_00)["clause"] == "H-46"
    table.begin()
    assert table.refused(name, "PlaceWagers", seat=1, stakes=table.least())["clause"] == "H-46"
    table.must("dana", "EndRound")
    held = table.live.stack_cents(name)
    table.must(name, "LeaveSeat", seat=1)
    assert table.refused(name, "TakeSeat", seat=1)["clause"] == "H-46"
    assert table.refused("dana", "TakeSeat", seat=2, player=name)["clause"] == "H-46"
    said = alerts(floor, name)
    for tried in ("take a seat", "buy in", "place a bet", "deposit", "buy chips"):
        assert any(f"tried to {tried}" in text for text in said), tried
    assert floor.floor is not None
    assert floor.floor.house.money.state[f"deposit:{name}"] == held
    assert table.verified() is None


def test_a_payout_that_an_excluded_person_claims_is_held_until_two_people_pay_it(floor: ScenarioFloor) -> None:
    name = person(floor)
    fund(floor, name, 300_00)
    exclude(floor, name)
    assert floor.floor is not None
    account = f"deposit:{name}"
    pay = {"kind": "RedeemMoney", "person": name, "cents": 300_00, "free_play": False}
    waits = floor.office("cay", pay).json()["proposal"]
    assert waits is not None
    assert floor.floor.house.money.state[account] == 300_00, "nothing is paid yet"
    assert any("the money is held" in text for text in alerts(floor, name))
    shown = floor.people["otto"].http.get("/api/office/proposals").json()
    own_proposal = next(proposal for proposal in shown if proposal["proposal"] == waits)
    confirm = {"kind": "Confirm", "proposal": waits, "digest": own_proposal["digest"]}
    for other in ("cay", "cam", "flo", "aud"):
        assert floor.office(other, confirm).status_code == 409, other
    assert floor.floor.house.money.state[account] == 300_00
    assert floor.office("otto", confirm).status_code == 200
    assert floor.floor.house.money.state.get(account, 0) == 0


def test_chips_of_an_excluded_player_without_a_device_are_held_and_not_carried_away(
    floor: ScenarioFloor, table: ScenarioTable
) -> None:
    name = person(floor)
    table.seat_patron(1, 400_00, name)
    exclude(floor, name)
    assert table.refused("dana", "BuyIn", seat=1, cents=100_00)["clause"] == "H-46"
    assert table.refused("dana", "BringChips", seat=1, cents=100)["clause"] == "H-46"
    assert floor.floor is not None
    money = floor.floor.house.money
    out = money.state.get("outstanding:money", 0)
    table.must("dana", "CashOut", seat=1, cents=150_00)
    table.must("dana", "LeaveSeat", seat=1)
    assert money.state.get("outstanding:money", 0) == out
    assert money.state[f"deposit:{name}"] == 400_00
    assert table.verified() is None


def test_who_may_exclude_and_who_may_end_an_exclusion(floor: ScenarioFloor) -> None:
    name = person(floor)
    for role_holder, role in EVERYBODY.items():
        answer = floor.office(role_holder, {"kind": "AddExclusion", "person": name, "reason": "barred"})
        assert (answer.status_code == 200) is (role in ("pit-manager", "operator")), role
    listed = floor.people["pit"].http.get("/api/patrons/exclusions").json()
    number = next(row["exclusion"] for row in listed if row["person"] == name)
    ends = {"kind": "RemoveExclusion", "exclusion": number, "reason": "appeal"}
    for role_holder, role in EVERYBODY.items():
        if role not in ("pit-manager", "operator"):
            assert floor.office(role_holder, ends).status_code == 409, role
    waits = done(floor, "pit", **ends)["proposal"]
    assert waits is not None, "nobody ends an exclusion alone"
    assert floor.floor is not None
    assert number in floor.floor.house.patrons.state.exclusions
    shown = floor.people["flo"].http.get("/api/office/proposals").json()
    assert waits not in [proposal["proposal"] for proposal in shown]
    floor.both_at_office("olga", "otto", ends)
    assert number not in floor.floor.house.patrons.state.exclusions
    assert floor.people["alice"].http.get("/api/patrons/exclusions").status_code == 409
    assert refused(floor, "pit", "AddExclusion", person="nobody-here", reason="barred")["field"] == "person"
    assert refused(floor, "pit", "AddExclusion", full_name="Only A Name", reason="barred")["field"] == "person"
    assert refused(floor, "pit", "AddExclusion", person=name, reason="barred", until=1)["field"] == "until"


def test_an_exclusion_is_a_numbered_form_that_says_who_ended_it(floor: ScenarioFloor) -> None:
    name = person(floor)
    number = exclude(floor, name, reason="barred by the commission")

    def forms(who: str) -> list[dict[str, Any]]:
        listed = floor.people[who].http.get("/api/controls/forms", params={"series": "EXCLUSION"}).raise_for_status()
        return [row for row in listed.json() if row["number"] == number]

    (row,) = forms("flo")
    assert (row["title"], row["status"], row["people"]) == (f"Exclusion: {name}", "in force", "pit")
    assert row["note"] == "barred by the commission, without an end"
    floor.both_at_office("olga", "otto", {"kind": "RemoveExclusion", "exclusion": number, "reason": "appeal granted"})
    (row,) = forms("aud")
    assert (row["status"], row["people"]) == ("ended", "pit, olga, otto")
    assert row["note"].endswith("Ended: appeal granted")
    assert forms("con") == [], "the count team doesn't see the list"
    assert floor.people["con"].http.get(f"/api/controls/forms/{number}.pdf").status_code == 404
    printed = floor.people["aud"].http.get(f"/api/controls/forms/{number}.pdf").raise_for_status()
    assert printed.content.startswith(b"%PDF")
    signed = floor.people["aud"].http.get("/api/reports/signed/exclusions").raise_for_status().json()["lines"]
    assert number in [line["number"] for line in signed]


def test_a_self_exclusion_counts_at_once_and_cannot_be_ended_before_its_end(
    floor: ScenarioFloor, table: ScenarioTable
) -> None:
    name = person(floor)
    fund(floor, name, 200_00)
    assert refused(floor, name, "ExcludeSelf", days=0)["clause"] == "H-46"
    done(floor, name, "ExcludeSelf", days=30)
    shown = own(floor, name)
    assert shown["is_excluded"]
    assert shown["excluded_until"] is not None
    assert table.refused(name, "TakeSeat", seat=1)["clause"] == "H-46"
    listed = floor.people["pit"].http.get("/api/patrons/exclusions").json()
    number = next(row["exclusion"] for row in listed if row["person"] == name)
    assert refused(floor, "olga", "RemoveExclusion", exclusion=number, reason="changed my mind")["clause"] == "H-46"
    floor.pass_time(30 * 24 * HOUR + 1)
    assert not own(floor, name)["is_excluded"]
    table.take_over("dana")
    table.must(name, "TakeSeat", seat=1)
    for role_holder, role in EVERYBODY.items():
        if role != "player":
            assert floor.office(role_holder, {"kind": "ExcludeSelf", "days": 1}).status_code == 409, role


def test_excluding_oneself_again_lengthens_the_exclusion_or_leaves_nothing_on_the_list(floor: ScenarioFloor) -> None:
    name = person(floor)
    done(floor, name, "ExcludeSelf", days=30)
    assert refused(floor, name, "ExcludeSelf", days=30)["field"] == "days", "a moment longer is no longer exclusion"
    assert refused(floor, name, "ExcludeSelf", days=5)["field"] == "days"
    done(floor, name, "ExcludeSelf", days=60)
    rules = floor.floor.house.patrons.state
    assert sum(kept.person == name for kept in rules.exclusions.values()) == 2


def test_a_free_play_table_asks_nothing_of_anyone(floor: ScenarioFloor) -> None:
    name = person(floor)
    limit(floor, name, deposit_day_cents=0, loss_day_cents=0, day_minutes=0)
    done(floor, name, "ExcludeSelf", days=30)
    table = ScenarioTable(floor, ULTIMATE, "drawn", free_play=True).open(())
    table.sit(name, 1, 500_00)
    table.play_round()
    assert table.entries("house.RoundEnded")[-1].body["outcome"] == "settled"
    assert not table.live.played


def test_a_buy_in_beyond_the_players_own_limit_is_refused_and_the_stricter_one_counts(
    floor: ScenarioFloor, table: ScenarioTable
) -> None:
    name = person(floor)
    fund(floor, name, 2_000_00)
    limit(floor, name, deposit_day_cents=300_00)
    table.must(name, "TakeSeat", seat=1)
    table.must(name, "BuyIn", cents=200_00)
    over = table.refused(name, "BuyIn", cents=100_01)
    assert (over["clause"], over["field"]) == ("H-47", "cents")
    assert "$100" in over["reason"]
    settle(floor, play_limits={"deposit_day_cents": 250_00})
    assert table.refused(name, "BuyIn", cents=50_01)["clause"] == "H-47"
    table.must(name, "BuyIn", cents=50_00)
    settle(floor)
    used = own(floor, name)["used"]
    assert (used["bought_day_cents"], used["bought_week_cents"]) == (250_00, 250_00)
    table.must(name, "BuyIn", cents=50_00)
    other = ScenarioTable(floor, ULTIMATE).open(())  # what was bought at one table counts at every other
    other.must(name, "TakeSeat", seat=1)
    assert other.refused(name, "BuyIn", cents=1_00)["clause"] == "H-47"
    floor.pass_time(24 * HOUR)
    other.take_over("dana")
    other.must(name, "BuyIn", cents=300_00)
    assert own(floor, name)["used"]["bought_week_cents"] == 600_00


def test_the_dealer_enters_no_cash_beyond_a_patrons_limit(floor: ScenarioFloor, table: ScenarioTable) -> None:
    name = person(floor)
    limit(floor, name, deposit_day_cents=300_00)
    table.seat_patron(1, 300_00, name)
    assert table.refused("dana", "BuyIn", seat=1, cents=1_00)["clause"] == "H-47"


def test_losses_stop_at_the_limit_and_a_round_in_progress_goes_on(floor: ScenarioFloor, table: ScenarioTable) -> None:
    name = person(floor)
    table.sit(name, 1, 1_000_00)
    limit(floor, name, loss_day_cents=60_00)
    table.begin()
    assert table.refused(name, "PlaceWagers", seat=1, stakes={"ante": 35_00, "blind": 35_00})["clause"] == "H-47"
    table.wager(name, ante=30_00, blind=30_00)
    table.close_bets()
    table.lay({1: "2c 7d", "dealer": "As Ad", "board": "Ah Kc Qd 9s 4h"})
    table.deal()
    table.answer("raise 4x")  # beyond the limit, but the round isn't interrupted
    while table.live.in_round:
        table.step()
    lost = own(floor, name)["used"]["lost_day_cents"]
    assert lost == 180_00 == 1_000_00 - table.live.stack_cents(name)
    table.begin()
    assert table.refused(name, "PlaceWagers", seat=1, stakes=table.least())["clause"] == "H-47"
    table.must("dana", "EndRound")
    assert table.refused(name, "BuyIn", cents=1_00)["clause"] == "H-47"


def test_bets_at_two_tables_at_once_do_not_pass_a_limit_together(floor: ScenarioFloor) -> None:
    name = person(floor)
    tables = [ScenarioTable(floor, ULTIMATE).open(())]
    second = ScenarioTable(floor, ULTIMATE)
    second.dealer = "dov"
    tables.append(second.open(()))
    for table in tables:
        table.sit(name, 1, 500_00)
        table.begin()
    limit(floor, name, loss_day_cents=50_00)
    body = {"kind": "PlaceWagers", "seat": 1, "stakes": {"ante": 20_00, "blind": 20_00}}
    with ThreadPoolExecutor(2) as pool:
        answers = list(pool.map(lambda table: floor.people[name].command(table.table, body).status_code, tables))
    assert sorted(answers) == [200, 409]


def test_time_at_tables_counts_and_no_bet_is_taken_beyond_it(floor: ScenarioFloor, table: ScenarioTable) -> None:
    name = person(floor)
    table.sit(name, 1, 500_00)
    limit(floor, name, day_minutes=60)
    floor.pass_time(30 * 60_000)
    table.take_over("dana")
    table.begin()
    table.wager(name)
    floor.pass_time(31 * 60_000)
    table.take_over("dana")
    table.close_bets()
    while table.live.in_round:
        table.step()
    assert own(floor, name)["used"]["day_minutes"] >= 60
    table.begin()
    assert table.refused(name, "PlaceWagers", seat=1, stakes=table.least())["clause"] == "H-47"
    table.must("dana", "EndRound")
    table.must(name, "LeaveSeat", seat=1)
    assert table.refused(name, "TakeSeat", seat=1)["clause"] == "H-47"
    live = table.live
    assert floor.floor is not None
    data = json.loads(json.dumps(table_to_data(live)))
    assert table_from_data(data, floor.floor.house.reading).played == live.played


def test_a_stricter_limit_counts_at_once_and_a_looser_one_after_a_day(floor: ScenarioFloor) -> None:
    name = person(floor)
    limit(floor, name, deposit_day_cents=300_00, loss_day_cents=100_00)
    limit(floor, name, deposit_day_cents=500_00, loss_day_cents=50_00)
    shown = own(floor, name)
    assert (shown["limits"]["deposit_day_cents"], shown["limits"]["loss_day_cents"]) == (300_00, 50_00)
    assert (shown["later"]["deposit_day_cents"], shown["later"]["loss_day_cents"]) == (500_00, 50_00)
    floor.pass_time(24 * HOUR - 60_000)
    assert own(floor, name)["limits"]["deposit_day_cents"] == 300_00
    floor.pass_time(60_001)
    shown = own(floor, name)
    assert (shown["limits"]["deposit_day_cents"], shown["later"]) == (500_00, None)
    limit(floor, name)  # no limits at all is the loosest wish
    assert own(floor, name)["limits"]["deposit_day_cents"] == 500_00
    limit(floor, name, deposit_day_cents=400_00)  # takes back what was waiting
    shown = own(floor, name)
    assert shown["limits"]["deposit_day_cents"] == 400_00
    assert shown["later"]["loss_day_cents"] is None
    assert refused(floor, name, "SetOwnLimits", limits={"loss_day_cents": -1})["clause"] == "H-47"
    for role_holder, role in EVERYBODY.items():
        if role != "player":
            body = {"kind": "SetOwnLimits", "limits": {"day_minutes": 1}}
            assert floor.office(role_holder, body).status_code == 409, role


def test_a_statement_adds_up_to_the_cent_and_is_ones_own(floor: ScenarioFloor) -> None:
    table, name = ScenarioTable(floor, ULTIMATE).open(()), person(floor)
    table.sit(name, 1, 800_00)
    for _ in range(3):
        table.play_round()
    left = table.live.stack_cents(name)
    table.must(name, "LeaveSeat", seat=1)
    done(floor, "cay", "RedeemMoney", person=name, cents=100_00, free_play=False)
    year = floor.people["aud"].http.get("/api/controls").json()["day"][:4]
    http = floor.people[name].http
    made = http.get(f"/api/me/statement?year={year}").raise_for_status().json()
    [line] = made["lines"]
    assert (line["deposits_cents"], line["payouts_cents"]) == (800_00, 100_00)
    assert (line["buy_ins_cents"], line["cash_outs_cents"]) == (800_00, left)
    assert line["net_cents"] == left - 800_00 == line["wins_cents"] - line["losses_cents"]
    results = [result for entry in table.entries("round.WagersSettled") for result in entry.body["results"]]
    assert line["wagers_cents"] == sum(result["stake"] for result in results)
    assert made["header"]["Report"] == f"Statement of {name} for {year}"
    [month] = http.get(f"/api/me/statement?year={year}&by=month").json()["lines"]
    assert month == {**line, "period": line["period"][:7]}
    assert http.get(f"/api/me/statement?year={int(year) - 1}").json()["note"] == "No activity"
    assert "net_cents" in http.get(f"/api/me/statement?year={year}&format=csv").text
    assert http.get(f"/api/me/statement?year={year}&format=pdf").content.startswith(b"%PDF")
    for role_holder, role in EVERYBODY.items():
        seen = floor.people[role_holder].http.get(f"/api/patrons/{name}/statement?year={year}")
        assert (seen.status_code == 200) is (role in ("cage", "auditor", "regulator")), role
        if seen.status_code == 200:
            assert seen.json()["lines"] == [line]
    assert http.get(f"/api/patrons/alice/statement?year={year}").status_code == 409


def test_chips_for_cash_at_the_cage_count_toward_the_reportable_day(floor: ScenarioFloor) -> None:
    name = person(floor, "cash")
    for cents in (6_000_00, 2_500_00):
        done(floor, "cay", "SellChips", person=name, cents=cents, free_play=False)
    done(floor, "cay", "RedeemChips", person=name, cents=3_000_00, free_play=False)
    assert any("near the limit" in text for text in alerts(floor, name, "cash"))
    assert not any("file a currency" in text for text in alerts(floor, name, "cash"))
    fund(floor, name, 1_500_00)
    assert not any("file a currency" in text for text in alerts(floor, name, "cash")), "exactly $10,000"
    fund(floor, name, 1)
    assert any("file a currency" in text for text in alerts(floor, name, "cash"))
    days = floor.people["aud"].http.get("/api/reports/signed/cash-days").json()["lines"]
    sums = {line["way"]: line["cents"] for line in days if line["person"] == name}
    assert sums == {"in": 10_000_01, "out": 3_000_00}
    log = floor.people["aud"].http.get("/api/reports/signed/cash-log").json()["lines"]
    assert len([line for line in log if line["person"] == name]) == 5


def test_the_state_is_the_same_read_again_from_the_record(floor: ScenarioFloor) -> None:
    assert floor.floor is not None
    limit(floor, person(floor), deposit_day_cents=300_00)
    exclude(floor, person(floor))
    state = PATRONS_FOLD.empty()
    for entry in floor.floor.store.read("patrons"):
        state = PATRONS_FOLD.evolve(state, entry)
    assert state == floor.floor.house.patrons.state
    assert PATRONS_FOLD.from_data(json.loads(json.dumps(PATRONS_FOLD.to_data(state)))) == state


def test_a_house_that_switched_it_off_asks_nothing(floor: ScenarioFloor) -> None:
    name = person(floor)
    limit(floor, name, deposit_day_cents=0, day_minutes=0)
    done(floor, name, "ExcludeSelf", days=30)
    settle(floor, exclusions=False, player_limits=False, hand_pays=False)
    try:
        table = hand_table(floor)
        table.sit(name, 1, 500_00)
        royal(table, name)
        assert table.phase == "over", "no hand pay, and the house's own limits are higher"
        assert refused(floor, name, "ExcludeSelf", days=1)["clause"] == "H-45"
        assert refused(floor, name, "SetOwnLimits", limits={"day_minutes": 1})["clause"] == "H-45"
    finally:
        settle(floor)
