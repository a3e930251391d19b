"""The other processes of a floor: a channel to each, commands for tables that run there, and which of them ended."""

import asyncio
import logging
import ssl
from collections.abc import Callable, Collection, Mapping
from dataclasses import fields
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from pitboss.house.running_tables import Answer, Asked, Done, NotHere
from pitboss.record.entries import Entry
from pitboss.rules.refusal import Refusal
from pitboss.server.cluster.channels import DIALER, SALT_BYTES, Channel, Dialing, Message, channel_key
from pitboss.server.cluster.envelopes import NONCE_BYTES, Envelope

log = logging.getLogger("pitboss.peers")
CONNECT_S, ANSWER_S = 2.0, 15.0  # a busy process answers late; sending it the same again would make it busier
REDIAL_S = 0.5
PING_S, SILENT_S = 1.0, 4.0  # a process that is silent for this long is cut off, or paused
ASKING, ANSWERING = b"asking ", b"answering "
NOT_HERE, FAILED = "not here", "failed"
Then = Callable[[Message | None, bytes], None]  # with the answer; None if there won't be one


class NotReached(Exception):
    """The peer process doesn't answer, or its answer can't be trusted."""


class PeerEvents(NamedTuple):
    """Listener for messages that answer no question, channels that open and close, and processes that ended."""

    said: list[Callable[["Link", Message, bytes], None]]
    opened: list[Callable[["Link"], None]]
    closed: list[Callable[["Link"], None]]
    ended: list[Callable[[str], None]]


class Link:
    """This process's channel to one other, dialed again whenever it is lost."""

    def __init__(self, process: str, envelope: Envelope, events: PeerEvents) -> None:
        self.process, self.address = process, process.partition("#")[0]
        self._envelope, self._events = envelope, events
        self._channel: Channel | None = None
        self._asked: dict[int, Then] = {}
        self._number = 0
        self._heard_at = 0.0
        self._opened = asyncio.Event()
        self._was_open = False
        self._keeping = asyncio.create_task(self._keep())

    @property
    def is_open(self) -> bool:
        """Say whether the other process can be asked."""
        return self._channel is not None and self._channel.is_open

    def tell(self, header: Mapping[str, Any]) -> None:
        """Send something that isn't answered."""
        if self._channel is not None:
            self._channel.send(header)

    def ask(self, header: Mapping[str, Any], then: Then, body: bytes = b"") -> None:
        """Ask something; the answer is handed over in the order in which everything arrives."""
        if self._channel is None or not self._channel.is_open:
            then(None, b"")
            return
        self._number += 1
        self._asked[self._number] = then
        self._channel.send({**header, "n": self._number}, body)

    async def answer(self, header: Mapping[str, Any], body: bytes = b"") -> tuple[Message, bytes]:
        """Return the answer to a question, or raise NotReached."""
        if not self.is_open:
            try:
                async with asyncio.timeout(CONNECT_S):
                    await self._opened.wait()
            except TimeoutError:
                raise NotReached(f"{self.address} isn't answering.") from None
        answered: asyncio.Future[tuple[Message | None, bytes]] = asyncio.get_running_loop().create_future()

        def then(said: Message | None, content: bytes) -> None:
            if not answered.done():
                answered.set_result((said, content))

        self.ask(header, then, body)
        try:
            async with asyncio.timeout(ANSWER_S):
                said, content = await answered
        except TimeoutError:
            raise NotReached(f"{self.address} hasn't answered in time.") from None
        if said is None:
            raise NotReached(f"{self.address} was lost before it answered.")
        return said, content

    async def close(self) -> None:
        """Close the channel and dial no more."""
        self._keeping.cancel()
        await asyncio.gather(self._keeping, return_exceptions=True)
        if self._channel is not None:
            self._channel.close()
            await asyncio.sleep(0)  # until the connection is closed

    async def _keep(self) -> None:
        while True:
            try:
                async with asyncio.timeout(CONNECT_S):
                    await self._dial()
                await self._ping()
            except ConnectionRefusedError:
                self._end()  # it was there, and nothing listens now
            except (OSError, TimeoutError, ValueError) as fault:
                log.info("peer not reached", extra={"kind": type(fault).__name__})
            await asyncio.sleep(REDIAL_S)

    async def _dial(self) -> None:
        salt, parts = self._envelope.randomness.token(SALT_BYTES).hex(), urlsplit(self.address)
        hello = self._envelope.seal({"salt": salt, "to": self.process}, ASKING)
        secured = ssl.create_default_context() if parts.scheme == "https" else None
        port = parts.port or (443 if secured else 80)
        _, dialing = await asyncio.get_running_loop().create_connection(
            lambda: Dialing(parts.netloc, hello), parts.hostname or "", port, ssl=secured
        )
        try:
            sealed, rest = await dialing.answer
            # An answer is bound to its question, so that it can't be swapped for another.
            said = self._envelope.open(sealed, ANSWERING + hello[:NONCE_BYTES])
            if said is None:
                raise ConnectionError("its answer can't be trusted")
            if said["process"] != self.process:
                self._end()
                raise ConnectionError("another process has its address")
        except BaseException:
            dialing.close()
            raise
        channel = Channel(channel_key(salt, said["salt"]), DIALER, self._received, self._lost)
        self._channel, self._was_open = channel, True
        self._heard_at = asyncio.get_running_loop().time()
        dialing.become(channel, rest)
        self._opened.set()
        for listener in self._events.opened:
            listener(self)

    async def _ping(self) -> None:
        loop = asyncio.get_running_loop()
        while self.is_open:
            asleep = loop.time()
            self.ask({"kind": "ping"}, lambda said, content: None)
            await asyncio.sleep(PING_S)
            if loop.time() - asleep > 2 * PING_S:
                self._heard_at = loop.time()  # this process was busy or paused itself, and may have unread messages
            elif loop.time() - self._heard_at > SILENT_S and self._channel is not None:
                log.warning("peer silent", extra={"kind": self.address})
                self._channel.close()

    def _end(self) -> None:
        # Only of a process that was reached before: one with a wrong address must not lose its tables all the time.
        if self._was_open:
            self._was_open = False
            for listener in self._events.ended:
                listener(self.process)

    def _received(self, channel: Channel, header: Message, body: bytes) -> None:
        self._heard_at = asyncio.get_running_loop().time()
        then = self._asked.pop(header["re"], None) if "re" in header else None
        if then is not None:
            then(header, body)
        elif "re" not in header:
            for listener in self._events.said:
                listener(self, header, body)

    def _lost(self, channel: Channel) -> None:
        if channel is not self._channel:
            return
        self._channel = None
        self._opened.clear()
        asked, self._asked = self._asked, {}
        for then in asked.values():
            then(None, b"")
        for listener in self._events.closed:
            listener(self)


