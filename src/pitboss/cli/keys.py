"""`pitboss keys`: rotate the master keys of a closed floor, and print their public parts."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

from pitboss.cli.output import Failure, show_json

if TYPE_CHECKING:
    from pitboss.record.keys import Keyring

ROTATED = "KeysRotated"


def rotate_command(data: Path | None, keys: Path | None, database: str | None, *, as_json: bool) -> None:
    """Put a new key in use, keep the old ones, and record the rotation."""
    from pitboss.cli.serve import data_folder
    from pitboss.record.keys import KeysUnusable, read_keys, write_keys
    from pitboss.record.store import StoreFault
    from pitboss.record.system import SystemRandomness
    from pitboss.server.data_folder import FloorUnusable, Hold, key_file

    folder = data or data_folder("floor")
    path, record = keys or key_file(folder), folder / "record.db"
    if not path.is_file():
        raise Failure(
            f"There are no keys at {path}. A floor creates its first key when it opens; add --keys for another file."
        )
    if database is None and not record.is_file():
        raise Failure(f"There is no record at {record}. Give its database URL with --database.")
    try:
        hold = Hold(folder)
        try:
            url = database or f"sqlite:///{record}"
            _check_closed(url)
            before = read_keys(path)
            after = before.rotated(SystemRandomness())
            write_keys(path, after)
            noted(url, after, ROTATED, {"was": before.current.id, "is": after.current.id})
        finally:
            hold.release()
    except (FloorUnusable, KeysUnusable, StoreFault) as fault:
        raise Failure(str(fault)) from None
    except OSError as fault:
        raise Failure(f"{fault.filename or path} cannot be written: {fault.strerror or fault}.") from None
    said = {"was": before.current.id, "is": after.current.id, "keys": len(after.keys)}
    if as_json:
        show_json({**said, "file": str(path)})
        return
    print(f"{path}: key {said['is']} is now in use. Older keys kept for decryption: {len(before.keys)}.")
    print("Back up the file again, and hand out the new public key; `pitboss keys public` prints it.")


def public_command(data: Path | None, keys: Path | None, *, as_json: bool) -> None:
    """Print the public keys that exported heads are signed with, in the format `pitboss verify --key` reads."""
    from pitboss.cli.serve import data_folder
    from pitboss.record.keys import KeysUnusable, read_keys
    from pitboss.record.signing_keys import SigningKeys
    from pitboss.server.data_folder import key_file, signing_file

    path = keys or key_file(data or data_folder("floor"))
    try:
        ring = read_keys(path)
        signing = SigningKeys(signing_file(path)).publics() if signing_file(path).exists() else ()
    except KeysUnusable as fault:
        raise Failure(str(fault)) from None
    # Before there were signing keys, each master key made one; heads from that time bear its signature.
    rows = [
        {"id": key.id, "public": key.signer().public, "in_use": not signing and key == ring.current}
        for key in ring.keys
    ]
    rows += [{"id": None, "public": public, "in_use": public == signing[-1]} for public in signing]
    if as_json:
        show_json(rows)
        return
    for row in rows:
        print(row["public"])


def rotate_signing_command(data: Path | None, keys: Path | None, *, as_json: bool) -> None:
    """Add a signing key; an open floor uses it from its next checkpoint on and records that."""
    from pitboss.record.keys import KeysUnusable
    from pitboss.record.signing_keys import rotate_signing_keys
    from pitboss.record.system import SystemRandomness

    path = _signing_path(data, keys)
    try:
        was, now = rotate_signing_keys(path, SystemRandomness())
    except (KeysUnusable, OSError) as fault:
        raise Failure(str(fault)) from None
    if as_json:
        show_json({"was": was, "is": now, "file": str(path)})
        return
    print(f"{path}: {now} signs from now on. The next checkpoint is signed with both keys, for witnesses.")
    print("Hand out the public keys again; `pitboss keys public` prints them.")


def verifier_command(data: Path | None, keys: Path | None, *, as_json: bool) -> None:
    """Print the record's verifier key in the form that witnesses read."""
    from pitboss.record.keys import KeysUnusable
    from pitboss.record.signing_keys import SigningKeys, verifier_for

    try:
        signing = SigningKeys(_signing_path(data, keys))
    except KeysUnusable as fault:
        raise Failure(str(fault)) from None
    text = verifier_for(signing.origin, signing.publics()[-1]).text()
    if as_json:
        show_json({"origin": signing.origin, "verifier": text})
        return
    print(text)


def _signing_path(data: Path | None, keys: Path | None) -> Path:
    from pitboss.cli.serve import data_folder
    from pitboss.server.data_folder import key_file, signing_file

    path = signing_file(keys or key_file(data or data_folder("floor")))
    if not path.is_file():
        raise Failure(f"There are no signing keys at {path}. A floor creates them when it opens.")
    return path


def noted(url: str, keyring: "Keyring", kind: str, body: dict[str, Any]) -> None:
    """Record a significant event about a closed floor."""
    from pitboss.house.stream_names import FLOOR
    from pitboss.record.entries import Circumstances, Draft
    from pitboss.record.row_tags import RowTags
    from pitboss.record.sql_store import SqlStore
    from pitboss.record.store import Batch, body_digest
    from pitboss.record.system import SystemClock, SystemRandomness
    from pitboss.server.open_floor import SUPERVISOR
    from pitboss.table.people import AUTOMATON

    store = SqlStore(url, RowTags(keyring, SystemRandomness()))
    try:
        by = Circumstances(SUPERVISOR, AUTOMATON, SystemRandomness().token(12).hex(), SystemClock().now_ms())
        draft = Draft(FLOOR, f"{FLOOR}.{kind}", body)
        store.commit([Batch((draft,), {FLOOR: None}, by, body_digest(SUPERVISOR, body))])
    finally:
        store.close()


def _check_closed(url: str) -> None:
    from pitboss.record.sql_store import SqlStore

    store = SqlStore(url)
    try:
        now, leases = store.leases()
    finally:
        store.close()
    held = [lease for lease in leases if lease.name.startswith("process/") and lease.until_ms > now]
    if held:
        raise Failure(f"The floor is open in {len(held)} process{'es' * (len(held) != 1)}. Close it first.")
