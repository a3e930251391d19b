"""Nothing hidden leaks: two floors that differ only in hidden cards send everyone else the same bytes."""

import asyncio
import json
import random
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pitboss.cards.deck import Card, Deck
from pitboss.games.catalogue import game_names
from pitboss.house.house_dealer import next_step
from pitboss.house.live_table import commands
from pitboss.house.running_tables import Asked, Done
from pitboss.round import legal_actions
from pitboss.round.state import ASKING, WAGERING
from pitboss.server.app import make_floor
from pitboss.server.demonstration import demo_documents
from pitboss.server.live.sockets import frame_of
from pitboss.server.live.views import summaries
from pitboss.server.open_floor import FloorSettings

NO_PACE = {"wagers_ms": 0, "decision_ms": 60_000, "step_ms": 0, "between_rounds_ms": 0}
SALTED = re.compile(r'"commitment":"[0-9a-f]+"')
SALT = re.compile(r'"salt":"[0-9a-f]+"')
TIMES = re.compile(r'"(at|until|now)":\d+')
ROUND_ID = re.compile(r'"(round_id|last_round)":"[^"]*"')


def masked(frame: str) -> str:
    """Return a frame without what differs between any two floors: commitments, salts, times and names of rounds."""
    for pattern in (SALTED, SALT, TIMES, ROUND_ID):
        frame = pattern.sub("-", frame)
    return frame


class Watched:
    """A floor whose frames to everyone are kept."""

    def __init__(self, folder: Path, shuffle: Callable[[Deck], tuple[Card, ...]]) -> None:
        self.floor = make_floor(FloorSettings(folder, requires_readers=False), shuffle=shuffle)
        self.frames: dict[str | None, list[str]] = {None: [], "ann": [], "ben": []}
        self.number = 0
        self.floor.house.events.changed.append(self._keep)

    def _keep(self, live: Any, entries: Any) -> None:
        for viewer, kept in self.frames.items():
            kept.append(frame_of(self.floor, live, viewer, summaries(live, entries)))

    async def open(self, table: str) -> None:
        await self.floor.start()
        await self.floor.open_free_play(table, {**demo_documents()[table], "pace": NO_PACE}, 500_000_00)
        for seat, name in ((1, "ann"), (2, "ben")):
            await self.floor.issue(name, 10_000_00)
            for command in (commands.TakeSeat(seat=seat), commands.BuyIn(cents=5_000_00)):
                await self.must(table, name, command)

    async def must(self, table: str, person: str, command: commands.Command) -> None:
        self.number += 1
        asked = Asked(f"{person}-{self.number}", person, ("player",), commands.data_of(command))
        answer = await self.floor.house.do(table, asked)
        assert isinstance(answer, Done), answer

    async def step(self, table: str) -> None:
        live = self.floor.house.live(table)
        due = next_step(live, self.floor.clock.now_ms())
        assert due is not None
        assert isinstance(await self.floor.automatic(table, due.command), Done)

    async def until_asked(self, table: str) -> int:
        """Deal until a player has to act, and return the seat."""
        stakes = {
            wager.name: 10_00
            for wager in self.floor.house.live(table).terms.settings.rules.game.wagers
            if wager.required and not wager.by_action
        }
        while True:
            live = self.floor.house.live(table)
            if live.in_round and live.play is not None and live.play.phase == ASKING:
                return live.play.cursor
            if live.in_round and live.play is not None and live.play.phase == WAGERING and len(live.play.players) < 2:
                for seat, name in ((1, "ann"), (2, "ben")):
                    await self.must(table, name, commands.PlaceWagers(seat=seat, stakes=stakes))
            else:
                await self.step(table)


@pytest.mark.parametrize("table", game_names())
def test_frames_hold_nothing_of_cards_their_reader_may_not_see(tmp_path: Path, table: str) -> None:
    async def run() -> None:
        first_order: list[tuple[Card, ...]] = []
        swapped: list[tuple[Card, ...]] = []

        def shuffled(deck: Deck) -> tuple[Card, ...]:
            order = list(deck.cards)
            random.Random(77).shuffle(order)
            first_order.append(tuple(order))
            return tuple(order)

        world = Watched(tmp_path / "one", shuffled)
        await world.open(table)
        assert await world.until_asked(table) == 1
        live = world.floor.house.live(table)
        assert live.play is not None
        # What neither the first seat nor a spectator may see is given another order.
        assert live.order is not None
        known = {live.order.place_of(live.positions[card]) for card in live.play.cards[1]}
        for place, cards in live.play.cards.items():
            shown = cards[: live.play.face_up.get(place, 0)]
            known |= {live.order.place_of(live.positions[card]) for card in shown}
        hidden = [place for place in range(len(first_order[-1])) if place not in known]

        def other(deck: Deck) -> tuple[Card, ...]:
            order = list(first_order[-1])
            cards = [order[place] for place in hidden]
            for place, card in zip(hidden, cards[1:] + cards[:1], strict=True):
                order[place] = card
            swapped.append(tuple(order))
            return tuple(order)

        two = Watched(tmp_path / "two", other)
        await two.open(table)
        assert await two.until_asked(table) == 1
        assert swapped[-1] != first_order[-1]
        for viewer in (None, "ann"):
            sent = [[masked(frame) for frame in watched.frames[viewer]] for watched in (world, two)]
            assert sent[0] == sent[1]
        # The one whose cards were changed sees it, so the comparison can fail.
        own = [[masked(frame) for frame in watched.frames["ben"]] for watched in (world, two)]
        assert own[0] != own[1]
        for watched in (world, two):
            await watched.floor.stop()

    asyncio.run(run())


@pytest.mark.parametrize("table", game_names())
def test_frames_have_one_form_for_every_reader(tmp_path: Path, table: str) -> None:
    async def run() -> None:
        watched = Watched(tmp_path, lambda deck: tuple(deck.cards))
        await watched.open(table)
        seat = await watched.until_asked(table)
        for frames in zip(*watched.frames.values(), strict=True):
            read = [json.loads(frame) for frame in frames]
            assert len({json.dumps([entry["sequence"], entry["events"], sorted(entry["view"])]) for entry in read}) == 1
        spectator = json.loads(watched.frames[None][-1])["view"]
        assert spectator["seat_asked"] == seat
        assert spectator["actions"] == []
        live = watched.floor.house.live(table)
        assert live.play is not None
        assert legal_actions(live.play)
        for row in spectator["seats"]:
            assert row["stack_cents"] is None
            assert set(row["cards"]) <= {None}
        await watched.floor.stop()

    asyncio.run(run())
