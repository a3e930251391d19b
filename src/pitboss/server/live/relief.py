"""Relieves dealers who may no longer act: one who is revoked, locked or no longer a dealer loses the table."""

import logging

from pitboss.house.live_table.table_terms import AUTOMATON
from pitboss.house.people.accounts import People
from pitboss.house.people.events import ORDER, Event, PersonLocked, PersonRevoked, RolesChanged
from pitboss.house.running_tables import Asked, NotHere
from pitboss.rules.procedure import DEALER
from pitboss.rules.refusal import Refusal
from pitboss.server.open_floor import SUPERVISOR, OpenFloor
from pitboss.table.people import Person

log = logging.getLogger("pitboss.tables")


class Relief:
    """Follows the people of a floor, and withdraws the lease of a table whose dealer may no longer act."""

    def __init__(self, floor: OpenFloor) -> None:
        self._floor = floor

    def check(self, table: str) -> None:
        """Withdraw a table's lease if its dealer may no longer act."""
        if self._reason(table) is not None:
            self._floor.spawn(self._withdraw(table))

    def follow(self, events: tuple[Event, ...], before: People) -> None:
        """Check the tables of the people whom events may have stopped from dealing."""
        fallen = {
            event.person
            for event in events
            if isinstance(event, PersonRevoked | RolesChanged)
            or (isinstance(event, PersonLocked) and event.cause == ORDER)
        }
        for table, running in tuple(self._floor.house.tables.items()):
            if running.is_here and running.live.lease.holder in fallen:
                self.check(table)

    def _reason(self, table: str) -> str | None:
        house = self._floor.house
        if not house.runs(table):
            return None
        live = house.live(table)
        if live.lease.holder is None or (live.terms is not None and live.terms.automatic):
            return None
        refusal = house.people.standing(Person(live.lease.holder, DEALER))
        return refusal.reason if refusal else None

    async def _withdraw(self, table: str) -> None:
        reason = self._reason(table)
        if reason is None:
            return
        body = {"kind": "WithdrawLease", "reason": reason}
        try:
            answer = await self._floor.do(table, Asked(self._floor.fresh(), SUPERVISOR, (AUTOMATON,), body))
        except NotHere:
            return  # the process that runs the table now checks as well
        if isinstance(answer, Refusal):
            log.warning("dealer not relieved", extra={"table": table, "clause": answer.clause})
