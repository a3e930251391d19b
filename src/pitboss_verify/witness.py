"""A witness: cosigns a floor's checkpoints as long as each one continues the last, and never forgets one."""

import argparse
import base64
import hashlib
import os
import sys
import threading
import time
from collections.abc import Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import NamedTuple

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from pitboss_verify.notes import COSIGNED, NEXT_KEY, SIGNED, Checkpoint, Key, checkpoint_of, cosignature, key_of
from pitboss_verify.report import Unsound
from pitboss_verify.tree import consistency_holds

BODY_BYTES_MAX = 1 << 20
PROOF_MAX = 63
WAITS_S = 10


class Answer(NamedTuple):
    """An HTTP answer."""

    status: int
    text: str
    kind: str = "text/plain; charset=utf-8"


class Witness:
    """What a witness has seen, in a folder: its own key, the keys it trusts, and each record's last checkpoint."""

    def __init__(self, folder: Path, name: str = "witness") -> None:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._folder, self._lock = folder, threading.Lock()
        key_file = folder / "witness.key"
        if not key_file.exists():
            _write(key_file, f"{name}\n{os.urandom(32).hex()}\n")
        kept, seed = key_file.read_text("utf-8").split("\n")[:2]
        self._private = Ed25519PrivateKey.from_private_bytes(bytes.fromhex(seed))
        public = self._private.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)
        self.key = Key(kept, COSIGNED, public)

    def trust(self, text: str) -> None:
        """Accept the checkpoints of a record that this key signs."""
        key = key_of(text)
        if key.kind != SIGNED:
            raise Unsound("is a witness's key, not a record's")
        if key not in self.trusted(key.name):
            known = self._trusted_file.read_text("utf-8") if self._trusted_file.exists() else ""
            _write(self._trusted_file, f"{known}{key}\n")

    def trusted(self, origin: str) -> list[Key]:
        """Return the keys that may sign a record's checkpoints."""
        if not self._trusted_file.exists():
            return []
        keys = (key_of(line) for line in self._trusted_file.read_text("utf-8").splitlines() if line)
        return [key for key in keys if key.name == origin]

    def latest(self, origin: str) -> str | None:
        """Return the last checkpoint of a record that was cosigned here, with the cosignature."""
        path = self._path(origin)
        return path.read_text("utf-8") if path.exists() else None

    def add(self, request: str, now: int) -> Answer:
        """Cosign a checkpoint that continues the last one, or say why not (C2SP tlog-witness, add-checkpoint)."""
        try:
            old, proof, checkpoint = _asked(request)
        except Unsound as fault:
            return Answer(400, f"The request {fault}.\n")
        with self._lock:
            return self._add(old, proof, checkpoint, now)

    def _add(self, old: int, proof: list[bytes], checkpoint: Checkpoint, now: int) -> Answer:
        keys = self.trusted(checkpoint.origin)
        if not keys:
            return Answer(404, f"This witness doesn't know {checkpoint.origin}.\n")
        if not any(checkpoint.time_signed_by(key) is not None for key in keys):
            return Answer(403, "The checkpoint isn't signed by a key that this witness trusts.\n")
        if old > checkpoint.size:
            return Answer(400, "The old size is larger than the checkpoint's.\n")
        text = self.latest(checkpoint.origin)
        last = checkpoint_of(text) if text else None
        size = last.size if last else 0
        if old != size or (last and checkpoint.size == size and checkpoint.root != last.root):
            return Answer(409, f"{size}\n", "text/x.tlog.size")
        if last and not consistency_holds(size, checkpoint.size, last.root, checkpoint.root, proof):
            return Answer(422, "The checkpoint doesn't continue the last one.\n")
        self._follow_rotation(checkpoint)
        line = cosignature(checkpoint.text, now, self.key, self._private)
        # On disk before anyone sees the signature: a witness that forgets could sign two histories.
        signatures = "".join(f"{signature}\n" for signature in (*checkpoint.signatures, line))
        _write(self._path(checkpoint.origin), f"{checkpoint.text}\n{signatures}")
        return Answer(200, f"{line}\n")

    def _follow_rotation(self, checkpoint: Checkpoint) -> None:
        # A trusted key signed this text, so it is the record's own statement about its next key.
        for line in checkpoint.extensions:
            if line.startswith(NEXT_KEY):
                key = key_of(line.removeprefix(NEXT_KEY))
                if key.name == checkpoint.origin and checkpoint.time_signed_by(key) is not None:
                    self.trust(str(key))

    @property
    def _trusted_file(self) -> Path:
        return self._folder / "trusted.keys"

    def _path(self, origin: str) -> Path:
        return self._folder / f"{hashlib.sha256(origin.encode()).hexdigest()}.checkpoint"


