"""Two decks, decks that arrive ready, and a working shuffler: what each rulebook requires before a round."""

from collections.abc import Callable

import pytest

from pitboss.games.catalogue import game, game_names
from scenarios.floor import DRAWN, ScenarioTable

NewTable = Callable[..., ScenarioTable]
READY = {"preinspected": True, "preshuffled": True}


def confirm_duties(table: ScenarioTable, deck: str) -> list[str]:
    """Confirm every duty of a deck that is being opened, and return their names."""
    done = []
    while table.live.cards.deck(deck).stage == "opening":
        duty = next(duty for duty in table.console()["duties"] if duty["command"].get("deck") == deck)
        done.append(duty["id"])
        table.do(duty)
    return done


def opened(new_table: NewTable, name: str, **changes: object) -> ScenarioTable:
    """Return a table with two decks that went through their opening."""
    table = new_table(name, decks=2, **changes).open(("alice",))
    for deck in ("deck-1", "deck-2"):
        table.must("dana", "ReceiveDeck", deck=deck)
    for deck in ("deck-1", "deck-2"):
        confirm_duties(table, deck)
    for duty in table.game.procedures.two_decks.duties:
        table.must("dana", "ConfirmDuty", duty=duty.id)
    return table


@pytest.mark.parametrize("name", game_names())
def test_the_deck_that_waits_was_shuffled_by_the_device(new_table: NewTable, name: str) -> None:
    table = opened(new_table, name)
    two_decks = table.game.procedures.two_decks
    if table.game.procedures.devices.working_too:
        assert table.refused("dana", "ShuffleDeck", deck="deck-2", way="manual")["clause"] == "§14(g)"
    else:
        table.must("dana", "ShuffleDeck", deck="deck-2", way="manual")
        table.must("dana", "CutDeck", deck="deck-2", cards=20)
    table.must("dana", "ShuffleDeck", deck="deck-1", way="device")
    table.must("dana", "LoadDeck", deck="deck-1")
    if not table.game.procedures.devices.working_too:
        assert table.refused("dana", "BeginRound")["clause"] == two_decks.device_cite
        assert any(duty["command"]["kind"] == "ShuffleDeck" for duty in table.console()["duties"])
        assert table.refused("dana", "ShuffleDeck", deck="deck-2", way="manual")["clause"] == two_decks.device_cite
    table.must("dana", "ShuffleDeck", deck="deck-2", way="device")
    table.play_round()
    table.play_round()
    assert [entry.body["deck"] for entry in table.entries("house.RoundBegun")] == ["deck-1", "deck-2"]


@pytest.mark.parametrize("name", game_names())
def test_whether_the_other_deck_is_ready_before_a_round_is_for_the_rulebook_to_say(
    new_table: NewTable, name: str
) -> None:
    table = opened(new_table, name)
    two_decks = table.game.procedures.two_decks
    table.must("dana", "ShuffleDeck", deck="deck-1", way="device")
    table.must("dana", "LoadDeck", deck="deck-1")
    if two_decks.is_stored:
        assert table.refused("dana", "BeginRound")["clause"] == two_decks.device_cite
        table.must("dana", "ShuffleDeck", deck="deck-2", way="device")
        table.must("dana", "BeginRound")
    else:
        table.must("dana", "BeginRound")
        table.must("dana", "ShuffleDeck", deck="deck-2", way="device")


def test_both_customs_are_in_the_catalog() -> None:
    assert {game(name).procedures.two_decks.is_stored for name in game_names()} == {True, False}


