"""A round's state as JSON data and back; it includes hidden cards, so keep it sealed."""

from collections.abc import Callable, Mapping
from typing import Any

from pitboss.round.events import EnvyPaid, MeterAwaited, PayoutAwaited, WagerResult
from pitboss.round.state import Round
from pitboss.round.verification import Verification
from pitboss.rules.dealing import Delivery
from pitboss.rules.in_force import RulesInForce
from pitboss.rules.plain import made, plain

# By pairs, because JSON would turn a seat's number into text.
_BY_PAIRS = ("players", "stakes", "status", "cards", "face_up", "discards", "acted", "results", "hands")
_APART = ("rules", "pending", "coupons")
_TUPLES = ("seats", "collected", "dealt_next")


def round_to_data(state: Round) -> dict[str, Any]:
    """Return a round without the rules it is played by."""
    data = {name: plain(getattr(state, name)) for name in Round._fields if name not in (*_APART, *_BY_PAIRS)}
    for name in _BY_PAIRS:
        data[name] = [[plain(key), plain(kept)] for key, kept in getattr(state, name).items()]
    # A turning is written as a negative number of cards.
    data["pending"] = [
        [due.place, -due.cards if due.is_turned else due.cards, due.face_up, due.cite] for due in state.pending
    ]
    data["coupons"] = [[list(key), face] for key, face in state.coupons.items()]
    return data


def round_from_data(data: Mapping[str, Any], rules: RulesInForce) -> Round:
    """Return the round that data was made from, played by these rules."""
    read = {name: value for name, value in data.items() if name not in _BY_PAIRS}
    for name in _BY_PAIRS:
        value = _VALUES.get(name, lambda kept: kept)
        read[name] = {tuple(key) if isinstance(key, list) else key: value(kept) for key, kept in data[name]}
    for name in _TUPLES:
        read[name] = tuple(data[name])
    read["pending"] = tuple(
        Delivery(place, abs(cards), face_up, cite, is_turned=cards < 0)
        for place, cards, face_up, cite in data["pending"]
    )
    read["drawn"] = frozenset(data["drawn"])
    read["relied_on"] = frozenset(data.get("relied_on", ()))
    read["envy"] = tuple(made(EnvyPaid, paid) for paid in data["envy"])
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
    "results": lambda kept: made(WagerResult, kept),
}
