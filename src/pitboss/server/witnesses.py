"""Sends the floor's checkpoints to its witnesses, and notices when one is silent or disagrees."""

import base64
import logging
import urllib.error
import urllib.request
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from pitboss.record.checkpoints import MalformedNote, Note, Verifier, is_signed_by, verifier_of
from pitboss.record.merkle import Hash
from pitboss.record.system_interface import Clock
from pitboss.record.tree_log import TreeLog
from pitboss.server.data_folder import FloorUnusable

log = logging.getLogger("pitboss.witnesses")
WITHIN_S = 10
SILENT_AFTER_MS = 5 * 60_000
ANSWER_BYTES_MAX = 1 << 16
_SIZE_UNKNOWN = 409
ANSWERS, SILENT, DISAGREES = "WitnessAnswers", "WitnessSilent", "WitnessDisagrees"


@dataclass(slots=True, eq=False)
class Witness:
    """A witness as this process knows it."""

    address: str
    verifier: Verifier
    size: int = 0  # of the last checkpoint that it has cosigned, as far as is known here
    heard_ms: int = 0
    reported: tuple[str, str] = (ANSWERS, "")  # what was recorded about it last


def read_witnesses(path: Path) -> tuple[tuple[str, str], ...]:
    """Return the addresses and verifier keys in a file, one pair per line, or raise FloorUnusable."""
    if not path.is_file():
        return ()
    lines = [line.split("#")[0].split() for line in path.read_text("utf-8").splitlines()]
    pairs = [line for line in lines if line]
    if any(len(pair) != 2 or urlsplit(pair[0]).scheme not in ("http", "https") for pair in pairs):
        raise FloorUnusable(f"{path} must have an address and a verifier key on each line.")
    return tuple((address.rstrip("/"), key) for address, key in pairs)


class Witnesses:
    """The witnesses of a floor; `push` waits for the network, so call it outside the event loop."""

    def __init__(self, named: Sequence[tuple[str, str]], tree: TreeLog, clock: Clock) -> None:
        try:
            self._all = [Witness(address, verifier_of(key), heard_ms=clock.now_ms()) for address, key in named]
        except MalformedNote as fault:
            raise FloorUnusable(str(fault)) from None
        self._tree, self._clock = tree, clock

    def __bool__(self) -> bool:
        return bool(self._all)

    def push(self, note: Note) -> tuple[tuple[str, dict[str, str]], ...]:
        """Send a checkpoint to every witness, and return what has changed about them, to be recorded."""
        changed: list[tuple[str, dict[str, str]]] = []
        cosigned = note
        for witness in self._all:
            found, line = self._pushed(witness, note)
            if line:
                cosigned = cosigned.with_signatures([line])
            if found is not None and found != witness.reported:
                witness.reported = found
                kind, says = found
                changed.append((kind, {"witness": witness.verifier.name, "says": says}))
        if cosigned != note:
            self._tree.keep_witnessed(cosigned)
        return tuple(changed)

    def _pushed(self, witness: Witness, note: Note) -> tuple[tuple[str, str] | None, str]:
        # What there is to report (None: nothing new is known), and the witness's signature line.
        name, size = witness.verifier.name, note.checkpoint.size
        for _ in range(3):
            old = min(witness.size, size)
            try:
                status, answer = self._ask(witness, note, self._tree.consistency(old, size) if old < size else [], old)
            except OSError:
                silent = self._clock.now_ms() - witness.heard_ms >= SILENT_AFTER_MS
                return ((SILENT, f"Witness {name} doesn't answer.") if silent else None), ""
            witness.heard_ms = self._clock.now_ms()
            if status == 200:
                witness.size = size
                lines = [
                    line for line in answer.splitlines() if is_signed_by(note.with_signatures([line]), witness.verifier)
                ]
                if lines:
                    return (ANSWERS, ""), lines[0]
                return (DISAGREES, f"Witness {name} signs with a different key from the one on the list."), ""
            known = answer.strip()
            if status == _SIZE_UNKNOWN and known.isdigit() and int(known) <= size and int(known) != witness.size:
                witness.size = int(known)
                continue
            return (DISAGREES, f"Witness {name} disagrees: {_disagreement(status, known, size)}"), ""
        return (DISAGREES, f"Witness {name} disagrees: it can't say what it saw last."), ""

    def _ask(self, witness: Witness, note: Note, proof: Sequence[Hash], old: int) -> tuple[int, str]:
        lines = [f"old {old}", *(base64.b64encode(node).decode() for node in proof)]
        body = "\n".join(lines) + "\n\n" + note.text()
        request = urllib.request.Request(f"{witness.address}/add-checkpoint", body.encode(), method="POST")
        try:
            with urllib.request.urlopen(request, timeout=WITHIN_S) as answer:
                return answer.status, answer.read(ANSWER_BYTES_MAX).decode("utf-8", "replace")
        except urllib.error.HTTPError as refused:
            with refused:
                return refused.code, refused.read(ANSWER_BYTES_MAX).decode("utf-8", "replace")


def _disagreement(status: int, known: str, size: int) -> str:
    if status == _SIZE_UNKNOWN and known.isdigit():
        if int(known) > size:
            return f"it has seen {int(known):,} entries, but this record has only {size:,}."
        return f"it has seen another record with {int(known):,} entries."
    return {
        403: "it doesn't trust the key that signs this record.",
        404: "it doesn't know this record.",
        422: "this record doesn't continue the one that it has seen.",
    }.get(status, f"it answered with status {status}.")
