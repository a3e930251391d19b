"""What an open floor signs and when."""

import asyncio
from pathlib import Path

from pitboss.house import entry_kinds
from pitboss.record.entries import entry_of
from pitboss.server.app import make_floor
from pitboss.server.demonstration import demo_documents
from pitboss.server.open_floor import FloorSettings

STILL = {"wagers_ms": 3_600_000, "decision_ms": 0, "step_ms": 3_600_000, "between_rounds_ms": 3_600_000}


def test_the_end_of_a_round_is_signed_by_a_checkpoint_and_heads_are_signed_each_minute(tmp_path: Path) -> None:
    async def run() -> None:
        floor = make_floor(FloorSettings(tmp_path))
        await floor.start()
        try:
            table, document = next(iter(demo_documents().items()))
            live = await floor.open_free_play(table, {**document, "pace": STILL}, 500_000_00)
            await floor.export_heads()
            exported = (tmp_path / "heads" / "heads.jsonl").stat().st_size
            (last,) = floor.store.lines(live.stream, live.head.sequence - 1)
            ended = entry_of(last)._replace(kind=entry_kinds.ROUND_ENDED)
            for _ in range(5):
                floor._tree_due.clear()
                floor.note_heads(live, (ended,))
                assert floor._tree_due.is_set()
                assert not floor._heads_due.is_set()
                await asyncio.sleep(0.01)
            assert (tmp_path / "heads" / "heads.jsonl").stat().st_size == exported
        finally:
            await floor.stop()

    asyncio.run(run())
