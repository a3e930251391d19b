"""A web server ends when the record of its floor has failed."""

import asyncio
from pathlib import Path

from pitboss.record.store import StoreBroken
from pitboss.server.app import make_app
from pitboss.server.open_floor import FloorSettings, OpenFloor
from pitboss.server.web_server import WebServer


def test_a_record_that_failed_ends_the_process_and_is_not_asked_again(tmp_path: Path) -> None:
    async def run() -> None:
        server = WebServer(make_app(FloorSettings(tmp_path), frozenset()), port=0, lifespan="on")
        floor: OpenFloor = server.config.app.state.floor
        serving = asyncio.create_task(server.serve())
        while not server.started:
            await asyncio.sleep(0.01)
        assert not floor.is_broken
        floor.store._broken = StoreBroken("the disk said no")
        await asyncio.wait_for(serving, 120)  # in order, though nothing can be read any more
        assert floor.is_broken

    asyncio.run(run())
