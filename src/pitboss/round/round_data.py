"""Events and commands as plain data, for a file or a wire, and back to the same values."""

from collections.abc import Iterable, Mapping
from typing import Any, get_args

from pitboss.round.commands import Command
from pitboss.round.events import Event
from pitboss.round.evolve import evolve
from pitboss.round.state import Round, open_round
from pitboss.rules.in_force import RulesInForce
from pitboss.rules.plain import Malformed as UnknownRecord
from pitboss.rules.plain import of_kind, with_kind

__all__ = ["UnknownRecord", "from_data", "replay", "to_data"]

_KINDS: dict[str, type] = {kind.__name__: kind for kind in (*get_args(Event), *get_args(Command))}


def to_data(value: Event | Command) -> dict[str, Any]:
    """Return an event or a command as data that JSON can hold."""
    return with_kind(value)


def from_data(data: Mapping[str, Any]) -> Any:
    """Return the event or command that the data was made from."""
    return of_kind(_KINDS, data)


def replay(rules: RulesInForce, events: Iterable[Event]) -> Round:
    """Return the state that events lead to."""
    state = open_round(rules)
    for event in events:
        state = evolve(state, event)
    return state
