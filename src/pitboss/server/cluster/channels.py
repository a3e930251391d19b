"""A channel between two processes of a floor: one connection that carries sealed messages in order, both ways."""

import asyncio
import json
import struct
from base64 import b64decode, b64encode
from collections.abc import Callable, Mapping
from typing import Any, cast

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from pitboss.record.keys import derived
from pitboss.server.connections import PEER_PATH

PATH = PEER_PATH.decode()
HEADER = "pitboss-peer"
MESSAGE_BYTES_MOST = 64 * 2**20
UNSENT_BYTES_MOST = 256 * 2**20  # of a peer that reads nothing; it is cut off
HEAD_BYTES_MOST = 16 * 1024
SALT_BYTES = 32
DIALER, LISTENER = b"dialer ", b"listener "
_LENGTH = struct.Struct(">I")
_COUNT = struct.Struct(">4sQ")  # a side's name, and how many messages it has sent
Message = dict[str, Any]


def channel_key(dialer_salt: str, listener_salt: str) -> AESGCM:
    """Return the cipher of one channel, from what both sides sent each other under the house's keys."""
    return AESGCM(derived(bytes.fromhex(dialer_salt + listener_salt), "peer channel"))


class Channel(asyncio.Protocol):
    """One side of a channel, once both sides know its key. A message is a small header with a body of bytes."""

    def __init__(
        self,
        cipher: AESGCM,
        side: bytes,
        received: Callable[["Channel", Message, bytes], None],
        lost: Callable[["Channel"], None],
    ) -> None:
        self._cipher, self._received, self._lost = cipher, received, lost
        self._sends, self._hears = (side, LISTENER if side == DIALER else DIALER)
        self._sent = self._heard = 0
        self._unread = bytearray()
        self._unsent: list[bytes] = []
        self._transport: asyncio.Transport | None = None

    @property
    def is_open(self) -> bool:
        """Say whether messages can be sent."""
        return self._transport is not None and not self._transport.is_closing()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Begin on a connection whose other side knows the key too."""
        self._transport = cast(asyncio.Transport, transport)

    def connection_lost(self, fault: Exception | None) -> None:
        """Say that nothing more arrives."""
        self._transport = None
        self._lost(self)

    def send(self, header: Mapping[str, Any], body: bytes = b"") -> None:
        """Send a message; those of one turn of the event loop go out together."""
        if not self.is_open:
            return
        assert self._transport is not None
        written = json.dumps(header, separators=(",", ":")).encode()
        plain = b"".join((_LENGTH.pack(len(written)), written, body))
        self._sent += 1
        sealed = self._cipher.encrypt(_nonce(self._sends, self._sent), plain, None)
        if not self._unsent:
            asyncio.get_running_loop().call_soon(self._flush)
        self._unsent += (_LENGTH.pack(len(sealed)), sealed)

    def data_received(self, data: bytes) -> None:
        """Open every whole message that has arrived."""
        if not self.is_open:
            return None
        unread = self._unread
        unread += data
        start = 0
        while len(unread) - start >= _LENGTH.size:
            (length,) = _LENGTH.unpack_from(unread, start)
            if length > MESSAGE_BYTES_MOST:
                return self.close()
            end = start + _LENGTH.size + length
            if len(unread) < end:
                break
            sealed = bytes(unread[start + _LENGTH.size : end])
            start = end
            if not self._take(sealed):
                return self.close()
        del unread[:start]
        return None

    def close(self) -> None:
        """Close the connection at once."""
        if self._transport is not None:
            self._transport.abort()

    def _take(self, sealed: bytes) -> bool:
        self._heard += 1
        try:
            plain = self._cipher.decrypt(_nonce(self._hears, self._heard), sealed, None)
        except InvalidTag:
            return False  # not ours, changed, repeated or out of order
        (length,) = _LENGTH.unpack_from(plain)
        header: Message = json.loads(plain[_LENGTH.size : _LENGTH.size + length])
        self._received(self, header, plain[_LENGTH.size + length :])
        return True

    def _flush(self) -> None:
        unsent, self._unsent = self._unsent, []
        if not self.is_open:
            return
        assert self._transport is not None
        self._transport.write(b"".join(unsent))
        if self._transport.get_write_buffer_size() > UNSENT_BYTES_MOST:
            self.close()


class Dialing(asyncio.Protocol):
    """The dialer's side of a new connection, until the listener has shown that it holds the house's keys."""

    def __init__(self, host: str, hello: bytes) -> None:
        self._host, self._hello = host, hello
        self._read = bytearray()
        self._transport: asyncio.Transport | None = None
        self.answer: asyncio.Future[tuple[bytes, bytes]] = asyncio.get_running_loop().create_future()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Ask for a channel."""
        self._transport = cast(asyncio.Transport, transport)
        asked = (
            f"GET {PATH} HTTP/1.1\r\nhost: {self._host}\r\nconnection: upgrade\r\nupgrade: websocket\r\n"
            f"{HEADER}: {b64encode(self._hello).decode()}\r\n\r\n"
        )
        self._transport.write(asked.encode("latin-1"))

    def data_received(self, data: bytes) -> None:
        """Take the listener's answer, and what follows it."""
        self._read += data
        head, end, rest = bytes(self._read).partition(b"\r\n\r\n")
        if not end:
            if len(head) > HEAD_BYTES_MOST:
                self._fail("its answer is too long")
            return
        assert self._transport is not None
        status, *lines = head.decode("latin-1").split("\r\n")
        headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
        if " 101 " not in status or HEADER not in headers:
            self._fail(f"it answered {status}")
            return
        self._transport.pause_reading()  # until the channel takes over
        if not self.answer.done():
            self.answer.set_result((b64decode(headers[HEADER]), rest))

    def connection_lost(self, fault: Exception | None) -> None:
        """Say that there was no answer."""
        self._fail("it closed the connection")

    def close(self) -> None:
        """Close the connection at once."""
        self._fail("it was closed")

    def become(self, channel: Channel, rest: bytes) -> None:
        """Hand the connection over to the channel."""
        assert self._transport is not None
        self._transport.set_protocol(channel)
        channel.connection_made(self._transport)
        if rest:
            channel.data_received(rest)
        self._transport.resume_reading()

    def _fail(self, reason: str) -> None:
        if not self.answer.done():
            self.answer.set_exception(ConnectionError(reason))
        if self._transport is not None:
            self._transport.abort()


def accepted(answer: bytes) -> bytes:
    """Return the head of the listener's answer to a dialer that holds the house's keys."""
    head = (
        "HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: websocket\r\n"
        f"{HEADER}: {b64encode(answer).decode()}\r\n\r\n"
    )
    return head.encode("latin-1")


REFUSED = {
    404: b"HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\nconnection: close\r\n\r\n",
    429: b"HTTP/1.1 429 Too Many Requests\r\ncontent-length: 0\r\nconnection: close\r\n\r\n",
}


def _nonce(side: bytes, count: int) -> bytes:
    return _COUNT.pack(side[:4], count)