class Peers:
    """The links to the other processes, by their names."""

    def __init__(self, envelope: Envelope) -> None:
        self.envelope = envelope
        self.events = PeerEvents([], [], [], [])
        self._links: dict[str, Link] = {}
        self._closing: set[asyncio.Task[None]] = set()

    def keep(self, processes: Collection[str]) -> None:
        """Keep a link to each of these processes, and to no others."""
        for gone in self._links.keys() - set(processes):
            task = asyncio.create_task(self._links.pop(gone).close())
            self._closing.add(task)
            task.add_done_callback(self._closing.discard)
        for process in processes:
            self.to(process)

    def to(self, process: str) -> Link:
        """Return the link to a process."""
        if process not in self._links:
            self._links[process] = Link(process, self.envelope, self.events)
        return self._links[process]

    def open_to(self, process: str | None) -> Link | None:
        """Return the link to a process if it can be asked now."""
        link = self._links.get(process) if process else None
        return link if link is not None and link.is_open else None

    def all_open(self) -> list[Link]:
        """Return the links over which another process can be asked now."""
        return [link for link in self._links.values() if link.is_open]

    async def give(self, process: str, table: str, asked: Asked) -> Answer:
        """Return a process's answer to a command, or raise NotHere or NotReached."""
        said, _ = await self.to(process).answer({"kind": "do", "table": table, "asked": _as_data(asked)})
        if said.get("fault") == FAILED:
            raise NotReached(f"{process} couldn't record the command.")
        if said.get("fault") == NOT_HERE:
            raise NotHere(f"{process} doesn't run the table {table}.")
        if "refused" in said:
            return Refusal(**said["refused"])
        return Done(tuple(Entry(**entry) for entry in said["entries"]), again=said["again"])

    async def close(self) -> None:
        """Close every link."""
        links, self._links = tuple(self._links.values()), {}
        await asyncio.gather(*(link.close() for link in links), *self._closing, return_exceptions=True)


def _as_data(asked: Asked) -> dict[str, Any]:
    return {name: getattr(asked, name) for name in _FIELDS}


_FIELDS = tuple(field.name for field in fields(Asked))
