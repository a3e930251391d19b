"""What a demonstration has besides an open floor: tables of every game, bots, and people with sign-in links."""

from pitboss.house.people.commands import AddPerson
from pitboss.house.people.roles import AUDITOR
from pitboss.rules.procedure import DEALER, FLOORPERSON, PLAYER
from pitboss.rules.refusal import Refusal
from pitboss.server.demo import demo_documents
from pitboss.server.floor import SUPERVISOR, FloorUnusable, OpenFloor, chance_of
from pitboss.server.loops import TableLoops
from pitboss.table.people import AUTOMATON, Person

TRAY_CENTS = 200_000_00
PURSE_CENTS = 10_000_00
ROLES = (PLAYER, DEALER, FLOORPERSON, AUDITOR)
_FIRST_BOT_SEAT = 2


async def open_demo(floor: OpenFloor, bots: int) -> dict[str, str]:
    """Open every game's table with its dealer and bots, and return a link for each role."""
    for table, document in demo_documents().items():
        await floor.open_free_play(table, document, TRAY_CENTS)
        seated = {f"bot-{number}-{table}": _FIRST_BOT_SEAT + number for number in range(bots)}
        loops = TableLoops(floor, table, seated, chance_of(floor.randomness))
        floor.spawn(loops.deal())
        for name, seat in seated.items():
            floor.spawn(loops.play(name, seat))
    return {role: await _link(floor, role) for role in ROLES}


async def _link(floor: OpenFloor, role: str) -> str:
    supervisor = Person(SUPERVISOR, AUTOMATON)
    if role not in floor.office.people.accounts:
        added = await floor.office.put(AddPerson(by=supervisor, at=floor.clock.now_ms(), person=role, roles=(role,)))
        if isinstance(added, Refusal):
            raise FloorUnusable(f"The demonstration's {role} could not be added: {added}.")
        if role == PLAYER:
            await floor.issue(role, PURSE_CENTS)
    link = await floor.office.issue_link(supervisor, role)
    if isinstance(link, Refusal):
        raise FloorUnusable(f"The demonstration's {role} could not be given a link: {link}.")
    return link.token
