"""From the settlement to the next round: what can still be disputed, and by which evidence it is resolved."""

from collections.abc import Callable
from typing import Any

from pitboss.cards.deck import face
from scenarios.floor import BUY_IN, ScenarioTable
from scenarios.test_disputes import NOTE, another_result, nets, settled

NewTable = Callable[..., ScenarioTable]
GAME = "ultimate-texas-holdem"
BOTH_WIN: dict[Any, str] = {1: "Ac Kd", 2: "Qc Qd", "dealer": "2h 7d", "board": "3s 8c 9d Jh 4s"}
BOTH_LOSE = "Js Jd"  # in the dealer's place


def stated(place: int | str, cards: str) -> dict[str, Any]:
    return {"outcome": "resettle", "note": NOTE, "cards": {str(place): cards.split()}}


def test_a_round_whose_deck_was_removed_is_disputed_but_not_settled_again_without_its_rack(
    new_table: NewTable,
) -> None:
    table = settled(new_table(GAME).open())
    cards = stated(1, " ".join(map(face, another_result(table.live.play))))
    table.must("flo", "RemoveDeck", deck=table.live.cards.decks[0].name, reason="defect")
    assert not table.live.cards.rack
    table.must("dana", "ReportDispute", seats=[1], note=NOTE)
    money = table.money()
    refused = table.refused("flo", "ResolveDispute", **cards)
    assert (refused["clause"], "rack" in refused["reason"]) == ("G-19", True)
    assert table.money() == money
    table.both("flo", "fred", "ResolveDispute", outcome="void", note=NOTE)
    assert table.live.stack_cents("alice") == BUY_IN
    table.play_round()


def test_the_other_seats_of_a_misread_dealer_are_settled_by_a_dispute_of_their_own(new_table: NewTable) -> None:
    table = new_table(GAME).open()
    table.begin()
    table.step()
    table.lay(BOTH_WIN)
    while table.live.in_round:
        table.step()
    before = {seat: nets(table, seat) for seat in (1, 2)}
    stacks = {name: table.live.stack_cents(name) for name in ("alice", "bob")}
    for seat, name in ((1, "alice"), (2, "bob")):
        table.must("dana", "ReportDispute", seats=[seat], note=NOTE)
        table.both("flo", "fred", "ResolveDispute", **stated("dealer", BOTH_LOSE))
        assert table.entries("house.DisputeResolved")[-1].body["seats"] == [seat]
        changed = nets(table, seat) - before[seat]
        assert changed < 0
        assert table.live.stack_cents(name) == stacks[name] + changed
        if seat == 1:
            assert nets(table, 2) == before[2], "only the seats that are named are settled again"
    again = table.must("dana", "ReportDispute", seats=[1, 2], note=NOTE)
    assert again["entries"]
    assert table.refused("flo", "ResolveDispute", **stated("dealer", BOTH_LOSE))["field"] == "cards", "nothing is left"
