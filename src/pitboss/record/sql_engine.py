"""Connects to SQLite or PostgreSQL, makes commits durable, upgrades the schema and translates database errors."""

import contextlib
import os
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from typing import Any, TypeVar

import sqlalchemy as sa
from sqlalchemy.exc import ArgumentError, DBAPIError, NoSuchModuleError, OperationalError, SQLAlchemyError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from pitboss.record.migrations import NEWEST, REVISIONS, upgrade
from pitboss.record.store import NewerDatabase, StoreBroken, StoreBusy, StoreFault, StoreFull, StoreUnreachable

BUSY_TIMEOUT_MS = 10_000
IDLE_TIMEOUT_MS = 4_000  # shorter than a table's lease
# A connection that stops responding is given up after about ten seconds.
ALIVE: dict[str, Any] = {
    "connect_timeout": 10,
    "keepalives_idle": 4,
    "keepalives_interval": 2,
    "keepalives_count": 3,
    "tcp_user_timeout": 10_000,
}
BACK_WITHIN_S, CONNECT_AGAIN_S = 10.0, 0.2  # a database that was there before
WRITES = "writes"  # the execution option of a connection that will write
_UPGRADE_LOCK = 0x70697462  # any number, the same in every process of this program
_VERSIONS = sa.table("alembic_version", sa.column("version_num", sa.Text))

LOST = "The connection to the record's database was lost. Try again."
TRIES_MAX = 20  # for work whose session was ended, or that lost to another transaction
Found = TypeVar("Found")


def make_engine(url: str, *, pings: bool = True, gives_up: threading.Event | None = None) -> sa.Engine:
    """Return an engine whose commits are on disk when they return; callers that retry lost sessions need no pings.

    A lost database is waited for until `gives_up` is set.
    """
    try:
        address = sa.make_url(url)
        if address.drivername in ("postgresql", "postgres"):
            address = address.set(drivername="postgresql+psycopg")
        if address.drivername == "postgresql+psycopg":
            return _postgres_engine(address, gives_up or threading.Event(), pings=pings)
        if address.drivername in ("sqlite", "sqlite+pysqlite"):
            return _sqlite_engine(address)
    except (ArgumentError, NoSuchModuleError):
        raise StoreUnreachable("Enter the database as a URL, such as sqlite:///floor.db or postgresql://...") from None
    except ModuleNotFoundError as missing:
        raise StoreUnreachable(
            f"PostgreSQL needs the package {missing.name}. Run: pip install 'pitboss[postgres]'"
        ) from None
    raise StoreUnreachable(f"The record can be in SQLite or PostgreSQL, not in {address.get_backend_name()}.")


def listening_address(url: str) -> str:
    """Return the address of a PostgreSQL database in the form its own driver takes."""
    return sa.make_url(url).set(drivername="postgresql").render_as_string(hide_password=False)


def _postgres_engine(address: sa.URL, gives_up: threading.Event, *, pings: bool) -> sa.Engine:
    engine = sa.create_engine(address, pool_pre_ping=pings, connect_args=ALIVE)
    connected: list[bool] = []

    @sa.event.listens_for(engine, "do_connect")
    def _first_try(dialect: sa.Dialect, _record: object, arguments: list[Any], settings: dict[str, Any]) -> Any:
        # A process that is paused while it connects runs out of time although the database is there, and a database
        # that restarts or fails over is back after some seconds: it connects again. Without a connection from here,
        # the engine makes one, and its failure counts.
        end = time.monotonic() + (BACK_WITHIN_S if connected else 0)
        while True:
            with contextlib.suppress(dialect.loaded_dbapi.OperationalError):
                found = dialect.connect(*arguments, **settings)
                connected[:] = [True]
                return found
            if time.monotonic() > end or gives_up.wait(CONNECT_AGAIN_S):
                return None

    @sa.event.listens_for(engine, "connect")
    def _patience(connection: Any, _record: object) -> None:
        # A process that is paused inside a transaction must not block others from its streams and leases. Without a
        # transaction here, a pause between the two settings doesn't end the session.
        connection.autocommit = True
        with connection.cursor() as cursor:
            cursor.execute(f"SET idle_in_transaction_session_timeout = {IDLE_TIMEOUT_MS}")
            cursor.execute(f"SET lock_timeout = {BUSY_TIMEOUT_MS}")
        connection.autocommit = False

    return engine


def _sqlite_engine(address: sa.URL) -> sa.Engine:
    engine = sa.create_engine(address)
    _make_private(address.database)

    @sa.event.listens_for(engine, "connect")
    def _durable(connection: sqlite3.Connection, _record: object) -> None:
        connection.isolation_level = None  # transactions are begun below and nowhere else
        connection.execute(f"PRAGMA busy_timeout={BUSY_TIMEOUT_MS}").close()
        _write_ahead(connection)
        connection.execute("PRAGMA synchronous=FULL").close()

    @sa.event.listens_for(engine, "begin")
    def _begin(connection: sa.Connection) -> None:
        # A writer takes the lock before it reads: upgrading later could make its reads stale.
        is_writer = connection.get_execution_options().get(WRITES)
        connection.exec_driver_sql("BEGIN IMMEDIATE" if is_writer else "BEGIN")

    return engine


