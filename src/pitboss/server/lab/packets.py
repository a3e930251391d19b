"""Prints packets in a separate process, one after another, so that solving never delays a command."""

import asyncio
import json
import sys
from collections.abc import Mapping
from typing import Any

from pitboss.server.lab.priority import give_way

WAITING_MOST = 4
PATIENCE_S = 240.0
_REFUSED = 3  # the exit status when a game can't be priced


class NotPrinted(Exception):
    """The reason there is no packet."""

    def __init__(self, said: str, status: int = 409) -> None:
        super().__init__(said)
        self.status = status


class Packets:
    """The queue for the printing process, and the packet it prints now."""

    def __init__(self) -> None:
        self._turn = asyncio.Lock()
        self._waiting = 0
        self._process: asyncio.subprocess.Process | None = None

    async def print(self, document: Mapping[str, Any]) -> bytes:
        """Return the packet of a sound document as a PDF, or raise NotPrinted."""
        if self._waiting >= WAITING_MOST:
            raise NotPrinted("Too many packets are being printed. Try again in a moment", 429)
        self._waiting += 1
        try:
            async with self._turn:
                return await self._printed(document)
        finally:
            self._waiting -= 1

    async def close(self) -> None:
        """Stop the packet being printed."""
        if self._process is not None and self._process.returncode is None:
            self._process.kill()
            await self._process.wait()

    async def _printed(self, document: Mapping[str, Any]) -> bytes:
        command = (sys.executable, "-m", "pitboss.server.lab.packets")
        pipe = asyncio.subprocess.PIPE
        process = await asyncio.create_subprocess_exec(*command, stdin=pipe, stdout=pipe, stderr=pipe)
        self._process = process
        try:
            async with asyncio.timeout(PATIENCE_S):
                made, said = await process.communicate(json.dumps(document).encode())
        except TimeoutError:
            raise NotPrinted("This packet takes too long to print here. Print it from the command line", 503) from None
        finally:
            await self.close()
        if process.returncode == _REFUSED:
            raise NotPrinted(said.decode(errors="replace").strip())
        if process.returncode != 0:
            raise NotPrinted("The packet couldn't be printed. Try again, or print it from the command line", 503)
        return made


def _main() -> int:
    # Imported here because only this process solves games and typesets pages; the server never does.
    from pitboss.house.live_table.table_terms import version_of
    from pitboss.lab.exact_counts import NotAnalysed
    from pitboss.packet.contents import packet_of
    from pitboss.packet.typeset import pdf_of
    from pitboss.server.table_rules import submission_of

    give_way(10)
    document = json.loads(sys.stdin.buffer.read())
    try:
        packet = packet_of(submission_of(document), version_of(document))
    except NotAnalysed as missing:
        sys.stderr.write(f"{missing}\n")
        return _REFUSED
    sys.stdout.buffer.write(pdf_of(packet))
    return 0


if __name__ == "__main__":
    sys.exit(_main())
