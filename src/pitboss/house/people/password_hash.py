"""Password verifiers by argon2id, with salts from the house's own randomness."""

from base64 import b64encode

from argon2 import PasswordHasher, Type
from argon2.exceptions import InvalidHashError, VerificationError

from pitboss.house.people.passwords import Password
from pitboss.record.system_interface import Randomness

SALT_BYTES = 16
HASH_BYTES = 32


class ArgonHasher:
    """Argon2id with the second recommended setting of RFC 9106, or a cheaper one for tests and simulations."""

    def __init__(self, randomness: Randomness, *, passes: int = 3, memory_kib: int = 64 * 1024, lanes: int = 4) -> None:
        self._randomness = randomness
        self._argon = PasswordHasher(
            time_cost=passes,
            memory_cost=memory_kib,
            parallelism=lanes,
            hash_len=HASH_BYTES,
            salt_len=SALT_BYTES,
            type=Type.ID,
        )
        self._settings = f"$argon2id$v=19$m={memory_kib},t={passes},p={lanes}"

    def verifier(self, password: Password) -> str:
        """Return the verifier of a password."""
        return self._argon.hash(password.revealed(), salt=self._randomness.token(SALT_BYTES))

    def decoy(self) -> str:
        """Return a verifier that fits no password and takes as long to check as any other."""
        salt, tag = (b64encode(self._randomness.token(size)).rstrip(b"=") for size in (SALT_BYTES, HASH_BYTES))
        return f"{self._settings}${salt.decode()}${tag.decode()}"

    def fits(self, password: Password, verifier: str) -> bool:
        """Say whether a verifier was made from this password."""
        try:
            return self._argon.verify(verifier, password.revealed())
        except (VerificationError, InvalidHashError):
            return False

    def is_outdated(self, verifier: str) -> bool:
        """Say whether a verifier was made with different settings."""
        return self._argon.check_needs_rehash(verifier)
