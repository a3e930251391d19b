"""A process that commits as fast as it can and prints each acknowledged number, until it is killed."""

import asyncio
import sys

from pitboss.record.entries import Circumstances, Draft
from pitboss.record.group_commit import GroupCommit
from pitboss.record.sql_store import SqlStore
from pitboss.record.store import Batch, Committed, Repeated
from pitboss.record.system import ThreadRunner


async def write(url: str, first: int) -> None:
    writer = GroupCommit(SqlStore(url), ThreadRunner("record"))

    async def write_table(table: int) -> None:
        for number in range(first, first + 100_000):
            drafts = (
                Draft(f"table/{table}", "house.Noted", {"number": number}),
                Draft("money", "money.Moved", {"number": number, "table": table}),
            )
            by = Circumstances("ada", "dealer", f"{table}-{number}", 1)
            outcome = await writer.commit(Batch(drafts, {f"table/{table}": None, "money": None}, by, "d"))
            assert isinstance(outcome, Committed | Repeated)
            print(table, number, flush=True)

    await asyncio.gather(*(write_table(table) for table in range(4)))


if __name__ == "__main__":
    asyncio.run(write(sys.argv[1], int(sys.argv[2])))
