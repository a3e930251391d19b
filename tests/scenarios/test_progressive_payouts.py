"""Progressive payouts wait for a floorperson, at fixed odds too, and envy bonuses are paid after them."""

from collections.abc import Callable
from typing import Any

import pytest

from browser.dealt import stacked
from pitboss.cards.deck import Card
from scenarios.floor import DRAWN, ScenarioTable
from scenarios.progressive import DRAGON, FULL_HOUSE, HOLDEM, METER_CENTS, ROYAL, STAKE, TRIPS, dealt, progressive_table

NewTable = Callable[..., ScenarioTable]
CLAUSE = "Ch. 11 §J(2)(c)"
ENVY_CLAUSE = "Ch. 12 §D(7)(a)(i)"
DRAGONS: dict[Any, str] = {1: "Dr Db Ph"}


def validation(table: ScenarioTable) -> dict[str, Any]:
    """Return the duty of validating the payout that waits."""
    found: dict[str, Any] = next(duty for duty in table.console("flo")["duties"] if duty["id"] == "validate")
    return found


def won(table: ScenarioTable, wager: str = "progressive") -> list[dict[str, Any]]:
    """Return the recorded wins of a wager."""
    every = [result for entry in table.entries("round.WagersSettled") for result in entry.body["results"]]
    return [result for result in every if result["wager"] == wager and result["result"] == "win"]


@pytest.mark.parametrize(
    ("name", "hands", "odds", "cents", "clause", "ruling"),
    [(HOLDEM, TRIPS, "9 for 1", 45_00, CLAUSE, "UT-29"), (DRAGON, DRAGONS, "5 for 1", 5_00, "H-14", None)],
    ids=[HOLDEM, DRAGON],
)
def test_a_progressive_payout_at_fixed_odds_waits_for_a_floorperson(
    new_table: NewTable, name: str, hands: dict[Any, str], odds: str, cents: int, clause: str, ruling: str | None
) -> None:
    table = dealt(progressive_table(new_table, name), hands)
    assert table.phase == "awaiting-verification"
    before = table.money()
    assert not won(table)
    assert table.refused("dana", "Settle")["clause"]
    assert table.refused("alice", "ValidatePayout", seat=1)["clause"] == "H-30"
    assert table.must("dana", "ValidatePayout", seat=1)["proposal"], "the dealer who settled cannot validate it"
    assert table.money() == before
    duty = validation(table)
    assert (duty["clause"], duty["ruling"], duty["by"]) == (clause, ruling, "floorperson")
    payout = duty["payout"]
    assert (payout["seat"], payout["player"], payout["cents"]) == (1, "alice", cents)
    [line] = payout["lines"]
    assert (line["wager"], line["odds"], line["cents"]) == ("progressive", odds, cents)
    assert payout["hand"]
    table.must("flo", **duty["command"])
    assert [result["paid"] for result in won(table)] == [cents]
    validated = table.entries("round.PayoutValidated")[-1]
    assert (validated.body["validated_by"], validated.body["cents"], validated.clause) == ("flo", cents, clause)
    assert table.phase == "over"
    table.end()


def test_the_command_that_validates_a_meter_validates_a_fixed_progressive_payout_too(new_table: NewTable) -> None:
    table = dealt(progressive_table(new_table), TRIPS)
    table.must("fred", "ValidateMeter", seat=1)
    assert table.entries("round.PayoutValidated")[-1].body["validated_by"] == "fred"


def test_the_house_sets_from_which_amount_a_progressive_payout_waits(new_table: NewTable) -> None:
    limits = {"verification": {"progressive_from_cents": 9 * STAKE + 1}}
    table = dealt(progressive_table(new_table, beside=limits), TRIPS)
    assert table.phase == "over", "three of a kind is paid by the dealer here"
    table.end()
    dealt(table, FULL_HOUSE)
    assert validation(table)["payout"]["cents"] == 50 * STAKE


