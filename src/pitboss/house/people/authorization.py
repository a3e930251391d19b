"""Whether a person may give a command at a place, with or without a second person; anything not granted is refused."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from pitboss.house.people import house_rules as rule
from pitboss.house.people.leases import NO_LEASE, Lease, check_token
from pitboss.house.people.roles import (
    CHIPS,
    DEALER_OUT,
    FOUNDING,
    LEASE,
    OWN,
    PERMISSIONS,
    READER,
    ROUND_OVER,
    SELF_DEALING,
    Grants,
    Permission,
)
from pitboss.rules.game import GameDefinition
from pitboss.rules.refusal import Refusal
from pitboss.table.people import AUTOMATON, Person, role_words


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where a command is given: the facts there that a permission may require."""

    game: GameDefinition | None = None
    is_self_dealing: bool = False  # an automatic free-play table
    lease: Lease = NO_LEASE
    token: int | None = None  # the lease token that the person presents
    at: int = 0
    concerns: str | None = None  # whose seat, chips, session or account it is
    is_round_over: bool = False
    is_founding: bool = False  # no administrator can act
    is_dealer_out: bool = False  # the lease's holder may no longer act
    is_reader: bool = False  # the message of a card reader or bet sensor, which the table checks
    is_patrons: bool = False  # the seat of a player without a device


HOUSE = Place()  # no table, and no person's own


def allowed(actor: Person, kind: str, place: Place = HOUSE, second: Person | None = None) -> Refusal | None:
    """Return why these people may not give a command here, or None; with two it doesn't matter who proposed."""
    if not takes_two(kind):
        return check_first(actor, kind, place)
    if second is None:
        reason = f"{PERMISSIONS[kind].reason}. A second person is needed"
        return may_propose(actor, kind, place) or Refusal(reason, clause_of(kind, place), "second")
    refusal = check_first(actor, kind, place) or check_second(actor, second, kind, place)
    if refusal and (check_first(second, kind, place) or check_second(second, actor, kind, place)) is None:
        return None
    return refusal


def takes_two(kind: str) -> bool:
    """Say whether a command takes a second person."""
    return kind in PERMISSIONS and PERMISSIONS[kind].second is not None


def check_first(actor: Person, kind: str, place: Place = HOUSE) -> Refusal | None:
    """Return why a person may not give a command here, apart from any second person, or None."""
    permission = PERMISSIONS.get(kind)
    if permission is None:
        return Refusal(f"No role may give the command {kind!r}", rule.ROLES, "kind")
    return _check(actor, permission, permission.grants, place, "by")


def check_second(first: Person, second: Person, kind: str, place: Place = HOUSE) -> Refusal | None:
    """Return why a person may not be the second person for another's command, or None."""
    permission = PERMISSIONS.get(kind)
    if permission is None or permission.second is None:
        return Refusal(f"{kind!r} doesn't take a second person", rule.ROLES, "second")
    if first.name == second.name:
        return Refusal(f"{permission.reason}. {first.name} can't be both people", _cited(permission, place), "second")
    return _check(second, permission, permission.second, place, "second")


def may_propose(person: Person, kind: str, place: Place = HOUSE) -> Refusal | None:
    """Return why a person may be neither of the two people a command takes, or None."""
    permission = PERMISSIONS.get(kind)
    if permission is None or permission.second is None:
        return Refusal(f"{kind!r} doesn't take two people", rule.ROLES, "kind")
    refusal = _check(person, permission, permission.grants, place, "by")
    return refusal and _check(person, permission, permission.second, place, "by") and refusal


def clause_of(kind: str, place: Place = HOUSE) -> str:
    """Return the clause a command rests on here: the rulebook's if it has one, otherwise the house's."""
    return _cited(PERMISSIONS[kind], place)


def roles_for(roles: tuple[str, ...], kind: str) -> tuple[str, ...]:
    """Return the person's roles that take part in a command, in order."""
    permission = PERMISSIONS.get(kind)
    if permission is None:
        return ()
    return tuple(role for role in roles if role in permission.grants or role in (permission.second or ()))


def role_for(roles: tuple[str, ...], kind: str) -> str | None:
    """Return the first of a person's roles that takes part in a command, or None."""
    return next(iter(roles_for(roles, kind)), None)


def _check(person: Person, permission: Permission, grants: Grants, place: Place, field: str) -> Refusal | None:
    asked = grants.get(person.role)
    if asked is None:
        who = "The program" if person.role == AUTOMATON else f"The role {role_words(person.role)}"
        reason = f"{permission.reason}. {who} can't do this"
        return Refusal(reason, _cited(permission, place), field)
    for requirement in asked:
        if refusal := _REQUIREMENTS[requirement](person, place):
            return refusal if refusal.clause else Refusal(refusal.reason, _cited(permission, place), field)
    return None


def _cited(permission: Permission, place: Place) -> str:
    found: object = place.game if permission.rulebook else None
    for name in (permission.rulebook or "").split("."):
        found = getattr(found, name, None)
    return found if found and isinstance(found, str) else permission.clause


def _lease(person: Person, place: Place) -> Refusal | None:
    return check_token(place.lease, person.name, place.token, place.at)


def _own(person: Person, place: Place) -> Refusal | None:
    return None if place.concerns == person.name else Refusal("This isn't yours")


def _self_dealing(person: Person, place: Place) -> Refusal | None:
    if place.is_self_dealing:
        return None
    return Refusal(
        f"{person.name} is part of the program and can act only at an automatic free-play table", rule.ROLES, "by"
    )


def _round_over(person: Person, place: Place) -> Refusal | None:
    return None if place.is_round_over else Refusal("The round isn't over yet")


def _founding(person: Person, place: Place) -> Refusal | None:
    return None if place.is_founding else Refusal("An administrator can do this, so the program can't do it for them")


def _dealer_out(person: Person, place: Place) -> Refusal | None:
    return (
        None
        if place.is_dealer_out
        else Refusal("The table still has its dealer. Ask the floor to relieve them", rule.LEASES)
    )


def _reader(person: Person, place: Place) -> Refusal | None:
    return None if place.is_reader else Refusal("Only a device enrolled at this table can send this", rule.CARD_READERS)


def _chips(person: Person, place: Place) -> Refusal | None:
    if place.is_patrons:
        return None
    return Refusal("The dealer enters this only for players without a device", rule.PATRONS, "seat")


_REQUIREMENTS: Mapping[str, Callable[[Person, Place], Refusal | None]] = {
    LEASE: _lease,
    OWN: _own,
    SELF_DEALING: _self_dealing,
    ROUND_OVER: _round_over,
    FOUNDING: _founding,
    DEALER_OUT: _dealer_out,
    READER: _reader,
    CHIPS: _chips,
}
