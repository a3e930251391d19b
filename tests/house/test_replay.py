"""A recorded round is rebuilt from the log only, and the rules decide it again to the same money and clauses."""

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from house.floors import Floor, read_terms, run
from house.live_table.staffed import ASKING, DEALER, FLOOR, PIT, StaffedTable
from pitboss.cards.deck import face
from pitboss.games.catalogue import game_names
from pitboss.house.live_table import commands
from pitboss.house.live_table.evolve import Reading, evolve
from pitboss.house.live_table.state import LiveTable
from pitboss.house.replay import (
    LAST_ROUNDS,
    DamagedRecord,
    ReplayedRound,
    StillSealed,
    checked,
    replay_recorded,
    replay_stream,
    rounds_of,
    segment_of,
)
from pitboss.house.running_tables import Done
from pitboss.record.entries import canonical
from pitboss.record.evidence import UnknownRound
from pitboss.record.seal import round_seal
from pitboss.round.again import decided_again
from pitboss.round.events import CardsDealt, WagersSettled
from pitboss.round.state import OVER


async def played(name: str, rounds: int, seed: int = 1) -> Floor:
    floor = Floor(seed)
    await floor.open("t", name)
    for person, seat in (("alice", 1), ("bob", 2), ("carol", 5)):
        await floor.sit("t", person, seat)
    await floor.rounds("t", rounds)
    return floor


@pytest.mark.parametrize("name", game_names())
def test_every_round_is_decided_again_to_the_same_outcome(name: str) -> None:
    floor = run(played(name, 12))
    entries = tuple(floor.store.read("table/t"))
    names = rounds_of(entries, 10)
    assert len(names) == 10
    for other in names:
        found = replay_stream(entries, other, read_terms)
        assert found.is_over
        assert found.disagreements() == ()
        assert found.steps[-1].play.outcome == "settled"


def reading_of(floor: Floor) -> Reading:
    return Reading(read_terms, lambda name, key: round_seal(floor.keyring, name))


def is_as_lived(floor: Floor, round_id: str) -> ReplayedRound:
    """Replay a round from the store and from the stream, and compare each step with the live table's fold."""
    entries, reading = tuple(floor.store.read("table/t")), reading_of(floor)
    live, lived = LiveTable("t"), {}
    for entry in entries:
        live = evolve(live, entry, reading)
        lived[entry.sequence] = live.play
    alone, whole = replay_recorded(floor.store, round_id, reading), replay_stream(entries, round_id, read_terms)
    assert [step.entry for step in alone.steps] == [step.entry for step in whole.steps]
    for step, other in zip(alone.steps, whole.steps, strict=True):
        play = lived[step.entry.sequence]
        assert play is not None
        assert step.play._replace(rules=play.rules) == other.play._replace(rules=play.rules) == play
        assert alone.cards(step) == whole.cards(other)
    return alone


@pytest.mark.parametrize("name", game_names())
def test_every_step_is_the_round_as_the_live_table_had_it(name: str) -> None:
    floor = run(played(name, 3))
    for round_id in rounds_of(floor.store.read("table/t"), 3):
        assert is_as_lived(floor, round_id).is_over


def test_a_replayed_round_has_the_cards_that_a_dispute_corrected() -> None:
    async def disputed() -> tuple[StaffedTable, str]:
        table = StaffedTable(Floor(2), game_names()[0])
        await table.open()
        await table.floor.sit("t", "alice", 1)
        await table.begin()
        await table.until(OVER)
        await table.end()
        play = table.live.play
        assert play is not None
        await table.must(DEALER, commands.ReportDispute(seats=(1,), note="misread"))
        for card in play.rules.game.deck.cards:
            cards = {"1": (face(card), *map(face, play.cards[1][1:]))}
            resettle = commands.ResolveDispute(outcome="resettle", note="as racked", cards=cards)
            if card not in play.drawn and isinstance(await table.ask(FLOOR, resettle), Done):
                (proposal,) = table.live.proposals
                await table.must(PIT, commands.Confirm(proposal=proposal))
                return table, face(card)
        raise AssertionError("no card changes the result")

    table, card = run(disputed())
    found = is_as_lived(table.floor, rounds_of(table.floor.store.read("table/t"), 1)[0])
    assert found.steps[-1].entry.kind == "house.DisputeResolved"
    assert found.cards(found.steps[-1])["1"][0] == card


@pytest.mark.parametrize("name", game_names())
def test_an_altered_payment_is_found(name: str) -> None:
    floor = run(played(name, 2))
    entries = tuple(floor.store.read("table/t"))
    found = replay_stream(entries, rounds_of(entries, 1)[0], read_terms)
    events = [step.event for step in found.steps if step.event is not None]
    place = max(index for index, event in enumerate(events) if isinstance(event, WagersSettled) and event.results)
    settled = events[place]
    assert isinstance(settled, WagersSettled)
    wrong = settled.results[0]._replace(net=settled.results[0].net + 1)
    events[place] = replace(settled, results=(wrong, *settled.results[1:]))
    assert list(decided_again(found.steps[0].play.rules, events))