def test_envy_is_paid_after_the_holders_payout_was_validated(new_table: NewTable) -> None:
    table = dealt(progressive_table(new_table), ROYAL)
    assert table.phase == "awaiting-verification", "the Blind pays 500 to 1 on a royal flush"
    table.validate()
    assert table.phase == "awaiting-meter"
    assert not table.entries("round.EnvyPaid"), "the holder's own payout is not validated yet"
    payout = validation(table)["payout"]
    assert (payout["cents"], payout["lines"][0]["odds"]) == (METER_CENTS + 2 * STAKE // 5, "100 % of meter")
    before = table.live.stack_cents("bob")
    table.validate()
    [envy] = table.entries("round.EnvyPaid")
    assert (envy.body["seat"], envy.body["from_seat"], envy.body["net"]) == (2, 1, 5_000_00)
    [bonus] = next(seat["envy"] for seat in table.view()["seats"] if seat["seat"] == 2)
    assert (bonus["from_seat"], bonus["net"], bonus["clause"]) == (1, 5_000_00, envy.body["clause"])
    assert table.live.stack_cents("bob") == before + 5_000_00
    kinds = [entry.kind for entry in table.entries() if entry.kind.startswith("round.")]
    after = kinds[kinds.index("round.MeterAwaited") :]
    assert after[1:4] == ["round.MeterPaid", "round.WagersSettled", "round.EnvyPaid"]
    assert table.phase == "over"
    table.end()


def test_envy_is_in_the_dealers_payments_and_in_the_audits_money_with_its_clause(new_table: NewTable) -> None:
    table = dealt(progressive_table(new_table), ROYAL)
    assert not [line for line in table.console()["paid"] if line["from_seat"]], "it is paid after the validation"
    while table.phase != "over":
        table.step()
    [envy] = table.entries("round.EnvyPaid")
    assert envy.body["clause"] == ENVY_CLAUSE
    [line] = [line for line in table.console()["paid"] if line["from_seat"]]
    assert (line["seat"], line["from_seat"], line["hand"]) == (2, 1, envy.body["hand"])
    assert (line["cents"], line["clause"]) == (5_000_00, ENVY_CLAUSE)
    assert line["chips"]
    table.end()
    audited = table.floor.people["aud"].http.get(f"/api/audit/rounds/{table.live.round}").raise_for_status().json()
    paid_at = next(step for step in audited["steps"] if step["kind"] == "round.EnvyPaid")
    assert (paid_at["clause"], "an envy bonus of $5,000" in paid_at["told"]) == (ENVY_CLAUSE, True)
    own = next(seat for seat in audited["steps"][-1]["seen"]["seats"] if seat["seat"] == 2)
    [bonus] = own["envy"]
    assert (bonus["from_seat"], bonus["hand"]) == (1, envy.body["hand"])
    assert (bonus["net"], bonus["clause"]) == (5_000_00, ENVY_CLAUSE)
    assert audited["disagrees"] == []


def test_envy_for_a_hand_without_the_progressive_wager_waits_itself(new_table: NewTable) -> None:
    table = progressive_table(new_table, options={"envy-needs-wager": "no"})
    dealt(table, ROYAL, staked=("bob",))
    assert not table.entries("round.EnvyPaid")
    payout = validation(table)["payout"]
    assert [(bonus["seat"], bonus["from_seat"], bonus["cents"]) for bonus in payout["envy"]] == [(2, 1, 5_000_00)]
    table.validate()
    [envy] = table.entries("round.EnvyPaid")
    assert envy.sequence > table.entries("round.PayoutValidated")[-1].sequence
    assert envy.body["net"] == 5_000_00


def test_a_void_while_a_payout_waits_gives_everything_back(new_table: NewTable) -> None:
    table = progressive_table(new_table)
    before = table.money()
    dealt(table, TRIPS)
    table.both("dana", "flo", "ReportIrregularity", irregularity="wrong-number-of-cards")
    assert table.live.play.outcome == "void"
    assert table.money() == before
    assert table.refused("flo", "ValidatePayout", seat=1)["clause"]
    table.end()


def test_a_meter_hit_at_a_table_that_draws_its_cards_is_validated_paid_and_reset(new_table: NewTable) -> None:
    table = progressive_table(new_table, cards=DRAWN)
    stakes = {seat: {**table.least(), "progressive": STAKE} for seat in table.live.seats}
    try:
        table.floor.stacked = stacked(
            table.document, stakes, {place: [Card(face) for face in cards.split()] for place, cards in ROYAL.items()}
        )
        table.prepare()
    finally:
        table.floor.stacked = []
    before = {name: table.live.stack_cents(name) for name in ("alice", "bob")}
    table.must("dana", "BeginRound")
    assert table.entries("house.OrderFixed"), "the program draws the cards of this table"
    for seat, name in table.live.seats.items():
        table.must(name, "PlaceWagers", seat=seat, stakes=stakes[seat])
    table.must("dana", "CloseBets")
    while table.phase in ("dealing", "asking", "settling"):
        table.step()
    assert table.phase == "awaiting-verification", "the Blind pays 500 to 1 on a royal flush"
    table.validate()
    assert table.phase == "awaiting-meter"
    hit = METER_CENTS + 2 * STAKE // 5
    assert (shown_cents(table), table.entries("round.EnvyPaid"), won(table)) == (hit, [], [])
    held = table.money()
    assert table.refused("dana", "Settle")["clause"]
    assert table.refused("alice", "ValidateMeter", seat=1)["clause"] == CLAUSE
    assert (table.money(), shown_cents(table)) == (held, hit)
    payout = validation(table)["payout"]
    assert (payout["seat"], payout["cents"], payout["lines"][0]["odds"]) == (1, hit, "100 % of meter")
    table.must("flo", **validation(table)["command"])
    [paid], [envy] = table.entries("round.MeterPaid"), table.entries("round.EnvyPaid")
    assert (paid.body["seat"], paid.body["paid"]) == (1, hit)
    assert (envy.body["seat"], envy.body["from_seat"], envy.body["net"]) == (2, 1, 5_000_00)
    assert envy.sequence > paid.sequence
    assert shown_cents(table) == METER_CENTS, "the meter begins again at its reset amount"
    results = {seat["seat"]: seat for seat in table.view()["seats"]}
    for seat, name in table.live.seats.items():
        net = sum(result["net"] for result in results[seat]["results"]) + results[seat]["envy_cents"]
        assert table.live.stack_cents(name) == before[name] + net
    assert sum(bonus["net"] for bonus in results[2]["envy"]) == 5_000_00
    table.end()
    assert table.verified() is None


def shown_cents(table: ScenarioTable) -> int:
    """Return what the table's meter shows to everybody at it."""
    [cents] = table.view()["meters"].values()
    return int(cents)
