"""Signed heads: where every stream ends, exported to a file that the server never reads back."""

import asyncio
from collections.abc import Mapping
from typing import Protocol

from pitboss.record.entries import Head, canonical, digest
from pitboss.record.signing_keys import TextSigner
from pitboss.record.system_interface import AppendOnly, Clock, Runner


def head_line(stream: str, head: Head, at_ms: int, signer: TextSigner) -> str:
    """Return the signed line that states where a stream ends."""
    return _signed({"stream": stream, "sequence": head.sequence, "hash": head.hash, "at": at_ms}, signer)


def set_line(heads: Mapping[str, Head], at_ms: int, signer: TextSigner) -> str:
    """Return the signed line that states how many streams there are and, in one hash, where all of them end."""
    return _signed({"streams": len(heads), "heads": set_digest(heads), "at": at_ms}, signer)


def set_digest(heads: Mapping[str, Head]) -> str:
    """Return one hash over the ends of all streams."""
    ends = {stream: [head.sequence, head.hash] for stream, head in heads.items()}
    return digest(ends)


class CurrentSigner(Protocol):
    """The key that signs now, which may be another one later."""

    def current(self) -> TextSigner:
        """Return the key in use now."""
        ...


class HeadsExport:
    """Tracks where streams end and writes it to a signed file, every minute."""

    def __init__(self, heads: Mapping[str, Head], signer: CurrentSigner, file: AppendOnly, clock: Clock) -> None:
        self._heads = dict(heads)
        self._changed = set(heads)  # a new process can't know what the previous one wrote
        self._signer = signer
        self._file = file
        self._clock = clock
        self._is_first = True  # this process has written nothing to the file yet
        self.has_signed = False  # any head: a floor without entries has nothing to sign
        self._exporting = asyncio.Lock()

    def follow(self, stream: str, head: Head) -> None:
        """Note where a stream ends after a commit; a late report doesn't move it back."""
        if head.sequence > self._heads.get(stream, Head()).sequence:
            self._heads[stream] = head
            self._changed.add(stream)

    def follow_all(self, heads: Mapping[str, Head]) -> None:
        """Note where all streams end, including those that other processes wrote."""
        for stream, head in heads.items():
            self.follow(stream, head)

    def all(self) -> dict[str, Head]:
        """Return where every stream ends, as far as is known here."""
        return dict(self._heads)

    def export(self) -> int:
        """Write the heads that moved since the last export and a line for the whole set, and return how many moved."""
        moved, text = self._moved()
        try:
            self._append(text)
        except BaseException:
            self._changed |= moved
            raise
        return len(moved)

    async def export_beside(self, runner: Runner) -> int:
        """Export without blocking the event loop; streams may move on in the meantime."""
        async with self._exporting:
            moved, text = self._moved()
            try:
                await runner.run(lambda: self._append(text))
            except BaseException:
                self._changed |= moved
                raise
            return len(moved)

    def _moved(self) -> tuple[set[str], str]:
        is_new_file = self._file.is_empty()
        # If the file was moved away, a new one starts with all heads, so that each file can be checked on its own.
        moved = set(self._heads) if is_new_file else set(self._changed)
        if not moved and not self._is_first:
            return moved, ""
        at_ms = self._clock.now_ms()
        signer = self._signer.current()
        lines = [head_line(stream, self._heads[stream], at_ms, signer) for stream in sorted(moved)]
        lines.append(set_line(self._heads, at_ms, signer))
        self._changed -= moved
        # A line that a killed process left half-written stays on its own line, followed by an empty one.
        mend = "\n\n" if self._is_first and not is_new_file else ""
        return moved, mend + "".join(f"{line}\n" for line in lines)

    def _append(self, text: str) -> None:
        if text:
            self._is_first = True  # until the write is complete, only part of it may be there
            self._file.append(text)
            self._is_first = False
            self.has_signed = bool(self._heads)


def _signed(fields: dict[str, str | int], signer: TextSigner) -> str:
    named = {**fields, "key": signer.public}
    return canonical({**named, "signature": signer.sign(canonical(named))})
