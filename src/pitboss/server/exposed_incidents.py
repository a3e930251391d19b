"""What an exposed card could have been worth: the lab's figure beside an incident, since the house computes no odds."""

from collections.abc import Mapping, Sequence
from typing import Any

from pitboss.house.reports.incidents import Incident
from pitboss.server.lab.worker_pool import Laboratory, Unanswered
from pitboss.server.open_floor import OpenFloor


async def could_gain(floor: OpenFloor, lab: Laboratory, rows: Sequence[Incident]) -> list[int | None]:
    """Return, for each incident, what one seat could gain at the round's highest Ante; None if the lab doesn't know."""
    known: dict[tuple[str, str], float | None] = {}
    found: list[int | None] = []
    for row in rows:
        key = row.table, row.exposed
        if row.exposed and row.ante_cents and key not in known:
            known[key] = await _gain(floor, lab, *key)
        gain = known.get(key)
        found.append(None if gain is None or not row.ante_cents else round(gain * row.ante_cents))
    return found


async def _gain(floor: OpenFloor, lab: Laboratory, table: str, place: str) -> float | None:
    terms = floor.house.live(table).terms if table in floor.house.tables else None
    if terms is None:
        return None
    body: Mapping[str, Any] = {"game": terms.settings.game.name, "document": dict(terms.document), "place": place}
    try:
        answer = await lab.answer("incident", body, rests_on=f"{terms.version} {place}")
    except Unanswered:
        return None  # it is worked on, or can't be known; the report is read again later
    gain: float | None = answer["gain"]
    return gain