def _asked(request: str) -> tuple[int, list[bytes], Checkpoint]:
    head, divided, note = request.partition("\n\n")
    first, *lines = head.split("\n")
    word, _, number = first.partition(" ")
    if not divided or word != "old" or not (number.isascii() and number.isdigit()) or len(lines) > PROOF_MAX:
        raise Unsound("doesn't begin with an old size and a proof")
    try:
        proof = [base64.b64decode(line, validate=True) for line in lines]
    except ValueError:
        raise Unsound("has a proof that isn't base64") from None
    if any(len(node) != 32 for node in proof):
        raise Unsound("has a proof with a hash that isn't 32 bytes")
    return int(number), proof, checkpoint_of(note)


def _write(path: Path, text: str) -> None:
    beside = path.with_name(f"{path.name}.new")
    descriptor = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    os.replace(beside, path)
    if os.name != "nt":
        folder = os.open(path.parent, os.O_RDONLY)
        os.fsync(folder)
        os.close(folder)


def server_of(witness: Witness, host: str, port: int) -> ThreadingHTTPServer:
    """Return a server that answers for a witness; the caller runs it."""

    class Handler(BaseHTTPRequestHandler):
        timeout = WAITS_S

        def do_POST(self) -> None:
            length = self.headers.get("Content-Length", "")
            if self.path != "/add-checkpoint" or not length.isdigit() or int(length) > BODY_BYTES_MAX:
                self._answer(Answer(400, "Send a checkpoint to /add-checkpoint.\n"))
                return
            try:
                request = self.rfile.read(int(length)).decode()
            except UnicodeDecodeError:
                self._answer(Answer(400, "The request isn't text.\n"))
                return
            self._answer(witness.add(request, int(time.time())))

        def do_GET(self) -> None:
            if self.path == "/key":
                self._answer(Answer(200, f"{witness.key}\n"))
                return
            found = witness.latest(self.path.removeprefix("/checkpoint/"))
            self._answer(Answer(200, found) if found else Answer(404, "This witness has seen no such record.\n"))

        def _answer(self, answer: Answer) -> None:
            data = answer.text.encode()
            self.send_response(answer.status)
            self.send_header("Content-Type", answer.kind)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, format: str, *args: object) -> None:
            sys.stderr.write(f"{self.address_string()} {format % args}\n")

    return ThreadingHTTPServer((host, port), Handler)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a witness until Ctrl-C."""
    parser = argparse.ArgumentParser(prog="pitboss witness", description="Cosign a floor's checkpoints.")
    parser.add_argument("--data", type=Path, required=True, help="the witness's own folder")
    parser.add_argument("--name", default="witness", help="the name it signs with, chosen once")
    parser.add_argument(
        "--trust", action="append", default=[], metavar="KEY", help="a record's verifier key; repeatable"
    )
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=8080)
    asked = parser.parse_args(arguments)
    return run(asked.data, asked.name, asked.trust, asked.host, asked.port)


def run(data: Path, name: str, trust: Sequence[str], host: str, port: int) -> int:
    """Open a witness's folder and serve; exit status 2 if a key can't be read or the port is in use."""
    try:
        witness = Witness(data, name)
        for key in trust:
            witness.trust(key)
        server = server_of(witness, host, port)
    except (Unsound, OSError, ValueError) as fault:
        print(f"The witness can't start: {fault}.", file=sys.stderr)
        return 2
    print(f"Witness {witness.key.name} is listening on http://{host}:{server.server_address[1]}.")
    print(f"Its verifier key: {witness.key}", flush=True)
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        pass
    finally:
        server.server_close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
