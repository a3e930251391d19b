"""A device in software, for demonstrations and tests: its key, its signed and numbered messages, and sending them."""

import json
import urllib.error
import urllib.request
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from pitboss.cli.output import Failure, show_json


@dataclass(slots=True)
class SimulatedDevice:
    """A device with its key and the number of its last message."""

    name: str
    table: str
    secret: Ed25519PrivateKey = field(repr=False)
    sequence: int = 0

    @property
    def key(self) -> str:
        """Return the public key, as it is enrolled."""
        return self.secret.public_key().public_bytes_raw().hex()

    def signed_next(self, form: str, *seen: str) -> str:
        """Count one message more and return its signature, over the lines that the documents list."""
        self.sequence += 1
        lines = (form, self.table, self.name, str(self.sequence), *seen)
        return self.secret.sign("\n".join(lines).encode()).hex()


def new_command(path: Path, device: str, *, as_json: bool) -> None:
    """Make a device's key and print its public part."""
    secret = Ed25519PrivateKey.generate()
    try:
        path.touch(0o600, exist_ok=False)
        path.write_text(secret.private_bytes_raw().hex() + "\n")
    except OSError as fault:
        raise Failure(f"{path} cannot be written: {fault.strerror or fault}.") from None
    public = secret.public_key().public_bytes_raw().hex()
    if as_json:
        show_json({"key": public})
        return
    print(f"Enroll the {device} with this public key: {public}")


def device_secret(path: Path) -> Ed25519PrivateKey:
    """Return the secret key in a file."""
    try:
        return Ed25519PrivateKey.from_private_bytes(bytes.fromhex(path.read_text().strip()))
    except (OSError, ValueError) as fault:
        raise Failure(f"{path} holds no device's key: {getattr(fault, 'strerror', None) or fault}.") from None


def posted(address: str, route: str, message: dict[str, Any]) -> dict[str, Any]:
    """Send a device's message and return the answer, or fail with the reason."""
    request = urllib.request.Request(
        f"{address.rstrip('/')}{route}",
        json.dumps(message).encode(),
        {"content-type": "application/json", "x-pitboss-client": "reader"},
    )
    try:
        with urllib.request.urlopen(request, timeout=20) as answer:
            taken: dict[str, Any] = json.load(answer)
            return taken
    except urllib.error.HTTPError as refused:
        with refused:
            said = json.load(refused)["refused"]
        raise Failure(f"Message {message['sequence']} was refused: {said['reason']} ({said['clause']}).") from None
    except OSError as fault:
        raise Failure(f"{address} isn't answering: {fault}.") from None
