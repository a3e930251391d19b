"""A deck whose order the program has fixed can't be counted away from its round."""

from typing import Any

import pytest

from house.floors import Floor, run
from house.live_table.staffed import BY, DEALER, StaffedTable
from pitboss.games.catalogue import game_names
from pitboss.house.live_table import commands
from pitboss.house.live_table.console import console
from pitboss.rules.refusal import Refusal
from pitboss.table import commands as of_cards
from pitboss.table.conditions import cards_of
from pitboss.table.settings import COUNTING, PLAIN


async def drawn(name: str, shuffler: str) -> StaffedTable:
    table = StaffedTable(Floor(2), name, cards="shuffle", shuffler=shuffler)
    await table.open()
    await table.floor.sit("t", "alice", 1)
    return table


@pytest.mark.parametrize("name", game_names())
def test_a_wrong_count_of_the_deck_in_play_is_refused_and_the_round_goes_on(name: str) -> None:
    async def counted() -> None:
        table = await drawn(name, PLAIN)
        await table.begin()
        assert table.live.cards is not None
        deck = table.live.cards.decks[0].name
        for count in (0, cards_of(table.live.cards) - 1, cards_of(table.live.cards) + 1):
            answer = await table.ask(DEALER, of_cards.CountDeck(by=BY, at=0, deck=deck, cards=count))
            assert isinstance(answer, Refusal)
            assert answer.clause == "H-23"
        while table.live.in_round:
            await table.next()
        assert [deck.name for deck in table.live.cards.decks] == [deck]

    run(counted())


@pytest.mark.parametrize("name", game_names())
def test_a_wrong_reading_of_the_shuffler_is_refused_and_the_table_goes_on(name: str) -> None:
    async def read() -> None:
        table = await drawn(name, COUNTING)
        await table.begin()
        assert table.live.cards is not None
        deck, whole = table.live.cards.decks[0].name, cards_of(table.live.cards)
        counted: Any = of_cards.CountDeck(by=BY, at=0, deck=deck, cards=whole)
        await table.must(DEALER, counted)  # a right count in an open round: the deck is shuffled once more
        await table.must(DEALER, of_cards.ShuffleDeck(by=BY, at=0, deck=deck, way=of_cards.DEVICE))
        wrong = await table.ask(DEALER, of_cards.ReadDeviceCount(by=BY, at=0, deck=deck, cards=whole - 1))
        assert isinstance(wrong, Refusal)
        assert wrong.clause == "H-23"
        await table.must(DEALER, of_cards.ReadDeviceCount(by=BY, at=0, deck=deck, cards=whole))
        await table.must(DEALER, of_cards.LoadDeck(by=BY, at=0, deck=deck))
        while table.live.in_round:
            await table.next()

    run(read())


@pytest.mark.parametrize("name", game_names())
def test_a_device_that_failed_is_seen_to_before_the_program_prepares_cards(name: str) -> None:
    async def failed() -> None:
        table = await drawn(name, PLAIN)
        await table.must(DEALER, of_cards.FailDevice(by=BY, at=0, device=of_cards.SHUFFLER))
        first, *others = console(table.live).duties
        assert first.command["kind"] == "TakeOutDevice"
        assert others[-1].id == "prepare"
        await table.must(DEALER, first.command)
        assert [duty.id for duty in console(table.live).duties] == ["prepare"]

    run(failed())


def test_real_cards_that_are_counted_wrong_are_taken_away() -> None:
    async def counted() -> None:
        table = StaffedTable(Floor(2), game_names()[0])
        await table.open()
        await table.prepare()
        assert table.live.cards is not None
        deck = table.live.cards.decks[0].name
        await table.must(DEALER, of_cards.CountDeck(by=BY, at=0, deck=deck, cards=3))
        assert table.live.cards is not None
        assert deck in table.live.cards.removed
        assert isinstance(await table.ask(DEALER, commands.BeginRound()), Refusal)

    run(counted())
