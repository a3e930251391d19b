"""Two real floors with the same past and different hidden cards; everyone requests everything they can."""

import asyncio
import io
import json
import logging
import random
import re
import zipfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import httpx
from fastapi.routing import APIRoute

from house.floors import Chance
from house.stacking import before_the_cut, cut_ahead
from pitboss.cards.deck import Card, Deck
from pitboss.house.house_dealer import next_step
from pitboss.house.live_table import commands
from pitboss.house.live_table.deck_order import commitment_of
from pitboss.house.live_table.state import LiveTable
from pitboss.house.running_tables import Answer, Asked, Done
from pitboss.record.entries import Head
from pitboss.record.heads import set_digest
from pitboss.record.steady_clock import SteadyClock
from pitboss.record.store import streams
from pitboss.record.system import SystemRandomness
from pitboss.round import legal_actions
from pitboss.round.state import ASKING, WAGERING
from pitboss.rules.dealing import BURN
from pitboss.rules.play import FOLDED
from pitboss.server.app import ROUTERS, make_floor, make_web
from pitboss.server.data_folder import open_keys, open_signing_keys, signing_file
from pitboss.server.demonstration import demo_documents, link_for
from pitboss.server.logs import JsonLines
from pitboss.server.open_floor import FloorSettings
from pitboss.server.request_limits import CLIENT, Rates

SEATED = {"ann": 1, "ben": 2, "cy": 3}
PEOPLE = {
    **dict.fromkeys((*SEATED, "eve"), "player"),
    "dea": "dealer",
    "flo": "floorperson",
    "pit": "pit-manager",
    "cay": "cage",
    "olga": "operator",
    "sue": "surveillance",
    "aud": "auditor",
    "rex": "regulator",
    "tess": "technician",
    "adam": "administrator",  # last: once there is one, no program adds people
}
NEVER = {"wagers_ms": 3_600_000, "decision_ms": 0, "step_ms": 3_600_000, "between_rounds_ms": 3_600_000}
OPEN = Rates(1e9, 1e9, 1e9, 1e9)
HERE = "http://floor"
BEGINS_MS = 2_000_000_000_000
# Paths that depend on no table, or on compiled kernels; the coach gets only what the player's own view shows.
LEFT_OUT = ("/api/lab/", "/api/games/", "/coach", "/api/openapi.json", "/api/submissions/blank")
_HEX = re.compile(r"[0-9a-f]{64,}")
_TIMES = re.compile(r'"(at|ms)": ?[\d.]+')
_SIGNED = re.compile(r'\\?"signature\\?": ?\\?"[^"\\]*\\?"')


class Line:
    """A socket of the application, without a network."""

    def __init__(self, app: Any, path: str, query: str) -> None:
        self.frames: list[str] = []
        self._ended = asyncio.Event()
        scope = {
            "type": "websocket",
            "asgi": {"version": "3.0"},
            "scheme": "ws",
            "path": path,
            "raw_path": path.encode(),
            "query_string": query.encode(),
            "headers": [(b"host", b"floor"), (b"origin", HERE.encode())],
            "client": ("line", 1),
            "server": ("floor", 80),
            "subprotocols": [],
            "state": {},
        }
        self._connected = False
        self._task = asyncio.create_task(app(scope, self._receive, self._send))

    async def _receive(self) -> dict[str, Any]:
        if not self._connected:
            self._connected = True
            return {"type": "websocket.connect"}
        await self._ended.wait()
        return {"type": "websocket.disconnect", "code": 1000}

    async def _send(self, message: Mapping[str, Any]) -> None:
        if message["type"] == "websocket.send":
            self.frames.append(message["text"])

    async def close(self) -> None:
        """Hang up."""
        self._ended.set()
        await self._task


