"""What running tables record and show while they are played in every way: entries and duties by clause."""

import asyncio
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from copy import copy
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from house.live_table.staffed import BY, DEALER, FLOOR, StaffedTable, seated
from house.live_table.worked_table import WorkedTable, WorkedTables
from pitboss.games.catalogue import game, rulings
from pitboss.house.live_table.console import console
from pitboss.house.running_tables import Done
from pitboss.record.entries import Entry
from pitboss.rules.dealing import MANUAL_SHOE
from pitboss.submission.explain import explain
from pitboss.submission.printed import Printed, printed
from pitboss.submission.read import read_submission
from pitboss.table import commands as of_cards
from pitboss.table import next_duties
from pitboss.table.settings import CONTINUOUS, NO_SHUFFLER, PLAIN
from worked import worked

EXAMPLES = Path(__file__).resolve().parents[3] / "examples"
_hands: dict[tuple[str, str], WorkedTable] = {}
CLAUSES = ("clause", "by_clause", "limb_clause", "settles_clause", "odds_clause")


class Told:
    """Kinds of entries and texts of duties, each with the clauses it was given under."""

    def __init__(self) -> None:
        self.entries: set[tuple[str, str]] = set()
        self.duties: set[tuple[str, str]] = set()

    def note(self, entries: Iterable[Entry]) -> None:
        """Keep the clauses that entries cite."""
        for entry in entries:
            for clause in (entry.clause, *(entry.body.get(name) for name in CLAUSES)):
                if clause:
                    self.entries.add((entry.kind, clause))

    def look(self, table: StaffedTable) -> list[dict[str, Any]]:
        """Keep the duties that people are shown now, and return the commands that confirm some of them."""
        shown = console(table.live).duties
        assert table.live.cards is not None
        self.duties |= {(duty.clause or "", duty.text) for duty in shown}
        self.duties |= {(duty.cite or "", duty.text) for duty in next_duties(table.live.cards)}
        return [dict(duty.command) for duty in shown if duty.command["kind"] == "ConfirmDuty"]


_seen: defaultdict[str, Told] = defaultdict(Told)


@cache
def told(name: str) -> Told:
    """Return what a game's tables recorded and showed, with every dealing method."""
    found = Told()
    with asyncio.Runner() as runner:
        for way in game(name).procedures.dealing:
            for decks in (1, 2):
                runner.run(_played(found, name, dealing=way, decks=decks, shuffler=PLAIN))
        runner.run(_played(found, name, dealing=MANUAL_SHOE, shuffler=NO_SHUFFLER))
        for device in (of_cards.SHUFFLER, of_cards.SHOE):
            for how in game(name).procedures.devices.failed:
                runner.run(_failed(found, name, device, how))
    for hand in worked(name, "hand"):
        if "irregularity" in hand or "choices" in hand:
            found.note(played(name, hand).entries)
    found.duties |= _seen[name].duties
    return found


def played(name: str, hand: Mapping[str, Any]) -> WorkedTable:
    """Return a table as a worked hand left it, played once for all tests that look at it."""
    key = name, hand["name"]
    if key not in _hands:
        # The next hand is played at the same table, so what this one left is copied.
        _hands[key] = copy(tables().play(name, hand, _seen[name].look))
    return _hands[key]


@cache
def tables() -> WorkedTables:
    """Return the tables at which hand after hand is played; conftest.py closes them."""
    return WorkedTables()


async def _played(found: Told, name: str, **document: Any) -> None:
    table = await seated(name, **document)
    for number in range(2):
        for _ in range(80):
            assert table.live.cards is not None
            found.look(table)
            duties = [duty for duty in next_duties(table.live.cards) if duty.command not in ("OpenRound", "SpreadIdle")]
            if not duties:
                break
            await table.do(duties[0])
        await table.begin()
        while table.live.in_round:
            for command in found.look(table):
                for person in (DEALER, FLOOR, ("alice", "player")):
                    if isinstance(await table.ask(person, command), Done):
                        break
            cards = table.live.cards
            assert cards is not None
            assert cards.round is not None
            if number and cards.round.stub == "with-dealer" and table.live.play.phase == "settling":
                left = len(game(name).deck) - cards.round.dealt
                await table.ask(DEALER, of_cards.CountStub(by=BY, at=0, cards=left))
            await table.next()
    found.note(table.floor.store.read("table/t"))


async def _failed(found: Told, name: str, device: str, how: str) -> None:
    table = await seated(name, shuffler=PLAIN)
    await table.must(DEALER, of_cards.FailDevice(by=BY, at=0, device=device))
    found.look(table)
    await table.must(DEALER, of_cards.TakeOutDevice(by=BY, at=0, device=device, how=how))
    found.note(table.floor.store.read("table/t"))


@cache
def texts(name: str) -> frozenset[tuple[str, str, str]]:
    """Return what people are shown of a game: the place, the clause and the words."""
    found = {("duty", clause, text) for clause, text in told(name).duties}
    for path in sorted(EXAMPLES.glob(f"{name}*.toml")):
        submission = read_submission(path)
        for table in submission.tables:
            for variant in (table, replace(table, dealing=MANUAL_SHOE), replace(table, shuffler=CONTINUOUS)):
                found |= set(_printed(printed(submission, variant)))
                told_of = explain(replace(submission, tables=(variant,)))
                found |= {("submission", line.clause, line.sentence) for line in told_of if line.clause}
    found |= {("ruling", clause, ruling.reading) for ruling in rulings(name) for clause in ruling.clause.split("; ")}
    found |= {("words", wager.cite, wager.title) for wager in game(name).wagers}
    return frozenset(found)


def _printed(layout: Printed) -> Iterator[tuple[str, str, str]]:
    for area in layout.areas:
        yield "layout", area.clause, f"{area.title}, {area.where}" if area.where else area.title
    for inscription in layout.inscriptions:
        yield "layout", inscription.clause, inscription.text
    for fitting in layout.furniture:
        yield "layout", fitting.clause, fitting.name
        if fitting.elsewhere_clause:
            yield "layout", fitting.elsewhere_clause, fitting.name
    for odds in layout.odds:
        for line in odds.lines:
            yield "sign", line.clause or "", f"{odds.title}: {line.hand}, {line.pays}"
