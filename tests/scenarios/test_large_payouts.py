"""A payout at or above the house's limit waits until a floorperson verifies it, in every game."""

from collections.abc import Callable
from typing import Any

import pytest

from pitboss.games.catalogue import game_names
from scenarios.floor import DRAWN, READER, ScenarioFloor, ScenarioTable

NewTable = Callable[..., ScenarioTable]
EVERYTHING = {"payout_from_cents": 1}


def limited(new_table: NewTable, name: str, cards: str = READER, **limits: int) -> ScenarioTable:
    """Return an open table with other limits than the house's usual ones."""
    table = new_table(name, cards)
    table.document["verification"] = limits
    return table.open()


def until_one_waits(table: ScenarioTable) -> dict[str, int]:
    """Play rounds until a payout waits, and return the table's money from before that round."""
    for _ in range(30):
        before = table.money()
        table.begin()
        while table.live.in_round:
            if table.phase == "awaiting-verification":
                return before
            table.step()
    raise AssertionError("nobody won in thirty rounds")


@pytest.mark.parametrize("cards", [READER, DRAWN])
@pytest.mark.parametrize("name", game_names())
def test_a_payout_from_the_limit_on_waits_for_a_floorperson(new_table: NewTable, name: str, cards: str) -> None:
    table = limited(new_table, name, cards, **EVERYTHING)
    until_one_waits(table)
    before = table.money()
    waiting = table.live.play.payout
    assert not [
        wager for (seat, wager), result in table.live.play.results.items() if seat == waiting.seat and result.paid
    ]
    assert table.refused("dana", "EndRound")["clause"]
    assert table.refused("cay", "ValidatePayout", seat=waiting.seat)["clause"] == "H-30"
    assert table.refused("flo", "ValidatePayout", seat=waiting.seat + 1)["clause"]
    assert table.money() == before
    [duty] = [duty for duty in table.console("flo")["duties"] if duty["id"] == "validate"]
    assert (duty["clause"], duty["ruling"]) == ("H-30", "G-23")
    payout = duty["payout"]
    assert payout["cents"] == sum(line["cents"] for line in payout["lines"])
    assert all(line["odds"] and line["stake_cents"] and line["clause"] for line in payout["lines"])
    table.must("flo", **duty["command"])
    validated = table.entries("round.PayoutValidated")[-1]
    assert (validated.clause, validated.body["ruling"]) == ("H-30", "G-23")
    assert (validated.body["validated_by"], validated.body["cents"]) == ("flo", payout["cents"])
    paid = {line["wager"]: line["cents"] for line in payout["lines"]}
    results = table.live.play.results
    assert {wager: results[waiting.seat, wager].paid for wager in paid} == paid
    while table.live.in_round:
        table.step()
    assert table.entries("house.RoundEnded")[-1].body["outcome"] == "settled"


def test_the_dealer_who_settled_cannot_verify_the_payout(new_table: NewTable) -> None:
    table = limited(new_table, game_names()[0], **EVERYTHING)
    until_one_waits(table)
    seat, before = table.live.play.payout.seat, table.money()
    proposed = table.must("dana", "ValidatePayout", seat=seat)["proposal"]
    assert table.money() == before
    assert table.refused("dana", "Confirm", proposal=proposed)["clause"]
    table.must("flo", "Confirm", proposal=proposed)
    assert table.entries("round.PayoutValidated")[-1].body["validated_by"] == "flo"


def test_surveillance_verifies_a_payout_instead_of_the_floor(new_table: NewTable) -> None:
    table = limited(new_table, game_names()[0], **EVERYTHING)
    until_one_waits(table)
    seat = table.live.play.payout.seat
    assert table.refused("aud", "ValidatePayout", seat=seat)["clause"] == "H-30"
    proposed = table.must("dana", "ValidatePayout", seat=seat)["proposal"]
    table.must("sue", "Confirm", proposal=proposed)
    assert table.entries("round.PayoutValidated")[-1].body["validated_by"] == "sue"


def test_a_payout_below_both_limits_is_paid_at_once(new_table: NewTable) -> None:
    table = limited(new_table, game_names()[0], payout_from_cents=10_000_00, payout_from_times=300)
    for _ in range(5):
        table.play_round()
    assert not table.entries("round.PayoutAwaited")


@pytest.mark.parametrize("name", game_names())
def test_a_void_while_a_payout_waits_pays_nothing(new_table: NewTable, name: str) -> None:
    table = limited(new_table, name, **EVERYTHING)
    before = until_one_waits(table)
    table.both("dana", "flo", "ReportIrregularity", irregularity="wrong-number-of-cards")
    assert table.money() == before, "every stake went back and nothing was won"
    assert table.live.play.payout is None


LARGE = 10_000_00


@pytest.mark.parametrize(("ante", "waits"), [(LARGE // 4, True), (LARGE // 4 - 5_00, False)])
def test_ten_thousand_dollars_wait_where_the_house_says_nothing_else(
    new_table: NewTable, floor: ScenarioFloor, monkeypatch: pytest.MonkeyPatch, ante: int, waits: bool
) -> None:
    assert floor.floor is not None
    monkeypatch.setattr(floor.floor.house, "requires_readers", True)  # cards that a dealer enters have lower limits
    table = new_table("ultimate-texas-holdem", maximum=LARGE).open(())
    assert "verification" not in table.document
    table.enroll()
    table.sit("alice", 1, 10 * LARGE)
    table.begin()
    table.wager("alice", ante=ante, blind=ante)
    table.close_bets()
    table.lay({1: "Ac Ad", "dealer": "2s 9d", "board": "Ks 7c 8d Jc 3h"})  # the dealer doesn't open: Ante pushes
    table.deal()
    table.answer("raise 4x")
    table.play_to("settling")
    table.step()
    assert table.phase == ("awaiting-verification" if waits else "over")
    assert ((1, "play") in table.live.play.results) is not waits, "nothing is paid before it is verified"


def test_impossible_limits_are_refused(new_table: NewTable) -> None:
    table = new_table(game_names()[0])
    for limits in ({"payout_from_times": 0}, {"payout_from_cents": -1}):
        document: dict[str, Any] = {**table.document, "verification": limits}
        answer = table.floor.office("olga", {"kind": "SubmitRules", "table": table.table, "document": document})
        if answer.status_code == 200:
            refused = table.refused("olga", "ActivateSubmission", document=document)
            assert refused["clause"] == "H-5"
        else:
            assert answer.json()["refused"]["clause"]


def test_no_card_is_corrected_under_a_payout_that_waits(new_table: NewTable) -> None:
    table = new_table("ultimate-texas-holdem")
    table.document["verification"] = EVERYTHING
    table.open(("alice",))
    table.begin()
    table.wager("alice")
    table.close_bets()
    table.lay({1: "As Ad", "dealer": "Kh Kd", "board": "Ah Ac 2s 7d 9c"})
    table.deal()
    table.answer("raise 4x")  # nobody answers on the board, which comes afterwards
    table.play_to("awaiting-verification")
    assert not table.live.play.results, "the whole seat waits, so nothing else keeps its cards as they are"
    refused = table.refused("dana", "CorrectRead", was="Ah", right="3h")
    assert refused["clause"] == "G-22"
    table.must("flo", "ValidatePayout", seat=1)
