"""Accepts the channels of other processes, and answers what they ask."""

import asyncio
import logging
from base64 import b64decode
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from pitboss.house.running_tables import Answer, Asked, NotHere
from pitboss.record.store import StoreFault
from pitboss.rules.refusal import Refusal
from pitboss.server.cluster.channels import (
    HEADER,
    LISTENER,
    REFUSED,
    SALT_BYTES,
    Channel,
    Message,
    accepted,
    channel_key,
)
from pitboss.server.cluster.envelopes import FRESH_MS, NONCE_BYTES, Envelope
from pitboss.server.cluster.peers import ANSWERING, ASKING, FAILED, NOT_HERE
from pitboss.server.connections import network_of
from pitboss.server.request_limits import Bucket

log = logging.getLogger("pitboss.peers")
QUIET_S = 15.0  # a dialer pings every second; after this much silence it is gone
STRANGE_PER_SECOND, STRANGE_AT_ONCE = 0.5, 10.0  # messages from one address that no process of this floor sealed
STRANGERS_KEPT = 1_000
Do = Callable[[str, Asked], Awaitable[Answer]]
# Answers a question at once, in the order in which messages arrive, or returns what answers it later.
Answerer = Callable[[Channel, Message, bytes], Awaitable[tuple[Message, bytes]] | None]


class PeerDoor:
    """Accepts connections that the web server hands over from processes that hold the house's keys."""

    def __init__(self, process: str, do: Do, envelope: Envelope) -> None:
        self._process, self._do, self._envelope = process, do, envelope
        self._strangers: OrderedDict[str, Bucket] = OrderedDict()
        self._greeted: OrderedDict[bytes, int] = OrderedDict()  # by greeting: until when it could be repeated
        self._timers: dict[Channel, asyncio.TimerHandle] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self.answerers: dict[str, Answerer] = {}  # by kind of question
        self.closed: list[Callable[[Channel], None]] = []

    def admit(self, transport: asyncio.Transport, headers: Mapping[bytes, bytes], address: str) -> None:
        """Answer a connection that asks for a channel."""
        try:
            hello = b64decode(headers.get(HEADER.encode(), b""), validate=True)
        except ValueError:
            hello = b""
        said = self._envelope.open(hello, ASKING)
        # A greeting is opened before anything is counted: a stranger may send from the same address as a peer.
        if said is None or "salt" not in said or not self._is_first(hello[:NONCE_BYTES]):
            _refuse(transport, 404 if self._note_stranger(network_of(address)) else 429)
            return
        salt = self._envelope.randomness.token(SALT_BYTES).hex()
        answer = self._envelope.seal({"salt": salt, "process": self._process}, ANSWERING + hello[:NONCE_BYTES])
        transport.write(accepted(answer))
        channel = Channel(channel_key(said["salt"], salt), LISTENER, self._received, self._lost)
        transport.set_protocol(channel)
        channel.connection_made(transport)
        self._expect(channel)

    def close(self) -> None:
        """Close every channel."""
        for channel in tuple(self._timers):
            channel.close()

    def _is_first(self, greeting: bytes) -> bool:
        now = self._envelope.clock.now_ms()
        while self._greeted and next(iter(self._greeted.values())) < now:
            self._greeted.popitem(last=False)
        if greeting in self._greeted:
            return False
        self._greeted[greeting] = now + 2 * FRESH_MS  # the other process's clock may be ahead
        return True

    def _note_stranger(self, network: str) -> bool:
        bucket = self._strangers.pop(network, None) or Bucket(STRANGE_PER_SECOND, STRANGE_AT_ONCE, self._envelope.clock)
        had_token = bucket.take()
        self._strangers[network] = bucket
        while len(self._strangers) > STRANGERS_KEPT:
            self._strangers.popitem(last=False)
        return had_token

    def _expect(self, channel: Channel) -> None:
        if channel in self._timers:
            self._timers[channel].cancel()
        self._timers[channel] = asyncio.get_running_loop().call_later(QUIET_S, channel.close)

    def _lost(self, channel: Channel) -> None:
        timer = self._timers.pop(channel, None)
        if timer is not None:
            timer.cancel()
        for listener in self.closed:
            listener(channel)

    def _received(self, channel: Channel, header: Message, body: bytes) -> None:
        kind = header["kind"]
        if kind == "ping":
            self._expect(channel)
            channel.send({"re": header["n"]})
        elif kind == "do":
            self._start(self._carry_out(channel, header))
        elif kind in self.answerers:
            try:
                later = self.answerers[kind](channel, header, body)
            except Exception:  # one table that can't be shown doesn't cut the channel that every other one uses
                log.exception("peer not answered")
                channel.send({"re": header.get("n"), "fault": FAILED})
                return
            if later is not None:
                self._start(self._answer(channel, header, later))
        else:
            channel.send({"re": header.get("n"), "fault": FAILED})

    def _start(self, work: Any) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _answer(self, channel: Channel, header: Message, later: Awaitable[tuple[Message, bytes]]) -> None:
        try:
            said, content = await later
        except Exception:
            log.exception("peer not answered")
            said, content = {"fault": FAILED}, b""
        channel.send({**said, "re": header["n"]}, content)

    async def _carry_out(self, channel: Channel, header: Message) -> None:
        asked = Asked(**{**header["asked"], "roles": tuple(header["asked"]["roles"])})
        said: Message
        try:
            answer = await self._do(header["table"], asked)
        except NotHere:
            said = {"fault": NOT_HERE}
        except StoreFault:
            said = {"fault": FAILED}
        except Exception:
            log.exception("command of a peer not done")
            said = {"fault": FAILED}
        else:
            said = (
                {"refused": answer.as_dict()}
                if isinstance(answer, Refusal)
                else {"entries": [entry._asdict() for entry in answer.entries], "again": answer.again}
            )
        channel.send({**said, "re": header["n"]})


def _refuse(transport: asyncio.Transport, status: int) -> None:
    transport.write(REFUSED[status])
    transport.close()
