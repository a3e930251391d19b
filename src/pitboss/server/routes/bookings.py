"""Manual bookings at a table that may still be reversed, for people who could be one of the two required."""

from collections.abc import Collection

from fastapi import APIRouter
from pydantic import BaseModel, Field

from pitboss.house.live_table.corrections import BOOKED_BY_HAND
from pitboss.house.people.authorization import clause_of, role_for
from pitboss.house.stream_names import stream_of
from pitboss.record.entries import Entry
from pitboss.rules.refusal import Refusal
from pitboss.server.routes.tables import REFUSED, Floor, Person, RefusedHere, roles_now

router = APIRouter(prefix="/api")
CORRECT = "Correct"
MOST = 40
LOOKED_BACK = 20_000  # entries of a table; an older booking is reversed by its number


class Booking(BaseModel):
    """A manual booking: what, how much and by whom."""

    entry: int = Field(description="its number in the table's stream; a correction uses it")
    kind: str = Field(examples=["TrayFilled"])
    cents: int
    at: int = Field(examples=[1_700_000_000_000])
    by: str
    second: str | None = Field(description="the second person, if it took two")
    player: str | None = Field(description="the player, if the chips were a player's")


@router.get("/tables/{table}/bookings", responses=REFUSED)
async def bookings(floor: Floor, person: Person, table: str) -> list[Booking]:
    """List the latest fills, credits, tips, chip purchases and redemptions that weren't reversed, newest first."""
    if role_for(roles_now(floor, person), CORRECT) is None:
        reason = "Only people who may correct these entries can list them"
        raise RefusedHere(Refusal(reason, clause_of(CORRECT), "by"))
    live = floor.house.live(table)
    after, corrected = max(0, live.head.sequence - LOOKED_BACK), frozenset(live.corrected)

    def read() -> list[Booking]:
        booked = floor.store.read(stream_of(table), after, kinds=BOOKED_BY_HAND)
        return [_shown(entry) for entry in booked if _stands(entry, corrected)][: -MOST - 1 : -1]

    return await floor.beside(read, person.share)


def _stands(entry: Entry, corrected: Collection[int]) -> bool:
    # What a closing count sent to the cage is not a slip signed by two people, and no correction reverses it.
    is_closing = entry.body.get("second", "") is None
    return entry.sequence not in corrected and not is_closing


def _shown(entry: Entry) -> Booking:
    body = entry.body
    return Booking(
        entry=entry.sequence,
        kind=entry.kind.partition(".")[2],
        cents=body["cents"],
        at=entry.at,
        by=entry.actor,
        second=body.get("second"),
        player=body.get("player"),
    )
