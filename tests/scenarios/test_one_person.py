"""A person who is dealer, floorperson and pit manager is still one person and can't rule on their own report."""

from collections.abc import Callable
from typing import Any

import pytest

from scenarios.floor import ScenarioTable
from scenarios.test_held import REPORT, WRONG_NUMBER

NewTable = Callable[..., ScenarioTable]
TF, UT = "top-five-poker", "ultimate-texas-holdem"
EXPOSED = {"irregularity": "dealer-card-exposed", "note": "one card, seen by all"}


def by_tri(new_table: NewTable, name: str, moment: str = "asking") -> ScenarioTable:
    """Return a table dealt by a person with three roles."""
    table = new_table(name)
    table.dealer = "tri"
    table.open()
    table.begin()
    table.play_to(moment)
    return table


def is_not_two(table: ScenarioTable, kind: str, **fields: Any) -> str:
    """Give a command that takes two people, fail to confirm it as the same person, and return the proposal."""
    money = table.money()
    proposal = table.must("tri", kind, **fields)["proposal"]
    assert proposal is not None, "one person carried it out"
    refused = table.refused("tri", "Confirm", proposal=proposal)
    assert refused["clause"], refused
    assert table.money() == money
    return str(proposal)


def test_a_void_takes_another_person_whatever_roles_the_first_has(new_table: NewTable) -> None:
    table = by_tri(new_table, UT)
    proposal = is_not_two(table, REPORT, irregularity=WRONG_NUMBER, seat=1)
    table.must("flo", "Confirm", proposal=proposal)
    assert table.live.play.outcome == "void"


@pytest.mark.parametrize("name", ["colorado-holdem", UT])
def test_what_no_clause_lists_takes_another_person(new_table: NewTable, name: str) -> None:
    table = by_tri(new_table, name)
    fields = {"irregularity": "other-misdeal", "ruling": "continue", "note": "a card fell"}
    proposal = is_not_two(table, REPORT, **fields)
    table.must("fred", "Confirm", proposal=proposal)
    assert table.live.trouble is None


def test_a_read_is_corrected_by_two_people(new_table: NewTable) -> None:
    table = new_table(UT)
    table.dealer = "tri"
    table.open()
    table.begin()
    for player in table.live.seats.values():
        table.wager(player)
    table.close_bets()
    table.read()
    was = str(table.live.waiting[-1])
    right = next(card for card in table.deck if card not in table.live.waiting)
    is_not_two(table, "CorrectRead", was=was, right=right)


def test_a_dispute_is_resolved_by_two_people(new_table: NewTable) -> None:
    table = by_tri(new_table, UT)
    while table.live.in_round:
        table.step()
    table.must("tri", "ReportDispute", seats=[1], note="the hand was misread")
    is_not_two(table, "ResolveDispute", outcome="void", note="as the rack has it")


@pytest.mark.parametrize("reported_first", [True, False])
def test_nobody_rules_alone_on_what_they_reported(new_table: NewTable, *, reported_first: bool) -> None:
    table = new_table(TF).open()
    table.begin()
    table.play_to("asking")
    if reported_first:
        table.must("flo", REPORT, **EXPOSED)
    without = {"irregularity": "dealer-card-exposed", "ruling": "continue"}
    assert table.refused("flo", REPORT, **without)["field"] == "note"
    proposal = table.must("flo", REPORT, **EXPOSED, ruling="continue")["proposal"]
    assert proposal is not None, "one floorperson reported it and ruled on it"
    assert table.live.trouble is not None
    table.refused("flo", "Confirm", proposal=proposal)
    table.must("dana", "Confirm", proposal=proposal)
    ruled = table.entries("round.IrregularityRuled")[-1].body
    assert (ruled["remedy"], ruled["note"]) == ("goes-on", EXPOSED["note"])
    assert table.live.trouble is None


def test_a_floorperson_rules_alone_on_what_the_dealer_reported(new_table: NewTable) -> None:
    table = new_table(TF).open()
    table.begin()
    table.play_to("asking")
    table.must("dana", REPORT, irregularity="dealer-card-exposed")
    assert table.must("dana", REPORT, **EXPOSED, ruling="continue")["proposal"] is not None
    assert table.live.trouble is not None, "the dealer can only propose a ruling"
    assert table.must("flo", REPORT, **EXPOSED, ruling="continue")["proposal"] is None
    assert table.live.trouble is None


def test_a_dealer_does_not_decline_what_the_floor_reported(new_table: NewTable) -> None:
    table = new_table(UT).open()
    table.begin()
    table.play_to("asking")
    table.must("flo", REPORT, irregularity=WRONG_NUMBER, seat=1)
    incident = table.console("flo")["held"]["incident"]
    table.refused("dana", "Decline", proposal=incident, reason="there were two")
    table.must("fred", "Decline", proposal=incident, reason="counted again: two")
    assert table.live.trouble is None
