"""The order of drawn decks at a running table, in old records, with the house dealer, in bundles and with keys."""

import io
from pathlib import Path
from typing import Any

import pytest

from house.floors import Floor, read_terms, run
from house.live_table.staffed import BY, DEALER, FLOOR, StaffedTable
from pitboss.games.catalogue import game_names
from pitboss.house.live_table import drawn_decks
from pitboss.house.live_table.deck_order import IN_ORDER
from pitboss.house.live_table.event_writer import EventWriter
from pitboss.house.live_table.events import DeckCommitted
from pitboss.house.live_table.evolve import Reading, evolve
from pitboss.house.live_table.state import LiveTable
from pitboss.house.live_table.table_snapshot import table_from_data, table_to_data
from pitboss.house.replay import replay_stream, rounds_of
from pitboss.record.evidence import write_evidence
from pitboss.record.keys import MasterKey
from pitboss.record.store import export
from pitboss.table import commands as of_cards
from pitboss.table.settings import PLAIN
from pitboss_verify import verify

GAMES = game_names()


def follow_as_before(writer: EventWriter) -> None:
    """Draw the order when a round begins, as tables did before a shuffle fixed it."""
    live = writer.live
    assert live.terms is not None
    if live.in_round and live.order is None and not live.terms.real_cards:
        order = writer.means.shuffle(live.terms.settings.game.deck)
        committed, sealed = writer.seal.commitments(order), writer.seal.seal_order(order)
        writer.house(DeckCommitted(round=live.round, commitments=committed, sealed_order=sealed))


async def seated(name: str, seed: int = 3) -> Floor:
    floor = Floor(seed)
    await floor.open("t", name)
    for seat, person in ((1, "alice"), (2, "bob")):
        await floor.sit("t", person, seat)
    return floor


def folded(floor: Floor) -> LiveTable:
    live = LiveTable("t")
    for entry in floor.store.read("table/t"):
        if entry.kind == "house.DeckCommitted":  # as such an entry was written before: the round, and nothing of a deck
            body = {name: value for name, value in entry.body.items() if name not in ("deck", "shuffle")}
            entry = entry._replace(body=body)
        live = evolve(live, entry, Reading(read_terms, floor.house.seal))
    kept = floor.house.live("t").play
    assert live.play is not None
    assert kept is not None
    return live._replace(play=live.play._replace(rules=kept.rules))


