"""Credentials and sessions of one process, in memory."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from pitboss.house.people.sessions import KeptSession


@dataclass(slots=True)
class CredentialsInMemory:
    """Credentials of one process."""

    _verifiers: dict[str, str] = field(default_factory=dict, repr=False)

    def keep(self, credential: str, verifier: str) -> None:
        """Store a verifier under a name."""
        self._verifiers[credential] = verifier

    def verifier(self, credential: str) -> str | None:
        """Return the verifier stored under a name, if there is one."""
        return self._verifiers.get(credential)

    def forget(self, credential: str) -> None:
        """Delete what is stored under a name."""
        self._verifiers.pop(credential, None)


@dataclass(slots=True)
class SessionsInMemory:
    """A session table of one process."""

    _kept: dict[str, KeptSession] = field(default_factory=dict, repr=False)  # by digest
    _digests: dict[str, str] = field(default_factory=dict, repr=False)  # by session

    def add(self, kept: KeptSession) -> None:
        """Store a session."""
        self._kept[kept.digest] = kept
        self._digests[kept.session] = kept.digest

    def find(self, digest: str) -> KeptSession | None:
        """Return the session whose token has this digest, if there is one."""
        return self._kept.get(digest)

    def note_uses(self, uses: Mapping[str, int]) -> None:
        """Store when sessions were last used."""
        for session, at in uses.items():
            digest = self._digests.get(session)
            if digest is not None and self._kept[digest].seen < at:
                self._kept[digest] = replace(self._kept[digest], seen=at)

    def remove(self, session: str) -> None:
        """Delete a session."""
        digest = self._digests.pop(session, None)
        if digest is not None:
            del self._kept[digest]

    def all(self) -> Iterable[KeptSession]:
        """Return every session."""
        return tuple(self._kept.values())
