"""Messages between the processes of one floor: encrypted commands for tables that another process runs."""

import asyncio
import json
from collections import OrderedDict
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import asdict
from functools import lru_cache
from typing import Any

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from starlette.types import ASGIApp, Receive, Scope, Send

from pitboss.house.running_tables import Answer, Asked, Done, House, NotHere
from pitboss.record.entries import canonical, entry_of, line_of
from pitboss.record.keys import Keyring, MasterKey, derived
from pitboss.record.store import StoreFault
from pitboss.record.system_interface import Clock, Randomness
from pitboss.rules.refusal import Refusal
from pitboss.server.connections import network_of
from pitboss.server.data_folder import FloorUnusable
from pitboss.server.request_limits import Bucket

PATH = "/peers/commands"
FRESH_MS = 30_000  # how old a message may be; a retried message carries an id and counts once
NONCE_BYTES = 12
MESSAGE_BYTES_MOST = 256 * 1024
CONNECT_S, ANSWER_S = 1.0, 15.0  # a busy process answers late; sending it the same again would make it busier
BODY_S = 3.0  # a peer sends its message at once
STRANGE_PER_SECOND, STRANGE_AT_ONCE = 0.5, 10.0  # messages from one address that no process of this floor sealed
STRANGERS_KEPT = 1_000
_ASKING, _ANSWERING = b"asking ", b"answering "
_NOT_HERE, _FAILED = "not here", "failed"


class NotReached(Exception):
    """The peer process doesn't answer, or its answer can't be trusted."""


class Envelope:
    """Seals messages with a key that only processes holding the house's key file can derive."""

    def __init__(self, keyring: Callable[[], Keyring], clock: Clock, randomness: Randomness) -> None:
        self._keyring = keyring  # the current key, because keys are rotated while a floor is open
        self.clock, self._randomness = clock, randomness

    def seal(self, message: Mapping[str, Any], purpose: bytes) -> bytes:
        """Return a message that can't be read or changed in transit."""
        nonce = self._randomness.token(NONCE_BYTES)
        dated = canonical({**message, "sent": self.clock.now_ms()}).encode()
        return nonce + _cipher(self._keyring().current).encrypt(nonce, dated, purpose)

    def open(self, sealed: bytes, purpose: bytes) -> dict[str, Any] | None:
        """Return the message that was sealed, or None if it is too old or not ours."""
        for key in reversed(self._keyring().keys):
            try:
                plain = _cipher(key).decrypt(sealed[:NONCE_BYTES], sealed[NONCE_BYTES:], purpose)
                message: dict[str, Any] = json.loads(plain)
            except (InvalidTag, ValueError):
                continue
            return message if abs(self.clock.now_ms() - message["sent"]) <= FRESH_MS else None
        return None


class Peers:
    """Sends commands to the other processes."""

    def __init__(self, envelope: Envelope) -> None:
        try:
            import httpx
        except ModuleNotFoundError as missing:
            raise FloorUnusable(
                f"PostgreSQL needs the package {missing.name}. Run: pip install 'pitboss[postgres]'"
            ) from None

        self.envelope = envelope
        self._faults = httpx.HTTPError
        self._client = httpx.AsyncClient(timeout=httpx.Timeout(ANSWER_S, connect=CONNECT_S), trust_env=False)

    async def give(self, address: str, table: str, asked: Asked) -> Answer:
        """Return a process's answer to a command, or raise NotHere or NotReached."""
        sealed = self.envelope.seal({"table": table, "asked": asdict(asked)}, _ASKING)
        try:
            answer = await self._client.post(f"{address}{PATH}", content=sealed)
        except self._faults as fault:
            raise NotReached(f"{address} isn't answering: {type(fault).__name__}.") from None
        # An answer is bound to its question, so that it can't be swapped for another.
        said = self.envelope.open(answer.content, _ANSWERING + sealed[:NONCE_BYTES])
        if said is None or said.get("fault") == _FAILED:
            raise NotReached(f"{address} didn't answer the command.")
        if said.get("fault") == _NOT_HERE:
            raise NotHere(f"{address} doesn't run the table {table}.")
        if "refused" in said:
            return Refusal(**said["refused"])
        return Done(tuple(map(entry_of, said["entries"])), again=said["again"])

    async def close(self) -> None:
        """Close the connections."""
        await self._client.aclose()


class PeerDoor:
    """ASGI middleware that handles messages from peer processes at one address that visitors can't use."""

    def __init__(self, app: ASGIApp, house: House, envelope: Envelope) -> None:
        self._app, self._house, self._envelope = app, house, envelope
        self._strangers: OrderedDict[str, Bucket] = OrderedDict()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a peer process, or pass the request on to the application."""
        if scope["type"] != "http" or scope["path"] != PATH:
            await self._app(scope, receive, send)
            return
        address = network_of(str((scope.get("client") or ("", 0))[0]))
        if address in self._strangers and not self._strangers[address].has_token:
            await _send(send, 429, b"")
            return
        sealed = await _body(receive)
        message = self._envelope.open(sealed, _ASKING)
        if message is None:
            self._note_stranger(address)
            await _send(send, 404, b"")
            return
        said = await self._said(message)
        await _send(send, 200, self._envelope.seal(said, _ANSWERING + sealed[:NONCE_BYTES]))

    def _note_stranger(self, address: str) -> None:
        # Only messages that can't be opened count: a peer's always can.
        bucket = self._strangers.pop(address, None) or Bucket(STRANGE_PER_SECOND, STRANGE_AT_ONCE, self._envelope.clock)
        bucket.take()
        self._strangers[address] = bucket
        while len(self._strangers) > STRANGERS_KEPT:
            self._strangers.popitem(last=False)

    async def _said(self, message: Mapping[str, Any]) -> dict[str, Any]:
        asked = Asked(**{**message["asked"], "roles": tuple(message["asked"]["roles"])})
        try:
            answer = await self._house.do(message["table"], asked)
        except NotHere:
            return {"fault": _NOT_HERE}
        except StoreFault:
            return {"fault": _FAILED}
        if isinstance(answer, Refusal):
            return {"refused": answer.as_dict()}
        return {"entries": [line_of(entry) for entry in answer.entries], "again": answer.again}


@lru_cache(maxsize=64)
def _cipher(key: MasterKey) -> AESGCM:
    return AESGCM(derived(key.secret, "peers"))


async def _body(receive: Receive) -> bytes:
    taken = b""
    with suppress(TimeoutError):
        async with asyncio.timeout(BODY_S):
            while len(taken) <= MESSAGE_BYTES_MOST:
                message = await receive()
                part: bytes = message.get("body", b"")
                taken += part
                if message["type"] != "http.request" or not message.get("more_body"):
                    return taken
    return b""


async def _send(send: Send, status: int, body: bytes) -> None:
    headers = [(b"content-type", b"application/octet-stream"), (b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
