"""Every request anyone can make to a real floor gets the same answer, whatever cards are hidden from them."""

import asyncio
import random
from pathlib import Path
from typing import Any

import pytest

from pitboss.games.catalogue import game, game_names
from pitboss.house.live_table.console import console
from pitboss.round.state import ASKING, SETTLING
from pitboss.server import file_integrity
from pitboss.server.routes import rounds
from server.two_floors import PEOPLE, WatchedFloor, differences, known_to, otherwise, shuffled

ALWAYS = (None, "ann", "flo", "aud")
OTHERS = tuple(name for name in PEOPLE if name not in (*ALWAYS, "ben", "cy"))


@pytest.fixture(autouse=True)
def same_software(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(file_integrity, "software_digest", lambda: "0" * 64)


async def told(folder: Path, table: str, order: Any, phase: str, people: tuple[str | None, ...]) -> Any:
    floor = WatchedFloor(folder, folder.parent / "keys.json", table, order)
    await floor.open()
    await floor.play(phase, random.Random(3))
    said = {**floor.frames(), **await floor.ask_everything(people), "the log": floor.log()}
    known = known_to(floor.live, 1)
    dealt = floor.live.drawn
    await floor.close()
    return said, known, dealt


def compared(folder: Path, table: str, phase: str, people: tuple[str | None, ...]) -> tuple[list[str], dict[str, str]]:
    """Return what the two floors said otherwise, and all that the first one said."""

    async def both() -> tuple[list[str], dict[str, str]]:
        order = shuffled(table, 1, game(table).deck)
        first, known, dealt = await told(folder / "one", table, order, phase, people)
        other = otherwise(order, known)
        assert [card for place, card in enumerate(order[:dealt]) if other[place] != card]
        two, known_again, _ = await told(folder / "two", table, other, phase, people)
        assert known == known_again
        return differences(first, two), first

    return asyncio.run(both())


@pytest.mark.slow
@pytest.mark.parametrize(("number", "table"), list(enumerate(game_names())))
def test_everyone_gets_the_same_answer(tmp_path: Path, number: int, table: str) -> None:
    # Every game is asked about by some, and all of them together by everyone.
    people = (*ALWAYS, *OTHERS[number :: len(game_names())])
    differ, said = compared(tmp_path, table, (SETTLING, ASKING)[number % 2], people)
    assert not differ, "\n".join(differ)
    answered = [name for name, text in said.items() if text.startswith("200 ")]
    for name in (
        "flo /api/tables/{table}/console",
        "aud /api/audit/events",
        "None /metrics",
        "ann /api/tables/{table}",
    ):
        assert name in answered
    assert all(said[f"{name} comes back at 0"] == "" for name in people if name)
    assert all("view" in said[f"{name} comes back at -3"] for name in people if name)
    assert '"command refused"' in said["the log"]


def test_a_leak_in_any_answer_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def leaking(live: Any, means: Any = None) -> Any:
        shown = console(live, means)
        number = sum(map(ord, "".join(sorted(live.positions))))
        object.__setattr__(shown, "tray", f"{shown.tray} {number}")
        return shown

    monkeypatch.setattr(rounds, "console", leaking)
    differ, _ = compared(tmp_path, game_names()[0], ASKING, ("flo",))
    assert [text.partition(":")[0] for text in differ] == ["flo /api/tables/{table}/console"]
