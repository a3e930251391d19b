"""One process of a floor in PostgreSQL, started next to others by tests: prints its address, and can open tables."""

import asyncio
import json
import socket
import sys
from pathlib import Path
from typing import Any

from pitboss.cli.serve import without_delay
from pitboss.server.app import make_app
from pitboss.server.demonstration import demo_documents, link_for
from pitboss.server.lab.worker_pool import WHEN_ASKED
from pitboss.server.open_floor import FloorSettings, OpenFloor
from pitboss.server.web_server import WebServer
from server.running import METRICS_TOKEN, OPEN, PEOPLE


def main(asked: dict[str, Any]) -> None:
    """Serve until the process is ended."""
    listening = without_delay(socket.create_server(("127.0.0.1", 0)))
    address = f"http://127.0.0.1:{listening.getsockname()[1]}"
    keys = Path(asked["keys"])
    settings = FloorSettings(
        Path(asked["data"]),
        asked["database"],
        keys=keys,
        address=asked.get("address") or address,
        lab_warms_up=WHEN_ASKED,
        requires_readers=False,
        metrics_token=METRICS_TOKEN,
    )

    async def opening(floor: OpenFloor) -> None:
        links = {}
        if asked["pace"]:
            for table, document in demo_documents().items():
                await floor.open_free_play(table, {**document, "pace": asked["pace"]}, 500_000_00)
            links = {name: await link_for(floor, name, role) for name, role in PEOPLE.items()}
        print(json.dumps({"address": address, "links": links}), flush=True)

    app = make_app(settings, frozenset({address}), opening, OPEN)
    server = WebServer(app, timeout_graceful_shutdown=1, lifespan="on")
    asyncio.run(server.serve(sockets=[listening]))


if __name__ == "__main__":
    main(json.loads(sys.argv[1]))
