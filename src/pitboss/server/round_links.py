"""Links to finished rounds: the key in a link, which only this house can make, and only for one round."""

import hmac

from pitboss.record.keys import Keyring, MasterKey, derived

KEY_BYTES = 16


def link_key(keyring: Keyring, round_id: str) -> str:
    """Return the key of a link to a round."""
    return _key(keyring.current, round_id)


def opens(keyring: Keyring, round_id: str, key: str) -> bool:
    """Return whether the house made this key for this round, with any master key it has used."""
    given = key.encode()
    return any(hmac.compare_digest(_key(master, round_id).encode(), given) for master in keyring.keys)


def _key(master: MasterKey, round_id: str) -> str:
    return derived(master.secret, f"shared round {round_id}", KEY_BYTES).hex()
