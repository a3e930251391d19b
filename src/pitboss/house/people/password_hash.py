"""Password verifiers by argon2id, with salts from the house's own randomness."""

from argon2 import PasswordHasher, Type
from argon2.exceptions import InvalidHashError, VerificationError

from pitboss.house.people.passwords import Password
from pitboss.record.system_interface import Randomness

SALT_BYTES = 16


class ArgonHasher:
    """Argon2id with the second recommended setting of RFC 9106, or a cheaper one for tests and simulations."""

    def __init__(self, randomness: Randomness, *, passes: int = 3, memory_kib: int = 64 * 1024, lanes: int = 4) -> None:
        self._randomness = randomness
        self._argon = PasswordHasher(
            time_cost=passes, memory_cost=memory_kib, parallelism=lanes, salt_len=SALT_BYTES, type=Type.ID
        )

    def verifier(self, password: Password) -> str:
        """Return the verifier of a password."""
        return self._argon.hash(password.revealed(), salt=self._randomness.token(SALT_BYTES))

    def fits(self, password: Password, verifier: str) -> bool:
        """Say whether a verifier was made from this password."""
        try:
            return self._argon.verify(verifier, password.revealed())
        except (VerificationError, InvalidHashError):
            return False

    def is_outdated(self, verifier: str) -> bool:
        """Say whether a verifier was made with different settings."""
        return self._argon.check_needs_rehash(verifier)
