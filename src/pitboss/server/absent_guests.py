"""Frees the seats of guests who have closed the page, so that the tables of a demonstration don't fill up."""

import asyncio
import logging

from pitboss.house.running_tables import Asked, NotHere
from pitboss.record.store import StoreBusy
from pitboss.rules.procedure import FLOORPERSON
from pitboss.rules.refusal import Refusal
from pitboss.server.open_floor import OpenFloor

log = logging.getLogger("pitboss.guests")
GUEST = "guest"
LOOK_S = 15.0
AWAY_MS = 180_000  # a reload or a short loss of connection doesn't cost the seat


def is_guest(name: str) -> bool:
    """Say whether an account is one that its holder made, of which anyone may make many."""
    return name.startswith(f"{GUEST}-")


class AbsentGuests:
    """Remembers when each seated guest was last connected to their table."""

    def __init__(self, floor: OpenFloor, away_ms: int = AWAY_MS) -> None:
        self._floor, self._away_ms = floor, away_ms
        self._seen: dict[tuple[str, int, str], int] = {}  # by table, seat and guest

    async def watch(self) -> None:
        """Background loop: free the seats of guests who are gone, while the floor is open."""
        while True:
            await asyncio.sleep(LOOK_S)
            try:
                await self.look()
            except (NotHere, StoreBusy) as fault:  # tried again at the next look
                log.warning("seats not freed", exc_info=fault)

    async def look(self) -> None:
        """Free the seats whose guests have been away for long; a seat with wagers in play waits."""
        floor, now = self._floor, self._floor.clock.now_ms()
        seated = {
            (table, seat, player): player in self._connected(table)
            for table, running in floor.house.tables.items()
            if running.is_here
            for seat, player in running.live.seats.items()
            if is_guest(player)
        }
        self._seen = {place: now if is_here else self._seen.get(place, now) for place, is_here in seated.items()}
        for (table, seat, player), at in self._seen.items():
            if not seated[table, seat, player] and now - at >= self._away_ms:
                asked = Asked(floor.fresh(), FLOORPERSON, (FLOORPERSON,), {"kind": "LeaveSeat", "seat": seat})
                answer = await floor.do(table, asked)
                said = {"table": table, "person": player}
                log.info("seat stays" if isinstance(answer, Refusal) else "seat freed", extra=said)

    def _connected(self, table: str) -> set[str]:
        sockets = self._floor.sockets
        return {socket.guest.name for socket in sockets.at(table)} | sockets.relays.viewers(table)
