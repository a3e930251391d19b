"""A writer killed at any moment: what it acknowledged is there, batches are whole, the chain continues."""

import io
import random
import subprocess
import sys
import time
from pathlib import Path

import pytest

from pitboss.record.sql_store import SqlStore
from pitboss.record.store import export
from pitboss_verify import verify

KILLS = 6
WRITER = Path(__file__).with_name("killed_writer.py")


def killed(url: str, first: int, seconds: float) -> set[tuple[int, int]]:
    """Let a writer run so long after its first acknowledgement, kill it, and return the tables and numbers it said."""
    process = subprocess.Popen([sys.executable, str(WRITER), url, str(first)], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    begun = process.stdout.readline()
    time.sleep(seconds)
    process.kill()
    rest, _ = process.communicate()
    said = [line.split() for line in (begun + rest).splitlines(keepends=True) if line.endswith("\n")]
    return {(int(table), int(number)) for table, number in said}


@pytest.mark.slow
def test_nothing_acknowledged_is_lost_and_nothing_is_half_there(database_url: str, tmp_path: Path) -> None:
    draw = random.Random(3)
    first = 0
    for _ in range(KILLS):
        acknowledged = killed(database_url, first, draw.random() * 0.3)
        store = SqlStore(database_url)
        kept = [(table, entry.body["number"]) for table in range(4) for entry in store.read(f"table/{table}")]
        moved = [(entry.body["table"], entry.body["number"]) for entry in store.read("money")]
        assert len(set(kept)) == len(kept)
        assert acknowledged <= set(kept)
        assert sorted(moved) == sorted(kept)
        out = io.StringIO()
        export(store, out)
        store.close()
        log = tmp_path / "record.jsonl"
        log.write_text(out.getvalue())
        assert verify(log).fault is None
        first = max(number for _, number in kept)  # some are sent again
    assert first > KILLS
