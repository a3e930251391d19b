"""Guests of a demonstration: accounts with play money, made when someone sits down without signing in."""

from pitboss.house.people.commands import AddPerson
from pitboss.house.people.roles import ADMINISTRATOR, CAGE
from pitboss.house.people.sign_in import Admitted
from pitboss.house.running_tables import Asked
from pitboss.rules.procedure import PLAYER
from pitboss.rules.refusal import Refusal
from pitboss.server.demonstration import KEEPER, PURSE_CENTS
from pitboss.server.open_floor import OpenFloor
from pitboss.table.people import Person

GUEST = "guest"
GUESTS_MOST = 1_000
REFILL_BELOW_CENTS = 100_00
NO_GUESTS = Refusal("This house has no guest accounts. Sign in to play")
FULL = Refusal("There are too many guests. Sign in to play")


async def admit_guest(floor: OpenFloor, source: str) -> Admitted | Refusal:
    """Make an account with play money and sign its holder in, where the house admits guests."""
    people = floor.office.people
    if not floor.settings.admits_guests or KEEPER not in people.accounts:
        return NO_GUESTS
    taken = sum(name.startswith(f"{GUEST}-") for name in people.accounts)
    if taken >= GUESTS_MOST:
        return FULL
    keeper = Person(KEEPER, ADMINISTRATOR)
    # Two may come at once: the second finds the name taken and gets the next.
    for number in range(taken + 1, GUESTS_MOST + 1):
        name = f"{GUEST}-{number}"
        if name in people.accounts:
            continue
        added = await floor.office.put(
            AddPerson(by=keeper, at=floor.clock.now_ms(), person=name, roles=(PLAYER,))
        )  # fmt: skip
        if not isinstance(added, Refusal):
            break
    else:
        return FULL
    issued = await _issue(floor, name)
    link = await floor.office.issue_link(keeper, name)
    if issued is not None or isinstance(link, Refusal):
        return issued or NO_GUESTS
    return await floor.office.follow_link(link.token, source)


async def refill(floor: OpenFloor, name: str) -> Refusal | None:
    """Give a player of a demonstration new play money once theirs is nearly gone."""
    if not floor.settings.admits_guests:
        return Refusal("This house doesn't give out play money")
    tables = (running.live for running in floor.house.tables.values())
    held = floor.house.money.state.get(f"purse:{name}", 0) + sum(
        live.stack_cents(name) for live in tables if name in live.seats.values()
    )
    if held >= REFILL_BELOW_CENTS:
        return Refusal(f"You still have play money. You get more once you have less than ${REFILL_BELOW_CENTS // 100}")
    return await _issue(floor, name)


async def _issue(floor: OpenFloor, name: str) -> Refusal | None:
    body = {"kind": "IssueMoney", "person": name, "cents": PURSE_CENTS, "free_play": True}
    answer = await floor.at_office(Asked(floor.fresh(), CAGE, (CAGE,), body))
    return answer if isinstance(answer, Refusal) else None
