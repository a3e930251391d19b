"""Progressive chips go from the layout to the tray at the lock-out, and are paid back from there."""

from collections.abc import Callable

import pytest

from scenarios.floor import ScenarioTable
from scenarios.progressive import NOTHING, STAKE, TRIPS, dealt, locked, progressive_table

NewTable = Callable[..., ScenarioTable]
FED = 2 * STAKE // 5  # of two stakes, to the meter
CLAUSES = {"manual-shoe": "Ch. 8 §C(4)", "hand": "Ch. 9 §A(3)(c)", "automated-shoe": "Ch. 10 §A(2)(b)(iii)"}


@pytest.mark.parametrize("dealing", CLAUSES)
def test_progressive_chips_are_in_the_tray_from_the_lock_out_on(new_table: NewTable, dealing: str) -> None:
    table = progressive_table(new_table, dealing=dealing)
    tray = table.live.tray_cents
    locked(table, NOTHING)
    main = sum(table.least().values())
    assert table.money()[f"felt:{table.table}"] == 2 * main
    assert table.live.tray_cents == tray + 2 * STAKE - FED
    [banked] = table.entries("round.StakesBanked")
    assert (banked.clause, banked.body["seats"], banked.body["cents"]) == (CLAUSES[dealing], [1, 2], 2 * STAKE)
    assert table.live.shift.unexplained_cents == 0


def test_a_losing_progressive_wager_moves_nothing_more(new_table: NewTable) -> None:
    table = locked(progressive_table(new_table), NOTHING)
    stacks, tray = {name: table.live.stack_cents(name) for name in ("alice", "bob")}, table.live.tray_cents
    play_on(table)
    results = table.live.play.results
    assert {results[seat, "progressive"].result for seat in (1, 2)} == {"lose"}
    others = sum(result.net for (_, wager), result in results.items() if wager != "progressive")
    raised = sum(cents for (_, wager), cents in table.live.play.stakes.items() if wager == "play")
    returned = sum(table.live.stack_cents(name) - stacks[name] for name in stacks) + raised
    assert table.live.tray_cents == tray - others
    assert returned - others == 2 * sum(table.least().values()) + raised
    assert f"felt:{table.table}" not in table.money()
    assert table.live.shift.unexplained_cents == 0


@pytest.mark.parametrize(("odds", "back"), [("for", 0), ("to", STAKE)])
def test_a_winning_progressive_wager_is_paid_and_returned_from_the_tray(
    new_table: NewTable, odds: str, back: int
) -> None:
    table = dealt(progressive_table(new_table, options={"progressive-odds": odds}), TRIPS)
    before = table.money()
    table.validate()
    settled = next(
        entry
        for entry in table.entries("round.WagersSettled")[::-1]
        if any(result["wager"] == "progressive" and result["paid"] for result in entry.body["results"])
    )
    paid = 9 * STAKE + back
    assert settled.body["postings"] == {f"inventory:{table.table}": -paid, f"stack:{table.table}:alice": paid}
    assert sum(table.money().values()) == sum(before.values())
    assert table.live.shift.unexplained_cents == 0


def test_a_void_returns_the_chips_from_the_tray(new_table: NewTable) -> None:
    table = progressive_table(new_table)
    before = table.money()
    locked(table, NOTHING)
    table.deal_one()
    table.both("dana", "flo", "ReportIrregularity", irregularity="wrong-number-of-cards")
    assert table.money() == before
    assert table.live.shift.unexplained_cents == 0


def test_chips_that_do_not_agree_stay_on_the_layout_until_the_seat_is_found(new_table: NewTable) -> None:
    table = progressive_table(new_table)
    table.begin()
    for name, seat in (("alice", 1), ("bob", 2)):
        table.must(name, "PlaceWagers", seat=seat, stakes={**table.least(), "progressive": STAKE})
    tray = table.live.tray_cents
    table.close_bets(progressive_chips=1)
    assert not table.entries("round.StakesBanked")
    assert table.live.tray_cents == tray
    stack = table.live.stack_cents("bob")
    table.must("dana", "ReportIrregularity", irregularity="progressive-mismatch", seat=2)
    assert table.live.stack_cents("bob") == stack + STAKE
    [banked] = table.entries("round.StakesBanked")
    assert banked.body["seats"] == [1]
    assert table.live.tray_cents == tray + STAKE - FED // 2


def test_a_mismatch_after_a_count_that_agreed_takes_a_second_person(new_table: NewTable) -> None:
    table = locked(progressive_table(new_table), NOTHING)
    before, stack = table.money(), table.live.stack_cents("bob")
    report = {"irregularity": "progressive-mismatch", "seat": 2}
    proposal = table.must("dana", "ReportIrregularity", **report)["proposal"]
    assert proposal is not None, "the dealer alone cannot contradict the count on the record"
    assert table.money() == before
    assert not table.entries("round.WagerReturned")
    table.refused("dana", "DealCards")
    assert table.refused("dana", "Confirm", proposal=proposal)["clause"]
    table.must("flo", "Decline", proposal=proposal, reason="Two chips lie in the tray")
    assert table.money() == before
    table.both("dana", "flo", "ReportIrregularity", **report)
    assert table.live.stack_cents("bob") == stack + STAKE
    [returned] = table.entries("round.WagerReturned")
    assert (returned.body["seat"], returned.clause) == (2, "Ch. 8 §C(3)")
    assert table.live.shift.unexplained_cents == 0
    play_on(table)
    table.end()


@pytest.mark.parametrize("dealing", CLAUSES)
def test_no_card_is_drawn_before_the_chips_agree_and_none_is_returned_after(new_table: NewTable, dealing: str) -> None:
    table = progressive_table(new_table, dealing=dealing)
    table.begin()
    for name, seat in (("alice", 1), ("bob", 2)):
        table.must(name, "PlaceWagers", seat=seat, stakes={**table.least(), "progressive": STAKE})
    table.close_bets(progressive_chips=1)
    clause = CLAUSES[dealing].replace("(4)", "(3)").replace("(c)", "(b)").replace("(iii)", "(ii)")
    # With an automated shoe the first cards are the community cards: who read them knows what the wager is worth.
    assert table.refused("dana", "ReadCard", card=table.deck[0])["clause"] == clause
    assert not table.live.positions
    report = {"irregularity": "progressive-mismatch", "seat": 2}
    table.must("dana", "ReportIrregularity", **report)
    table.read()
    late = table.refused("dana", "ReportIrregularity", **{**report, "seat": 1})
    assert "before the deal" in late["reason"]
    assert late["clause"] == clause
    play_on(table)
    table.end()
    assert table.verified() is None


def play_on(table: ScenarioTable) -> None:
    """Play to the end of the settlement."""
    while table.phase != "over":
        table.step()
