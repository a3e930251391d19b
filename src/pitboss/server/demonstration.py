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
    return {role: await link_for(floor, role, role) for role in ROLES}


async def link_for(floor: OpenFloor, name: str, role: str) -> str:
    """Return a sign-in link's token for somebody, who is added with play money where there is no account yet."""
    supervisor = Person(SUPERVISOR, AUTOMATON)
    if name not in floor.office.people.accounts:
        added = await floor.office.put(AddPerson(by=supervisor, at=floor.clock.now_ms(), person=name, roles=(role,)))
        if isinstance(added, Refusal):
            raise FloorUnusable(f"{name} could not be added: {added}.")
        if role == PLAYER:
            await floor.issue(name, PURSE_CENTS)
    link = await floor.office.issue_link(supervisor, name)
    if isinstance(link, Refusal):
        raise FloorUnusable(f"{name} could not be given a link: {link}.")
    return link.token
