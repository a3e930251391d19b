"""A database administrator who writes to the record's tables with plain SQL, and knows how entries are chained."""

import json
from collections.abc import Callable
from typing import Any

import sqlalchemy as sa

from pitboss.record.entries import Circumstances, Draft, Head, canonical, chained, digest
from pitboss.record.sql_engine import WRITES, make_engine

TABLES = ("entries", "heads", "commands", "snapshots", "credentials", "sessions")


class ForeignHand:
    """Writes whatever a person with the database's own password can write, but has no key of the house."""

    def __init__(self, url: str) -> None:
        self.engine = make_engine(url)
        self._tables = sa.MetaData()

    def close(self) -> None:
        """Disconnect."""
        self.engine.dispose()

    def table(self, name: str) -> sa.Table:
        """Return a table as it is in the database, with every column."""
        return sa.Table(name, self._tables, autoload_with=self.engine)

    def run(self, *steps: sa.Executable) -> None:
        """Carry out statements in one transaction."""
        with self.engine.execution_options(**{WRITES: True}).begin() as connection:
            for step in steps:
                connection.execute(step)

    def rows(self, name: str, **where: Any) -> list[dict[str, Any]]:
        """Return the rows of a table that have these values."""
        table = self.table(name)
        wanted = sa.select(table).where(*(table.c[column] == value for column, value in where.items()))
        with self.engine.connect() as connection:
            return [dict(row) for row in connection.execute(wanted).mappings()]

    def head(self, stream: str) -> Head:
        """Return where a stream ends."""
        row = self.rows("heads", stream=stream)[0]
        return Head(row["sequence"], row["hash"])

    def append(self, stream: str, kind: str, body: dict[str, Any], actor: str, role: str) -> int:
        """Add an entry that follows the last one, and move the stream's head, as the program would."""
        by = Circumstances(actor, role, f"foreign {stream} {kind}", self._last(stream)["at"] + 1)
        entry = chained(self.head(stream), Draft(stream, kind, body), by)
        # Every column that the program fills is copied from the row before, so that nothing is obviously missing.
        copied = {name: value for name, value in self._last(stream).items() if name != "position"}
        line = canonical(entry._asdict())
        named = {"stream": stream, "sequence": entry.sequence, "kind": kind, "at": entry.at, "actor": actor}
        row = {**copied, **named, "command": entry.command, "line": line}
        heads = self.table("heads")
        self.run(
            sa.insert(self.table("entries")).values(**row),
            sa.update(heads).where(heads.c.stream == stream).values(sequence=entry.sequence, hash=entry.hash),
        )
        return entry.sequence

    def rewrite(self, stream: str, sequence: int, change: Callable[[dict[str, Any]], None]) -> None:
        """Change an entry and hash it and every later one again, and the head: the chain is sound afterwards."""
        entries, heads = self.table("entries"), self.table("heads")
        rows = sorted(self.rows("entries", stream=stream), key=lambda row: row["sequence"])
        previous, steps = "", []
        for row in rows[sequence - 1 :]:
            data = json.loads(row["line"])
            if data["sequence"] == sequence:
                change(data)
            else:
                data["previous"] = previous
            del data["hash"]
            previous = digest(data)
            line = canonical({**data, "hash": previous})
            steps.append(sa.update(entries).where(entries.c.position == row["position"]).values(line=line))
        self.run(*steps, sa.update(heads).where(heads.c.stream == stream).values(hash=previous))

    def cut(self, stream: str, count: int) -> None:
        """Remove a stream's last entries, the ids of their commands and its head, as if they had never been."""
        entries, heads, commands = self.table("entries"), self.table("heads"), self.table("commands")
        rows = sorted(self.rows("entries", stream=stream), key=lambda row: row["sequence"])
        last = rows[-count - 1]
        gone = [row["command"] for row in rows[-count:]]
        where = heads.c.stream == stream
        ends = {"sequence": last["sequence"], "hash": json.loads(last["line"])["hash"]}
        self.run(
            sa.delete(entries).where(entries.c.stream == stream, entries.c.sequence > last["sequence"]),
            sa.delete(commands).where(commands.c.id.in_(gone)),
            sa.update(heads).where(where).values(**ends),
        )

    def copied(self) -> dict[str, list[dict[str, Any]]]:
        """Return every row of every table, to put back later."""
        return {name: self.rows(name) for name in TABLES}

    def put_back(self, copied: dict[str, list[dict[str, Any]]]) -> None:
        """Make the database what it was when it was copied."""
        for name, rows in copied.items():
            table = self.table(name)
            self.run(sa.delete(table), *([sa.insert(table).values(rows)] if rows else []))

    def _last(self, stream: str) -> dict[str, Any]:
        return max(self.rows("entries", stream=stream), key=lambda row: row["sequence"])
