"""The console's first duty can be done: what it waits for comes before it, at every step of a table's day."""

from collections.abc import Callable
from typing import Any

import pytest

from pitboss.games.catalogue import game_names
from scenarios.floor import ScenarioTable

ROUNDS = 6  # the stub of a deck is counted at least once in five
STEPS_MOST = 400


def first_duty(table: ScenarioTable) -> dict[str, Any]:
    shown = table.console()
    waits = {refusal["command"] for refusal in shown["refused"] if refusal["field"] is None}
    duty: dict[str, Any] = shown["duties"][0]
    assert duty["command"]["kind"] not in waits, f"{duty['text']} comes first and is refused: {shown['refused']}"
    return duty


def follow(table: ScenarioTable) -> str:
    """Do what the console names first, as the person it names, and return the kind of its command."""
    duty = first_duty(table)
    kind: str = duty["command"]["kind"]
    if kind == "BeginRound":
        table.begin()
    elif kind == "PlaceWagers":
        table.wager("alice")
    elif kind == "ReadCard":
        table.read()
    elif kind == "Act":
        table.least_answer()
    elif kind == "CountStub":
        table.must(table.dealer, "CountStub", cards=len(table.game.deck) - table.live.cards.round.dealt)
    else:
        table.do(duty)
    return kind


@pytest.mark.parametrize("decks", [1, 2])
@pytest.mark.parametrize("name", game_names())
def test_the_first_duty_is_never_refused_and_leads_through_rounds(
    new_table: Callable[..., ScenarioTable], name: str, decks: int
) -> None:
    table = new_table(name, decks=decks).open(("alice",))
    done = []
    for _ in range(STEPS_MOST):
        done.append(follow(table))
        if done.count("EndRound") == ROUNDS:
            break
    assert done.count("EndRound") == ROUNDS, done[-30:]
    assert "SpreadIdle" not in done
    assert "CountStub" in done


@pytest.mark.parametrize("name", game_names())
def test_a_mistyped_stub_count_is_counted_again(new_table: Callable[..., ScenarioTable], name: str) -> None:
    table = new_table(name).open(("alice",))
    while first_duty(table)["command"]["kind"] != "CountStub":
        follow(table)
    left = len(table.game.deck) - table.live.cards.round.dealt
    table.must(table.dealer, "CountStub", cards=left - 1)
    offered = [duty["command"]["kind"] for duty in table.console()["duties"]]
    assert offered == ["CountStub", "FindMisdeal"]
    table.refused(table.dealer, "Settle")
    table.must(table.dealer, "CountStub", cards=left)
    while first_duty(table)["command"]["kind"] == "ConfirmDuty":  # what a clause puts before the settlement
        follow(table)
    assert first_duty(table)["command"]["kind"] == "Settle"
    table.must(table.dealer, "Settle")


@pytest.mark.parametrize("name", game_names())
def test_a_deck_that_is_shuffled_again_after_no_more_bets_is_prepared_before_a_card_is_drawn(
    new_table: Callable[..., ScenarioTable], name: str
) -> None:
    table = new_table(name).open(("alice",))
    table.begin()
    table.wager("alice")
    table.close_bets()
    table.must("flo", "DirectShuffle", deck=table.live.cards.round.deck)
    done = []
    while table.live.in_round:
        done.append(follow(table))
    assert done[0] == "ShuffleDeck"
    assert done.index("LoadDeck") < done.index("ReadCard")
