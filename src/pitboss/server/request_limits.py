"""Limits on what one visitor may use: request sizes, rates and origins, plus the headers of every response."""

import asyncio
import json
import logging
import re
from collections import OrderedDict
from collections.abc import Awaitable
from dataclasses import dataclass

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pitboss.record.system_interface import Clock
from pitboss.server.connections import network_of
from pitboss.server.session_cookie import session_in

BODY_BYTES_MOST = 64 * 1024
FRAME_BYTES_MOST = 16 * 1024
BODY_SECONDS_MOST = 20  # a client that sends a body more slowly wastes a connection
SAFE = ("GET", "HEAD", "OPTIONS")
# Where passwords and links are tried or made: each of them costs a slow hash, or lets somebody in.
DOORS = re.compile(
    r"/api/sign-in|/api/links|/links/.*|/api/unlock|/api/me/(password|pin|code|factors.*)|/api/people/[^/]+/(password|link|code)"
)
GUESTS = "/api/guests"  # each request leaves an account in the record
# What reads much of the record or computes for long.
COSTLY = re.compile(
    r"/api/(audit|reports|rules|rounds|shared-rounds|history|submissions|lab|evidence)(/.*)?|/api/tables/[^/]+/coach|/api/me/statistics"
)
FROM_PEER = "pitboss.peer"  # in the scope of a request that another process passed on
CLIENT = "x-pitboss-client"  # a page of another origin can't send it without a preflight request
VISITORS_KEPT = 20_000
STRANGE_ORIGIN = "This page isn't allowed to use the server. Open the address the server printed when it started"
NO_ORIGIN = f"A request that changes something must have an Origin header or the header {CLIENT}"
TOO_LARGE = "The request is too large"
TOO_OFTEN = "Too many requests. Wait a moment and try again"

HEADERS = {
    "content-security-policy": "default-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'; "
    "object-src 'none'; img-src 'self' data:; connect-src 'self'",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}
# Only where the browser came over TLS: without it the header means nothing.
TLS_HEADERS = {"strict-transport-security": "max-age=31536000"}
log = logging.getLogger("pitboss.requests")


@dataclass(frozen=True, slots=True)
class Rates:
    """How often one visitor may send requests, to the sign-in routes, to the costly ones, and for guest accounts."""

    per_second: float = 50.0
    at_once: float = 200.0
    door_per_second: float = 1.0
    door_at_once: float = 20.0
    costly_per_second: float = 10.0
    costly_at_once: float = 60.0
    guest_per_second: float = 1 / 60
    guest_at_once: float = 30.0

    def of(self, path: str) -> tuple[str, float, float]:
        """Return the name of the limits for a path, with their rate and burst."""
        if path == GUESTS:
            return "guest", self.guest_per_second, self.guest_at_once
        if DOORS.fullmatch(path):
            return "door", self.door_per_second, self.door_at_once
        if COSTLY.fullmatch(path):
            return "costly", self.costly_per_second, self.costly_at_once
        return "", self.per_second, self.at_once


class Bucket:
    """A token bucket that refills at a rate."""

    def __init__(self, per_second: float, at_once: float, clock: Clock) -> None:
        self._per_second, self._at_once, self._clock = per_second, at_once, clock
        self._tokens = at_once
        self._at = clock.now_ms()

    @property
    def has_token(self) -> bool:
        """Say whether there is a token to take."""
        now = self._clock.now_ms()
        self._tokens = min(self._at_once, self._tokens + max(0, now - self._at) / 1000 * self._per_second)
        self._at = now
        return self._tokens >= 1

    def take(self) -> bool:
        """Take a token, and return whether there was one."""
        if not self.has_token:
            return False
        self._tokens -= 1
        return True


