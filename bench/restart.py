"""The restart of a floor: a hundred tables with a million real events, restored by the server's own fold."""

import asyncio
import json
import re
import shutil
import sqlite3
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pitboss.house.house_dealer import next_step
from pitboss.house.live_table import commands
from pitboss.house.live_table.state import LiveTable
from pitboss.house.live_table.table_snapshot import fold_of, table_from_data, table_to_data
from pitboss.house.running_tables import Asked, Done
from pitboss.house.stream_names import stream_of
from pitboss.record.entries import Circumstances, Draft, Entry, Head, canonical, chained, head_of, line_of
from pitboss.record.keys import read_keys
from pitboss.record.row_tags import RowTags
from pitboss.record.sql_store import SqlStore
from pitboss.record.sql_tables import head_row, row_of
from pitboss.record.system import SystemRandomness
from pitboss.round import legal_actions
from pitboss.round.state import ASKING, WAGERING
from pitboss.server.app import make_floor
from pitboss.server.demonstration import demo_documents
from pitboss.server.open_floor import FloorSettings

TABLES = 100
SEATS = 3
NO_PACE = {"wagers_ms": 0, "decision_ms": 3_600_000, "step_ms": 0, "between_rounds_ms": 0}
MEMORY = Path("/dev/shm")  # a folder in memory, where the rounds to copy are played if it exists
ENDS = 200  # entries a table may have after its last snapshot
Copied = dict[str, tuple[list[Entry], LiveTable]]  # for each table played, its entries and its state at a snapshot


class Played:
    """A floor whose tables play by themselves as fast as they can, saved where a snapshot was due."""

    def __init__(self, folder: Path) -> None:
        self.floor = make_floor(FloorSettings(folder))
        self.kept: dict[str, LiveTable] = {}
        self.floor.house.events.changed.append(self._remember)

    def _remember(self, live: LiveTable, entries: tuple[Entry, ...]) -> None:
        own = [entry for entry in entries if entry.stream == live.stream]
        if self.floor.house.snapshots.is_due(Head(own[0].sequence - 1), live.head):
            self.kept[live.table] = live

    async def play(self, table: str, events: int) -> None:
        """Play rounds until the table has this many entries, a snapshot and some more."""
        await self._sit(table)
        while table not in self.kept or self.kept[table].head.sequence < events:
            await self._on(table)
        last = self.kept[table]
        while self.floor.house.live(table).head.sequence < last.head.sequence + ENDS:
            await self._on(table)
        self.kept[table] = last

    async def _sit(self, table: str) -> None:
        for seat in range(1, SEATS + 1):
            name = f"player-{seat}-{table}"
            await self.floor.issue(name, 1_000_000_00)
            for command in (commands.TakeSeat(seat=seat), commands.BuyIn(cents=100_000_00)):
                await self._must(table, name, ("player",), command)

    async def _on(self, table: str) -> None:
        live = self.floor.house.live(table)
        play = live.play
        if live.in_round and play is not None and play.phase == WAGERING and len(play.players) < SEATS:
            assert live.terms is not None
            asked = [wager for wager in live.terms.settings.rules.game.wagers if wager.required and not wager.by_action]
            stakes = {item.name: 10_00 for item in asked}
            seat = len(play.players) + 1
            await self._must(table, live.seats[seat], ("player",), commands.PlaceWagers(seat=seat, stakes=stakes))
        elif live.in_round and play is not None and play.phase == ASKING:
            action = legal_actions(play)[-1]
            discard = play.cards[play.cursor][0] if action.discards else None
            answer = commands.Act(seat=play.cursor, action=action.name, discard=discard)
            await self._must(table, live.seats[play.cursor], ("player",), answer)
        else:
            step = next_step(live, self.floor.clock.now_ms())
            assert step is not None
            assert isinstance(await self.floor.automatic(table, step.command), Done)

    async def _must(self, table: str, person: str, roles: tuple[str, ...], command: commands.Command) -> None:
        answer = await self.floor.house.do(table, Asked(self.floor.fresh(), person, roles, commands.data_of(command)))
        assert isinstance(answer, Done), answer


async def played(folder: Path, events: int) -> tuple[Copied, dict[str, list[Entry]]]:
    """Play a table of every game, and return what was recorded there and in the streams that tables share."""
    playing = Played(folder)
    floor = playing.floor
    await floor.start()
    documents = list(demo_documents().values())
    for number, document in enumerate(documents):
        progressive = name_of(number) if document["progressive"] else None
        told = {**document, "progressive": progressive, "pace": NO_PACE}
        await floor.open_free_play(name_of(number), told, 5_000_000_00)
    await asyncio.gather(*(playing.play(name_of(number), events) for number in range(len(documents))))
    tables = {name: (list(floor.store.read(stream_of(name))), live) for name, live in playing.kept.items()}
    others = {head: list(floor.store.read(head)) for head in floor.store.heads() if not head.startswith("table/")}
    await floor.stop()
    return tables, others


