"""Every card procedure at a live table: two decks, devices that fail, deck changes, electronic tables."""

from typing import Any

import pytest

from house.floors import Floor, read_terms, run
from house.live_table.staffed import BY, DEALER, FLOOR, StaffedTable
from pitboss.games.catalogue import game_names
from pitboss.house.live_table import commands
from pitboss.house.live_table.console import console
from pitboss.rules.dealing import HAND, MANUAL_SHOE
from pitboss.rules.refusal import Refusal
from pitboss.table import commands as of_cards
from pitboss.table.conditions import HOUR_MS, deck_hours
from pitboss.table.settings import CONTINUOUS, COUNTING, settings_faults
from pitboss.table.state import LOADED

GAMES = game_names()
TECHNICIAN = ("tess", "technician")


async def seated(name: str, **document: Any) -> StaffedTable:
    table = StaffedTable(Floor(1), name, **document)
    await table.open()
    await table.floor.sit("t", "alice", 1)
    await table.floor.sit("t", "bob", 2)
    return table


def kinds(table: StaffedTable) -> list[str]:
    return [entry.kind for entry in table.floor.store.read("table/t")]


@pytest.mark.parametrize("name", GAMES)
def test_two_decks_take_turns(name: str) -> None:
    async def alternated() -> list[str]:
        table = await seated(name, decks=2)
        for _ in range(4):
            await table.play_round()
        return [entry.body["deck"] for entry in table.floor.store.read("table/t") if entry.kind == "table.RoundOpened"]

    assert run(alternated()) in ([*["deck 1", "deck 2"] * 2], [*["deck 2", "deck 1"] * 2])


def devices_that_count() -> list[tuple[str, str]]:
    documents = [
        {"game": name, "automatic": False, "cards": "reader", "shuffler": shuffler}
        for name in GAMES
        for shuffler in (COUNTING, CONTINUOUS)
    ]
    allowed = [document for document in documents if not settings_faults(read_terms(document).settings)]
    return [(str(row["game"]), str(row["shuffler"])) for row in allowed]


def test_only_one_rulebook_allows_no_device_that_reshuffles_by_itself() -> None:
    assert len(devices_that_count()) == 2 * len(GAMES) - 1


@pytest.mark.parametrize(("name", "shuffler"), devices_that_count())
def test_a_counting_device_reads_its_count_and_a_wrong_one_removes_the_deck(name: str, shuffler: str) -> None:
    async def counted() -> None:
        table = await seated(name, shuffler=shuffler)
        await table.play_round()
        assert table.live.cards is not None
        assert "table.DeviceCounted" in kinds(table)
        await table.must(DEALER, of_cards.ShuffleDeck(by=BY, at=0, deck="deck 1", way="device"))
        await table.must(DEALER, of_cards.ReadDeviceCount(by=BY, at=0, deck="deck 1", cards=51))
        assert table.live.cards.removed == ("deck 1",)

    run(counted())


@pytest.mark.parametrize("name", GAMES)
def test_a_shoe_that_fails_is_taken_out_and_cards_are_dealt_another_way(name: str) -> None:
    async def failed() -> None:
        table = await seated(name)
        await table.prepare()
        await table.must(DEALER, of_cards.FailDevice(by=BY, at=0, device="shoe"))
        assert isinstance(await table.ask(DEALER, commands.BeginRound()), Refusal)
        out = [duty for duty in console(table.live).duties if duty.command["kind"] == "TakeOutDevice"]
        assert out
        change = of_cards.ChangeDealing(by=BY, at=0, method=MANUAL_SHOE)
        assert isinstance(await table.ask(FLOOR, change), Refusal), "it is covered or marked first"
        await table.must(TECHNICIAN, out[0].command)
        assert isinstance(await table.ask(DEALER, change), Refusal), "the floor changes the dealing method"
        await table.must(FLOOR, change)
        await table.play_round()
        assert table.live.play is not None
        assert table.live.play.rules.choices.dealing == MANUAL_SHOE
        await table.must(TECHNICIAN, of_cards.ReturnDevice(by=BY, at=0, device="shoe"))
        back = of_cards.ChangeDealing(by=BY, at=0, method="automated-shoe")
        await table.must(FLOOR, back)
        await table.play_round()

    run(failed())


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("method", [HAND, MANUAL_SHOE])
def test_other_ways_of_dealing_run_whole_rounds(name: str, method: str) -> None:
    async def dealt() -> int:
        table = await seated(name, dealing=method)
        for _ in range(2):
            await table.play_round()
        return table.live.rounds

    assert run(dealt()) == 2