def _write_ahead(connection: sqlite3.Connection) -> None:
    # SQLite doesn't wait for another connection that changes the mode of a new file at the same moment.
    end = time.monotonic() + BUSY_TIMEOUT_MS / 1_000
    while True:
        try:
            connection.execute("PRAGMA journal_mode=WAL").close()
            return
        except sqlite3.OperationalError as fault:
            if fault.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or time.monotonic() > end:
                raise
        time.sleep(0.01)


def _make_private(database: str | None) -> None:
    # By default SQLite lets every user of the machine read a new file; its side files get the database's mode.
    if database and database != ":memory:":
        with contextlib.suppress(OSError):  # a problem with the path is reported when the database is opened
            os.close(os.open(database, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))


def prepare(engine: sa.Engine) -> None:
    """Upgrade a database to this version, or refuse one that is newer."""
    try:
        engine.connect().close()
    except OperationalError as fault:
        if engine.dialect.name != "postgresql":
            raise
        raise StoreUnreachable(f"Can't connect to the record's database: {_reason(fault)}.") from None
    if read_whole(engine, _revision) != NEWEST:
        write_whole(engine, _upgrade)


def _upgrade(connection: sa.Connection) -> None:
    if connection.dialect.name == "postgresql":
        connection.execute(sa.select(sa.func.pg_advisory_xact_lock(_UPGRADE_LOCK)))
    if _revision(connection) != NEWEST:  # another process may have done it first
        upgrade(connection)


def _revision(connection: sa.Connection) -> str | None:
    if not sa.inspect(connection).has_table(_VERSIONS.name):
        return None
    revision: str | None = connection.scalar(sa.select(_VERSIONS.c.version_num))
    if revision is not None and revision not in REVISIONS:
        raise NewerDatabase("The database was written by a newer version of pitboss. Install that version to open it.")
    return revision


def fault_of(fault: SQLAlchemyError) -> StoreFault:
    """Return the store fault that a database error means."""
    cause: Any = fault.orig if isinstance(fault, DBAPIError) else None
    reason = _reason(fault)
    if isinstance(cause, sqlite3.Error):
        return _sqlite_fault(getattr(cause, "sqlite_errorcode", 0) & 0xFF, reason)
    if isinstance(fault, DBAPIError) and fault.connection_invalidated:
        return StoreBusy(LOST)
    if isinstance(fault, PoolTimeout):  # nothing was sent: every connection of this process was in use
        return StoreBusy(f"Another process held the record for too long: {reason}.")
    state = getattr(cause, "sqlstate", None) or ""
    if state == "53100":
        return StoreFull(f"Storage is full: {reason}.")
    if state[:2] in ("23", "40", "53") or state in ("55P03", "25P03"):
        return StoreBusy(f"The record's database is busy: {reason}. Try again.")
    return StoreBroken(f"The record's database failed: {reason}.")


@contextlib.contextmanager
def named_faults() -> Iterator[None]:
    """Raise the store fault that a database error inside means."""
    try:
        yield
    except SQLAlchemyError as fault:
        raise fault_of(fault) from fault


def _reason(fault: SQLAlchemyError) -> str:
    said = str((fault.orig if isinstance(fault, DBAPIError) else None) or fault)
    return said.strip().splitlines()[0].rstrip(".")


def _sqlite_fault(code: int, reason: str) -> StoreFault:
    match code:
        case sqlite3.SQLITE_FULL:
            return StoreFull(f"Storage is full: {reason}.")
        case sqlite3.SQLITE_BUSY | sqlite3.SQLITE_LOCKED | sqlite3.SQLITE_CONSTRAINT:
            return StoreBusy(f"The record's database is busy: {reason}. Try again.")
        case sqlite3.SQLITE_CANTOPEN | sqlite3.SQLITE_READONLY | sqlite3.SQLITE_NOTADB | sqlite3.SQLITE_PERM:
            return StoreUnreachable(f"The record cannot be opened: {reason}.")
    return StoreBroken(f"The record's database failed: {reason}.")


def read_whole(engine: sa.Engine, work: Callable[[sa.Connection], Found]) -> Found:
    """Return the result of a read, retried if the database ended the session."""
    return _to_its_end(engine.connect, work)


def write_whole(engine: sa.Engine, work: Callable[[sa.Connection], Found]) -> Found:
    """Return the result of a write, retried if the database ended the session; doing it twice must change nothing."""
    return _to_its_end(engine.execution_options(**{WRITES: True}).begin, work)


def _to_its_end(
    begun: Callable[[], AbstractContextManager[sa.Connection]], work: Callable[[sa.Connection], Found]
) -> Found:
    for _ in range(TRIES_MAX):
        # The session may also be found ended after the work, when its transaction is closed.
        try:
            with begun() as connection:
                return work(connection)
        except DBAPIError as fault:
            if not fault.connection_invalidated:
                raise
    raise StoreBusy(LOST)


def is_worth_another_try(fault: DBAPIError) -> bool:
    """Say whether a transaction lost to another one and is worth a retry."""
    return getattr(fault.orig, "sqlstate", None) in ("40001", "40P01")
