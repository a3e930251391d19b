"""Guests of a demonstration: accounts with play money, made when someone sits down without signing in."""

from pitboss.house.money.ledger import purse
from pitboss.house.people.commands import DEMONSTRATION_DESK, AddPerson
from pitboss.house.people.people_office import SecondAsked
from pitboss.house.people.roles import CAGE
from pitboss.house.people.sign_in import Admitted
from pitboss.house.running_tables import Asked
from pitboss.rules.procedure import PLAYER
from pitboss.rules.refusal import Refusal
from pitboss.server.absent_guests import GUEST, is_guest
from pitboss.server.demonstration import KEEPER, PURSE_CENTS
from pitboss.server.open_floor import OpenFloor

GUESTS_MOST = 1_000  # signed in at the same time
ACCOUNTS_MOST = 20_000  # ever made: names aren't used again, and every account stays in the record
REFILL_BELOW_CENTS = 100_00
NO_GUESTS = Refusal("This house has no guest accounts. Sign in to play")
FULL = Refusal("There are too many guests. Sign in to play")


async def admit_guest(floor: OpenFloor, source: str) -> Admitted | Refusal:
    """Make an account with play money and sign its holder in, where the house admits guests."""
    people = floor.office.people
    if not floor.settings.admits_guests or KEEPER not in people.accounts:
        return NO_GUESTS
    here = {session.person for session in people.sessions.values() if is_guest(session.person)}
    taken = sum(map(is_guest, people.accounts))
    if len(here) >= GUESTS_MOST:
        return FULL
    # Two may come at once: the second finds the name taken and gets the next.
    for number in range(taken + 1, ACCOUNTS_MOST + 1):
        name = f"{GUEST}-{number}"
        if name in people.accounts:
            continue
        asked = AddPerson(by=DEMONSTRATION_DESK, at=floor.clock.now_ms(), person=name, roles=(PLAYER,))
        added = await floor.office.put(asked)
        if not isinstance(added, Refusal):
            break
    else:
        return FULL
    issued = await _issue(floor, name)
    link = await floor.office.issue_link(DEMONSTRATION_DESK, name)
    if issued is not None or isinstance(link, Refusal):
        return issued or NO_GUESTS
    answer = await floor.office.follow_link(link.token, source)
    assert not isinstance(answer, SecondAsked), "a new account has no second factor"
    return answer


async def refill(floor: OpenFloor, name: str) -> Refusal | None:
    """Give a player of a demonstration new play money once theirs is nearly gone."""
    if not floor.settings.admits_guests:
        return Refusal("This house doesn't give out play money")
    if floor.processes is not None:
        await floor.processes.glances.refresh()  # chips that were just bought count, wherever the table runs
    stacks = sum(glance.stacks.get(name, 0) for glance in floor.house.all_glances())
    held = floor.house.money.state.get(f"purse:{name}", 0) + stacks
    if held >= REFILL_BELOW_CENTS:
        return Refusal(f"You still have play money. You get more once you have less than ${REFILL_BELOW_CENTS // 100}")
    return await _issue(floor, name)


async def _issue(floor: OpenFloor, name: str) -> Refusal | None:
    body = {"kind": "IssueMoney", "person": name, "cents": PURSE_CENTS, "free_play": True}
    # Requests that come at once, at whichever process, have the same id, so that they count once.
    entries = floor.house.money.of(purse(name, free_play=True)).head.sequence
    answer = await floor.at_office(Asked(f"refill/{name}/{entries}", CAGE, (CAGE,), body))
    return answer if isinstance(answer, Refusal) else None
