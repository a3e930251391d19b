"""Events and commands as plain data, for a file or a wire, and back to the same values."""

from collections.abc import Iterable, Mapping
from dataclasses import fields, is_dataclass
from functools import cache
from types import UnionType
from typing import Any, get_args, get_origin, get_type_hints

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
    kind = _KINDS.get(str(data.get("kind")))
    if kind is None:
        raise UnknownRecord(f"{data.get('kind')!r} is no event or command of a round")
    try:
        return _built(kind, {name: value for name, value in data.items() if name != "kind"})
    except (TypeError, ValueError, AttributeError) as wrong:
        raise UnknownRecord(f"{kind.__name__} cannot be read: {wrong}") from None


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


def _built(kind: type, data: Mapping[str, Any]) -> Any:
    hints = _hints(kind)
    unknown = data.keys() - hints.keys()
    if unknown:
        raise UnknownRecord(f"{kind.__name__} has no {', '.join(sorted(unknown))}")
    return kind(**{name: _value(hints[name], one) for name, one in data.items()})


def _value(hint: Any, data: Any) -> Any:
    origin = get_origin(hint)
    if origin is tuple:
        return tuple(_value(get_args(hint)[0], one) for one in data)
    if origin is UnionType:
        return None if data is None else next(_value(one, data) for one in get_args(hint) if one is not type(None))
    if hint is WagerResult:
        return WagerResult(**data)
    return dict(data) if isinstance(data, Mapping) else data
