"""Duties are confirmed at their moment, what a clause puts first blocks the next step, and the floor sees the rest."""

from collections.abc import Callable
from typing import Any

import pytest

from pitboss.games.catalogue import game, game_names
from pitboss.rules import procedure
from scenarios.floor import DRAWN, ScenarioTable

NewTable = Callable[..., ScenarioTable]


def duties(name: str) -> dict[str, procedure.Duty]:
    """Return the duties of a round dealt from the manual shoe."""
    procedures = game(name).procedures
    return {duty.id: duty for duty in (*procedures.dealing["manual-shoe"], *procedures.round)}


def shown(table: ScenarioTable) -> list[dict[str, Any]]:
    return [duty for duty in table.console()["duties"] if duty["command"]["kind"] == "ConfirmDuty"]


BLOCKING = [(name, duty.id) for name in game_names() for duty in duties(name).values() if duty.blocks == "Settle"]


@pytest.mark.parametrize("name", game_names())
def test_a_duty_is_refused_before_its_moment(new_table: NewTable, name: str) -> None:
    table = new_table(name).open()
    table.begin()
    early = [duty for duty in duties(name).values() if duty.moment != procedure.BEGUN and not duty.when]
    assert early
    for duty in early:
        if duty.if_offered is None:
            refused = table.refused("flo", "ConfirmDuty", duty=duty.id)
            assert (refused["clause"], refused["field"]) == (duty.cite, "duty")
            assert "too early" in refused["reason"]
    assert not {duty["id"] for duty in shown(table)} & {duty.id for duty in early}


@pytest.mark.parametrize("name", game_names())
def test_a_duty_is_refused_after_its_moment(new_table: NewTable, name: str) -> None:
    table = new_table(name).open()
    table.begin()
    for player in ("alice", "bob"):
        table.wager(player)
    assert "no-more-bets" in {duty["id"] for duty in shown(table)}
    table.close_bets()
    table.deal()
    assert "no-more-bets" not in {duty["id"] for duty in shown(table)}
    late = table.refused("dana", "ConfirmDuty", duty="no-more-bets")
    assert late["clause"] == duties(name)["no-more-bets"].cite
    assert "too late" in late["reason"]


@pytest.mark.parametrize("name", game_names())
def test_whatever_the_console_offers_is_accepted(new_table: NewTable, name: str) -> None:
    table = new_table(name).open()
    table.begin()
    while table.live.in_round:
        for duty in shown(table):
            table.do(duty)
        table.step()
    assert table.entries("table.RoundClosed")[-1].body["unconfirmed"] == []


@pytest.mark.parametrize(("name", "duty"), BLOCKING)
def test_wagers_are_not_settled_before_the_dealers_hand_is_set(new_table: NewTable, name: str, duty: str) -> None:
    table = new_table(name).open()
    table.begin()
    table.play_to("settling")
    table.put_stub_away()
    money = table.money()
    refused = table.refused("dana", "Settle")
    assert refused["clause"] == duties(name)[duty].cite
    assert table.money() == money
    first, *others = table.console()["duties"]
    assert first["command"] == {"kind": "ConfirmDuty", "duty": duty}
    assert not any(other["id"] in ("settle", duty) for other in others)
    table.must("dana", "ConfirmDuty", duty=duty)
    assert table.console()["duties"][0]["id"] == "settle"
    table.must("dana", "Settle")


def test_every_game_with_a_dealers_hand_has_it_set_before_settling() -> None:
    assert {name for name, _ in BLOCKING} == {name for name in game_names() if "dealer" in game(name).table_cards}


def test_a_declared_winner_is_verified_before_the_board_is_turned(new_table: NewTable) -> None:
    table = new_table("colorado-holdem").open()
    table.begin("9s 2c 3d 9d 4h 5h 9c 7s 8d")  # in turn: seat 1, seat 2, the board
    for player in ("alice", "bob"):
        table.wager(player)
    table.close_bets()
    table.deal()
    table.refused("dana", "ConfirmDuty", duty="verify-winner")
    table.answer("declare")
    table.answer("fold")
    assert table.refused("dana", "TurnCards")["clause"] == "§10(b)(3)(i)"
    table.must("dana", "ConfirmDuty", duty="verify-winner")
    table.must("dana", "TurnCards")


@pytest.mark.parametrize("name", game_names())
def test_nobody_sets_cards_that_the_program_draws(new_table: NewTable, name: str) -> None:
    table = new_table(name, DRAWN).open()
    table.begin()
    table.play_to("settling")
    table.put_stub_away()
    assert table.ask("dana", "Settle").status_code == 200


@pytest.mark.parametrize("name", game_names())
def test_the_floor_sees_what_nobody_confirmed(new_table: NewTable, name: str) -> None:
    table = new_table(name).open()
    table.play_round()
    closed = table.entries("table.RoundClosed")[-1].body["unconfirmed"]
    tiles = table.floor.people["flo"].http.get("/api/floor").raise_for_status().json()["tables"]
    tile = next(tile for tile in tiles if tile["summary"]["table"] == table.table)
    left = {duty["duty"]: duty for duty in tile["unconfirmed"]}
    assert sorted(left) == sorted(closed)
    assert "no-more-bets" in left
    assert left["no-more-bets"]["clause"] == duties(name)["no-more-bets"].cite
    assert not {"fold-rack", "verify-hit", "verify-winner"} & left.keys(), "their moment did not come"
