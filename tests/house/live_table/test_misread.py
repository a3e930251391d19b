"""A card that a reader can't have seen is refused, and the floor's record shows that it was read."""

import json
from pathlib import Path

import pytest

from house.floors import run
from house.live_table.staffed import DEALER, in_phase, seated
from pitboss.games.catalogue import game_names
from pitboss.house.live_table import commands
from pitboss.house.reports.significant import SignificantEvents
from pitboss.record.entries import line_of
from pitboss.record.seal import open_card
from pitboss.record.store import export
from pitboss.round.state import ASKING, DEALING
from pitboss.rules.refusal import Refusal
from pitboss_verify import verify

MISREAD = "floor.CardMisread"


@pytest.mark.parametrize("name", game_names())
def test_a_foreign_card_is_refused_and_recorded(name: str) -> None:
    async def read() -> None:
        table = await seated(name)
        await table.begin()
        head = table.live.head
        answer = await table.ask(DEALER, commands.ReadCard(card="Joker"))
        assert isinstance(answer, Refusal)
        assert answer.clause == "H-23"
        assert table.live.head == head
        (noted,) = table.floor.store.read("floor", kinds=(MISREAD,))
        assert noted.body == {
            "table": "t",
            "round": table.live.round,
            "drawn": 0,
            "is_foreign": True,
            "read": "Joker",
        }
        assert (noted.actor, noted.clause) == ("dana", "H-23")
        found = SignificantEvents()
        found.add(noted)
        assert [event.kind for event in found.found(table="t")] == [MISREAD]
        while table.live.in_round:
            await table.next()

    run(read())


@pytest.mark.parametrize("name", game_names())
def test_a_card_read_twice_is_recorded_sealed(name: str) -> None:
    async def read() -> None:
        table = await in_phase(name, ASKING)
        assert table.live.play is not None
        for card in table.live.play.cards[1]:
            answer = await table.ask(DEALER, commands.ReadCard(card=card))
            assert isinstance(answer, Refusal)
        noted = list(table.floor.store.read("floor", kinds=(MISREAD,)))
        assert len(noted) == len(table.live.play.cards[1])
        key = table.floor.house.seal(table.live.round, table.live.key).dealt_key()
        for entry in noted:
            assert not entry.body["is_foreign"]
            assert "read" not in entry.body
            assert not [card for card in table.live.play.cards[1] if json.dumps(card) in line_of(entry)]
            opened = open_card(key, table.live.round, entry.body["drawn"], entry.body["sealed"])[0]
            assert opened in table.live.play.cards[1]

    run(read())


def test_a_reader_at_a_table_without_real_cards_is_refused_and_nothing_is_noted() -> None:
    async def read() -> None:
        table = await in_phase(game_names()[0], DEALING, cards="shuffle")
        assert isinstance(await table.ask(DEALER, commands.ReadCard(card="Joker")), Refusal)
        assert isinstance(await table.ask(("alice", "player"), commands.ReadCard(card="Joker")), Refusal)
        assert not list(table.floor.store.read("floor"))

    run(read())


def test_the_verifier_takes_a_misread_card_for_none_that_was_dealt(tmp_path: Path) -> None:
    async def read() -> None:
        table = await in_phase(game_names()[0], ASKING)
        assert table.live.play is not None
        for card in ("Joker", table.live.play.cards[1][0]):
            assert isinstance(await table.ask(DEALER, commands.ReadCard(card=card)), Refusal)
        while table.live.in_round:
            await table.next()
        log = tmp_path / "record.jsonl"
        with log.open("w") as out:
            export(table.floor.store, out)

    run(read())
    assert verify(tmp_path / "record.jsonl").fault is None
