"""`pitboss export` and `pitboss move`: write a record as a log, and copy it to another database."""

from pathlib import Path
from typing import TYPE_CHECKING

from pitboss.cli.output import Failure, show_json
from pitboss.cli.waiting import waiting

if TYPE_CHECKING:
    from pitboss.record.store import Store

SQLITE = "sqlite:///"


def export_command(database: str | None, data: Path | None, output: Path, *, as_json: bool) -> None:
    """Write a record as JSON Lines, in the format `pitboss verify` reads."""
    if database is not None and data is not None:
        raise Failure("Use only one of --data and --database.", 2)
    from pitboss.record.sql_store import SqlStore
    from pitboss.record.store import StoreFault

    try:
        store = SqlStore(_existing(database or _url_of(data)))
        try:
            with waiting(f"Writing {output.name}"):
                count, streams = _written(store, output), len(store.heads())
        finally:
            store.close()
    except StoreFault as fault:
        raise Failure(str(fault)) from None
    if as_json:
        show_json({"log": str(output), "entries": count, "streams": streams})
    else:
        print(f"{output}: {_counted(count, streams)}.")


def move_command(source: str, target: str, *, as_json: bool) -> None:
    """Copy a record into an empty database and print where its streams end there."""
    from pitboss.house.people.credential_store import TABLES
    from pitboss.record.copying import NotMoved, move
    from pitboss.record.entries import MalformedEntry
    from pitboss.record.store import StoreFault

    _check_closed(source)
    try:
        with waiting("Copying the record") as announce:
            moved = move(
                _existing(source),
                target,
                TABLES.sorted_tables,
                lambda count: announce(f"Copying the record: {count:,} entries"),
            )
    except (NotMoved, StoreFault) as fault:
        raise Failure(str(fault)) from None
    except MalformedEntry as fault:
        raise Failure(f"The record is damaged: {fault}.") from None
    if as_json:
        show_json({"entries": moved.entries, "heads": {name: [*head] for name, head in sorted(moved.heads.items())}})
    else:
        print(f"Copied {_counted(moved.entries, len(moved.heads))}; every stream ends with the same hash.")


def _counted(entries: int, streams: int) -> str:
    named = f"{entries:,} {'entry' if entries == 1 else 'entries'}"
    return f"{named} in {streams} {'stream' if streams == 1 else 'streams'}"


def _written(store: "Store", output: Path) -> int:
    from pitboss.record.store import export

    # An incomplete log stays under another name.
    beside = output.with_name(f"{output.name}.part")
    try:
        with beside.open("w", encoding="utf-8", newline="\n") as out:
            count = export(store, out)
        beside.replace(output)
    except OSError as fault:
        raise Failure(f"{output} cannot be written: {fault.strerror or fault}.", 2) from None
    return count


def _url_of(data: Path | None) -> str:
    from pitboss.cli.serve import data_folder

    return f"{SQLITE}{(data or data_folder('floor')) / 'record.db'}"


def _check_closed(url: str) -> None:
    from pitboss.server.data_folder import FloorUnusable, Hold

    folder = Path(url.removeprefix(SQLITE)).parent
    if url.startswith(SQLITE) and (folder / "floor.lock").is_file():
        try:
            Hold(folder).release()
        except FloorUnusable:
            raise Failure(f"A server has the floor in {folder} open. Close it first.") from None


def _existing(url: str) -> str:
    file = Path(url.removeprefix(SQLITE))
    if url.startswith(SQLITE) and not file.is_file():
        raise Failure(f"There is no record at {file}. Check the folder or the database URL.", 2)
    return url
