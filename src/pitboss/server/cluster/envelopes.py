"""Envelopes: messages sealed with a key that only processes holding the house's key file can derive."""

import json
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from pitboss.record.entries import canonical
from pitboss.record.keys import Keyring, MasterKey, derived
from pitboss.record.system_interface import Clock, Randomness

FRESH_MS = 30_000  # how old a message may be
NONCE_BYTES = 12


class Envelope:
    """Seals and opens dated messages with the house's keys."""

    def __init__(self, keyring: Callable[[], Keyring], clock: Clock, randomness: Randomness) -> None:
        self._keyring = keyring  # the current key, because keys are rotated while a floor is open
        self.clock, self.randomness = clock, randomness

    def seal(self, message: Mapping[str, Any], purpose: bytes) -> bytes:
        """Return a message that can't be read or changed in transit."""
        nonce = self.randomness.token(NONCE_BYTES)
        dated = canonical({**message, "sent": self.clock.now_ms()}).encode()
        return nonce + _cipher(self._keyring().current).encrypt(nonce, dated, purpose)

    def open(self, sealed: bytes, purpose: bytes) -> dict[str, Any] | None:
        """Return the message that was sealed, or None if it is too old or not ours."""
        for key in reversed(self._keyring().keys):
            try:
                plain = _cipher(key).decrypt(sealed[:NONCE_BYTES], sealed[NONCE_BYTES:], purpose)
                message: dict[str, Any] = json.loads(plain)
            except (InvalidTag, ValueError):
                continue
            return message if abs(self.clock.now_ms() - message["sent"]) <= FRESH_MS else None
        return None


@lru_cache(maxsize=64)
def _cipher(key: MasterKey) -> AESGCM:
    return AESGCM(derived(key.secret, "peers"))