@pytest.mark.parametrize("name", game_names())
def test_a_voided_round_is_decided_again_too(name: str) -> None:
    async def voided() -> StaffedTable:
        table = StaffedTable(Floor(2), name)
        await table.open()
        await table.floor.sit("t", "alice", 1)
        await table.begin()
        await table.until(ASKING)
        report = commands.ReportIrregularity(irregularity="wrong-number-of-cards", seat=1)
        await table.both(DEALER, FLOOR, report)
        await table.end()
        return table

    entries = tuple(run(voided()).floor.store.read("table/t"))
    found = replay_stream(entries, rounds_of(entries, 1)[0], read_terms)
    assert found.disagreements() == ()
    assert found.steps[-1].entry.body["outcome"] == "void"


def test_a_round_that_is_played_stays_sealed_and_a_strange_one_is_unknown(tmp_path: Path) -> None:
    async def begun() -> Floor:
        floor = await played(game_names()[0], 1)
        while floor.house.live("t").play is None or not floor.house.live("t").in_round:
            await floor.step("t")
        for _ in range(8):
            if not await floor.act("t"):
                await floor.step("t")
        return floor

    entries = tuple(run(begun()).store.read("table/t"))
    with pytest.raises(StillSealed, match="until it is over"):
        replay_stream(entries, rounds_of(entries, 1)[0], read_terms)
    with pytest.raises(UnknownRound):
        replay_stream(entries, "nothing", read_terms)


async def in_play(name: str) -> Floor:
    floor = await played(name, 11)
    while True:
        play = floor.house.live("t").play
        if play is not None and floor.house.live("t").in_round and play.phase == ASKING:
            return floor
        if not await floor.act("t"):
            await floor.step("t")


@pytest.mark.parametrize("name", game_names())
def test_the_last_ten_rounds_and_the_one_in_play_are_recalled_with_the_house_s_own_keys(name: str) -> None:
    floor = run(in_play(name))
    entries = tuple(floor.store.read("table/t"))
    names = rounds_of(entries)
    assert len(names) == LAST_ROUNDS + 1
    current = replay_stream(entries, names[-1], read_terms, lambda entry, key: round_seal(floor.keyring, entry))
    assert not current.is_over
    assert current.disagreements() == ()
    replayed, live = current.steps[-1].play, floor.house.live("t").play
    assert live is not None
    assert replayed._replace(rules=live.rules) == live
    for step in current.steps:
        assert step.entry.actor
        assert all(card is None for seat in step.public.seats for card in seat.cards)
        with pytest.raises(StillSealed):
            current.cards(step)


@pytest.mark.parametrize("name", game_names())
def test_cards_are_public_as_they_stood_and_all_of_them_only_once_the_round_is_over(name: str) -> None:
    entries = tuple(run(played(name, 2)).store.read("table/t"))
    found = replay_stream(entries, rounds_of(entries, 1)[0], read_terms)
    hidden = 0
    for step in found.steps:
        full = found.cards(step)
        for seat in step.public.seats:
            hidden += sum(card is None for card in seat.cards)
            shown = zip(seat.cards, full.get(str(seat.seat), ()), strict=True)
            assert all(card in (None, dealt) for card, dealt in shown)
    assert hidden
    dealt = [step.event for step in found.steps if isinstance(step.event, CardsDealt)]
    in_hands = sum(len(event.cards) for event in dealt if event.place != "burn")
    assert sum(map(len, found.cards(found.steps[-1]).values())) <= in_hands


def test_a_stream_that_was_cut_or_changed_is_not_recalled() -> None:
    entries = tuple(run(played(game_names()[0], 1)).store.read("table/t"))
    assert tuple(checked(entries)) == entries
    for damaged in (entries[1:], (*entries[:3], *entries[4:]), (entries[0]._replace(actor="other"), *entries[1:])):
        with pytest.raises(DamagedRecord):
            tuple(checked(damaged))


def test_an_unknown_round_is_unknown() -> None:
    floor = run(played(game_names()[0], 1))
    for name in ("t-99-ffff", "x-1-00", "nothing", ""):
        with pytest.raises(UnknownRound):
            segment_of(floor.store, name)


class Rewritten:
    """A record in which one entry's body was written otherwise."""

    def __init__(self, floor: Floor, kind: str, change: dict[str, Any]) -> None:
        self._store, self._kind, self._change = floor.store, kind, change

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    def lines(self, *where: Any, **rest: Any) -> Iterator[str]:
        for line in self._store.lines(*where, **rest):
            data = json.loads(line)
            if data["kind"] == self._kind:
                data["body"].update(self._change)
            yield canonical(data)


@pytest.mark.parametrize(
    ("kind", "change"),
    [
        ("round.CardsDealt", {"cards": [{"position": 0, "sealed": "00"}]}),
        ("round.WagersPlaced", {"stakes": "many"}),
        ("house.RoundBegun", {"key": None, "round": 7}),
    ],
)
def test_a_round_that_cannot_be_followed_is_reported_as_damaged(kind: str, change: dict[str, Any]) -> None:
    floor = run(played(game_names()[0], 1))
    whole = rounds_of(floor.store.read("table/t"), 1)[0]
    store: Any = Rewritten(floor, kind, change)
    with pytest.raises(DamagedRecord, match=whole):
        replay_recorded(store, whole, reading_of(floor))
