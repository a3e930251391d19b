"""`pitboss backup` and `pitboss restore`: copy a record, check the copy, keep its keys separate, and put it back."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from pitboss.cli.output import Failure, show_json
from pitboss.cli.waiting import waiting

HEADS = ".heads"  # the suffix of the file with the heads that were exported before the copy was taken


def backup_command(data: Path | None, output: Path, keys: Path | None, *, as_json: bool) -> None:
    """Copy the record of a data folder, even while the floor is open, and check the copy."""
    from pitboss.cli.serve import data_folder
    from pitboss.record.backup import take_copy
    from pitboss.server.data_folder import key_file

    folder = data or data_folder("floor")
    if keys is not None and keys.absolute().parent == output.absolute().parent:
        raise Failure("Keep the keys and the record in different folders. Choose another folder for one of them.", 2)
    with _told(), waiting(f"Copying {folder / 'record.db'}") as announce:
        # The heads first: entries recorded meanwhile are then in the copy but not in the heads, never the reverse.
        heads = _heads_before(folder, output)
        copied = take_copy(folder / "record.db", output)
        announce(f"Checking {output.name}")
        _check(output, heads)
        if keys is not None:
            _copy_keys(key_file(folder), keys)
    said = {"copy": str(output), "entries": copied.entries, "streams": len(copied.heads)}
    if as_json:
        show_json({**said, "heads": str(heads) if heads else None, "keys": str(keys) if keys else None})
        return
    against = f"checked against the heads in {heads}" if heads else "checked; no heads were exported yet"
    print(f"{output}: {copied.entries:,} entries in {len(copied.heads)} streams, {against}.")
    if keys is None:
        print(f"The backup has no keys. Keep a copy of {key_file(folder)} somewhere else, or write one with --keys.")
    else:
        print(f"{keys}: the keys. Anyone with both files can open sealed cards, so store them separately.")


def restore_command(copy: Path, data: Path | None, keys: Path | None, *, as_json: bool) -> None:
    """Replace a data folder's record with a copy, and keep the old record under another name."""
    from pitboss.cli.serve import data_folder
    from pitboss.record.backup import look_at, take_copy
    from pitboss.server.data_folder import Hold, make_folders

    folder = data or data_folder("floor")
    record, heads = folder / "record.db", copy.with_name(f"{copy.name}{HEADS}")
    with _told(), waiting(f"Checking {copy.name}"):
        look_at(copy)
        _check(copy, heads if heads.is_file() else None)
        make_folders(folder)
        hold = Hold(folder)
        try:
            ring = _check_keys(copy, folder, keys)
            before = _as_it_was(record)
            take_copy(copy, record.with_name("record.db.new"))
            aside = _changed_places(folder, heads)
            if keys is not None:
                _write_keys(folder, ring)
            restored = look_at(record)
            later = _later(before, restored)
            _note(record, ring, "RecordRestored", {"entries": restored.entries, "left_out": later})
        finally:
            hold.release()
    left_out = sum(later.values())
    if as_json:
        show_json({"entries": restored.entries, "left_out": later, "aside": str(aside) if aside else None})
        return
    print(f"{record}: {restored.entries:,} entries in {len(restored.heads)} streams, checked and restored.")
    if aside is not None:
        rest = f"{left_out:,} of its entries are not in the backup" if before else "it could not be read"
        print(f"The old record is kept as {aside}; {rest}.")


@contextmanager
def _told() -> Iterator[None]:
    from pitboss.record.backup import CopyFault
    from pitboss.record.keys import KeysUnusable
    from pitboss.record.store import StoreFault
    from pitboss.server.data_folder import FloorUnusable

    try:
        yield
    except (CopyFault, KeysUnusable, StoreFault, FloorUnusable) as fault:
        raise Failure(str(fault)) from None
    except OSError as fault:
        raise Failure(f"{fault.filename} cannot be used: {fault.strerror or fault}.") from None


def _heads_before(folder: Path, output: Path) -> Path | None:
    exported, heads = folder / "heads" / "heads.jsonl", output.with_name(f"{output.name}{HEADS}")
    if not exported.is_file():
        return None
    text = exported.read_bytes()
    heads.write_bytes(text[: text.rfind(b"\n") + 1])  # a line may be half-written at this moment
    return heads


def _check(copy: Path, heads: Path | None) -> None:
    from pitboss_verify import UnusableFile, verify

    try:
        report = verify(copy, heads=[heads] if heads else ())
    except UnusableFile as fault:
        raise Failure(str(fault)) from None
    if report.fault:
        raise Failure(f"The backup failed verification: {report.fault}")


def _check_keys(copy: Path, folder: Path, keys: Path | None) -> Any:
    from pitboss.record.backup import keys_used
    from pitboss.record.keys import read_keys
    from pitboss.server.data_folder import key_file

    path = keys or key_file(folder)
    if not path.is_file():
        raise Failure(f"This record's keys are not at {path}. Give their backup with --keys.")
    ring = read_keys(path)
    for key in sorted(keys_used(copy)):
        ring.by_id(key)
    return ring


def _changed_places(folder: Path, heads: Path) -> Path | None:
    from pitboss.record.backup import put_aside, put_in_place

    mark = f"before-{datetime.now(UTC):%Y%m%dT%H%M%SZ}"
    record, exported = folder / "record.db", folder / "heads" / "heads.jsonl"
    aside = put_aside(record, mark)
    if exported.exists():  # it may vouch for entries that are no longer there
        exported.rename(exported.with_name(f"{exported.name}.{mark}"))
    put_in_place(record.with_name("record.db.new"), record)
    if heads.is_file():
        shutil.copyfile(heads, exported)
    return aside


def _as_it_was(record: Path) -> Any:
    from pitboss.record.backup import CopyFault, look_at

    try:
        return look_at(record)
    except CopyFault:
        return None  # there is none, or it can't be read, which is why a copy replaces it


def _later(before: Any, restored: Any) -> dict[str, int]:
    # Streams that ended further on than in the copy, with the number of missing entries.
    if before is None:
        return {}
    ends = {stream: head.sequence for stream, head in restored.heads.items()}
    longer = {stream: head.sequence - ends.get(stream, 0) for stream, head in before.heads.items()}
    return {stream: count for stream, count in sorted(longer.items()) if count > 0}


def _copy_keys(source: Path, target: Path) -> None:
    from pitboss.record.keys import read_keys, write_keys

    target.parent.mkdir(parents=True, exist_ok=True)
    write_keys(target, read_keys(source))


def _write_keys(folder: Path, ring: Any) -> None:
    from pitboss.record.keys import write_keys
    from pitboss.server.data_folder import key_file

    path = key_file(folder)
    if path.exists():
        os.replace(path, path.with_name(f"{path.name}.before"))
    write_keys(path, ring)


def _note(record: Path, ring: Any, kind: str, body: dict[str, Any]) -> None:
    from pitboss.cli.keys import noted
    from pitboss.house.people.credential_store import TAGGED
    from pitboss.record.adoption import adopt
    from pitboss.record.row_tags import RowTags
    from pitboss.record.system import SystemRandomness

    url = f"sqlite:///{record}"
    adopt(url, RowTags(ring, SystemRandomness()), TAGGED)  # a copy from before rows carried tags has been checked
    noted(url, ring, kind, body)
