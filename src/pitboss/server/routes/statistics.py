"""Statistics routes: the caller's own rounds added up, and where their result came from."""

from typing import Annotated, Any

from fastapi import APIRouter, Query

from pitboss.house.stream_names import stream_of
from pitboss.round.events import SETTLED
from pitboss.server.lab.worker_pool import Unanswered
from pitboss.server.round_search import Wanted
from pitboss.server.routes.lab import LAB, Lab, Visitor
from pitboss.server.routes.rounds import OWN_MOST, Since, TableName, found_for, own_summary
from pitboss.server.routes.tables import Floor, Person, RefusedHere
from pitboss.server.schemas import rounds as shown

router = APIRouter(prefix="/api/me")


@router.get("/statistics", responses=LAB)
async def own_statistics(
    floor: Floor,
    lab: Lab,
    person: Person,
    who: Visitor,
    table: TableName = None,
    since: Since = None,
    game: Annotated[str | None, Query(max_length=80)] = None,
    round: Annotated[str | None, Query(max_length=120)] = None,
) -> list[shown.OwnStatistics]:
    """Add up the caller's last settled rounds and split the result; play money has a line of its own."""
    # The worker reads and replays the rounds: here they are only found, so that no command waits.
    found = await found_for(floor, person, Wanted(table=table, since=since, player=person.name), OWN_MOST)
    by_money: dict[bool, list[dict[str, Any]]] = {}
    for summary in found.rounds:
        own = own_summary(floor, summary, person.name)
        if summary.outcome != SETTLED or game not in (None, own.game) or round not in (None, own.round):
            continue
        begun = {"stream": stream_of(summary.table), "sequence": summary.sequence, "round": own.round, "at": own.at}
        by_money.setdefault(own.free_play, []).append(begun)
    lines = []
    for free_play, rounds in sorted(by_money.items()):
        body = {"database": floor.settings.url, "player": person.name, "rounds": rounds}
        try:
            split = await lab.solve("own-results", body, who)
        except Unanswered as fault:
            raise RefusedHere(fault.refusal, fault.status) from None
        lines.append(shown.OwnStatistics(**split, free_play=free_play, is_all=found.next is None))
    return lines
