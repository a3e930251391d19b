"""Commands, events and states as plain dictionaries that JSON can hold, and back."""

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from types import NoneType, UnionType
from typing import Any, TypeVar, get_args, get_origin, get_type_hints

from pitboss.table.commands import Command
from pitboss.table.events import Event
from pitboss.table.settings import TableSettings
from pitboss.table.state import TableState

Made = TypeVar("Made")
KIND = "kind"
_COMMANDS = {one.__name__: one for one in get_args(Command)}
_EVENTS = {one.__name__: one for one in get_args(Event)}
_HINTS: dict[type, dict[str, Any]] = {}  # looked up once for each kind


class MalformedRecord(ValueError):
    """A record that no command, event or state was written as."""


def command_to_dict(command: Command) -> dict[str, object]:
    """Return a command as a dictionary."""
    return {KIND: type(command).__name__, **_fields(command)}


def command_from_dict(data: Mapping[str, object]) -> Command:
    """Return the command a dictionary holds, or raise MalformedRecord."""
    made: Command = _by_kind(_COMMANDS, data)
    return made


def event_to_dict(event: Event) -> dict[str, object]:
    """Return an event as a dictionary."""
    return {KIND: type(event).__name__, **_fields(event)}


def event_from_dict(data: Mapping[str, object]) -> Event:
    """Return the event a dictionary holds, or raise MalformedRecord."""
    made: Event = _by_kind(_EVENTS, data)
    return made


def state_to_dict(state: TableState) -> dict[str, object]:
    """Return a state as a dictionary, without the settings it stands under."""
    return {"game": state.settings.game.name, **_fields(state, without="settings")}


def state_from_dict(data: Mapping[str, object], settings: TableSettings) -> TableState:
    """Return the state a dictionary holds, under these settings, or raise MalformedRecord."""
    if data.get("game") != settings.game.name:
        raise MalformedRecord(f"a state of {data.get('game')!r} is not one of {settings.game.name!r}")
    rest = {name: value for name, value in data.items() if name != "game"}
    return _make(TableState, rest, settings=settings)


def _by_kind(kinds: Mapping[str, type], data: Mapping[str, object]) -> Any:
    kind = kinds.get(str(data.get(KIND)))
    if kind is None:
        raise MalformedRecord(f"{data.get(KIND)!r} is not a kind of record")
    return _make(kind, {name: value for name, value in data.items() if name != KIND})


def _fields(value: Any, without: str = "") -> dict[str, object]:
    return {one.name: _plain(getattr(value, one.name)) for one in fields(value) if one.name != without}


def _plain(value: Any) -> object:
    if is_dataclass(value):
        return _fields(value)
    if isinstance(value, tuple):
        return [_plain(one) for one in value]
    return value


def _make(kind: type[Made], data: Mapping[str, object], **given: object) -> Made:
    hints = _hints(kind)
    if set(data) != set(hints) - set(given):
        raise MalformedRecord(f"{kind.__name__} has the fields {', '.join(hints)}, not {', '.join(data)}")
    return kind(**given, **{name: _read(hints[name], value) for name, value in data.items()})


def _hints(kind: type) -> dict[str, Any]:
    if kind not in _HINTS:
        _HINTS[kind] = get_type_hints(kind)
    return _HINTS[kind]


def _read(hint: Any, value: object) -> object:
    if get_origin(hint) is UnionType:
        return _read_union(get_args(hint), value)
    if get_origin(hint) is tuple:
        if not isinstance(value, list):
            raise MalformedRecord(f"{value!r} is not a list")
        return tuple(_read(get_args(hint)[0], one) for one in value)
    if isinstance(hint, type) and is_dataclass(hint):
        if not isinstance(value, Mapping):
            raise MalformedRecord(f"{value!r} is not a record")
        return _make(hint, value)
    plain = getattr(hint, "__supertype__", hint)
    if type(value) is not plain:
        raise MalformedRecord(f"{value!r} is not of type {plain.__name__}")
    return value


def _read_union(choices: tuple[Any, ...], value: object) -> object:
    if value is None and NoneType in choices:
        return None
    for choice in choices:
        if choice is NoneType:
            continue
        try:
            return _read(choice, value)
        except MalformedRecord:
            continue
    raise MalformedRecord(f"{value!r} fits none of the types allowed here")
