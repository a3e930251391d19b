"""The seals of the rounds and shuffles that were used last; deriving a seal's keys takes longer than opening a card."""

from collections.abc import Callable

from pitboss.record.keys import MasterKey
from pitboss.record.seal import RoundSeal

# A table uses those of its round and of the shuffle it is dealt from, and soon those of the next.
SEALS_KEPT, SEALS_A_TABLE = 256, 4


class KeptSeals:
    """Derives seals and keeps those that were used last, some for each table."""

    def __init__(self, key: Callable[[str], MasterKey], tables: Callable[[], int]) -> None:
        self._key, self._tables = key, tables
        self._seals: dict[tuple[str, str], RoundSeal] = {}

    def of(self, name: str, key_id: str) -> RoundSeal:
        """Return the seal of a round or a shuffle."""
        found = self._seals.pop((name, key_id), None) or RoundSeal(self._key(key_id), name)
        self._seals[name, key_id] = found  # the seal used last is dropped last
        while len(self._seals) > max(SEALS_KEPT, SEALS_A_TABLE * self._tables()):
            self._seals.pop(next(iter(self._seals)), None)
        return found
