"""The console has separate fields for what a page would otherwise have to parse from sentences."""

from collections.abc import Callable
from typing import Any

import pytest

from pitboss.games.catalogue import game_names
from scenarios.floor import DRAWN, READER, ScenarioTable

NewTable = Callable[..., ScenarioTable]
REPORT = "ReportIrregularity"
UT = "ultimate-texas-holdem"
SHOE = {"dealing": "automated-shoe"}


def wagered(table: ScenarioTable) -> ScenarioTable:
    table.begin()
    for player in table.live.seats.values():
        table.wager(player)
    table.close_bets()
    return table


def duty(table: ScenarioTable, *names: str) -> dict[str, Any]:
    return next(duty for duty in table.console()["duties"] if duty["id"] in names)


@pytest.mark.parametrize("cards", [READER, DRAWN])
@pytest.mark.parametrize("name", game_names())
def test_a_duty_about_cards_says_how_many_and_where(new_table: NewTable, name: str, cards: str) -> None:
    table = wagered(new_table(name, cards).open())
    seen = set()
    while table.phase in ("dealing", "asking"):
        if table.phase == "dealing":
            place, count, _, clause, is_turned = table.live.play.due
            table.confirm_first("TurnCards") if is_turned else None
            due = duty(table, "read", "deal", "turn")
            assert (due["cards"], due["place"], due["clause"]) == (count, place, clause)
            assert f" {due['cards']} " in due["text"]
            seen.add(due["id"])
        table.step()
    assert seen >= ({"read"} if cards == READER else {"deal"})
    assert all(other["cards"] is None and other["place"] is None for other in table.console()["duties"])


@pytest.mark.parametrize("can_withdraw", [True, False])
def test_a_held_table_says_whether_the_report_can_be_withdrawn(new_table: NewTable, *, can_withdraw: bool) -> None:
    table = wagered(new_table(UT, **SHOE).open())
    table.deal_one()
    kind = "wrong-number-of-cards" if can_withdraw else "shoe-jam"
    table.must("dana", REPORT, irregularity=kind, **({"seat": 1} if can_withdraw else {}))
    held = table.console()["held"]
    assert (held["irregularity"], held["can_withdraw"]) == (kind, can_withdraw)
    withdrawal = table.ask("dana", "Decline", proposal=held["incident"], reason="a slip")
    assert (withdrawal.status_code == 200) is can_withdraw


@pytest.mark.parametrize("name", game_names())
def test_drawn_cards_wait_for_a_device_that_failed_and_nothing_is_void(new_table: NewTable, name: str) -> None:
    table = wagered(new_table(name, DRAWN, **SHOE).open())
    table.deal_one()
    cards, money = table.live.play.cards, table.money()
    table.must("flo", "FailDevice", device="shoe")
    table.refused("dana", "DealCards")
    table.must("flo", "ReturnDevice", device="shoe")
    assert table.live.trouble is None
    assert (table.live.play.cards, table.money()) == (cards, money)
    while table.live.in_round:
        table.step()
    assert table.entries("house.RoundEnded")[-1].body["outcome"] == "settled"


def test_what_waits_for_a_device_names_it(new_table: NewTable) -> None:
    table = wagered(new_table(UT, DRAWN, **SHOE).open())
    assert duty(table, "deal")["device"] is None
    table.must("flo", "FailDevice", device="shoe")
    shown = table.console()
    assert next(each for each in shown["duties"] if each["id"] == "deal")["device"] == "shoe"
    refused = {each["command"]: each for each in shown["refused"]}
    assert refused["DealCards"]["device"] == "shoe"
    assert refused["Settle"]["device"] is None
    table.must("flo", "ReturnDevice", device="shoe")
    shown = table.console()
    assert all(each["device"] is None for each in (*shown["duties"], *shown["refused"]))


def test_a_shuffle_by_hand_waits_for_the_shuffler_that_failed(new_table: NewTable) -> None:
    table = new_table(UT, DRAWN).open()
    table.play_round()
    assert duty(table, "prepare")["command"]["kind"] == "ShuffleDeck"
    table.must("flo", "FailDevice", device="shuffler")
    waits = duty(table, "prepare")
    assert (waits["command"]["way"], waits["device"]) == ("manual", "shuffler")
    for out in [each for each in table.console()["duties"] if each["command"]["kind"] == "TakeOutDevice"][:1]:
        table.must("flo", **out["command"])
    again = duty(table, "prepare")
    assert (again["command"]["way"], again["device"]) == ("manual", None)
