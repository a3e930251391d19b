"""A passkey in software, which answers as a browser with an authenticator does."""

import base64
import hashlib
import json
import os
from typing import Any

import cbor2
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec


class SoftPasskey:
    """One passkey; its origin is where the browser believes to be."""

    def __init__(self, origin: str) -> None:
        self.origin = origin
        self.id = os.urandom(16)
        self._key = ec.generate_private_key(ec.SECP256R1())

    def made(self, options: dict[str, Any]) -> dict[str, Any]:
        """Answer the options that make a passkey."""
        point = self._key.public_key().public_numbers()
        cose = {1: 2, 3: -7, -1: 1, -2: point.x.to_bytes(32, "big"), -3: point.y.to_bytes(32, "big")}
        data = self._data(options["rp"]["id"], 0x45) + bytes(16) + len(self.id).to_bytes(2, "big") + self.id
        attestation = cbor2.dumps({"fmt": "none", "attStmt": {}, "authData": data + cbor2.dumps(cose)})
        told = {"clientDataJSON": self._client("webauthn.create", options), "attestationObject": _text(attestation)}
        return {"id": _text(self.id), "rawId": _text(self.id), "type": "public-key", "response": told}

    def answered(self, options: dict[str, Any]) -> dict[str, Any]:
        """Answer the options that use a passkey."""
        client, data = self._client("webauthn.get", options), self._data(options["rpId"], 0x05)
        signed = data + hashlib.sha256(_bytes(client)).digest()
        signature = self._key.sign(signed, ec.ECDSA(hashes.SHA256()))
        told = {"clientDataJSON": client, "authenticatorData": _text(data), "signature": _text(signature)}
        return {"id": _text(self.id), "rawId": _text(self.id), "type": "public-key", "response": told}

    def _client(self, kind: str, options: dict[str, Any]) -> str:
        said = {"type": kind, "challenge": options["challenge"], "origin": self.origin, "crossOrigin": False}
        return _text(json.dumps(said).encode())

    def _data(self, host: str, flags: int) -> bytes:
        return hashlib.sha256(host.encode()).digest() + bytes([flags]) + bytes(4)


def _text(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def _bytes(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
