"""What authenticating every row costs: the same batches committed with and without tags, in turns, in one run."""

import random
import statistics
import tempfile
import time
from pathlib import Path

from pitboss.record.entries import Circumstances, Draft
from pitboss.record.keys import Keyring, MasterKey
from pitboss.record.row_tags import RowTags
from pitboss.record.sql_store import SqlStore
from pitboss.record.store import Batch, body_digest
from pitboss.record.system import SystemRandomness

TURNS, COMMANDS = 5, 400
BODY = {"seat": 1, "stakes": {"ante": 500, "blind": 500}, "postings": {"stack:t:alice": -1000, "felt:t": 1000}}


def committed(*, is_tagged: bool) -> list[float]:
    """Return the processor time of each command in milliseconds, each with two entries and a transaction of its own."""
    keyring = Keyring((MasterKey(random.Random(1).randbytes(32)),))
    tags = RowTags(keyring, SystemRandomness()) if is_tagged else None
    with tempfile.TemporaryDirectory() as folder:
        store, taken = SqlStore(f"sqlite:///{Path(folder) / 'record.db'}", tags), []
        for number in range(COMMANDS):
            drafts = (Draft("table/t", "round.WagersPlaced", BODY), Draft("floor", "floor.Tested", {"number": number}))
            by = Circumstances("alice", "player", f"c{number}", 1_700_000_000_000 + number)
            batch = Batch(drafts, {"table/t": None, "floor": None}, by, body_digest("alice", BODY))
            begun = time.process_time()
            store.commit([batch])
            taken.append((time.process_time() - begun) * 1_000)
        store.close()
    return taken


def main() -> None:
    """Print the medians and 99th percentiles."""
    taken: dict[bool, list[float]] = {False: [], True: []}
    for _ in range(TURNS):
        for is_tagged in (False, True):
            taken[is_tagged] += committed(is_tagged=is_tagged)
    for is_tagged, times in taken.items():
        hundredths = statistics.quantiles(times, n=100)
        rate, label = 1_000 / statistics.mean(times), "with tags" if is_tagged else "without tags"
        print(f"{label}: {rate:,.0f} commands/s of CPU, median {hundredths[49]:.3f} ms, p99 {hundredths[98]:.3f} ms")


if __name__ == "__main__":
    main()
