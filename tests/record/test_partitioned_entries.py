"""Entries in partitions, by day or by stream, as an operator may set them up: each stream stays one chain."""

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import psycopg
import pytest

from pitboss.record import postgres_rows
from pitboss.record.entries import follows, head_of
from pitboss.record.sql_store import SqlStore
from pitboss.record.store import Committed
from record.batches import fill, note, numbers

DAY_MS = 86_400_000
# For each way: the partitions, and the column that every key of the table must contain.
WAYS = {
    "by day": ("RANGE (at)", "at", ("FOR VALUES FROM (0) TO (86400000)", "DEFAULT")),
    "by stream": (
        "HASH (stream)",
        "stream",
        ("FOR VALUES WITH (MODULUS 2, REMAINDER 0)", "FOR VALUES WITH (MODULUS 2, REMAINDER 1)"),
    ),
}


@pytest.fixture(params=WAYS)
def stores(request: pytest.FixtureRequest, postgres_url: str) -> Iterator[tuple[SqlStore, SqlStore]]:
    """Give two processes' stores of one record in partitions."""
    SqlStore(postgres_url).close()
    by, column, parts = WAYS[request.param]
    with psycopg.connect(postgres_url, autocommit=True) as connection:
        for statement in (
            "ALTER TABLE entries RENAME TO entries_before",
            f"CREATE TABLE entries (LIKE entries_before INCLUDING DEFAULTS) PARTITION BY {by}",
            "ALTER SEQUENCE entries_position_seq OWNED BY entries.position",
            "DROP TABLE entries_before",
            f"ALTER TABLE entries ADD PRIMARY KEY (position, {column})",
            "ALTER TABLE entries ADD UNIQUE (stream, sequence" + (", at)" if column == "at" else ")"),
            *(f"CREATE TABLE entries_{number} PARTITION OF entries {part}" for number, part in enumerate(parts)),
        ):
            connection.execute(statement)
    both = SqlStore(postgres_url), SqlStore(postgres_url)
    yield both
    for store in both:
        store.close()


def is_one_chain(store: SqlStore, stream: str) -> bool:
    entries = list(store.read(stream))
    return all(follows(later, head_of(earlier)) for earlier, later in pairwise(entries))


def test_streams_go_on_from_one_partition_to_the_next(stores: tuple[SqlStore, SqlStore]) -> None:
    first, second = stores
    for day, store in enumerate((first, second, first)):
        assert isinstance(store.commit([note(f"day {day}", day, at=day * DAY_MS)])[0], Committed)
    fill(first, 3, "table/two")
    assert numbers(second) == [0, 1, 2]
    assert is_one_chain(second, "table/one")
    assert second.check_rows(0, 100) is not None


def test_of_two_processes_that_begin_a_stream_on_different_days_one_comes_second(
    stores: tuple[SqlStore, SqlStore], monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = stores
    find, tries = postgres_rows.find, 0

    def found_too_soon(*asked: Any) -> Any:
        nonlocal tries
        tries += 1
        found = find(*asked)
        if tries == 1:  # between the look and the write of the first, the second begins the stream
            assert isinstance(second.commit([note("second", 2, at=DAY_MS)])[0], Committed)
        return found

    monkeypatch.setattr(postgres_rows, "find", found_too_soon)
    outcome = first.commit([note("first", 1)])[0]
    assert isinstance(outcome, Committed)
    assert [entry.sequence for entry in outcome.entries] == [2]
    assert numbers(first) == [2, 1]
    assert is_one_chain(second, "table/one")
