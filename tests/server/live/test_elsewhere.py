"""Sockets of tables that run in another process: what they are sent, and what becomes of those that close or lock."""

import asyncio
import json
from types import SimpleNamespace
from typing import Any

import pytest

from pitboss.house.people.sessions import KeptSession
from pitboss.house.table_registry import TableEvents
from pitboss.record.store import StoreBusy
from pitboss.server.cluster.peers import PeerEvents
from pitboss.server.live import elsewhere
from pitboss.server.live.elsewhere import LOOK, Elsewhere
from pitboss.server.live.open_sockets import OpenSockets
from pitboss.server.live.relays import Relays
from pitboss.server.live.sockets import Live
from pitboss.server.routes.callers import Guest


class Screen:
    """A socket that keeps what it is sent."""

    def __init__(self) -> None:
        self.sent: list[str] = []

    async def send_text(self, text: str) -> None:
        self.sent.append(text)


class Owner:
    """The process that runs the table: it answers when the test lets it, and relays to those who look."""

    process = "http://owner#1"

    def __init__(self) -> None:
        self.relays = Relays()
        self.waiting: list[Any] = []
        self.elsewhere: Any = None

    def ask(self, header: dict[str, Any], then: Any) -> None:
        self.waiting.append(lambda: self._looked(header, then))

    def _looked(self, header: dict[str, Any], then: Any) -> None:
        self.relays.add(header["table"], self, header["viewer"])
        then({"sequence": 1}, f"first of {header['viewer']}".encode())

    def tell(self, header: dict[str, Any]) -> None:
        assert header["kind"] != LOOK
        self.waiting.append(lambda: self.relays.remove(header["table"], self, header["viewer"]))

    def send(self, header: dict[str, Any], body: bytes = b"") -> None:
        self.elsewhere._said(self, json.loads(json.dumps(header)), body)

    def go_on(self) -> None:
        waiting, self.waiting = self.waiting, []
        for answer in waiting:
            answer()

    def change(self, sequence: int, seated: set[str]) -> None:
        self.relays.send("t", sequence, seated, lambda viewer: f"{sequence} for {viewer or 'all'}")


class Place:
    """A process at which people watch a table of another."""

    def __init__(self) -> None:
        self.owner, self.locked = Owner(), set()  # type: ignore[var-annotated]
        settings = SimpleNamespace(console_lock_minutes=5)
        self.running = SimpleNamespace(has_read=0)
        self.floor: Any = SimpleNamespace(
            sockets=OpenSockets(),
            house=SimpleNamespace(
                events=TableEvents(),
                tables={},
                runs=lambda table: False,
                running=lambda table: self.running,
                bring_up=self._bring_up,
                note_grown=lambda stream, sequence: False,
                controls=SimpleNamespace(state=SimpleNamespace(settings=settings)),
            ),
            settings=SimpleNamespace(rules=SimpleNamespace(locks_consoles=True)),
            back_office=SimpleNamespace(has_money=True, is_free_play=False),
            office=SimpleNamespace(
                people=SimpleNamespace(
                    accounts={"dea": SimpleNamespace(roles=("dealer",)), "ann": SimpleNamespace(roles=("player",))}
                ),
                sessions=SimpleNamespace(is_locked=lambda kept, after_ms: kept.person in self.locked),
            ),
        )
        self.processes: Any = SimpleNamespace(
            peers=SimpleNamespace(events=PeerEvents([], [], [], [])), moved=[], link_to=lambda table: self.owner
        )
        self.hub: Any = SimpleNamespace(
            relays=Relays(), served_elsewhere=set(), first_frame=lambda table, name, seen: f"here for {name}"
        )
        door: Any = SimpleNamespace(answerers={}, closed=[])
        self.elsewhere = self.owner.elsewhere = Elsewhere(self.floor, self.processes, self.hub, door)

    async def _bring_up(self, table: str) -> None:
        self.running.has_read += 1

    def socket(self, name: str) -> tuple[Live, Screen]:
        screen = Screen()
        return Live(screen, Guest(name, (), KeptSession("", "", name, 0, 0)), "t"), screen

    async def watch(self, name: str) -> tuple[Live, Screen]:
        live, screen = self.socket(name)
        adding = asyncio.create_task(self.elsewhere.add(live, 0))
        await asyncio.sleep(0)
        self.owner.go_on()
        await adding
        return live, screen

    def close(self, live: Live) -> None:
        self.floor.sockets.remove("t", live)
        self.elsewhere.remove(live)


def test_a_locked_console_is_shown_nothing_that_another_process_relays() -> None:
    async def run() -> None:
        place = Place()
        _, console = await place.watch("dea")
        _, player = await place.watch("ann")
        place.owner.change(2, {"ann"})
        place.locked.add("dea")
        place.owner.change(3, {"ann"})
        assert player.sent == ["first of ann", "2 for ann", "3 for ann"]
        assert console.sent == ["first of dea", "2 for all"]

    asyncio.run(run())


def test_a_locked_console_is_shown_nothing_when_its_table_moves() -> None:
    async def run() -> None:
        place = Place()
        _, console = await place.watch("dea")
        _, player = await place.watch("ann")
        place.locked.add("dea")
        place.owner.send({"left": "t"})
        while not place.owner.waiting:
            await asyncio.sleep(0)
        place.owner.go_on()
        await asyncio.sleep(0)
        place.elsewhere._send_here("t")
        assert player.sent == ["first of ann", "first of ann", "here for ann"]
        assert console.sent == ["first of dea"]

    asyncio.run(run())


def test_a_player_who_reloads_the_page_still_sees_their_own_cards() -> None:
    async def run() -> None:
        place = Place()
        before, _ = await place.watch("ann")
        await place.watch("dea")
        after, screen = place.socket("ann")
        adding = asyncio.create_task(place.elsewhere.add(after, 0))
        await asyncio.sleep(0)
        place.close(before)  # the old page's socket closes while the new one's question is on its way
        place.owner.go_on()
        await adding
        place.owner.change(2, {"ann"})
        assert screen.sent == ["first of ann", "2 for ann"]
        place.close(after)
        place.owner.go_on()
        assert place.owner.relays.viewers("t") == {"dea"}, "the last one to close is looked away for"

    asyncio.run(run())


@pytest.mark.parametrize("seated", [set(), {"ann"}])
def test_a_frame_reaches_only_the_viewer_that_it_was_made_for(seated: set[str]) -> None:
    async def run() -> None:
        place = Place()
        _, console = await place.watch("dea")
        _, player = await place.watch("ann")
        place.owner.change(2, seated)
        assert console.sent[1:] == ["2 for all"]
        assert player.sent[1:] == ["2 for ann" if seated else "2 for all"]

    asyncio.run(run())


def test_a_database_that_stalls_while_the_owner_is_cut_off_ends_no_screen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(elsewhere, "RETRY_S", 0.01)

    async def run() -> None:
        place = Place()
        _, player = await place.watch("ann")
        faults = [StoreBusy("it stalls")]

        def first_frame(table: str, name: str, seen: int) -> str:
            if faults:
                raise faults.pop()
            return f"here for {name}"

        place.hub.first_frame, place.running.has_read = first_frame, 5
        place.processes.link_to = lambda table: None
        place.elsewhere._closed(place.owner)
        while not (faults == [] and player.sent[-1] == "here for ann"):
            assert place.elsewhere._settling, "nobody tries again"
            await asyncio.sleep(0.01)
        for task in place.elsewhere._settling.values():
            task.cancel()

    asyncio.run(run())
