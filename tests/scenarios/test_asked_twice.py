"""A request for two people is pending once: the same person's repeat is refused until the first is answered."""

from collections.abc import Callable
from typing import Any

import pytest

from scenarios.floor import ScenarioTable
from scenarios.progressive import CLAUSES, HOLDEM, METER_CENTS, WAGERS

NewTable = Callable[..., ScenarioTable]
TEN_MINUTES_MS = 10 * 60_000


def asked_again(table: ScenarioTable, name: str, kind: str, **fields: Any) -> None:
    """Check that a request which waits is refused when it is sent again, and keeps waiting."""
    waiting = dict(table.live.proposals)
    for _ in range(3):
        refused = table.refused(name, kind, **fields)
        assert "already waiting" in refused["reason"]
        assert refused["clause"] == "H-15"
    assert dict(table.live.proposals) == waiting


def with_payout(new_table: NewTable) -> ScenarioTable:
    """Return a table with a payout that waits, whose dealer was relieved since."""
    table = new_table(HOLDEM)
    table.document["verification"] = {"payout_from_cents": 1}
    table.open()
    for _ in range(30):
        table.begin()
        while table.live.in_round:
            if table.phase == "awaiting-verification":
                table.must("dana", "ReleaseLease", token=table.token)
                table.take_over("dov")
                return table
            table.step()
    raise AssertionError("nobody won in thirty rounds")


def test_a_payout_is_validated_by_one_request_of_the_same_floorperson(new_table: NewTable) -> None:
    table = with_payout(new_table)
    seat = table.live.play.payout.seat
    proposal = table.must("flo", "ValidatePayout", seat=seat)["proposal"]
    asked_again(table, "flo", "ValidatePayout", seat=seat)
    assert table.must("fred", "ValidatePayout", seat=seat)["proposal"] not in (None, proposal), "it is another's"
    table.must("dov", "Confirm", proposal=proposal)
    assert table.entries("round.PayoutValidated")[-1].body["validated_by"] == "flo"


@pytest.mark.parametrize("answer", ["declined", "lapsed"])
def test_what_was_answered_may_be_asked_for_again(new_table: NewTable, answer: str) -> None:
    table = new_table(HOLDEM).open()
    fill = {"cents": 100_00}
    proposal = table.must("cay", "Fill", **fill)["proposal"]
    asked_again(table, "cay", "Fill", **fill)
    table.must("cay", "Fill", cents=200_00)
    if answer == "declined":
        table.must("flo", "Decline", proposal=proposal, reason="not needed")
    else:
        table.floor.pass_time(TEN_MINUTES_MS)
    again = table.must("cay", "Fill", **fill)["proposal"]
    assert again not in (None, proposal)
    table.must("flo", "Confirm", proposal=again)


def test_a_corrected_card_and_a_report_that_voids_wait_once(new_table: NewTable) -> None:
    table = new_table(HOLDEM).open()
    table.begin()
    for player in ("alice", "bob"):
        table.wager(player)
    table.close_bets()
    table.read(table.live.play.due.cards)
    slip = {"was": str(table.live.waiting[0]), "right": table.deck[-1]}
    table.must("dana", "CorrectRead", **slip)
    asked_again(table, "dana", "CorrectRead", **slip)
    table.must("dana", "DealCards")
    void = {"irregularity": "wrong-number-of-cards", "seat": 1}
    waiting = len(table.live.proposals)
    for _ in range(3):
        proposal = table.must("dana", "ReportIrregularity", **void)["proposal"]
        assert len(table.live.proposals) == waiting + 1, "the last report takes the place of the one before"
    table.must("flo", "Confirm", proposal=proposal)
    assert len(table.entries("house.IrregularityReported")) == 1


def test_rules_are_proposed_once(new_table: NewTable) -> None:
    table = new_table(HOLDEM).open()
    table.must("olga", "ActivateSubmission", document=table.document)
    asked_again(table, "olga", "ActivateSubmission", document=table.document)


def test_a_dealer_who_retook_the_table_replaces_the_first_request(new_table: NewTable) -> None:
    table = with_payout(new_table)
    seat = table.live.play.payout.seat
    stale = table.must("dov", "ValidatePayout", seat=seat)["proposal"]
    asked_again(table, "dov", "ValidatePayout", seat=seat)
    table.must("dov", "ReleaseLease", token=table.token)
    table.take_over("dov")
    fresh = table.must("dov", "ValidatePayout", seat=seat)["proposal"]
    assert list(table.live.proposals) == [fresh], f"{stale} was shown with a lease that is over"
    table.must("flo", "Confirm", proposal=fresh)


def test_the_back_office_keeps_the_same_request_once(new_table: NewTable) -> None:
    terms = {"rate": "0.20", "initial": METER_CENTS, "reset": METER_CENTS}
    table = new_table(HOLDEM, wagers={"progressive": {**WAGERS[HOLDEM], **terms}}, options={"envy-needs-wager": "yes"})
    table.document["progressive"] = table.table
    table.open()
    meter = {"name": "meter", "initial_cents": METER_CENTS, "reset_cents": METER_CENTS, "rate": "1/5"}
    body = {"kind": "OpenMeters", "progressive": table.table, "meters": [{**meter, "clause": CLAUSES[HOLDEM]}]}
    first = table.floor.office("olga", body)
    assert first.status_code == 200, first.text
    again = table.floor.office("olga", body)
    assert again.status_code == 409, again.text
    assert "already waiting" in again.json()["refused"]["reason"]
    assert again.json()["refused"]["clause"] == "H-15"
    declined = {"kind": "Decline", "proposal": first.json()["proposal"], "reason": "not yet"}
    assert table.floor.office("pit", declined).status_code == 200
    table.floor.both_at_office("olga", "pit", body)
