"""Leases taken, renewed and released many at a time, and how processes are notified."""

import json
import time

import psycopg
import pytest
import sqlalchemy as sa
from sqlalchemy.exc import DBAPIError

from patience import WAIT_S
from pitboss.record.postgres_rows import CHANNEL, LEASES_MOVED
from pitboss.record.sql_engine import IDLE_TIMEOUT_MS, fault_of, listening_address, make_engine
from pitboss.record.sql_store import SqlStore
from pitboss.record.sql_tables import LEASES
from pitboss.record.store import StoreBusy

NAMES = ["table/one", "table/three", "table/two"]


def test_leases_are_taken_renewed_and_given_back_together(database_url: str) -> None:
    store = SqlStore(database_url)
    now, none = store.leases()
    assert none == ()
    assert now > 1_700_000_000_000
    first = store.acquire_all(NAMES[:2], "a", now_ms=now, until_ms=now + 1_000)
    assert [(item.name, item.owner, item.token) for item in first] == [(name, "a", 1) for name in NAMES[:2]]
    second = store.acquire_all(NAMES, "b", now_ms=now, until_ms=now + 1_000)
    assert [item.name for item in second] == ["table/two"]
    assert store.leases()[1] == tuple(sorted((*first, *second), key=lambda item: item.name))
    late = store.acquire_all(["table/one"], "b", now_ms=now + 1_000, until_ms=now + 9_000)
    assert [(item.owner, item.token) for item in late] == [("b", 2)]
    renewed = store.renew_all(first, until_ms=now + 5_000)
    assert [(item.name, item.until_ms) for item in renewed] == [("table/three", now + 5_000)]
    store.release_all([*first, *late])
    assert [lease.name for lease in store.leases()[1]] == ["table/two"]
    assert store.acquire_all([], "b", now_ms=0, until_ms=1) == store.renew_all([], until_ms=1) == ()
    store.close()


def test_the_clock_of_the_database_goes_on(database_url: str) -> None:
    store = SqlStore(database_url)
    first, second = store.leases()[0], store.leases()[0]
    assert first <= second <= first + 60_000
    store.close()


@pytest.mark.xdist_group("postgres")
def test_others_hear_when_a_lease_changes_hands_and_not_when_it_is_renewed(postgres_url: str) -> None:
    store = SqlStore(postgres_url)
    with psycopg.connect(listening_address(postgres_url), autocommit=True) as connection:
        connection.execute(f"LISTEN {CHANNEL}")

        def told(wait_s: float = WAIT_S) -> list[object]:
            notices = connection.notifies(timeout=wait_s, stop_after=1)
            return [said for notice in notices for said in json.loads(notice.payload)]

        taken = store.acquire_all(NAMES, "a", now_ms=1, until_ms=2)
        assert told() == [[LEASES_MOVED, 0]]
        store.renew_all(taken, until_ms=3)
        assert store.acquire("table/one", "b", now_ms=1, until_ms=9) is None
        assert told(0.5) == []
        store.release_all(taken)
        store.release_all(taken)
        assert told() == [[LEASES_MOVED, 0]]
        assert told(0.5) == []
    store.close()


@pytest.mark.xdist_group("postgres")
def test_a_process_that_stopped_within_a_transaction_is_not_waited_for(postgres_url: str) -> None:
    store, stopped = SqlStore(postgres_url), make_engine(postgres_url)
    (held,) = store.acquire_all(NAMES[:1], "stopped", now_ms=1, until_ms=2)
    with stopped.connect() as connection:
        connection.execute(sa.select(LEASES).where(LEASES.c.name == held.name).with_for_update(read=True))
        begun = time.monotonic()
        (taken,) = store.acquire_all(NAMES[:1], "alive", now_ms=9, until_ms=99)
        assert (taken.owner, taken.token) == ("alive", 2)
        assert time.monotonic() - begun < 2 * IDLE_TIMEOUT_MS / 1000
        with pytest.raises(DBAPIError) as woken:
            connection.execute(sa.select(LEASES))
        assert isinstance(fault_of(woken.value), StoreBusy)  # whatever it was about to write is not on disk
        connection.invalidate()
    stopped.dispose()
    store.close()
