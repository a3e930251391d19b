"""Password verifiers and sessions in the record's database, in separate tables that may be changed."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import sqlalchemy as sa

from pitboss.house.people.sessions import KeptSession
from pitboss.record.adoption import TaggedTable
from pitboss.record.alterations import Alterations
from pitboss.record.row_tags import CREDENTIAL, SESSION, USE, RowTags
from pitboss.record.sql_engine import Found, named_faults, read_whole, write_whole

TABLES = sa.MetaData()
CREDENTIALS = sa.Table(
    "credentials",
    TABLES,
    sa.Column("credential", sa.Text, primary_key=True),
    sa.Column("verifier", sa.Text, nullable=False),
    sa.Column("tag", sa.Text, nullable=False, server_default=""),
)
SESSIONS = sa.Table(
    "sessions",
    TABLES,
    sa.Column("digest", sa.Text, primary_key=True),
    sa.Column("session", sa.Text, nullable=False, unique=True),
    sa.Column("person", sa.Text, nullable=False),
    sa.Column("begun", sa.BigInteger, nullable=False),
    sa.Column("seen", sa.BigInteger, nullable=False),
    sa.Column("tag", sa.Text, nullable=False, server_default=""),
    sa.Column("seen_tag", sa.Text, nullable=False, server_default=""),
)
TAGGED = (
    TaggedTable(CREDENTIALS, {"tag": (CREDENTIAL, ("credential", "verifier"))}),
    TaggedTable(
        SESSIONS, {"tag": (SESSION, ("digest", "session", "person", "begun")), "seen_tag": (USE, ("session", "seen"))}
    ),
)
_KEPT = (SESSIONS.c.digest, SESSIONS.c.session, SESSIONS.c.person, SESSIONS.c.begun, SESSIONS.c.seen)
_ALL = sa.select(*_KEPT, SESSIONS.c.tag, SESSIONS.c.seen_tag)
_BY_DIGEST = _ALL.where(SESSIONS.c.digest == sa.bindparam("digest"))  # made once: every request asks for its session


def _write(engine: sa.Engine, *steps: sa.Executable) -> None:
    def written(connection: sa.Connection) -> None:
        for step in steps:
            connection.execute(step)

    with named_faults():
        write_whole(engine, written)


def _read(engine: sa.Engine, work: Callable[[sa.Connection], Found]) -> Found:
    with named_faults():
        return read_whole(engine, work)


class CredentialsInSql:
    """Credentials that every process of the house shares."""

    def __init__(self, engine: sa.Engine, tags: RowTags | None = None, alterations: Alterations | None = None) -> None:
        self._engine, self._tags = engine, tags
        self._alterations = alterations or Alterations()

    def keep(self, credential: str, verifier: str) -> None:
        """Store a verifier under a name, replacing any that is there."""
        tag = self._tags.row(CREDENTIAL, credential, verifier) if self._tags else ""
        _write(
            self._engine,
            sa.delete(CREDENTIALS).where(CREDENTIALS.c.credential == credential),
            sa.insert(CREDENTIALS).values(credential=credential, verifier=verifier, tag=tag),
        )

    def verifier(self, credential: str) -> str | None:
        """Return the verifier stored under a name, if there is one."""
        asked = sa.select(CREDENTIALS.c.verifier, CREDENTIALS.c.tag).where(CREDENTIALS.c.credential == credential)
        row = _read(self._engine, lambda connection: connection.execute(asked).one_or_none())
        if row is None:
            return None
        verifier, tag = row
        if self._tags is not None and not self._tags.is_row(tag, CREDENTIAL, credential, verifier):
            self._alterations.tell(f"The stored password of credential {credential} was altered. It was refused.")
            return None
        return str(verifier)

    def forget(self, credential: str) -> None:
        """Delete what is stored under a name."""
        _write(self._engine, sa.delete(CREDENTIALS).where(CREDENTIALS.c.credential == credential))


class SessionsInSql:
    """A session table that every process of the house shares."""

    def __init__(self, engine: sa.Engine, tags: RowTags | None = None, alterations: Alterations | None = None) -> None:
        self._engine, self._tags = engine, tags
        self._alterations = alterations or Alterations()

    def add(self, kept: KeptSession) -> None:
        """Store a session."""
        tag = self._tags.row(SESSION, kept.digest, kept.session, kept.person, kept.begun) if self._tags else ""
        _write(
            self._engine,
            # A try whose connection was lost may have stored it already.
            sa.delete(SESSIONS).where(SESSIONS.c.digest == kept.digest),
            sa.insert(SESSIONS).values(
                digest=kept.digest,
                session=kept.session,
                person=kept.person,
                begun=kept.begun,
                seen=kept.seen,
                tag=tag,
                seen_tag=self._of_use(kept.session, kept.seen),
            ),
        )

    def find(self, digest: str) -> KeptSession | None:
        """Return the session whose token has this digest, if there is one."""
        row = _read(self._engine, lambda connection: connection.execute(_BY_DIGEST, {"digest": digest}).one_or_none())
        return self._checked(row) if row else None

    def note_uses(self, uses: Mapping[str, int]) -> None:
        """Store when sessions were last used."""
        # If two processes saw one, the later time counts. In one order, so that the two can't deadlock.
        _write(
            self._engine,
            *(
                sa.update(SESSIONS)
                .where(SESSIONS.c.session == session, SESSIONS.c.seen < at)
                .values(seen=at, seen_tag=self._of_use(session, at))
                for session, at in sorted(uses.items())
            ),
        )

    def remove(self, session: str) -> None:
        """Delete a session."""
        _write(self._engine, sa.delete(SESSIONS).where(SESSIONS.c.session == session))

    def all(self) -> Iterable[KeptSession]:
        """Return every session."""
        rows = _read(self._engine, lambda connection: connection.execute(_ALL).all())
        return tuple(kept for row in rows if (kept := self._checked(row)) is not None)

    def _of_use(self, session: str, seen: int) -> str:
        return self._tags.row(USE, session, seen) if self._tags else ""

    def _checked(self, row: Sequence[Any]) -> KeptSession | None:
        *values, tag, seen_tag = row
        kept = KeptSession(*values)
        if self._tags is not None:
            is_own = self._tags.is_row(tag, SESSION, kept.digest, kept.session, kept.person, kept.begun)
            if not (is_own and self._tags.is_row(seen_tag, USE, kept.session, kept.seen)):
                self._alterations.tell(f"The stored session {kept.session} was altered. It was refused.")
                return None
        return kept
