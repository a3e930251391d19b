"""The web server of a floor, which ends when the floor's record has failed."""

import logging
from functools import partial
from typing import Any

import uvicorn
from fastapi import FastAPI

from pitboss.server.connections import (
    ConnectionLimits,
    LimitedProtocol,
    LimitedSocketProtocol,
    OpenConnections,
    limits_of_process,
)
from pitboss.server.open_floor import OpenFloor

log = logging.getLogger("pitboss.floor")
FRAME_BYTES = 64 * 1024
# No compression: frames are small, and each socket would keep its own window in memory.
UVICORN: dict[str, Any] = {
    "log_config": None,
    "access_log": False,
    "ws": LimitedSocketProtocol,
    "ws_max_size": FRAME_BYTES,
    "ws_per_message_deflate": False,
    "timeout_graceful_shutdown": 5,
    "server_header": False,
}


class WebServer(uvicorn.Server):
    """Serves an application until it is interrupted or its floor can record nothing more."""

    def __init__(
        self,
        app: FastAPI,
        *,
        proxies: frozenset[str] = frozenset(),
        limits: ConnectionLimits | None = None,
        **settings: Any,
    ) -> None:
        opened = OpenConnections(limits or limits_of_process(proxies))
        # A client that may set a visitor's address gets around every limit by address, so only named proxies may.
        forwarded = {"proxy_headers": bool(proxies), "forwarded_allow_ips": sorted(proxies)}
        http = partial(LimitedProtocol, opened=opened, peers=app.state.peer_door)
        super().__init__(uvicorn.Config(app, **{**UVICORN, **forwarded, "http": http, **settings}))
        self._floor: OpenFloor = app.state.floor

    async def on_tick(self, counter: int) -> bool:
        """Return whether to end; asked ten times a second."""
        if self._floor.is_broken and not self.should_exit:
            log.error("record failed; shutting down")
            self.should_exit = True
        return await super().on_tick(counter)
