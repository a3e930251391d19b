"""A store on a simulated disk, for tests and for the simulator that injects faults."""

import hashlib
import json
import struct
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import astuple
from typing import Any

from pitboss.record.entries import Entry, Head, canonical, entry_of, head_of
from pitboss.record.simulated_disk import DiskFull, SimulatedDisk, SyncFailed
from pitboss.record.store import (
    Batch,
    KeptCommand,
    Lease,
    Outcome,
    Repeated,
    StoreBroken,
    StoredSnapshot,
    StoreFault,
    StoreFull,
    Weighing,
    entries_of,
)

# A frame is a length, eight bytes of checksum for the length, the payload, and 32 bytes of checksum for it. The
# length has its own checksum because a flipped bit in it must not look like a frame whose write was cut short.
_LENGTH = struct.Struct(">Q")
_LENGTH_CHECK_BYTES = 8
_PAYLOAD_CHECK_BYTES = 32
_HEADER_BYTES = _LENGTH.size + _LENGTH_CHECK_BYTES


class MemoryStore:
    """The record on a simulated disk that several stores may share; opening it recovers from a crash."""

    def __init__(self, disk: SimulatedDisk, *, is_shared: bool = False) -> None:
        self._disk = disk
        self.is_shared = is_shared
        self._broken = False
        self._lines: dict[str, list[str]] = {}
        self._heads: dict[str, Head] = {}
        self._commands: dict[str, KeptCommand] = {}
        self._snapshots: dict[str, list[StoredSnapshot]] = {}
        self._leases: dict[str, Lease] = {}
        self._applied_bytes = 0
        self._catch_up()
        disk.truncate(self._applied_bytes)

    def commit(self, batches: Sequence[Batch], snapshots: Sequence[StoredSnapshot] = ()) -> list[Outcome]:
        """Record batches in one frame with their snapshots, and return the outcome of each batch."""
        self._catch_up()
        tokens = {name: (lease.owner, lease.token) for name, lease in self._leases.items()}
        known = (self._commands.get(batch.by.command) for batch in batches)
        weighing = Weighing(dict(self._heads), {command.id: command for command in known if command}, tokens)
        for batch in batches:
            weighing.weigh(batch)
        if weighing.kept or snapshots:
            lines = weighing.lines
            kept = [[*astuple(snapshot)[:-1], snapshot.state.hex()] for snapshot in snapshots]
            self._write(
                {"entries": lines, "commands": [astuple(command) for command in weighing.kept], "snapshots": kept}
            )
        return [
            Repeated(entries_of(self, outcome)) if isinstance(outcome, KeptCommand) else outcome
            for outcome in weighing.outcomes
        ]

    def read(self, stream: str, after: int = 0, kinds: Collection[str] = ()) -> Iterator[Entry]:
        """Yield a stream's entries after a sequence, of some kinds or of all."""
        for line in self.lines(stream, after):
            entry = entry_of(line)
            if not kinds or entry.kind in kinds:
                yield entry

    def lines(self, stream: str, after: int = 0, until: int | None = None) -> Iterator[str]:
        """Yield a stream's stored lines, after one sequence and up to another."""
        self._catch_up()
        yield from self._lines.get(stream, [])[after:until]

    def unchecked_lines(self, stream: str, until: int | None = None) -> Iterator[str]:
        """Yield a stream's lines."""
        return self.lines(stream, until=until)

    def heads(self, streams: Collection[str] | None = None) -> dict[str, Head]:
        """Return where every stream ends, or these of them."""
        self._catch_up()
        if streams is not None:
            return {stream: self._heads[stream] for stream in streams if stream in self._heads}
        return dict(self._heads)

    def standing(self, heads: Mapping[str, Head]) -> set[str]:
        """Return those of the streams whose entry at this sequence is the one that the head names."""
        last = {name: list(self.lines(name, head.sequence - 1, head.sequence)) for name, head in heads.items()}
        return {name for name, found in last.items() if found and head_of(entry_of(found[0])) == heads[name]}

    def command(self, command: str) -> KeptCommand | None:
        """Return what is stored about a command, if it was accepted."""
        self._catch_up()
        return self._commands.get(command)

    def snapshots(self, stream: str) -> tuple[StoredSnapshot, ...]:
        """Return a stream's last two snapshots, newest first."""
        self._catch_up()
        return tuple(self._snapshots.get(stream, ()))

    def acquire(self, name: str, owner: str, *, now_ms: int, until_ms: int) -> Lease | None:
        """Take a lease that is free, expired or already this owner's under a new token, or return None."""
        self._catch_up()
        held = self._leases.get(name)
        if held is not None and held.owner not in ("", owner) and held.until_ms > now_ms:
            return None
        return self._hold(Lease(name, owner, held.token + 1 if held else 1, until_ms))

    def renew(self, lease: Lease, *, until_ms: int) -> Lease | None:
        """Extend a lease whose token is still the latest, or return None."""
        if not self._is_held(lease):
            return None
        return self._hold(Lease(lease.name, lease.owner, lease.token, until_ms))

    def release(self, lease: Lease) -> None:
        """Release a lease if it is still held."""
        if self._is_held(lease):
            self._hold(Lease(lease.name, "", lease.token, 0))

    def close(self) -> None:
        """Release the storage."""

    def _is_held(self, lease: Lease) -> bool:
        self._catch_up()
        held = self._leases.get(lease.name)
        return held is not None and (held.owner, held.token) == (lease.owner, lease.token)

    def _hold(self, lease: Lease) -> Lease:
        self._write({"lease": astuple(lease)})
        return lease

    def _catch_up(self) -> None:
        if self._broken:
            raise StoreBroken("The record's disk failed. Restart the process.")
        if self._disk.length > self._applied_bytes:
            frames, whole_bytes = _frames(self._disk.read(self._applied_bytes))
            for frame in frames:
                self._apply(json.loads(frame))
            self._applied_bytes += whole_bytes

    def _write(self, change: dict[str, Any]) -> None:
        self._catch_up()
        self._disk.truncate(self._applied_bytes)  # a killed process may have left half a frame
        try:
            self._disk.append(_framed(canonical(change).encode()))
            self._disk.sync()
        except DiskFull:
            self._disk.truncate(self._applied_bytes)
            raise StoreFull("Storage is full.") from None
        except SyncFailed:
            self._broken = True
            raise StoreBroken("The record's disk didn't confirm the last write.") from None
        self._catch_up()

    def _apply(self, change: dict[str, Any]) -> None:
        for line in change.get("entries", ()):
            entry = entry_of(line)
            self._lines.setdefault(entry.stream, []).append(line)
            self._heads[entry.stream] = head_of(entry)
        for command, digest, places in change.get("commands", ()):
            kept = KeptCommand(command, digest, tuple((stream, first, last) for stream, first, last in places))
            self._commands[command] = kept
        if "lease" in change:
            lease = Lease(*change["lease"])
            self._leases[lease.name] = lease
        for stream, sequence, hash_, fold, state in change.get("snapshots", ()):
            snapshot = StoredSnapshot(stream, sequence, hash_, fold, bytes.fromhex(state))
            older = [
                earlier for earlier in self._snapshots.get(snapshot.stream, []) if earlier.sequence != snapshot.sequence
            ]
            newest_first = sorted([*older, snapshot], key=lambda earlier: -earlier.sequence)
            self._snapshots[snapshot.stream] = newest_first[:2]


