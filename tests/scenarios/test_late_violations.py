"""A player who breaks a rule forfeits every wager of the round, also those that were already returned or paid."""

from collections.abc import Callable
from typing import Any

from scenarios.floor import ScenarioTable

NewTable = Callable[..., ScenarioTable]
TOP = "top-five-poker"
# The dealer keeps a ten and doesn't qualify: every Ante is returned, and both Play wagers win.
HANDS: dict[Any, str] = {1: "As Ad Kh Qh Jh 2d 3d", 2: "Ac Kc Qc Jd 2h 3h 4h", "dealer": "Tc 2c 3c 4c 5c 6c 7c"}
TOUCHED = {"irregularity": "player-violation", "limb": "touched", "note": "turned over a neighbor's card"}


def waiting_at_seat_one(new_table: NewTable) -> ScenarioTable:
    """Return a table where seat 2 was settled and paid, and seat 1's payout waits for a floorperson."""
    table = new_table(TOP)
    table.document["verification"] = {"payout_from_cents": 1}
    table.open().begin()
    for player in table.live.seats.values():
        table.wager(player)
    table.close_bets()
    table.lay(HANDS)
    table.play_to("awaiting-verification")
    assert table.live.play.payout.seat == 2
    table.validate()
    assert table.live.play.payout.seat == 1
    return table


def results(table: ScenarioTable, seat: int) -> dict[str, str]:
    return {wager: found.result for (other, wager), found in table.live.play.results.items() if other == seat}


def test_a_violation_takes_back_what_was_returned_and_paid_before_it_was_seen(new_table: NewTable) -> None:
    table = waiting_at_seat_one(new_table)
    staked = table.live.play.stakes[2, "ante"]
    chips, tray = table.live.stack_cents("bob"), table.live.tray_cents
    assert results(table, 2) == {"ante": "push", "play": "win"}
    for kind in ("CashOut", "Tip"):  # bob carries nothing away before it is seen
        assert table.refused("bob", kind, cents=chips)["clause"] == "H-22"
    table.both("dana", "flo", "ReportIrregularity", seat=2, **TOUCHED)
    assert results(table, 2) == {"ante": "lose", "play": "lose"}
    # The Ante, the Play and what the Play won.
    assert table.live.stack_cents("bob") == chips - 3 * staked
    assert table.live.tray_cents == tray + 3 * staked
    ruled = table.entries("round.IrregularityRuled")[-1]
    assert ruled.clause == "Ch. 11 §A(5)"
    assert list(ruled.body["rests_on"]) == ["TF-22"]
    assert table.phase == "awaiting-verification"
    table.validate()
    assert results(table, 1) == {"ante": "push", "play": "win"}
    table.end()
    assert table.entries("house.RoundEnded")[-1].body["outcome"] == "settled"
    assert table.verified() is None


def test_a_violation_takes_the_ante_that_was_returned_while_the_same_seats_payout_waits(new_table: NewTable) -> None:
    table = waiting_at_seat_one(new_table)
    staked = table.live.play.stakes[1, "ante"]
    chips, others = table.live.stack_cents("alice"), table.live.stack_cents("bob")
    assert results(table, 1) == {"ante": "push"}
    table.both("flo", "dana", "ReportIrregularity", seat=1, **TOUCHED)
    assert results(table, 1) == {"ante": "lose", "play": "lose"}
    assert table.live.stack_cents("alice") == chips - staked
    assert table.live.stack_cents("bob") == others
    table.play_to("over")
    table.end()
    assert table.verified() is None
