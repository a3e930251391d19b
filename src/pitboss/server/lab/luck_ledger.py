"""The luck-and-skill ledger of a record, worked on in a separate process: the sums so far go in and come out."""

import json
import sys
from collections.abc import Mapping
from typing import Any

from pitboss.api.recorded_split import GROUPINGS, RecordedSplit
from pitboss.record.sql_store import SqlStore
from pitboss.server.lab.priority import give_way
from pitboss.server.table_documents import read_terms

POLITENESS = 15  # nobody waits for it


def worked_on(database: str, kept: Mapping[str, Any] | None, now_ms: int | None = None) -> dict[str, Any]:
    """Continue the ledger of a record from where it was, and return the sums, the report and the alerts."""
    store = SqlStore(database)
    try:
        found = RecordedSplit(read_terms)
        if kept is not None and not found.restore(kept, store):
            found = RecordedSplit(read_terms)
        found.read(store, now_ms)
    finally:
        store.close()
    sums, alerts = found.to_data(), [alert.as_dict() for alert in found.alerts.values()]
    found.add_pending()
    return {"kept": sums, "report": report_of(found), "alerts": alerts}


def report_of(found: RecordedSplit) -> dict[str, Any]:
    """Return the report in its wire form: the lines by each grouping."""
    lines = {by: [line.as_dict() for line in found.lines(by)] for by in GROUPINGS}
    closed = {by: found.closed(by) for by in GROUPINGS}
    return {
        "rounds": found.rounds,
        "left_out": found.left_out,
        "lines": lines,
        "closed": closed,
        "closed_at": found.closed_at,
    }


if __name__ == "__main__":
    give_way(POLITENESS)
    asked = json.load(sys.stdin)
    json.dump(worked_on(asked["database"], asked["kept"], asked["now"]), sys.stdout)
