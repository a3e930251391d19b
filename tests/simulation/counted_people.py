"""The back office of a simulated house with money controls: its people, and how it opens its cage."""

from typing import Any

from pitboss.house.back_office import BackOffice
from pitboss.house.people.accounts import Account, People
from pitboss.house.people.people_office import PeopleStream
from pitboss.house.people.two_people import digest_of
from pitboss.house.running_tables import Asked, Done
from pitboss.record.store import Store
from pitboss.rules.refusal import Refusal
from pitboss.table.people import Person as Somebody

EVERY_SEEDS = 10  # how often a seed has money controls; an even number, so that one process runs the floor
TABLE = "b"
OF_OFFICE = (
    *("ChangeHouseSettings", "FundVault", "MoveVault", "CountCage", "RequestFill", "RequestCredit", "PrepareSlip"),
    *("CarrySlip", "AcceptCredit", "VoidSlip", "PullBox", "CountBox"),
)
ROLES = {
    **{"flo": "floorperson", "fred": "floorperson", "pete": "pit-manager", "cathy": "cage", "carl": "cage"},
    **{"olga": "operator", "otto": "operator", "con": "count-team", "cou": "count-team"},
    **{f"{name}-{TABLE}": "dealer" for name in ("dana", "dora")},
}
SETTINGS = {
    **{"facility": "A simulated floor", "money_controls": True, "cashier_limit_cents": 3_000_00},
    **{"exclusions": True, "hand_pays": True, "hand_pay_times": 2, "hand_pay_cents": 10_00},
}
EXCLUDED = "Ed Excluded"
TRAY = {"10000": 700, "2500": 800, "500": 1600, "100": 1900, "50": 200}  # $100,000
STOCK = {cents: 60 * number for cents, number in TRAY.items()}


def is_counted(seed: int) -> bool:
    """Say whether a seed's real-money table has money controls."""
    return seed % EVERY_SEEDS == 0


class Known(PeopleStream):
    """People whose accounts were there from the beginning; at tables all of them may act."""

    def __init__(self, store: Store) -> None:
        super().__init__()
        self.state = People(accounts={name: Account((role,)) for name, role in ROLES.items()})
        self.catch_up(store)

    def standing(self, person: Somebody) -> Refusal | None:
        """Return nothing: nobody is barred."""
        return None


class Desk:
    """The people of the back office, without the door they sign in at."""

    def __init__(self, stream: Known) -> None:
        self.stream = stream

    @property
    def people(self) -> People:
        """Return the people as far as this process has read them."""
        return self.stream.state


def is_of_office(body: Any) -> bool:
    """Say whether a command goes to the back office and not to a table."""
    return body.get("kind") in OF_OFFICE or (body.get("kind") == "Confirm" and "digest" in body)


async def open_house(office: BackOffice, people: Known, command_id: Any) -> None:
    """Switch money controls on, fund the vault and open the counted cage."""
    cash = 100_000_00
    await _both(office, people, command_id, ("olga", "otto"), {"kind": "ChangeHouseSettings", "settings": SETTINGS})
    funded = {"kind": "FundVault", "cash_cents": 2 * cash, "chips": STOCK}
    await _both(office, people, command_id, ("olga", "cathy"), funded)
    moved = {"kind": "MoveVault", "to": "cage", "cash_cents": cash, "chips": STOCK}
    await _both(office, people, command_id, ("cathy", "carl"), moved)
    barred = {"full_name": EXCLUDED, "identifier": "MD 1", "reason": "barred"}
    await _done(office, command_id, "pete", {"kind": "AddExclusion", **barred})
    for name in ("cathy", "pete"):
        await _done(office, command_id, name, {"kind": "CountCage", "cash_cents": cash, "chips": STOCK})


async def _done(office: BackOffice, command_id: Any, name: str, body: dict[str, Any]) -> None:
    answer = await office.do(Asked(command_id(name), name, (ROLES[name],), body))
    assert isinstance(answer, Done), answer


async def _both(
    office: BackOffice, people: Known, command_id: Any, names: tuple[str, str], body: dict[str, Any]
) -> None:
    await _done(office, command_id, names[0], body)
    proposal, waiting = next(iter(people.state.proposals.items()))
    await _done(office, command_id, names[1], confirming(proposal, waiting))


def confirming(proposal: str, waiting: Any) -> dict[str, Any]:
    """Return the command by which a second person agrees to a proposal of the office."""
    return {"kind": "Confirm", "proposal": proposal, "digest": digest_of(waiting.kind, waiting.body)}