@pytest.mark.parametrize("name", game_names())
def test_a_deck_in_play_is_loaded_again_beside_a_deck_that_came_after_it(new_table: NewTable, name: str) -> None:
    table = opened(new_table, name)
    for deck in ("deck-1", "deck-2"):
        table.must("dana", "ShuffleDeck", deck=deck, way="device")
    table.must("dana", "LoadDeck", deck="deck-1")
    table.play_round()
    table.must("flo", "RemoveDeck", deck="deck-2", reason="defect")
    table.must("dana", "ShuffleDeck", deck="deck-1", way="device")
    table.must("dana", "LoadDeck", deck="deck-1")
    table.must("dana", "ReceiveDeck", deck="deck-3")
    confirm_duties(table, "deck-3")
    for duty in table.game.procedures.two_decks.duties:
        table.must("dana", "ConfirmDuty", duty=duty.id)
    table.must("dana", "ShuffleDeck", deck="deck-3", way="device")
    table.must("dana", "BeginRound")
    table.wager("alice")
    table.must("flo", "DirectShuffle", deck="deck-1")
    table.must("dana", "ShuffleDeck", deck="deck-1", way="device")
    refused = table.refused("dana", "LoadDeck", deck="deck-3")
    assert refused["clause"] == table.game.procedures.two_decks.alternate_cite
    assert [duty["command"] for duty in table.console()["duties"] if duty["command"]["kind"] == "LoadDeck"] == [
        {"kind": "LoadDeck", "deck": "deck-1"}
    ]
    table.must("dana", "LoadDeck", deck="deck-1")
    table.stack()
    while table.live.in_round:
        table.step()
    table.must("dana", "ShuffleDeck", deck="deck-1", way="device")
    refused = table.refused("dana", "LoadDeck", deck="deck-1")
    assert refused["clause"] == table.game.procedures.two_decks.alternate_cite
    table.must("dana", "LoadDeck", deck="deck-3")


@pytest.mark.parametrize("name", game_names())
def test_a_deck_that_came_ready_is_looked_at_and_confirmed_by_the_floor(new_table: NewTable, name: str) -> None:
    table = new_table(name, shuffler="none").open()
    procedures = table.game.procedures
    table.must("dana", "ReceiveDeck", deck="deck-1", **READY)
    table.refused("dana", "CutDeck", deck="deck-1", cards=20)
    for duty in procedures.cards.duties:
        table.must("dana", "ConfirmDuty", duty=duty.id, deck="deck-1")
    assert table.ask("dana", "ConfirmDuty", duty="confirm-ready", deck="deck-1").status_code in (403, 409)
    table.refused("dana", "LoadDeck", deck="deck-1")
    table.must("flo", "ConfirmDuty", duty="confirm-ready", deck="deck-1")
    assert table.entries("table.DutyConfirmed")[-1].clause == procedures.opening.skipped_cite
    assert table.refused("dana", "LoadDeck", deck="deck-1")["clause"] == procedures.cutting.required_cite
    table.must("dana", "CutDeck", deck="deck-1", cards=20)
    table.play_round()
    assert table.entries("house.RoundEnded")[-1].body["outcome"] == "settled"


def test_nobody_inspects_the_cards_that_the_program_draws(new_table: NewTable) -> None:
    table = new_table("top-five-poker", DRAWN).open()
    table.play_round()
    (received,) = table.entries("table.DeckReceived")
    assert not received.body["is_checked_here"]
    assert not table.entries("table.DutyConfirmed")


@pytest.mark.parametrize("name", game_names())
def test_cards_are_shuffled_manually_beside_a_working_shuffler_where_it_may_stay(
    new_table: NewTable, name: str
) -> None:
    table = new_table(name).open()
    devices = table.game.procedures.devices
    table.must("dana", "ReceiveDeck", deck="deck-1")
    confirm_duties(table, "deck-1")
    if devices.working_too:
        clause = table.refused("dana", "ShuffleDeck", deck="deck-1", way="manual")["clause"]
        assert clause in devices.cites.values()
        return
    table.must("dana", "ShuffleDeck", deck="deck-1", way="manual")
    table.must("dana", "CutDeck", deck="deck-1", cards=20)
    table.must("tec", "FailDevice", device="shuffler")
    table.must("flo", "DirectShuffle", deck="deck-1")
    clause = table.refused("dana", "ShuffleDeck", deck="deck-1", way="manual")["clause"]
    assert clause in devices.cites.values(), "one that failed is covered or marked first"
    table.must("dana", "TakeOutDevice", device="shuffler", how=devices.failed[0])
    table.must("dana", "ShuffleDeck", deck="deck-1", way="manual")
    table.play_round()


@pytest.mark.parametrize("name", game_names())
def test_cards_dealt_from_the_hand_are_shuffled_by_the_device(new_table: NewTable, name: str) -> None:
    table = new_table(name, dealing="hand", deck_hours=4).open()
    table.must("dana", "ReceiveDeck", deck="deck-1")
    confirm_duties(table, "deck-1")
    clause = table.refused("dana", "ShuffleDeck", deck="deck-1", way="manual")["clause"]
    assert clause == table.game.procedures.hand_needs_shuffler_cite
    table.must("dana", "ShuffleDeck", deck="deck-1", way="device")
    table.must("dana", "LoadDeck", deck="deck-1")