@pytest.mark.parametrize("name", GAMES)
def test_the_floor_has_cards_shuffled_again_and_idle_cards_are_spread(name: str) -> None:
    async def directed() -> None:
        table = await seated(name)
        await table.prepare()
        again = of_cards.DirectShuffle(by=BY, at=0, deck="deck 1")
        assert isinstance(await table.ask(DEALER, again), Refusal)
        await table.must(FLOOR, again)
        assert isinstance(await table.ask(DEALER, commands.BeginRound()), Refusal)
        await table.prepare()
        await table.must(DEALER, of_cards.SpreadIdle(by=BY, at=0))
        await table.play_round()

    run(directed())


@pytest.mark.parametrize("name", GAMES)
def test_a_deck_whose_hours_are_over_is_changed(name: str) -> None:
    async def aged() -> None:
        table = await seated(name)
        await table.prepare()
        assert table.live.cards is not None
        hours = deck_hours(table.live.cards)
        if hours is None:
            return
        table.floor.clock.now += hours[0] * HOUR_MS
        token = table.live.lease.token
        await table.must(DEALER, {"kind": "TakeLease"})
        assert table.live.lease.token == token + 1, "the lease had run out as well"
        answer = await table.ask(DEALER, commands.BeginRound())
        assert isinstance(answer, Refusal)
        assert answer.clause == hours[1]
        await table.must(FLOOR, of_cards.RemoveDeck(by=BY, at=0, deck="deck 1", reason="hours"))
        await table.must(DEALER, of_cards.ReceiveDeck(by=BY, at=0, deck="deck 2"))
        await table.play_round()

    run(aged())


@pytest.mark.parametrize("name", GAMES)
def test_a_dealer_runs_an_electronic_table_where_the_rulebook_allows_one(name: str) -> None:
    document = {"cards": "shuffle", "electronic": True, "free_play": False}
    faults = settings_faults(read_terms({"game": name, "automatic": False, **document}).settings)
    assert bool(faults) == (read_terms({"game": name}).settings.procedures.electronic_cite is None)

    async def played() -> int:
        table = await seated(name, **({"cards": "shuffle"} if faults else document))
        for _ in range(3):
            await table.play_round()
        assert kinds(table).count("house.DeckCommitted") == 3
        assert "house.CardRead" not in kinds(table)
        return table.live.rounds

    assert run(played()) == 3


@pytest.mark.parametrize("name", GAMES)
def test_every_card_of_real_cards_is_read_and_no_order_is_committed(name: str) -> None:
    async def played() -> None:
        table = await seated(name)
        await table.begin()
        foreign = await table.ask(DEALER, commands.ReadCard(card="Joker"))
        assert isinstance(foreign, Refusal)
        assert foreign.clause == "H-23"
        while table.live.in_round:
            await table.next()
        dealt = sum(
            len(entry.body["cards"]) for entry in table.floor.store.read("table/t") if entry.kind == "round.CardsDealt"
        )
        assert kinds(table).count("house.CardRead") == dealt
        assert "house.DeckCommitted" not in kinds(table)

    run(played())


def test_a_submission_changes_between_rounds_when_the_old_decks_are_gone() -> None:
    async def changed() -> None:
        table = await seated(GAMES[0])
        await table.play_round()
        other = commands.ActivateSubmission(document={"game": GAMES[1], "automatic": False, "cards": "reader"})
        refused = await table.ask(("olga", "operator"), other)
        assert isinstance(refused, Refusal)
        assert refused.clause == "H-5"
        await table.must(FLOOR, of_cards.RemoveDeck(by=BY, at=0, deck="deck 1"))
        await table.both(("olga", "operator"), ("pete", "pit-manager"), other)
        table.name = GAMES[1]
        await table.floor.link("t", GAMES[1])
        assert table.live.terms is not None
        assert table.live.terms.settings.game.name == GAMES[1]
        await table.must(DEALER, of_cards.ReceiveDeck(by=BY, at=0, deck="fresh"))
        while not any(deck.stage == LOADED for deck in table.live.cards.decks):
            await table.prepare()
        await table.play_round()

    run(changed())
