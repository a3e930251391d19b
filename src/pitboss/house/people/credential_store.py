"""Password verifiers and sessions in the record's database, in separate tables that may be changed."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager

import sqlalchemy as sa
from sqlalchemy.exc import SQLAlchemyError

from pitboss.house.people.sessions import KeptSession
from pitboss.record.sql_engine import Found, fault_of, read_whole, write_whole

TABLES = sa.MetaData()
CREDENTIALS = sa.Table(
    "credentials",
    TABLES,
    sa.Column("credential", sa.Text, primary_key=True),
    sa.Column("verifier", sa.Text, nullable=False),
)
SESSIONS = sa.Table(
    "sessions",
    TABLES,
    sa.Column("digest", sa.Text, primary_key=True),
    sa.Column("session", sa.Text, nullable=False, unique=True),
    sa.Column("person", sa.Text, nullable=False),
    sa.Column("begun", sa.BigInteger, nullable=False),
    sa.Column("seen", sa.BigInteger, nullable=False),
)


@contextmanager
def _faults() -> Iterator[None]:
    try:
        yield
    except SQLAlchemyError as fault:
        raise fault_of(fault) from fault


def _write(engine: sa.Engine, *steps: sa.Executable) -> None:
    def written(connection: sa.Connection) -> None:
        for step in steps:
            connection.execute(step)

    with _faults():
        write_whole(engine, written)


def _read(engine: sa.Engine, work: Callable[[sa.Connection], Found]) -> Found:
    with _faults():
        return read_whole(engine, work)


class CredentialsInSql:
    """Credentials that every process of the house shares."""

    def __init__(self, engine: sa.Engine) -> None:
        self._engine = engine

    def keep(self, credential: str, verifier: str) -> None:
        """Store a verifier under a name, replacing any that is there."""
        _write(
            self._engine,
            sa.delete(CREDENTIALS).where(CREDENTIALS.c.credential == credential),
            sa.insert(CREDENTIALS).values(credential=credential, verifier=verifier),
        )

    def verifier(self, credential: str) -> str | None:
        """Return the verifier stored under a name, if there is one."""
        asked = sa.select(CREDENTIALS.c.verifier).where(CREDENTIALS.c.credential == credential)
        verifier: str | None = _read(self._engine, lambda connection: connection.scalar(asked))
        return verifier

    def forget(self, credential: str) -> None:
        """Delete what is stored under a name."""
        _write(self._engine, sa.delete(CREDENTIALS).where(CREDENTIALS.c.credential == credential))


class SessionsInSql:
    """A session table that every process of the house shares."""

    def __init__(self, engine: sa.Engine) -> None:
        self._engine = engine

    def add(self, kept: KeptSession) -> None:
        """Store a session."""
        _write(
            self._engine,
            # A try whose connection was lost may have stored it already.
            sa.delete(SESSIONS).where(SESSIONS.c.digest == kept.digest),
            sa.insert(SESSIONS).values(
                digest=kept.digest, session=kept.session, person=kept.person, begun=kept.begun, seen=kept.seen
            ),
        )

    def find(self, digest: str) -> KeptSession | None:
        """Return the session whose token has this digest, if there is one."""
        asked = sa.select(SESSIONS).where(SESSIONS.c.digest == digest)
        row = _read(self._engine, lambda connection: connection.execute(asked).one_or_none())
        return KeptSession(*row) if row else None

    def note_seen(self, session: str, at: int) -> None:
        """Note that a session was used."""
        # If two processes saw it, the later time counts.
        later = sa.and_(SESSIONS.c.session == session, SESSIONS.c.seen < at)
        _write(self._engine, sa.update(SESSIONS).where(later).values(seen=at))

    def remove(self, session: str) -> None:
        """Delete a session."""
        _write(self._engine, sa.delete(SESSIONS).where(SESSIONS.c.session == session))

    def all(self) -> Iterable[KeptSession]:
        """Return every session."""
        rows = _read(self._engine, lambda connection: connection.execute(sa.select(SESSIONS)).all())
        return tuple(KeptSession(*row) for row in rows)
