"""The roles' names, what a permission may require beside a role, and what a permission is."""

from collections.abc import Mapping
from dataclasses import dataclass

from pitboss.house.people import house_rules as rule
from pitboss.rules.procedure import DEALER, FLOORPERSON, PLAYER
from pitboss.table.people import AUTOMATON, PIT_MANAGER, TECHNICIAN

CAGE = "cage"
COUNT = "count-team"
OPERATOR = "operator"
ADMINISTRATOR = "administrator"
SURVEILLANCE = "surveillance"
AUDITOR = "auditor"
REGULATOR = "regulator"

# A person's roles are all in one department, so that no one checks or pays out their own work. No person is an
# automaton: that role is the program's own, and no account can have it.
DEPARTMENTS: tuple[tuple[str, ...], ...] = (
    (PLAYER,),
    (DEALER, FLOORPERSON, PIT_MANAGER),
    (CAGE,),
    (COUNT,),
    (OPERATOR,),
    (ADMINISTRATOR,),
    (SURVEILLANCE,),
    (AUDITOR, REGULATOR),
    (TECHNICIAN,),
)
ROLES: tuple[str, ...] = (*(role for department in DEPARTMENTS for role in department), AUTOMATON)

# Requirements in addition to the role.
LEASE = "lease"  # the table's lease, with its latest token
OWN = "own"  # a person's own seat, chips, session or password
SELF_DEALING = "self-dealing"  # at an automatic free-play table
ROUND_OVER = "round-over"
DEALER_OUT = "dealer out"  # the holder of the table's lease was revoked, locked or is no longer a dealer
READER = "reader"  # a card reader or bet sensor, which proves itself by its signature
CHIPS = "chips"  # the seat of a player without a device
FOUNDING = "founding"  # while no administrator can do it

Grants = Mapping[str, tuple[str, ...]]  # role to its further requirements


@dataclass(frozen=True, slots=True)
class Permission:
    """Who may give one kind of command, in a sentence, by which rule, and with which second person."""

    kind: str
    grants: Grants
    reason: str
    clause: str = rule.ROLES
    second: Grants | None = None  # None: one person is enough
    rulebook: str | None = None  # where a game's definition has the rulebook's own clause


FLOOR: Grants = {FLOORPERSON: (), PIT_MANAGER: ()}
OVERSIGHT: Grants = {SURVEILLANCE: (), AUDITOR: (), REGULATOR: ()}
