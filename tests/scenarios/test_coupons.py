"""Match play coupons: bet with chips, at the same odds, taken after one decision, booked separately from cash."""

from collections.abc import Callable
from typing import Any

import pytest

from pitboss.games.catalogue import game, game_names
from scenarios.floor import DRAWN, READER, ScenarioTable

NewTable = Callable[..., ScenarioTable]
TAKING = [name for name in game_names() if game(name).procedures.instruments.beside_chips]
STAKE, FACE = 20_00, 15_00


def coupon_table(new_table: NewTable, name: str = TAKING[0], cards: str = READER, **changes: Any) -> ScenarioTable:
    """Return an open table whose submission takes coupons."""
    coupons = list(game(name).procedures.instruments.beside_chips)
    return new_table(name, cards, instruments=coupons, **changes).open()


def decided(table: ScenarioTable, wanted: str) -> Any:
    """Play rounds with a coupon on the ante of seat 1 until that ante ends as wanted, and return its result."""
    for _ in range(40):
        table.begin()
        table.must("alice", "PlaceWagers", seat=1, stakes={"ante": STAKE}, coupons={"ante": FACE})
        table.close_bets()
        while table.phase != "over":
            table.step()
        result = table.live.play.results[1, "ante"]
        if result.result == wanted:
            return result
        table.end()
    raise AssertionError(f"no ante ended in {wanted}")


@pytest.mark.parametrize("cards", [READER, DRAWN])
def test_a_coupon_lies_with_chips_and_wins_by_the_same_odds_on_its_face(new_table: NewTable, cards: str) -> None:
    table = coupon_table(new_table, cards=cards)
    result = decided(table, "win")
    win, per = map(int, result.odds.split(" to "))
    assert result.paid == (STAKE + FACE) * win // per
    assert (result.coupon, result.returned) == (FACE, STAKE)
    entries = table.entries("round.WagersSettled")
    settled = next(entry for entry in entries[::-1] if any(result["coupon"] for result in entry.body["results"]))
    assert settled.body["postings"][f"coupons:{table.table}"] == FACE
    assert sum(settled.body["postings"].values()) == 0
    assert table.live.shift.unexplained_cents == 0


def test_a_losing_wager_costs_the_chips_and_the_coupon_is_taken(new_table: NewTable) -> None:
    table = coupon_table(new_table)
    taken = table.live.shift.coupons_cents
    result = decided(table, "lose")
    assert (result.net, result.coupon) == (-STAKE, FACE)
    assert table.money()[f"coupons:{table.table}"] == table.live.shift.coupons_cents >= taken + FACE
    assert table.live.shift.unexplained_cents == 0


def test_only_chips_go_to_the_layout_and_the_coupon_is_on_the_record(new_table: NewTable) -> None:
    table = coupon_table(new_table)
    table.begin()
    stack = table.live.stack_cents("alice")
    table.must("alice", "PlaceWagers", seat=1, stakes={"ante": STAKE}, coupons={"ante": FACE})
    assert table.live.stack_cents("alice") == stack - STAKE
    assert table.money()[f"felt:{table.table}"] == STAKE
    assert table.entries("round.WagersPlaced")[-1].body["coupons"] == {"ante": FACE}


def test_a_void_takes_no_coupon(new_table: NewTable) -> None:
    table = coupon_table(new_table)
    before = table.money()
    table.begin()
    table.must("alice", "PlaceWagers", seat=1, stakes={"ante": STAKE}, coupons={"ante": FACE})
    table.close_bets()
    table.deal_one()
    table.both("dana", "flo", "ReportIrregularity", irregularity="wrong-number-of-cards")
    assert table.money() == before
    assert table.live.shift.coupons_cents == 0


@pytest.mark.parametrize(
    ("wager", "says"),
    [
        ({"stakes": {"ante": STAKE}, "coupons": {"ante": STAKE + 1_00}}, "at least that much in chips"),
        ({"stakes": {"ante": STAKE}, "coupons": {"ante": 0}}, "at least that much in chips"),
        ({"stakes": {"ante": STAKE}, "instrument": "match-play-coupon"}, "with chips"),
        ({"stakes": {"ante": STAKE}, "coupons": {"bet": FACE}}, "Place chips on bet first"),
        ({"stakes": {"ante": STAKE, "bonus": 1_00}, "coupons": {"bonus": 1_00}}, "with a chip"),
    ],
)
def test_a_coupon_without_enough_chips_is_refused(new_table: NewTable, wager: dict[str, Any], says: str) -> None:
    table = coupon_table(new_table)
    table.begin()
    refused = table.refused("alice", "PlaceWagers", seat=1, **wager)
    assert says in refused["reason"]
    assert refused["clause"] in ("§6(a)", "§6a(b)")


def test_the_submission_says_where_a_coupon_may_lie_and_what_it_may_be_worth(new_table: NewTable) -> None:
    table = coupon_table(new_table, coupon_wagers=["ante"], coupon_maximum=10_00)
    table.begin()
    refused = table.refused("alice", "PlaceWagers", seat=1, stakes={"ante": STAKE}, coupons={"ante": FACE})
    assert (refused["clause"], "at most $10" in refused["reason"]) == ("§6(a)", True)
    table.must("alice", "PlaceWagers", seat=1, stakes={"ante": STAKE}, coupons={"ante": 10_00})


@pytest.mark.parametrize("name", game_names())
def test_a_coupon_is_refused_where_the_submission_does_not_name_it(new_table: NewTable, name: str) -> None:
    table = new_table(name, instruments=[]).open()
    table.begin()
    stakes = table.least()
    first = next(iter(stakes))
    refused = table.refused("alice", "PlaceWagers", seat=1, stakes=stakes, coupons={first: 1_00})
    assert refused["clause"]


def test_everybody_at_the_table_sees_the_coupon_and_the_rules_say_where_one_may_lie(new_table: NewTable) -> None:
    table = coupon_table(new_table, coupon_wagers=["ante"], coupon_maximum=15_00)
    table.begin()
    table.must("alice", "PlaceWagers", seat=1, stakes={"ante": STAKE}, coupons={"ante": FACE})
    for name in ("alice", "bob", "dana", "flo"):
        seats = {seat["seat"]: seat["coupons"] for seat in table.view(name)["seats"]}
        assert seats == {1: {"ante": FACE}, 2: {}}
    rules = table.floor.people["alice"].http.get(f"/api/tables/{table.table}/rules").json()
    assert [wager["name"] for wager in rules["wagers"] if wager["takes_coupon"]] == ["ante"]
    assert rules["coupon_most_cents"] == FACE
    table.must("alice", "WithdrawWagers", seat=1)
    assert all(not seat["coupons"] for seat in table.view("dana")["seats"])


@pytest.mark.parametrize("name", game_names())
def test_the_rules_of_a_table_without_coupons_offer_none(new_table: NewTable, name: str) -> None:
    table = new_table(name, instruments=[]).open()
    rules = table.floor.people["alice"].http.get(f"/api/tables/{table.table}/rules").json()
    assert not any(wager["takes_coupon"] for wager in rules["wagers"])
