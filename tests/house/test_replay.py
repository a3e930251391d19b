"""A recorded round is rebuilt from the log alone, and the rules decide it again to the same money and clauses."""

from dataclasses import replace
from pathlib import Path

import pytest

from house.floors import Floor, read_terms, run
from house.live_table.staffed import ASKING, DEALER, FLOOR, StaffedTable
from pitboss.games.catalogue import game_names
from pitboss.house.live_table import commands
from pitboss.house.replay import LAST_ROUNDS, DamagedRecord, StillSealed, checked, recall, rounds_of
from pitboss.record.evidence import UnknownRound
from pitboss.record.seal import round_seal
from pitboss.round.again import decided_again
from pitboss.round.events import CardsDealt, WagersSettled


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
    for one in names:
        found = recall(entries, one, read_terms)
        assert found.is_over
        assert found.disagreements == ()
        assert found.steps[-1].live.play is not None
        assert found.steps[-1].live.play.outcome == "settled"


@pytest.mark.parametrize("name", game_names())
def test_a_payment_that_was_written_otherwise_is_found(name: str) -> None:
    floor = run(played(name, 2))
    entries = tuple(floor.store.read("table/t"))
    found = recall(entries, rounds_of(entries, 1)[0], read_terms)
    events = [step.event for step in found.steps if step.event is not None]
    place = max(index for index, event in enumerate(events) if isinstance(event, WagersSettled) and event.results)
    settled = events[place]
    assert isinstance(settled, WagersSettled)
    wrong = settled.results[0]._replace(net=settled.results[0].net + 1)
    events[place] = replace(settled, results=(wrong, *settled.results[1:]))
    assert found.steps[0].live.play is not None
    assert list(decided_again(found.steps[0].live.play.rules, events))


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
    found = recall(entries, rounds_of(entries, 1)[0], read_terms)
    assert found.disagreements == ()
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
        recall(entries, rounds_of(entries, 1)[0], read_terms)
    with pytest.raises(UnknownRound):
        recall(entries, "nothing", read_terms)


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
    current = recall(entries, names[-1], read_terms, lambda one, key: round_seal(floor.keyring, one))
    assert not current.is_over
    assert current.disagreements == ()
    told, stands = current.steps[-1].live.play, floor.house.live("t").play
    assert told is not None
    assert stands is not None
    assert told._replace(rules=stands.rules) == stands
    for step in current.steps:
        assert step.entry.actor
        assert all(card is None for seat in step.public.seats for card in seat.cards)
        with pytest.raises(StillSealed):
            current.cards(step)


@pytest.mark.parametrize("name", game_names())
def test_cards_are_public_as_they_stood_and_all_of_them_only_once_the_round_is_over(name: str) -> None:
    entries = tuple(run(played(name, 2)).store.read("table/t"))
    found = recall(entries, rounds_of(entries, 1)[0], read_terms)
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
