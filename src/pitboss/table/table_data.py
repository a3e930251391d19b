"""Commands, events and states as plain dictionaries that JSON can hold, and back."""

from collections.abc import Mapping
from typing import Any, get_args

from pitboss.rules.plain import Malformed as MalformedRecord
from pitboss.rules.plain import made, of_kind, plain, with_kind
from pitboss.table.commands import Command
from pitboss.table.events import Event
from pitboss.table.settings import TableSettings
from pitboss.table.state import TableState

__all__ = [
    "MalformedRecord",
    "command_from_dict",
    "command_to_dict",
    "event_from_dict",
    "event_to_dict",
    "state_from_dict",
    "state_to_dict",
]

_COMMANDS = {kind.__name__: kind for kind in get_args(Command)}
_EVENTS = {kind.__name__: kind for kind in get_args(Event)}


def command_to_dict(command: Command) -> dict[str, Any]:
    """Return a command as a dictionary."""
    return with_kind(command)


def command_from_dict(data: Mapping[str, Any]) -> Command:
    """Return the command a dictionary holds, or raise MalformedRecord."""
    made: Command = of_kind(_COMMANDS, data)
    return made


def event_to_dict(event: Event) -> dict[str, Any]:
    """Return an event as a dictionary."""
    return with_kind(event)


def event_from_dict(data: Mapping[str, Any]) -> Event:
    """Return the event a dictionary holds, or raise MalformedRecord."""
    made: Event = of_kind(_EVENTS, data)
    return made


def state_to_dict(state: TableState) -> dict[str, Any]:
    """Return a state as a dictionary, without its settings."""
    without = {name: plain(getattr(state, name)) for name in TableState.__slots__ if name != "settings"}
    return {"game": state.settings.game.name, **without}


def state_from_dict(data: Mapping[str, Any], settings: TableSettings) -> TableState:
    """Return the state a dictionary holds, under these settings, or raise MalformedRecord."""
    if data.get("game") != settings.game.name:
        raise MalformedRecord(f"a state of {data.get('game')!r} is not one of {settings.game.name!r}")
    rest = {name: value for name, value in data.items() if name != "game"}
    state: TableState = made(TableState, rest, settings=settings)
    return state
