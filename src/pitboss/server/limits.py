"""How much of the server one visitor may use: sizes, rates, origins, and the headers of every answer."""

import json
from collections import OrderedDict

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pitboss.house.outside import Clock

BODY_BYTES_MOST = 64 * 1024
FRAME_BYTES_MOST = 16 * 1024
REQUESTS_PER_SECOND, REQUESTS_AT_ONCE = 50.0, 200.0
VISITORS_KEPT = 20_000
STRANGE_ORIGIN = "This page may not talk to the server; open the address it prints"
TOO_LARGE = "The request is too large"
TOO_OFTEN = "Too many requests; wait a moment"

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


class Bucket:
    """Tokens that come back at a rate; each act takes one."""

    def __init__(self, per_second: float, at_once: float, clock: Clock) -> None:
        self._per_second, self._at_once, self._clock = per_second, at_once, clock
        self._tokens = at_once
        self._at = clock.now_ms()

    def take(self) -> bool:
        """Take a token, or say that there is none."""
        now = self._clock.now_ms()
        self._tokens = min(self._at_once, self._tokens + max(0, now - self._at) / 1000 * self._per_second)
        self._at = now
        if self._tokens < 1:
            return False
        self._tokens -= 1
        return True


class Guard:
    """Stands before the application: refuses strange origins, floods and oversized bodies, and adds the headers."""

    def __init__(self, app: ASGIApp, origins: frozenset[str], clock: Clock) -> None:
        self._app, self._origins, self._clock = app, origins, clock
        self._buckets: OrderedDict[str, Bucket] = OrderedDict()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or answer it here."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
        if not self._is_welcome(scope, headers):
            await _close(scope, send, 403, STRANGE_ORIGIN)
        elif not self._bucket(scope).take():
            await _close(scope, send, 429, TOO_OFTEN)
        elif scope["type"] == "websocket":
            await self._app(scope, receive, send)
        elif (
            not headers.get("content-length", "0").isdigit()
            or int(headers.get("content-length", "0")) > BODY_BYTES_MOST
        ):
            await _close(scope, send, 413, TOO_LARGE)
        else:
            await self._app(scope, _limited(receive), _with_headers(send))

    def _is_welcome(self, scope: Scope, headers: dict[str, str]) -> bool:
        origin = headers.get("origin")
        if origin is not None:
            return origin in self._origins
        # Browsers name the origin of every socket and of every request that could change something.
        return bool(scope["type"] == "http")

    def _bucket(self, scope: Scope) -> Bucket:
        visitor = str((scope.get("client") or ("", 0))[0])
        bucket = self._buckets.pop(visitor, None) or Bucket(REQUESTS_PER_SECOND, REQUESTS_AT_ONCE, self._clock)
        self._buckets[visitor] = bucket
        while len(self._buckets) > VISITORS_KEPT:
            self._buckets.popitem(last=False)
        return bucket


def _stated_bytes(headers: dict[str, str]) -> int:
    stated = headers.get("content-length", "0")
    return int(stated) if stated.isascii() and stated.isdigit() and len(stated) < 12 else BODY_BYTES_MOST + 1


def _limited(receive: Receive) -> Receive:
    taken = 0

    async def counted() -> Message:
        nonlocal taken
        message = await receive()
        taken += len(message.get("body", b""))
        return {"type": "http.disconnect"} if taken > BODY_BYTES_MOST else message

    return counted


def _with_headers(send: Send) -> Send:
    added = [(name.encode(), value.encode()) for name, value in HEADERS.items()]

    async def sent(message: Message) -> None:
        if message["type"] == "http.response.start":
            message = {**message, "headers": [*message.get("headers", ()), *added, (b"cache-control", b"no-store")]}
        await send(message)

    return sent


async def _close(scope: Scope, send: Send, status: int, reason: str) -> None:
    if scope["type"] == "websocket":
        await send({"type": "websocket.close", "code": 4003})
        return
    headers = [(b"content-type", b"application/json"), *((n.encode(), v.encode()) for n, v in HEADERS.items())]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    body = json.dumps({"refused": {"reason": reason, "clause": None, "field": None}})
    await send({"type": "http.response.body", "body": body.encode()})
