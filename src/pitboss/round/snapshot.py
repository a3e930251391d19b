"""A round's state as plain data that JSON can hold, and back; hidden cards are in it, so it is for sealed places."""

from collections.abc import Callable, Mapping
from typing import Any

from pitboss.round.events import EnvyPaid, MeterAwaited, PayoutAwaited, WagerResult
from pitboss.round.state import Round
from pitboss.round.verification import Verification
from pitboss.rules.in_force import RulesInForce
from pitboss.rules.plain import made, plain

# By pairs, because JSON would turn a seat's number into text.
_BY_PAIRS = ("players", "stakes", "status", "cards", "face_up", "discards", "acted", "results", "hands")
_TUPLES = ("seats", "collected", "dealt_next")


def round_to_data(state: Round) -> dict[str, Any]:
    """Return a round without the rules it is played by."""
    data = {name: plain(getattr(state, name)) for name in Round._fields if name not in ("rules", "coupons", *_BY_PAIRS)}
    for name in _BY_PAIRS:
        data[name] = [[plain(key), plain(one)] for key, one in getattr(state, name).items()]
    data["coupons"] = [[list(key), face] for key, face in state.coupons.items()]
    return data


def round_from_data(data: Mapping[str, Any], rules: RulesInForce) -> Round:
    """Return the round that data was made from, played by these rules."""
    read = {name: value for name, value in data.items() if name not in _BY_PAIRS}
    for name in _BY_PAIRS:
        value = _VALUES.get(name, lambda one: one)
        read[name] = {tuple(key) if isinstance(key, list) else key: value(one) for key, one in data[name]}
    for name in _TUPLES:
        read[name] = tuple(data[name])
    read["pending"] = tuple(tuple(one) for one in data["pending"])
    read["drawn"] = frozenset(data["drawn"])
    read["relied_on"] = frozenset(data.get("relied_on", ()))
    read["envy"] = tuple(made(EnvyPaid, one) for one in data["envy"])
    read["only"] = None if data["only"] is None else tuple(data["only"])
    read["meter"] = None if data["meter"] is None else made(MeterAwaited, data["meter"])
    read["coupons"] = {(seat, wager): face for (seat, wager), face in data.get("coupons", ())}
    read["banked"] = tuple((seat, wager) for seat, wager in data.get("banked", ()))
    for name, kind in (("verification", Verification), ("payout", PayoutAwaited)):
        read[name] = None if data.get(name) is None else made(kind, data[name])
    return Round(rules=rules, **read)


_VALUES: dict[str, Callable[[Any], Any]] = {
    "cards": tuple,
    "acted": tuple,
    "results": lambda one: made(WagerResult, one),
}