def _framed(payload: bytes) -> bytes:
    length = _LENGTH.pack(len(payload))
    return length + _check(length)[:_LENGTH_CHECK_BYTES] + payload + _check(payload)


def _check(data: bytes) -> bytes:
    return hashlib.sha256(data).digest()


def _frames(data: bytes) -> tuple[list[bytes], int]:
    frames: list[bytes] = []
    at = 0
    while len(data) - at >= _HEADER_BYTES:
        length_bytes = data[at : at + _LENGTH.size]
        if data[at + _LENGTH.size : at + _HEADER_BYTES] != _check(length_bytes)[:_LENGTH_CHECK_BYTES]:
            raise _damaged(at)
        start = at + _HEADER_BYTES
        end = start + _LENGTH.unpack(length_bytes)[0]
        if end + _PAYLOAD_CHECK_BYTES > len(data):
            break  # the write was cut short, so no caller got an answer for it
        if data[end : end + _PAYLOAD_CHECK_BYTES] != _check(data[start:end]):
            raise _damaged(at)
        frames.append(data[start:end])
        at = end + _PAYLOAD_CHECK_BYTES
    return frames, at


def _damaged(at: int) -> StoreFault:
    return StoreBroken(f"The record is damaged at byte {at}. Restore it from a backup.")
