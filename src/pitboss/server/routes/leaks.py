"""The route of the leak test: its running evidence, for those who oversee the floor."""

from typing import Annotated

from fastapi import APIRouter, Depends, Request

from pitboss.server.record_watch import RecordWatch
from pitboss.server.routes.office import may
from pitboss.server.routes.tables import REFUSED, Floor, Person
from pitboss.server.schemas.leaks import LeakReport

READ_RECORD = "ReadRecord"

router = APIRouter(prefix="/api/audit")


async def _the_watch(request: Request) -> RecordWatch[LeakReport]:
    watch: RecordWatch[LeakReport] = request.app.state.leak_watch
    return watch


@router.get("/leaks", responses=REFUSED)
async def leaks(
    floor: Floor, person: Person, watch: Annotated[RecordWatch[LeakReport], Depends(_the_watch)]
) -> LeakReport:
    """Return the running tests of whether answers or bets follow hidden cards, and of the shuffles."""
    may(floor, person, READ_RECORD)
    return watch.look()
