"""The data folder of a floor: its layout, its key file, and the lock that one process holds on it."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from pitboss.record.keys import Keyring, KeysUnusable, fresh_key, read_keys, write_keys
from pitboss.record.signing_keys import SigningKeys, new_signing_keys
from pitboss.record.system_interface import Randomness


class FloorUnusable(Exception):
    """The floor can't be opened; the message says what to do."""


def make_folders(data: Path) -> None:
    """Create the missing folders, or raise FloorUnusable."""
    try:
        for folder in (data, data / "keys", data / "heads"):
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        (data / "floor.lock").touch(mode=0o600)
        _close_to_others(data)
    except OSError as fault:
        reason = fault.strerror or fault
        raise FloorUnusable(f"{data} cannot be written to: {reason}. Choose another folder with --data.") from None


def _close_to_others(data: Path) -> None:
    # Only the files a floor writes: other files in the folder keep their modes. A key file that was open to
    # others may have been read, so it is refused rather than closed.
    for folder in (data / "keys", data / "heads"):
        folder.chmod(0o700)
    heads = (path for path in (data / "heads").iterdir() if path.is_file())
    for path in (*data.glob("record.db*"), data / "floor.lock", *heads):
        path.chmod(0o600)


def key_file(data: Path) -> Path:
    """Return the default path of a floor's key file."""
    return data / "keys" / "master.keys"


def open_keys(path: Path, randomness: Randomness) -> Keyring:
    """Return the keys of a floor, creating them if there are none, or raise FloorUnusable."""
    try:
        if not path.exists():
            with _alone(path):  # several processes may start at once with the same file
                if not path.exists():
                    write_keys(path, Keyring((fresh_key(randomness),)))
        return read_keys(path)
    except OSError as fault:
        raise FloorUnusable(f"The key file {path} cannot be written: {fault.strerror or fault}.") from None
    except KeysUnusable as fault:
        raise FloorUnusable(str(fault)) from None


def signing_file(keys: Path) -> Path:
    """Return the path of the signing keys: next to the sealing keys, unless they are elsewhere."""
    return keys.with_name("signing.keys")


def open_signing_keys(path: Path, randomness: Randomness, command: str | None = None) -> SigningKeys:
    """Return the signing keys of a floor, creating them if there are none, or raise FloorUnusable."""
    try:
        if not path.exists():
            with _alone(path):
                if not path.exists():
                    new_signing_keys(path, randomness)
        return SigningKeys(path, command)
    except OSError as fault:
        raise FloorUnusable(f"The signing keys {path} cannot be written: {fault.strerror or fault}.") from None
    except KeysUnusable as fault:
        raise FloorUnusable(str(fault)) from None


@contextmanager
def _alone(path: Path) -> Iterator[None]:
    with path.with_name(f"{path.name}.lock").open("w") as file:
        if os.name != "nt":
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX)
        yield


class Hold:
    """A process's lock on a data folder, which the system releases when the process ends for any reason."""

    def __init__(self, data: Path) -> None:
        self._file: IO[str] | None = None
        if os.name == "nt":
            return
        import fcntl

        self._file = (data / "floor.lock").open("w")
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            self._file.close()
            raise FloorUnusable(
                f"Another process has the floor in {data} open. Close it, or choose another folder with --data."
            ) from None

    def release(self) -> None:
        """Release the folder to other processes."""
        if self._file is not None:
            self._file.close()
