"""The stub is counted once in five rounds, with two decks once in five rounds of each deck."""

from collections.abc import Callable

import pytest

from pitboss.games.catalogue import game_names
from scenarios.floor import ScenarioTable

NewTable = Callable[..., ScenarioTable]


@pytest.mark.parametrize("name", game_names())
def test_with_two_decks_each_deck_is_counted_in_five_of_its_own_rounds(new_table: NewTable, name: str) -> None:
    table = new_table(name, decks=2).open(("alice",))
    count = table.game.procedures.stub["manual-shoe"]
    # The stub of the second deck is counted every time it is played; the first deck's never unless it is due.
    for number in range(1, 10):
        table.begin()
        table.play_to("settling")
        deck = table.live.cards.round.deck
        left = len(table.game.deck) - table.live.cards.round.dealt
        if number == 9:
            assert deck == "deck-1"
            for refused in (table.refused("dana", "Settle"), table.refused("dana", "RackStub", cards=left)):
                assert refused["clause"] in (count.cite, count.how_cite)
            assert any(duty["command"]["kind"] == "CountStub" for duty in table.console()["duties"])
            table.must("dana", "CountStub", cards=left)
        elif deck == "deck-2":
            table.must("dana", "CountStub", cards=left)
        else:
            table.must("dana", "RackStub", cards=left)
        table.must("dana", "Settle")
        table.end()
    assert table.entries("table.StubCounted")[-1].body["ruling"] == (count.ruling or "G-20")
    assert [deck.rounds_since_count for deck in table.live.cards.decks] == [0, 0]


def test_one_deck_is_counted_in_the_fifth_round(new_table: NewTable) -> None:
    table = new_table("colorado-holdem").open(("alice",))
    for _ in range(4):
        table.play_round()
    table.begin()
    table.play_to("settling")
    assert table.refused("dana", "Settle")["clause"] == "§7(e)"
    table.put_stub_away()
    table.must("dana", "Settle")
    assert table.live.cards.decks[0].rounds_since_count == 0
