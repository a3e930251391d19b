"""A floor whose record failed tells whoever runs it, who ends the process."""

import asyncio
from pathlib import Path

from pitboss.record.store import StoreBroken
from pitboss.server import open_floor as of_floor
from pitboss.server.open_floor import FloorSettings, OpenFloor


def test_a_record_that_failed_ends_the_process_and_is_not_asked_again(tmp_path: Path) -> None:
    async def run() -> None:
        floor = OpenFloor(FloorSettings(tmp_path))
        told = asyncio.Event()
        floor.on_broken = told.set
        await floor.start()
        assert not floor.is_broken
        await asyncio.sleep(0)
        floor.store._broken = StoreBroken("the disk said no")
        await asyncio.wait_for(told.wait(), 10 * of_floor.WATCH_S)
        assert floor.is_broken
        await floor.stop()  # in order, though nothing can be read any more

    asyncio.run(run())