@pytest.mark.parametrize("name", GAMES)
def test_a_record_whose_rounds_drew_their_own_order_is_folded_verified_and_gone_on_with(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def gone_on() -> Floor:
        floor = await seated(name)
        with monkeypatch.context() as before:
            before.setattr(drawn_decks, "follow", follow_as_before)
            await floor.rounds("t", 1)
            while not floor.house.live("t").positions or not floor.house.live("t").in_round:
                if not await floor.act("t"):
                    await floor.step("t")
        assert folded(floor) == floor.house.live("t")
        await floor.rounds("t", 2)  # the round in play to its end, and others as they are dealt now
        return floor

    floor = run(gone_on())
    stream = list(floor.store.read("table/t"))
    committed = [entry.body for entry in stream if entry.kind == "house.DeckCommitted"]
    assert [bool(body["round"]) for body in committed[:2]] == [True, True]
    assert all(body["shuffle"] and not body["round"] for body in committed[2:])
    assert len(committed) >= 3
    out = io.StringIO()
    export(floor.store, out)
    log = tmp_path / "record.jsonl"
    log.write_text(out.getvalue(), "utf-8")
    report = verify(log)
    assert report.fault is None
    assert report.uncommitted == 0
    for round_id in rounds_of(stream):
        assert not replay_stream(stream, round_id, read_terms).disagreements()


@pytest.mark.parametrize("name", GAMES)
def test_the_house_dealer_prepares_a_deck_again_that_the_floor_had_shuffled_in_an_open_round(name: str) -> None:
    async def directed() -> None:
        floor = await seated(name)
        while not floor.house.live("t").in_round:
            await floor.step("t")
        live = floor.house.live("t")
        assert live.order is not None
        (deck,) = live.orders
        await floor.must("t", "flo", "floorperson", of_cards.DirectShuffle(by=BY, at=0, deck=deck))
        for _ in range(4):
            await floor.step("t")
        again = floor.house.live("t")
        assert again.in_round
        assert again.order is not None
        assert again.order.shuffle != live.order.shuffle
        assert again.order == again.orders[deck]
        await floor.rounds("t", 1)
        assert floor.house.live("t").rounds == live.rounds + 1

    run(directed())


@pytest.mark.parametrize("name", GAMES)
def test_every_deck_that_is_ready_has_an_order_and_no_other_has_one(name: str) -> None:
    async def watched() -> int:
        floor = await seated(name)
        seen = 0

        def look(live: LiveTable, entries: Any) -> None:
            nonlocal seen
            assert live.cards is not None
            ready = {deck.name for deck in live.cards.decks if deck.stage in IN_ORDER}
            assert set(live.orders) == ready
            assert table_from_data(table_to_data(live), floor.house.reading).orders == live.orders
            seen += bool(ready)

        floor.house.events.changed.append(look)
        await floor.rounds("t", 3)
        return seen

    assert run(watched()) > 20


def test_a_key_that_is_rotated_between_shuffle_and_round_keeps_both_open(tmp_path: Path) -> None:
    async def rotated() -> Floor:
        floor = await seated(GAMES[0])
        while not floor.house.live("t").orders:
            await floor.step("t")
        keys = floor.house.keyring
        floor.house.keyring = type(keys)((*keys.keys, MasterKey(bytes(32))))
        await floor.rounds("t", 2)
        return floor

    floor = run(rotated())
    begun = next(entry for entry in floor.store.read("table/t") if entry.kind == "house.RoundBegun")
    shuffled = next(entry for entry in floor.store.read("table/t") if entry.kind == "house.DeckCommitted")
    assert shuffled.body["sealed_order"].partition(".")[0] != begun.body["key"]
    out = io.StringIO()
    export(floor.store, out)
    (tmp_path / "record.jsonl").write_text(out.getvalue(), "utf-8")
    assert verify(tmp_path / "record.jsonl").fault is None


@pytest.mark.parametrize("name", GAMES)
def test_a_bundle_holds_the_shuffle_that_its_round_was_dealt_from_with_two_decks_too(name: str, tmp_path: Path) -> None:
    async def played() -> StaffedTable:
        table = StaffedTable(Floor(4), name, cards="shuffle", shuffler=PLAIN, decks=2)
        await table.open()
        await table.floor.sit("t", "alice", 1)
        for deck in ("one", "two"):
            received = of_cards.ReceiveDeck(by=BY, at=0, deck=deck, preinspected=True, preshuffled=True)
            await table.must(DEALER, received)
            await table.must(DEALER, of_cards.CutDeck(by=BY, at=0, deck=deck, cards=20))
        assert table.live.terms is not None
        for duty in table.live.terms.settings.procedures.two_decks.duties:
            who = FLOOR if duty.by == "floorperson" else DEALER
            await table.must(who, of_cards.ConfirmDuty(by=BY, at=0, duty=duty.id))
        for number, deck in enumerate(("one", "two", "one")):
            if number == 2:
                await table.must(DEALER, of_cards.ShuffleDeck(by=BY, at=0, deck="two", way=of_cards.DEVICE))
            await table.must(DEALER, of_cards.LoadDeck(by=BY, at=0, deck=deck))
            if number == 0:  # the deck that waits comes out of the shuffler
                await table.must(DEALER, of_cards.ShuffleDeck(by=BY, at=0, deck="two", way=of_cards.DEVICE))
            await table.must(DEALER, {"kind": "BeginRound", "deck": deck})
            while table.live.in_round:
                await table.next()
            if number == 0:
                await table.must(DEALER, of_cards.ShuffleDeck(by=BY, at=0, deck="one", way=of_cards.DEVICE))
        return table

    floor = run(played()).floor
    for round_id in rounds_of(floor.store.read("table/t")):
        bundle = tmp_path / f"{round_id}.zip"
        write_evidence(floor.store, round_id, bundle)
        report = verify(bundle)
        assert report.fault is None, report.fault
        assert report.opened > 2