class WatchedFloor:
    """A real floor whose time, chance and cards are given, and everything that it has said."""

    def __init__(self, folder: Path, keys: Path, table: str, order: tuple[Card, ...]) -> None:
        self.table, self.order = table, order
        self.now = BEGINS_MS
        open_keys(keys, SystemRandomness())  # before the first floor would draw on its chance for them
        open_signing_keys(signing_file(keys), SystemRandomness(), None)
        clock = SteadyClock(lambda: self.now, lambda: self.now)
        self.floor = make_floor(
            FloorSettings(folder, keys=keys, requires_readers=False),
            clock=clock,
            randomness=Chance(7),
            shuffle=self._shuffled,
        )
        self.floor.heads.export_beside = self._not_by_the_clock  # type: ignore[method-assign]
        self.floor.checkpoint = self._no_checkpoint  # type: ignore[method-assign]
        self.app = make_web(self.floor, frozenset({HERE}), rates=OPEN)  # whose house dealer is the test
        self.said = io.StringIO()
        self._masks: dict[str, str] = {}
        self._masks_at: Head | None = None
        self._handler = logging.StreamHandler(self.said)
        self._handler.setFormatter(JsonLines())
        self.clients: dict[str | None, httpx.AsyncClient] = {}
        self.lines: dict[str, Line] = {}
        self.answers: list[str] = []
        self._number = 0
        self._exported = ""

    async def _no_checkpoint(self) -> None:
        # Checkpoints are signed in the background, at moments of their own.
        return None

    async def _not_by_the_clock(self, runner: object) -> int:
        # A busy machine would export heads at other moments; `play` does so at the same one on both floors.
        return 0

    def _shuffled(self, deck: Deck) -> tuple[Card, ...]:
        assert set(self.order) == set(deck.cards)
        assert self.live.cards is not None
        return before_the_cut(self.order, cut_ahead(self.live.cards))

    @property
    def live(self) -> LiveTable:
        """Return the table's current state."""
        return self.floor.house.live(self.table)

    async def open(self) -> None:
        """Open the floor and sign everyone in."""
        # A real server makes a log of its own; two floors in one process take turns at it.
        self._log = logging.getLogger("pitboss")
        self._log.addHandler(self._handler)
        self._before = (self._log.level, self._log.propagate)
        self._log.setLevel(logging.INFO)
        self._lifespan = self.app.router.lifespan_context(self.app)
        await self._lifespan.__aenter__()
        document = {**demo_documents()[self.table], "pace": NEVER}
        await self.floor.open_free_play(self.table, document, 500_000_00)
        for name, role in PEOPLE.items():
            token = await link_for(self.floor, name, role)
            client = self.clients[name] = self._client()
            (await client.post("/api/links", json={"token": token})).raise_for_status()
        self.clients[None] = self._client()
        for name, seat in SEATED.items():
            await self.give(name, commands.TakeSeat(seat=seat))
            await self.give(name, commands.BuyIn(cents=1_000_00))
        for name in ("ann", "eve", "flo", "aud"):
            self.lines[name] = await self.line(name, 0)

    def _client(self) -> httpx.AsyncClient:
        transport = httpx.ASGITransport(app=self.app, client=("somebody", 1))
        return httpx.AsyncClient(transport=transport, base_url=HERE, headers={CLIENT: "tests"})

    async def close(self) -> None:
        """Sign everyone out and close the floor."""
        for line in self.lines.values():
            await line.close()
        for client in self.clients.values():
            await client.aclose()
        await self._lifespan.__aexit__(None, None, None)
        self._log.removeHandler(self._handler)
        self._log.level, self._log.propagate = self._before

    async def line(self, name: str, seen: int) -> Line:
        """Open a person's socket."""
        answer = await self.clients[name].post(f"/api/tables/{self.table}/ticket")
        ticket = answer.raise_for_status().json()["ticket"]
        line = Line(self.app, f"/api/tables/{self.table}/live", f"ticket={ticket}&seen={seen}")
        await self.settle()
        return line

    async def settle(self) -> None:
        """Let what was set going come to rest."""
        for _ in range(12):
            await asyncio.sleep(0)

    async def give(self, name: str, command: Any, **rest: Any) -> httpx.Response:
        """Send a command over HTTP, and keep the answer."""
        self.now += 1_000
        self._number += 1
        body = command if isinstance(command, dict) else commands.data_of(command)
        asked = {"id": f"{name}-{self._number}", "body": body, **rest}
        answer = await self.clients[name].post(f"/api/tables/{self.table}/commands", json=asked)
        if name not in ("ben", "cy"):
            self.answers.append(f"{name} {answer.status_code} {answer.text}")
        await self.settle()
        return answer

    async def deal(self) -> Answer:
        """Let the house dealer do what comes next."""
        self.now += 1_000
        step = next_step(self.live, self.now)
        assert step is not None
        token = self.live.lease.token
        self._number += 1
        body = commands.data_of(step.command)
        given = Asked(f"dealer-{self._number}", "house dealer", ("automaton",), body, token)
        answer = await self.floor.house.do(self.table, given)
        assert isinstance(answer, Done), answer
        await self.settle()
        return answer

    async def play(self, phase: str, chance: random.Random) -> None:
        """Play until the round comes to a phase, with wrong commands in between that hang on no card."""
        while self.live.play is None or not self.live.in_round or self.live.play.phase != phase:
            play = self.live.play if self.live.in_round else None
            if play is not None and play.phase == WAGERING and len(play.players) < len(SEATED):
                stakes = {
                    wager.name: 10_00 for wager in play.rules.game.wagers if wager.required and not wager.by_action
                }
                for name, seat in SEATED.items():
                    await self.give(name, commands.PlaceWagers(seat=seat, stakes=stakes))
            elif play is not None and play.phase == ASKING:
                await self._wrong()
                legal = [
                    legal_action
                    for legal_action in legal_actions(play)
                    if not legal_action.settles_at_once and legal_action.becomes != FOLDED
                ]
                action = chance.choice(legal)
                discard = play.cards[play.cursor][-1] if action.discards else None
                acted = commands.Act(seat=play.cursor, action=action.name, discard=discard)
                (await self.give(play.players[play.cursor], acted)).raise_for_status()
            else:
                await self.deal()
        await self._wrong()
        heads = self.floor.store.heads()
        self._exported = set_digest(heads)
        self.floor.heads.follow_all(heads)
        assert self.floor.heads.export() > 1

    async def _wrong(self) -> None:
        for name, command in (
            ("ann", commands.Settle()),
            ("ann", commands.Act(seat=2, action="fold")),
            ("ann", commands.Act(seat=1, action="dance")),
            ("eve", commands.Act(seat=1, action="fold", discard=Card("As"))),
            ("eve", {"kind": "Steal"}),
            ("flo", commands.ReportIrregularity(irregularity="card-exposed", seat=2, card=Card("As"))),
            ("flo", commands.ReportIrregularity(irregularity="earthquake")),
            ("dea", commands.DealCards()),
            ("aud", commands.EndRound()),
        ):
            answer = await self.give(name, command)
            assert answer.status_code in (409, 422), answer.text

    async def ask_everything(self, people: tuple[str | None, ...]) -> dict[str, str]:
        """Return what people are answered to every question the application has, by who asked for what."""
        found: dict[str, str] = {}
        for route in (route for module in ROUTERS for route in module.router.routes):
            if not isinstance(route, APIRoute) or "GET" not in (route.methods or ()) or not route.include_in_schema:
                continue
            path = route.path
            if path.startswith(LEFT_OUT) or path.endswith(LEFT_OUT):
                continue
            address = path.format_map(self._named())
            query = self._query(query_param.alias for query_param in route.dependant.query_params)
            for person in people:
                answer = await self.clients[person].get(address, params=query)
                found[f"{person} {path}"] = f"{answer.status_code} {self._text(answer)}"
        head = self.live.head.sequence
        for person in people:
            for seen in (0, 1, head - 3, head, head + 5):
                if person is not None:
                    line = await self.line(person, seen)
                    found[f"{person} comes back at {seen - head}"] = self.masked("\n".join(line.frames))
                    await line.close()
        return found

    def _named(self) -> Mapping[str, str]:
        class Named(dict[str, str]):
            def __missing__(self, key: str) -> str:
                return "nothing"

        return Named(table=self.table, round_id=self.live.round, name=self.table, progressive=self.table)

    def _query(self, names: Iterable[str]) -> dict[str, str]:
        known = {"table": self.table, "game": self.table, "stream": f"table/{self.table}", "seed": "1"}
        return {name: known[name] for name in names if name in known}

    def _text(self, answer: httpx.Response) -> str:
        if "zip" not in answer.headers.get("content-type", ""):
            return self.masked(answer.text)
        with zipfile.ZipFile(io.BytesIO(answer.content)) as bundle:
            texts = {name: bundle.read(name) for name in bundle.namelist() if not name.endswith(".parquet")}
        return self.masked("\n".join(f"{name}\n{content.decode()}" for name, content in texts.items()))

    def frames(self) -> dict[str, str]:
        """Return what everyone was sent over their sockets and in answer to commands."""
        sent = {name: self.masked("\n".join(line.frames)) for name, line in self.lines.items()}
        return {**sent, "answers": self.masked("\n".join(self.answers))}

    def log(self) -> str:
        """Return the log, times aside."""
        return _TIMES.sub("-", self.masked(self.said.getvalue()))

    def masked(self, text: str) -> str:
        """Return a text with commitments, hashes and sealed cards by what they stand for, and how long they are."""
        known = self._secrets()
        text = _SIGNED.sub("a signature", text)
        return _HEX.sub(lambda found: known.get(found[0], found[0]), text)

    def _secrets(self) -> dict[str, str]:
        if self._masks_at == self.live.head:
            return self._masks
        found: dict[str, str] = {}
        for order in (*self.live.orders.values(), *([self.live.order] if self.live.order else ())):
            found |= {
                commitment: f"commitment {order.place_of(place)}" for place, commitment in enumerate(order.commitments)
            }
            found[commitment_of(order.commitments)] = "the deck's commitment"
        found[self._exported] = "hash of all those hashes"
        for stream in streams(self.floor.store):
            for entry in self.floor.store.read(stream):
                found[entry.hash] = f"hash of {stream} {entry.sequence}"
                for sealed in _sealed_in(entry.body):
                    key = sealed.rpartition(".")[2]
                    found[key] = f"{len(key)} letters sealed"
        self._masks_at, self._masks = self.live.head, found
        return found