def name_of(number: int) -> str:
    """Return a table's name that matches nothing else in a record."""
    return f"qqq{number:03}"


def renamed(text: str, old: str, new: str) -> str:
    """Replace a table's name in a text, except in the names of its rounds, from which its seals are derived."""
    return re.sub(rf"{old}(?!-\d+-)", new, text)


def copies(tables: Copied, others: dict[str, list[Entry]], count: int) -> Iterator[tuple[str, list[Entry]]]:
    """Yield each table's streams under a new name, including what it wrote to shared streams."""
    names = list(tables)
    for number in range(count):
        old, new = names[number % len(names)], name_of(number)
        entries, kept = tables[old]
        shared = [
            other
            for stream in others
            for other in others[stream]
            if old in other.stream or old in canonical(other.body)
        ]
        end = kept.head.sequence + (number * 37) % ENDS
        while entries[end - 1].command == entries[end].command:  # keep commands whole
            end -= 1
        yield new, [*entries[:end], *shared]


def write(folder: Path, tables: Copied, others: dict[str, list[Entry]], count: int) -> int:
    """Write the record of this many tables into a floor's folder, chained again, and return the number of entries."""
    store = SqlStore(f"sqlite:///{folder / 'record.db'}")
    floor = make_floor(FloorSettings(folder))
    tags = RowTags(read_keys(floor.settings.key_file), SystemRandomness())
    heads: dict[str, Head] = {}
    database = sqlite3.connect(folder / "record.db")
    names, total = list(tables), 0
    for number, (new, entries) in enumerate(copies(tables, others, count)):
        old = names[number % len(names)]
        kept = tables[old][1]
        rows: list[tuple[str | int, ...]] = []
        snapshot = None
        for entry in entries:
            said = json.loads(renamed(canonical([entry.stream, entry.kind, entry.body, entry.actor]), old, new))
            draft = Draft(said[0], said[1], said[2], entry.clause)
            by = Circumstances(said[3], entry.role, f"{new} {entry.command}", entry.at, entry.rules)
            written = chained(heads.get(draft.stream, Head()), draft, by)
            heads[draft.stream] = head_of(written)
            rows.append(tuple(row_of(written, line_of(written), tags).values()))
            if draft.stream == stream_of(new) and written.sequence == kept.head.sequence:
                snapshot = heads[draft.stream]
        columns = "stream, sequence, kind, at, actor, command, line, tag"
        database.executemany(f"INSERT INTO entries ({columns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)", rows)
        database.commit()
        assert snapshot is not None
        data = json.loads(renamed(canonical(table_to_data(kept)), old, new))
        live = table_from_data(data, floor.house.reading)._replace(head=snapshot)
        floor.house.snapshots.keep(live.stream, snapshot, fold_of(new, floor.house.reading), live)
        total += len(rows)
    ends = [tuple(head_row(name, head, tags).values()) for name, head in heads.items()]
    database.executemany("INSERT INTO heads (stream, sequence, hash, tag) VALUES (?, ?, ?, ?)", ends)
    database.commit()
    database.close()
    store.close()
    floor.close()
    return total


async def restarted(folder: Path) -> dict[str, float]:
    """Open the floor as the server does, and return how long it took until every table could continue."""
    started, spent = time.perf_counter(), time.process_time()
    floor = make_floor(FloorSettings(folder))
    await floor.start()
    elapsed, spent = time.perf_counter() - started, time.process_time() - spent
    assert len(floor.house.tables) == TABLES
    for name in list(floor.house.tables)[:8]:  # check that it can continue: its dealer takes the next step
        step = next_step(floor.house.live(name), floor.clock.now_ms())
        if step is not None and step.at <= floor.clock.now_ms():
            answer = await floor.automatic(name, step.command)
            assert isinstance(answer, Done), f"{name}: {step.command}: {answer}"
    await floor.stop()
    return {"restart s": round(elapsed, 2), "restart processor s": round(spent, 2)}


def main(events: int = 1_000_000) -> dict[str, Any]:
    """Play, copy and restart in temporary folders."""
    place = str(MEMORY) if MEMORY.exists() else None
    with tempfile.TemporaryDirectory(dir=place) as first, tempfile.TemporaryDirectory() as second:
        spent = time.process_time()
        tables, others = asyncio.run(played(Path(first), events // TABLES))
        figures: dict[str, Any] = {"preparation, CPU s: rounds played": round(time.process_time() - spent)}
        folder = Path(second)
        shutil.copytree(Path(first) / "keys", folder / "keys")
        figures["events"] = write(folder, tables, others, TABLES)
        runs = [asyncio.run(restarted(folder)) for _ in range(3)]
        return figures | {name: sorted(run[name] for run in runs)[1] for name in runs[0]}


if __name__ == "__main__":
    for name, figure in main(*map(int, sys.argv[1:])).items():
        print(f"{name}: {figure}")
