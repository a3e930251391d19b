"""For an absent player the discard of highest value is chosen, computed outside the event loop."""

import asyncio
import threading
from pathlib import Path

import pytest

from house.floors import Floor, run
from pitboss.cards.deck import Card
from pitboss.games.catalogue import game_names
from pitboss.house.live_table.state import LiveTable
from pitboss.lab.exact_counts import exact_of
from pitboss.round.state import ASKING
from pitboss.server.app import add_dealers, make_floor
from pitboss.server.demonstration import demo_documents
from pitboss.server.live import background_loops, best_discard
from pitboss.server.open_floor import FloorSettings

pytestmark = pytest.mark.xdist_group("exact")
DISCARDING = [name for name in game_names() if hasattr(exact_of(name), "best_discard")]


async def asked(name: str, seed: int) -> LiveTable:
    floor = Floor(seed)
    await floor.open("t", name)
    await floor.sit("t", "alice", 1)
    while (play := floor.house.live("t").play) is None or play.phase != ASKING:
        if not await floor.act("t"):
            await floor.step("t")
    return floor.house.live("t")


@pytest.mark.parametrize("name", DISCARDING)
def test_the_discard_is_the_one_the_games_analysis_finds(name: str) -> None:
    assert DISCARDING
    others = 0
    for seed in range(1, 9):
        play = run(asked(name, seed)).play
        (actions,) = play.rules.actions.values()
        action = next(action.name for action in actions.values() if action.discards)
        found = best_discard.best_discard(play, 1, action)
        worths = exact_of(name).action_worths(play.rules, play.cards[1])
        best = max(
            (worth for worth in worths if worth.startswith(f"{action}, discard ")), key=lambda worth: worths[worth]
        )
        assert worths[f"{action}, discard {found}"] == worths[best]
        others += found != play.cards[1][-1]
    assert others, "it is not always the last card"


@pytest.mark.parametrize("name", sorted(set(game_names()) - set(DISCARDING)))
def test_a_game_without_such_an_analysis_gives_the_last_card(name: str) -> None:
    play = run(asked(name, 1)).play
    assert best_discard.best_discard(play, 1, "any") == play.cards[1][-1]


def test_no_game_asks_for_a_discard_of_somebody_who_is_not_there_unless_its_least_action_does() -> None:
    for name in game_names():
        assert best_discard.needs_discard(run(asked(name, 1)).play) is False


def test_the_floor_computes_it_off_the_event_loop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    threads: list[int] = []

    def noted(state: object, seat: int, action: str) -> Card:
        threads.append(threading.get_ident())
        return Card("As")

    monkeypatch.setattr(background_loops, "needs_discard", lambda state: state.phase == ASKING)
    monkeypatch.setattr(background_loops, "best_discard", noted)

    async def foreseen() -> None:
        floor = make_floor(FloorSettings(tmp_path))
        dealing = add_dealers(floor)
        await floor.start()
        table = DISCARDING[0]
        await floor.open_free_play(table, demo_documents()[table], 1_000_00)
        live = await asked(table, 1)
        dealing.prepare_discard(live._replace(table=table), ())
        while not threads:
            await asyncio.sleep(0.01)
        assert threads[0] != threading.get_ident()
        await floor.stop()

    asyncio.run(asyncio.wait_for(foreseen(), 120))