def _sealed_in(value: Any) -> list[str]:
    if isinstance(value, list):
        return [sealed for item in value for sealed in _sealed_in(item)]
    if not isinstance(value, dict):
        return []
    own = [value[name] for name in ("sealed", "sealed_order") if isinstance(value.get(name), str)]
    return own + [sealed for item in value.values() for sealed in _sealed_in(item)]


def known_to(live: LiveTable, seat: int) -> set[int]:
    """Return the positions of the deck that the player of a seat has seen."""
    assert live.play is not None
    known: set[int] = set()
    for place, cards in live.play.cards.items():
        if place == BURN:
            continue
        seen = cards if place == seat else cards[: live.play.face_up.get(place, 0)]
        known |= {live.positions[card] for card in seen}
    return known


def shuffled(table: str, seed: int, deck: Deck) -> tuple[Card, ...]:
    """Return the order of a deck."""
    order = list(deck.cards)
    random.Random(f"{table} {seed}").shuffle(order)
    return tuple(order)


def otherwise(order: tuple[Card, ...], known: set[int]) -> tuple[Card, ...]:
    """Return an order in which every card but those that are known lies elsewhere."""
    hidden = [place for place in range(len(order)) if place not in known]
    other = list(order)
    for place, lies_at in zip(hidden, hidden[1:] + hidden[:1], strict=True):
        other[place] = order[lies_at]
    return tuple(other)


def differences(first: Mapping[str, str], two: Mapping[str, str]) -> list[str]:
    """Return what was said otherwise, a little of each."""
    assert first.keys() == two.keys()
    found = []
    for name in first:
        if first[name] != two[name]:
            length = min(len(first[name]), len(two[name]))
            at = next((at for at in range(length) if first[name][at] != two[name][at]), length)
            near = slice(max(0, at - 90), at + 60)
            found.append(f"{name}:\n  {json.dumps(first[name][near])}\n  {json.dumps(two[name][near])}")
    return found
