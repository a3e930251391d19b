"""A recorded round is rebuilt from the log alone, and the rules decide it again to the same money and clauses."""

from dataclasses import replace
from pathlib import Path

import pytest

from house.desk.staffed import ASKING, DEALER, FLOOR, StaffedTable
from house.floors import Floor, read_terms, run
from pitboss.games.catalogue import game_names
from pitboss.house.desk import commands
from pitboss.house.evidence import UnknownRound
from pitboss.house.recall import StillSealed, recall, rounds_of
from pitboss.round.again import decided_again
from pitboss.round.events import WagersSettled


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
        assert found.steps[-1].desk.play is not None
        assert found.steps[-1].desk.play.outcome == "settled"


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
    assert found.steps[0].desk.play is not None
    assert list(decided_again(found.steps[0].desk.play.rules, events))


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
        while floor.house.desk("t").play is None or not floor.house.desk("t").in_round:
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
