"""Limits on connections: how many are open, how long one may take to send a request or to read its answer."""

import asyncio
import logging
from collections import Counter, OrderedDict, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from ipaddress import IPv6Address, ip_address
from typing import Any, Protocol

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

log = logging.getLogger("pitboss.connections")
PEER_PATH = b"/peers/channel"
HEADER_S = 10.0  # from the first byte, or from the connection, to a whole header
ANSWER_S = 300.0  # the longest answer is a printed packet
STALLED_S = 20.0  # for which a socket's client may read nothing of what waits
DESCRIPTORS_WANTED = 65_536
KEPT_BACK = (64, 512)  # descriptors for the record, the lab and the log: at least, at most
CONNECTIONS_LEAST = 16


@dataclass(frozen=True, slots=True)
class ConnectionLimits:
    """How many connections may be open in all and from one address, and how long each may take."""

    most: int
    each_most: int = 256
    header_s: float = HEADER_S
    answer_s: float = ANSWER_S
    proxies: frozenset[str] = frozenset()  # every visitor comes through these, so they aren't counted


def limits_of_process(proxies: frozenset[str] = frozenset()) -> ConnectionLimits:
    """Raise the process's limit of descriptors as far as allowed, and return the connections that leaves room for."""
    try:
        import resource
    except ModuleNotFoundError:  # Windows has no such limit
        return ConnectionLimits(DESCRIPTORS_WANTED // 2, proxies=proxies)
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = DESCRIPTORS_WANTED if hard == resource.RLIM_INFINITY else min(hard, DESCRIPTORS_WANTED)
    if soft < wanted:
        try:
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
            soft = wanted
        except (ValueError, OSError):
            log.warning("descriptors not raised", extra={"count": soft})
    return ConnectionLimits(connections_of(soft), proxies=proxies)


def connections_of(descriptors: int) -> int:
    """Return how many connections a process with this many descriptors may have open."""
    least, most = KEPT_BACK
    return max(CONNECTIONS_LEAST, descriptors - min(most, max(least, descriptors // 4)))


def network_of(address: str) -> str:
    """Return the network that counts as one visitor: an IPv6 visitor has a whole /64 to send from."""
    try:
        parsed = ip_address(address)
    except ValueError:
        return address
    if not isinstance(parsed, IPv6Address):
        return address
    if parsed.ipv4_mapped is not None:
        return str(parsed.ipv4_mapped)
    return str(IPv6Address(int(parsed) >> 64 << 64))


class OpenConnections:
    """The connections of one server that carry requests, by network; those that wait for one, oldest first."""

    def __init__(self, limits: ConnectionLimits) -> None:
        self.limits = limits
        self._count: Counter[str] = Counter()
        self._idle: OrderedDict[LimitedProtocol, str] = OrderedDict()
        self._idle_of: defaultdict[str, OrderedDict[LimitedProtocol, None]] = defaultdict(OrderedDict)

    def admit(self, address: str) -> bool:
        """Count a connection, closing an idle one of the same network if there are too many, or return False."""
        network = network_of(address)
        is_full = address not in self.limits.proxies and self._count[network] >= self.limits.each_most
        if is_full and not self.close_idle(network):
            return False
        self._count[network] += 1
        return True

    def close_idle(self, network: str | None = None) -> bool:
        """Close the connection, of a network if one is named, that has waited longest; return whether there was one."""
        oldest = next(iter(self._idle if network is None else self._idle_of.get(network, ())), None)
        if oldest is None:
            return False
        self.set_busy(oldest)
        oldest.abort()
        return True

    def set_idle(self, connection: "LimitedProtocol", address: str) -> None:
        """Note that a connection waits for its next request."""
        network = network_of(address)
        self._idle[connection] = network
        self._idle_of[network][connection] = None

    def set_busy(self, connection: "LimitedProtocol") -> None:
        """Note that a connection has a request, or is closed."""
        network = self._idle.pop(connection, None)
        if network is not None:
            del self._idle_of[network][connection]
            if not self._idle_of[network]:
                del self._idle_of[network]

    def release(self, connection: "LimitedProtocol", address: str) -> None:
        """Forget a connection that was closed or became a socket."""
        self.set_busy(connection)
        network = network_of(address)
        self._count[network] -= 1
        if not self._count[network]:
            del self._count[network]


class PeerDoor(Protocol):
    """Takes the connections of other processes of the floor."""

    def admit(self, transport: asyncio.Transport, headers: Mapping[bytes, bytes], address: str) -> None:
        """Answer a connection that asks for a channel."""
        ...


class LimitedProtocol(HttpToolsProtocol):
    """An HTTP connection that is closed when it takes too long, and that makes room when there are too many."""

    def __init__(self, *, opened: OpenConnections, peers: PeerDoor | None = None, **settings: Any) -> None:
        super().__init__(**settings)
        self._opened, self._limits = opened, opened.limits
        self._peers = peers
        self._timer: asyncio.TimerHandle | None = None
        self._address: str | None = None  # while it is counted

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Admit the connection if there is room, closing the one that has been idle longest if there isn't."""
        super().connection_made(transport)
        address = self.client[0] if self.client else ""
        # A connection that is being closed is still listed until the loop's next turn, so this counts high.
        if len(self.connections) > self._limits.most and not self._opened.close_idle():
            transport.abort()
            return
        if not self._opened.admit(address):
            transport.abort()
            return
        self._address = address
        self._opened.set_idle(self, address)
        self._expect(self._limits.header_s)

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the connection."""
        self._release()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Take bytes; from the first byte of a request, its header has to arrive in time."""
        if self._timer is None and self._address is not None:
            self._expect(self._limits.header_s)
        super().data_received(data)

    def on_headers_complete(self) -> None:
        """Begin a request, which has to be answered in time."""
        self._opened.set_busy(self)
        self._expect(self._limits.answer_s)
        super().on_headers_complete()

    def on_response_complete(self) -> None:
        """Wait for the next request."""
        super().on_response_complete()
        if self._address is not None and not self.transport.is_closing() and not self.pipeline:
            self._opened.set_idle(self, self._address)
            self._disarm()  # the web server's own timer closes a connection that stays silent

    def handle_websocket_upgrade(self) -> None:
        """Hand the connection to the socket protocol, which has its own limits, or to the door for other processes."""
        self._release()
        if self._peers is None or self.url.partition(b"?")[0] != PEER_PATH:
            super().handle_websocket_upgrade()
            return
        self.connections.discard(self)
        self._peers.admit(self.transport, dict(self.headers), self.client[0] if self.client else "")

    def abort(self) -> None:
        """Close the connection without an answer."""
        self._release()  # at once: the loop reports it as lost only in its next turn
        self.transport.abort()

    def _expect(self, seconds: float) -> None:
        self._disarm()
        self._timer = self.loop.call_later(seconds, self.abort)

    def _disarm(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _release(self) -> None:
        self._disarm()
        if self._address is not None:
            self._opened.release(self, self._address)
            self._address = None


class LimitedSocketProtocol(WebSocketsSansIOProtocol):
    """A socket that is cut off when its client reads nothing: closing it in order would wait for the client too."""

    _stalled: asyncio.TimerHandle | None = None

    def pause_writing(self) -> None:
        """Give the client a while to read what waits."""
        super().pause_writing()
        self._stalled = self.loop.call_later(STALLED_S, self.transport.abort)

    def resume_writing(self) -> None:
        """Go on writing."""
        self._in_time()
        super().resume_writing()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the connection."""
        self._in_time()
        super().connection_lost(exc)

    def _in_time(self) -> None:
        if self._stalled is not None:
            self._stalled.cancel()
            self._stalled = None
