"""Questions about a table that another process runs are answered there: the request goes over and its answer back."""

import re
from collections.abc import Awaitable
from typing import Any

from starlette.types import ASGIApp, Receive, Scope, Send

from pitboss.server.cluster.channels import Channel, Message
from pitboss.server.cluster.peer_door import PeerDoor
from pitboss.server.cluster.peers import Link, NotReached
from pitboss.server.cluster.processes import Processes
from pitboss.server.request_limits import FROM_PEER

KIND = "request"
_ABOUT_TABLE = re.compile(r"/api/tables/([^/]+)(/.*)?")


class AskedElsewhere:
    """ASGI middleware that passes GET requests about a table on to the process that runs it."""

    def __init__(self, app: ASGIApp, processes: Processes) -> None:
        self._app, self._processes = app, processes

    def __call__(self, scope: Scope, receive: Receive, send: Send) -> Awaitable[None]:
        """Answer a request here, unless another process runs its table and can be asked."""
        link = self._owner(scope)
        return self._app(scope, receive, send) if link is None else self._pass_on(link, scope, receive, send)

    def _owner(self, scope: Scope) -> Link | None:
        if scope["type"] != "http" or scope["method"] != "GET" or scope.get(FROM_PEER):
            return None
        found = _ABOUT_TABLE.fullmatch(scope["path"])
        return self._processes.link_to(found[1]) if found else None

    async def _pass_on(self, link: Link, scope: Scope, receive: Receive, send: Send) -> None:
        asked = {
            "kind": KIND,
            "path": scope["path"],
            "raw_path": scope.get("raw_path", b"").decode("latin-1"),
            "query": scope["query_string"].decode("latin-1"),
            "scheme": scope.get("scheme", "http"),
            "headers": [(name.decode("latin-1"), value.decode("latin-1")) for name, value in scope["headers"]],
            "client": list(scope.get("client") or ("", 0)),
            "server": list(scope.get("server") or ("", 0)),
        }
        try:
            said, body = await link.answer(asked)
        except NotReached:
            said, body = {}, b""
        if "status" not in said:
            await self._app(scope, receive, send)  # read from the record instead
            return
        headers = [(name.encode("latin-1"), value.encode("latin-1")) for name, value in said["headers"]]
        await send({"type": "http.response.start", "status": said["status"], "headers": headers})
        await send({"type": "http.response.body", "body": body})


def answer_requests(door: PeerDoor, app: ASGIApp) -> None:
    """Answer the requests that other processes pass on."""

    def asked(channel: Channel, header: Message, body: bytes) -> Awaitable[tuple[Message, bytes]]:
        return _answered(app, header)

    door.answerers[KIND] = asked


async def _answered(app: ASGIApp, header: Message) -> tuple[Message, bytes]:
    scope = {
        "type": "http",
        "asgi": {"version": "3.0", "spec_version": "2.3"},
        "http_version": "1.1",
        "method": "GET",
        "scheme": header["scheme"],
        "path": header["path"],
        "raw_path": header["raw_path"].encode("latin-1"),
        "query_string": header["query"].encode("latin-1"),
        "root_path": "",
        "headers": [(name.encode("latin-1"), value.encode("latin-1")) for name, value in header["headers"]],
        "client": tuple(header["client"]),
        "server": tuple(header["server"]),
        "state": {},
        FROM_PEER: True,
    }
    said: dict[str, Any] = {"status": 500, "headers": []}
    parts: list[bytes] = []

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: Any) -> None:
        if message["type"] == "http.response.start":
            said["status"] = message["status"]
            said["headers"] = [
                (name.decode("latin-1"), value.decode("latin-1")) for name, value in message.get("headers", ())
            ]
        else:
            parts.append(message.get("body", b""))

    await app(scope, receive, send)
    return said, b"".join(parts)
