"""Checks a record against its exported checkpoints, and against the checkpoint that a witness holds."""

from pathlib import Path
from typing import Any

from pitboss_verify.entries import Entry, decoded
from pitboss_verify.notes import SIGNED, Checkpoint, Key, checkpoint_of, key_of
from pitboss_verify.report import Report, Unsound
from pitboss_verify.tree import Accumulator, leaf_hash


class Checkpoints:
    """The order in which entries became leaves, and what was signed and cosigned about them."""

    def __init__(self, name: str, text: str, trusted: frozenset[str] | None) -> None:
        self.name = name
        self._trusted = trusted  # public keys in hexadecimal; none: those that the checkpoints name themselves
        self._leaves: dict[str, list[bytes]] = {}
        self._steps: list[tuple[int, list[Any], Checkpoint]] = []  # line, ranges, checkpoint
        covered = 0
        lines = text.split("\n")
        for number, line in enumerate(lines, 1):
            if not line or (number == len(lines) and not line.endswith("}")):
                continue  # a killed process may have left half a line
            try:
                covered = self._read(number, decoded(line), covered)
            except Unsound as fault:
                raise Unsound(f"line {number} of {name} {fault}") from None
        if not self._steps:
            raise Unsound(f"{name} contains no checkpoints")

    @property
    def origin(self) -> str:
        """Return the name of the record."""
        return self._steps[-1][2].origin

    @property
    def count(self) -> int:
        """Return how many checkpoints there are."""
        return len(self._steps)

    def take(self, entry: Entry, line: str) -> None:
        """Note an entry of the log."""
        self._leaves.setdefault(entry.stream, []).append(leaf_hash(line))

    def finish(self, report: Report, witnessed: Checkpoint | None) -> None:
        """Build the tree as the checkpoints say, and compare each root, or raise Unsound."""
        tree = Accumulator()
        seen: dict[str, int] = {}
        wanted = witnessed.size if witnessed else -1
        for number, ranges, checkpoint in self._steps:
            place = f"the checkpoint on line {number} of {self.name}"
            for stream, sequence, count in ranges:
                for at in range(sequence, sequence + count):
                    tree.add(self._leaf(stream, at, seen, place))
                    if tree.size == wanted and witnessed is not None and tree.root() != witnessed.root:
                        raise Unsound(f"the first {wanted:,} entries aren't those that the witness cosigned")
            if tree.size != checkpoint.size:
                raise Unsound(f"{place} covers {checkpoint.size:,} entries, but {tree.size:,} are listed")
            if tree.root() != checkpoint.root:
                raise Unsound(f"the entries don't have the root of {place}")
        if witnessed is not None and witnessed.size > tree.size:
            raise Unsound(
                f"{self.name} ends after {tree.size:,} entries, but the witness cosigned {witnessed.size:,}: "
                "entries or checkpoints were cut off"
            )
        report.checkpoints, report.covered = self.count, tree.size

    def _leaf(self, stream: Any, sequence: int, seen: dict[str, int], place: str) -> bytes:
        if sequence != seen.get(stream, 0) + 1:
            raise Unsound(f"{place} lists entry {sequence} of {stream} out of order")
        seen[stream] = sequence
        leaves = self._leaves.get(stream, [])
        if sequence > len(leaves):
            raise Unsound(f"entry {sequence} of {stream} is missing, but {place} covers it")
        return leaves[sequence - 1]

    def _read(self, number: int, data: dict[str, Any], covered: int) -> int:
        kinds = {name: type(value) for name, value in data.items()}
        if kinds != {"from": int, "note": str, "ranges": list}:
            raise Unsound("doesn't have the fields of a checkpoint")
        for row in data["ranges"]:
            if type(row) is not list or [type(value) for value in row] != [str, int, int] or row[2] < 1:
                raise Unsound("has an order that cannot be read")
        checkpoint = checkpoint_of(data["note"])
        if data["from"] == 0 and covered:  # another process, or a file that was moved away, began again
            data["ranges"] = _after(data["ranges"], covered)
        elif data["from"] != covered:
            raise Unsound(f"continues after {data['from']} entries, but {covered} were listed before it")
        self._check_signature(checkpoint)
        self._steps.append((number, data["ranges"], checkpoint))
        return checkpoint.size

    def _check_signature(self, checkpoint: Checkpoint) -> None:
        if self._trusted is None:
            return
        keys = [Key(checkpoint.origin, SIGNED, bytes.fromhex(public)) for public in self._trusted]
        if not any(checkpoint.time_signed_by(key) is not None for key in keys):
            raise Unsound("has a checkpoint that isn't signed by a key you gave")


def _after(ranges: list[Any], covered: int) -> list[Any]:
    rest, at = [], 0
    for stream, sequence, count in ranges:
        skipped = min(count, max(0, covered - at))
        if skipped < count:
            rest.append([stream, sequence + skipped, count - skipped])
        at += count
    return rest


def read_witnessed(path: Path, witness_key: str | None, origin: str) -> tuple[Checkpoint, Key | None]:
    """Return the checkpoint that a witness handed out, with its key if one was given, or raise Unsound."""
    try:
        checkpoint = checkpoint_of(path.read_bytes().decode())
    except UnicodeDecodeError:
        raise Unsound(f"{path.name} isn't text") from None
    except Unsound as fault:
        raise Unsound(f"{path.name} {fault}") from None
    if checkpoint.origin != origin:
        raise Unsound(f"{path.name} is about another record, {checkpoint.origin}")
    if witness_key is None:
        return checkpoint, None
    key = key_of(witness_key)
    if checkpoint.time_signed_by(key) is None:
        raise Unsound(f"{path.name} isn't cosigned by {key.name}")
    return checkpoint, key
