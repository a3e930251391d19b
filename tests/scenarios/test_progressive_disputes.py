"""Disputes about rounds with a progressive: what is reversed, what is refused, and nothing is paid twice."""

from collections.abc import Callable
from typing import Any

import pytest

from scenarios.floor import ScenarioTable
from scenarios.progressive import DRAGON, HOLDEM, NOTHING, ROYAL, STAKES, dealt, progressive_table

NewTable = Callable[..., ScenarioTable]
NOTE = "The player says the hand was misread"
DRAGONS = {1: "Dg Dr Db"}
RULING = "G-19"


def over(table: ScenarioTable, hands: dict[Any, str]) -> ScenarioTable:
    """Play a round to its settlement, every payout validated; the cards still lie on the table."""
    dealt(table, hands)
    while table.phase != "over":
        table.step()
    return table


def meter(table: ScenarioTable) -> Any:
    assert table.floor.floor is not None
    return table.floor.floor.house.progressive(table.table).state.meters["meter"]


def pool(table: ScenarioTable) -> int:
    """Return what the progressive's account holds, only from the record's postings."""
    assert table.floor.floor is not None
    streams = (f"progressive/{table.table}", f"table/{table.table}")
    every = (entry.body.get("postings", {}) for stream in streams for entry in table.floor.floor.store.read(stream))
    return sum(moved.get(f"pool:{table.table}", 0) for moved in every)


def meter_entries(table: ScenarioTable, kind: str) -> list[Any]:
    assert table.floor.floor is not None
    return list(table.floor.floor.store.read(f"progressive/{table.table}", kinds=(f"progressive.{kind}",)))


def resolved(table: ScenarioTable, outcome: str, seats: tuple[int, ...], **fields: Any) -> None:
    table.must("flo", "ReportDispute", seats=list(seats), note=NOTE)
    table.both("flo", "fred", "ResolveDispute", outcome=outcome, note=NOTE, **fields)


def refused(table: ScenarioTable, outcome: str, seats: tuple[int, ...], **fields: Any) -> str:
    """Report a dispute, have its resolution refused by the ruling, let the result stand, and return the reason."""
    money, shown, held = table.money(), meter(table).shown_cents, pool(table)
    table.must("flo", "ReportDispute", seats=list(seats), note=NOTE)
    said = table.refused("flo", "ResolveDispute", outcome=outcome, note=NOTE, **fields)
    assert said["clause"] == RULING
    table.both("flo", "fred", "ResolveDispute", outcome="stands", note=NOTE)
    assert (table.money(), meter(table).shown_cents, pool(table)) == (money, shown, held)
    reason: str = said["reason"]
    return reason


def test_a_seat_that_a_meter_paid_is_void_by_reversal_before_the_pick_up(new_table: NewTable) -> None:
    table = progressive_table(new_table, DRAGON)
    before, shown, held = table.money(), meter(table).shown_cents, pool(table)
    over(table, DRAGONS)
    paid = table.entries("round.MeterPaid")[-1].body["paid"]
    assert meter(table).paid_cents == paid
    assert table.live.stack_cents("alice") > before[f"stack:{table.table}:alice"] + paid - STAKES[DRAGON]
    bob = table.live.stack_cents("bob")
    resolved(table, "void", (1,))
    fed = STAKES[DRAGON] // 5
    assert table.live.stack_cents("alice") == before[f"stack:{table.table}:alice"]
    assert table.live.stack_cents("bob") == bob
    assert meter(table).shown_cents == shown + fed, "what bob's wager fed the meter stays there"
    assert pool(table) == held + fed
    money = table.money()
    resolved(table, "void", (1,))
    assert (table.money(), meter(table).shown_cents, pool(table)) == (money, shown + fed, held + fed)
    resolved(table, "void", (1, 2))
    assert table.money() == before
    assert (meter(table).shown_cents, pool(table)) == (shown, held)
    table.end()
    assert meter(table).paid_cents == 0
    assert table.live.shift.unexplained_cents == 0
    assert table.verified() is None


def test_a_seat_that_a_meter_did_not_pay_takes_its_part_out_of_the_meter(new_table: NewTable) -> None:
    table = progressive_table(new_table, DRAGON)
    stack = table.live.stack_cents("bob")
    over(table, DRAGONS)
    alice, paid = table.live.stack_cents("alice"), meter(table).paid_cents
    held, fed = pool(table), STAKES[DRAGON] // 5
    resolved(table, "void", (2,))
    assert table.live.stack_cents("bob") == stack
    assert (table.live.stack_cents("alice"), meter(table).paid_cents) == (alice, paid)
    seeded = sum(entry.body["from_house_cents"] for entry in meter_entries(table, "ContributionReversed"))
    assert pool(table) == held - fed + seeded, "the house makes up for what the payout had used of it"
    table.end()
    assert table.live.shift.unexplained_cents == 0


@pytest.mark.parametrize("seats", [(1,), (2,)])
def test_a_seat_whose_hand_brought_an_envy_bonus_is_void_only_with_every_seat(
    new_table: NewTable, seats: tuple[int, ...]
) -> None:
    table = progressive_table(new_table)
    before, shown = table.money(), meter(table).shown_cents
    over(table, ROYAL)
    assert table.live.play.envy
    assert "envy bonus" in refused(table, "void", seats)
    resolved(table, "void", (1, 2))
    assert (table.money(), meter(table).shown_cents) == (before, shown)
    table.end()


@pytest.mark.parametrize(("name", "hands"), [(HOLDEM, ROYAL), (DRAGON, DRAGONS)])
def test_what_a_meter_paid_stands_once_the_cards_are_picked_up(
    new_table: NewTable, name: str, hands: dict[Any, str]
) -> None:
    table = over(progressive_table(new_table, name), hands)
    table.end()
    refused(table, "void", (1,))
    refused(table, "void", (1, 2))
    held = table.live.play.cards[1]
    other = [card for card in table.game.deck.cards if card not in table.live.play.drawn][: len(held)]
    reason = refused(table, "resettle", (1,), cards={"1": [card[:2] for card in other]})
    assert "meter" in reason or "envy" in reason


def test_a_stake_given_back_after_the_pick_up_leaves_its_part_in_the_meter(new_table: NewTable) -> None:
    table = progressive_table(new_table)
    before = table.live.stack_cents("alice")
    over(table, NOTHING)
    table.end()
    shown = meter(table).shown_cents
    resolved(table, "void", (1,))
    assert table.live.stack_cents("alice") == before
    money = table.money()
    resolved(table, "void", (1,))
    assert (table.money(), meter(table).shown_cents) == (money, shown)


def test_a_voided_seat_with_a_progressive_wager_is_not_settled_again(new_table: NewTable) -> None:
    table = over(progressive_table(new_table), NOTHING)
    resolved(table, "void", (1, 2))
    table.end()
    reason = refused(table, "resettle", (1,), cards={"1": ["Ad", "8c"]})
    assert "returned" in reason
