"""The route of the leak test: its running evidence, for those who oversee the floor."""

from typing import Annotated

from fastapi import APIRouter, Depends, Request

from pitboss.api.recorded_leaks import RecordedLeaks
from pitboss.lab.leaks import KINDS, Finding
from pitboss.lab.shuffle_watch import OUTCOMES, ShuffleWatch
from pitboss.lab.suspicions import ALL
from pitboss.lab.wealth import FLOOR_ALPHA
from pitboss.server.leak_keeper import LeakWatch
from pitboss.server.routes.office import may
from pitboss.server.routes.tables import REFUSED, Floor, Person
from pitboss.server.schemas.leaks import EvidencePoint, LeakLine, LeakReport, ShuffleLine

READ_RECORD = "ReadRecord"
SHOWN_OF_KIND = 25

router = APIRouter(prefix="/api/audit")


async def _the_watch(request: Request) -> LeakWatch:
    watch: LeakWatch = request.app.state.leak_watch
    return watch


@router.get("/leaks", responses=REFUSED)
async def leaks(floor: Floor, person: Person, watch: Annotated[LeakWatch, Depends(_the_watch)]) -> LeakReport:
    """Return the running tests of whether answers or bets follow hidden cards, and of the shuffles."""
    may(floor, person, READ_RECORD)
    return await watch.ask(_report)


def _report(kept: RecordedLeaks) -> LeakReport:
    found = kept.leaks.findings(with_points=True)
    shown = {line[:2] for kind in KINDS for line in [test for test in found if test.kind == kind][:SHOWN_OF_KIND]}
    return LeakReport(
        rounds=kept.leaks.rounds,
        decisions=kept.leaks.decisions,
        bound=FLOOR_ALPHA,
        count=len(found),
        tests=[_line(test) for test in found if test[:2] in shown],
        shuffles=[_shuffle(table, shuffle) for table, shuffle in sorted(kept.shuffles.items())],
    )


def _line(test: Finding) -> LeakLine:
    points = [EvidencePoint(rounds=rounds, log10=log10) for rounds, log10 in test.points]
    place, _, card = test.suspicion.rpartition(":")
    which = {"place": place or None, "card": int(card) if place and card != ALL else None}
    return LeakLine(**{**test._asdict(), "subject": list(test.subject), "points": points, **which})


def _shuffle(table: str, watch: ShuffleWatch) -> ShuffleLine:
    tested = watch.laboratory
    return ShuffleLine(
        table=table,
        rounds=watch.rounds,
        needed=OUTCOMES,
        passes=tested and tested.passes,
        places_p=tested.places.p if tested and tested.places else None,
        steps_p=tested.steps.p if tested and tested.steps else None,
    )
