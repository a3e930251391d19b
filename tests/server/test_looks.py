"""Frames that many viewers share equal, byte for byte, frames made separately for each viewer."""

import asyncio
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pitboss.games.catalogue import game_names
from pitboss.house.live_table import commands
from pitboss.house.live_table.table_view import own_view, public_view, view
from pitboss.round import legal_actions
from pitboss.server.live.sockets import Frames, Live, frame_of
from pitboss.server.live.views import Looks, table_view
from server.live.test_sockets import Stuck, somebody
from server.test_secrets import Watched

VIEWERS = (None, "ann", "ben", "nobody")


async def desks_of(watched: Watched, table: str) -> list[Any]:
    found: list[Any] = []
    watched.floor.house.events.changed.append(lambda live, entries: found.append(live))
    await watched.open(table)
    for _ in range(3):
        await watched.until_asked(table)
        for _ in range(30):
            live = watched.floor.house.live(table)
            if not live.in_round:
                break
            if live.play.seat_asked is None:
                await watched.step(table)
            else:
                await act(watched, table, live)
    return found


async def act(watched: Watched, table: str, live: Any) -> None:
    action, seat = legal_actions(live.play)[-1], live.play.cursor
    discard = live.play.cards[seat][0] if action.discards else None
    await watched.must(table, live.seats[seat], commands.Act(seat=seat, action=action.name, discard=discard))


@pytest.mark.parametrize("table", game_names())
def test_what_readers_share_is_what_each_would_have_been_sent(tmp_path: Path, table: str) -> None:
    async def run() -> None:
        watched = Watched(tmp_path, lambda deck: tuple(deck.cards))
        differing = 0
        for live in await desks_of(watched, table):
            looks = Looks(watched.floor, live)
            alone = {viewer: Looks(watched.floor, live).text(viewer) for viewer in VIEWERS}
            for viewer in (*VIEWERS, *reversed(VIEWERS)):  # in any order, and again
                assert looks.text(viewer) == alone[viewer]
                expected = json.loads(json.dumps(table_view(watched.floor, live, viewer)))
                assert json.loads(alone[viewer]) == expected
            assert alone["nobody"] == alone[None]
            differing += alone["ann"] != alone["ben"] and live.in_round
        assert differing > 5
        await watched.floor.stop()

    asyncio.run(run())


def test_what_is_ones_own_is_all_that_two_views_differ_in(tmp_path: Path) -> None:
    async def run() -> None:
        watched = Watched(tmp_path, lambda deck: tuple(deck.cards))
        for live in await desks_of(watched, game_names()[0]):
            sealer = watched.floor.house.seal(live.round, live.key) if live.key else None
            public = public_view(live, sealer)
            for person in ("ann", "ben"):
                seen, own = view(live, person, sealer), own_view(public, live, person, sealer)
                assert (seen.actions, seen.at_bell, seen.opened) == own[1:]
                for shown, shared in zip(seen.seats, public.seats, strict=True):
                    if shared.player == person:
                        assert shown == replace(shared, **own.seats[shared.seat]._asdict())
                    else:
                        assert shown == shared
                        assert shared.seat not in own.seats
            assert view(live, None, sealer) == public
        await watched.floor.stop()

    asyncio.run(run())


def test_frames_of_one_change_are_made_once_for_each_kind_of_reader(tmp_path: Path) -> None:
    async def run() -> None:
        watched = Watched(tmp_path, lambda deck: tuple(deck.cards))
        table = game_names()[0]
        await watched.open(table)
        await watched.until_asked(table)
        live = watched.floor.house.live(table)
        frames = Frames(watched.floor, live, [])
        assert frames.to("ann") is frames.to("ann")
        assert frames.to("ann") != frames.to(None)
        read, alone = json.loads(frames.to("ann")), json.loads(frame_of(watched.floor, live, "ann", []))
        assert {**read, "now": 0} == {**alone, "now": 0}
        await watched.floor.stop()

    asyncio.run(run())


class Quick(Stuck):
    """A socket that takes what it is given at once."""

    async def send_text(self, text: str) -> None:
        self.sent.append(text)


def test_a_reader_who_keeps_up_costs_no_task_and_gets_frames_in_order() -> None:
    async def run() -> None:
        quick = Quick()
        live = Live(quick, somebody(), "table")
        before = len(asyncio.all_tasks())
        for number in range(200):
            live.send(str(number))
        assert quick.sent == [str(number) for number in range(200)]
        assert len(asyncio.all_tasks()) == before
        live.close(4010)
        live.send("late")
        assert quick.code == 4010
        assert len(quick.sent) == 200

    asyncio.run(run())


def test_a_reader_who_lagged_behind_gets_the_rest_in_order() -> None:
    async def run() -> None:
        stuck = Stuck()
        live = Live(stuck, somebody(), "table")
        for number in range(20):
            live.send(str(number))
        assert stuck.sent == []
        stuck.free.set()
        await asyncio.sleep(0.01)
        live.send("20")
        assert stuck.sent == [str(number) for number in range(21)]

    asyncio.run(run())


def test_a_viewer_who_leaves_while_frames_wait_leaves_no_task_behind() -> None:
    async def run() -> None:
        stuck = Stuck()
        live = Live(stuck, somebody(), "table")
        live.send("one")
        live.send("two")
        await asyncio.sleep(0)
        assert len(asyncio.all_tasks()) == 2
        live.stop()
        await asyncio.sleep(0.01)
        assert len(asyncio.all_tasks()) == 1
        assert stuck.sent == []

    asyncio.run(run())


def test_a_frame_that_cannot_be_sent_does_not_affect_its_sender(caplog: pytest.LogCaptureFixture) -> None:
    class Faulty(Stuck):
        async def send_text(self, text: str) -> None:
            raise ValueError("no such thing")

    async def run() -> None:
        live = Live(Faulty(), somebody(), "table")
        live.send("one")
        live.send("two")

    asyncio.run(run())
    assert "frame not sent" in caplog.text