class Guard:
    """ASGI middleware that refuses foreign origins, floods and oversized bodies, and adds the headers."""

    def __init__(self, app: ASGIApp, origins: frozenset[str], clock: Clock, rates: Rates) -> None:
        self._app, self._origins, self._clock, self._rates = app, origins, clock, rates
        self._buckets: OrderedDict[str, Bucket] = OrderedDict()

    def __call__(self, scope: Scope, receive: Receive, send: Send) -> Awaitable[None]:
        """Pass a request on, or answer it here; nothing stays in memory while a socket is open."""
        if scope["type"] not in ("http", "websocket") or scope.get(FROM_PEER):
            return self._app(scope, receive, send)  # another process has checked what it passes on
        headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
        origin = headers.get("origin")
        if origin is not None and origin not in self._origins:
            return _close(scope, send, 403, STRANGE_ORIGIN)
        if origin is None and not _is_harmless(scope, headers):
            return _close(scope, send, 403, NO_ORIGIN)
        if not self._is_within_rates(scope, headers):
            return _close(scope, send, 429, TOO_OFTEN)
        if scope["type"] == "websocket":
            return self._app(scope, receive, send)
        if _stated_bytes(headers) > BODY_BYTES_MOST:
            return _close(scope, send, 413, TOO_LARGE)
        return self._app(scope, _limited(receive), _with_headers(scope, send))

    def _is_within_rates(self, scope: Scope, headers: dict[str, str]) -> bool:
        # A person is limited from all addresses together, and an address with all its visitors. A made-up session
        # gets around neither: it still counts for the address it came from.
        name, per_second, at_once = self._rates.of(scope["path"])
        address = network_of(str((scope.get("client") or ("", 0))[0]))
        if not self._bucket(f"{name} {address}", per_second, at_once).take():
            return False
        session = session_in(headers.get("cookie", ""))
        return not session or self._bucket(f"{name} session {session[:64]}", per_second, at_once).take()

    def _bucket(self, visitor: str, per_second: float, at_once: float) -> Bucket:
        bucket = self._buckets.pop(visitor, None) or Bucket(per_second, at_once, self._clock)
        self._buckets[visitor] = bucket
        while len(self._buckets) > VISITORS_KEPT:
            self._buckets.popitem(last=False)
        return bucket


def _is_harmless(scope: Scope, headers: dict[str, str]) -> bool:
    # Browsers send the origin with every socket and every request that could change something.
    return CLIENT in headers or (scope["type"] == "http" and scope["method"] in SAFE)


def _stated_bytes(headers: dict[str, str]) -> int:
    stated = headers.get("content-length", "0")
    return int(stated) if stated.isascii() and stated.isdigit() and len(stated) < 12 else BODY_BYTES_MOST + 1


def _limited(receive: Receive) -> Receive:
    taken, is_whole = 0, False
    end = asyncio.get_running_loop().time() + BODY_SECONDS_MOST

    async def counted() -> Message:
        nonlocal taken, is_whole
        if is_whole:
            return await receive()
        try:
            async with asyncio.timeout_at(end):
                message = await receive()
        except TimeoutError:
            return {"type": "http.disconnect"}
        taken += len(message.get("body", b""))
        is_whole = not message.get("more_body", False)
        return {"type": "http.disconnect"} if taken > BODY_BYTES_MOST else message

    return counted


def _with_headers(scope: Scope, send: Send) -> Send:
    added = _added(scope)

    async def sent(message: Message) -> None:
        if message["type"] == "http.response.start":
            # The route's pattern, not the path: a path may contain a link's token.
            route = getattr(scope.get("route"), "path", None)
            log.info("request", extra={"method": scope["method"], "route": route, "status": message["status"]})
            own = list(message.get("headers", ()))
            if all(name != b"cache-control" for name, _ in own):  # the page's files set their own caching headers
                own.append((b"cache-control", b"no-store"))
            message = {**message, "headers": [*own, *added]}
        await send(message)

    return sent


def _added(scope: Scope) -> list[tuple[bytes, bytes]]:
    added = HEADERS | TLS_HEADERS if scope["scheme"] == "https" else HEADERS
    return [(name.encode(), value.encode()) for name, value in added.items()]


async def _close(scope: Scope, send: Send, status: int, reason: str) -> None:
    if scope["type"] == "websocket":
        await send({"type": "websocket.close", "code": 4003})
        return
    headers = [(b"content-type", b"application/json"), *_added(scope)]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    body = json.dumps({"refused": {"reason": reason, "clause": None, "field": None}})
    await send({"type": "http.response.body", "body": body.encode()})
