"""Events and commands as plain data, for a file or a wire, and back to the same values."""

from collections.abc import Iterable, Mapping
from dataclasses import fields, is_dataclass
from functools import cache
from types import UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

from pitboss.round.commands import Command
from pitboss.round.events import Event, WagerResult
from pitboss.round.evolve import evolve
from pitboss.round.state import Round, open_round
from pitboss.rules.in_force import RulesInForce


class UnknownRecord(ValueError):
    """Data that is no event or command of a round."""


_KINDS: dict[str, type] = {kind.__name__: kind for kind in (*get_args(Event), *get_args(Command))}


def to_data(value: Event | Command) -> dict[str, Any]:
    """Return an event or a command as data that JSON can hold."""
    return {"kind": type(value).__name__, **_plain(value)}


def from_data(data: Mapping[str, Any]) -> Any:
    """Return the event or command that the data was made from."""
    if not isinstance(data, Mapping) or str(data.get("kind")) not in _KINDS:
        raise UnknownRecord(f"{data!r} is no event or command of a round")
    return _built(_KINDS[str(data["kind"])], {name: value for name, value in data.items() if name != "kind"})


def replay(rules: RulesInForce, events: Iterable[Event]) -> Round:
    """Return the state that events lead to."""
    state = open_round(rules)
    for event in events:
        state = evolve(state, event)
    return state


def _plain(value: Any) -> Any:
    if is_dataclass(value):
        return {one.name: _plain(getattr(value, one.name)) for one in fields(value)}
    if isinstance(value, Mapping):
        return {key: _plain(one) for key, one in value.items()}
    if isinstance(value, WagerResult):
        return value._asdict()
    if isinstance(value, tuple):
        return [_plain(one) for one in value]
    return value


@cache
def _hints(kind: type) -> dict[str, Any]:
    return get_type_hints(kind)


def _built(kind: type, data: object) -> Any:
    if not isinstance(data, Mapping):
        raise UnknownRecord(f"{data!r} is no {kind.__name__}")
    hints = _hints(kind)
    unknown = data.keys() - hints.keys()
    if unknown:
        raise UnknownRecord(f"{kind.__name__} has no {', '.join(sorted(unknown))}")
    try:
        return kind(**{name: _value(hints[name], one) for name, one in data.items()})
    except TypeError as missing:
        raise UnknownRecord(f"{kind.__name__} cannot be read: {missing}") from None


def _value(hint: Any, data: Any) -> Any:
    origin = get_origin(hint)
    if origin in (UnionType, Union):  # a NewType makes the older kind
        return _one_of(get_args(hint), data)
    if origin is tuple and isinstance(data, list):
        return tuple(_value(get_args(hint)[0], one) for one in data)
    if origin is Mapping and isinstance(data, Mapping):
        keys, values = get_args(hint)
        return {_value(keys, key): _value(values, one) for key, one in data.items()}
    if hint is WagerResult:
        return _built(WagerResult, data)
    if type(data) is not getattr(hint, "__supertype__", hint):
        raise UnknownRecord(f"{data!r} is not what the record should hold")
    return data


def _one_of(hints: tuple[Any, ...], data: Any) -> Any:
    fitting = next((hint for hint in hints if type(data) is getattr(hint, "__supertype__", hint)), None)
    if fitting is None:
        raise UnknownRecord(f"{data!r} is not what the record should hold")
    return data
