"""Decides a table command: the events that follow, or a refusal with its clause.

Time only moves forward: a command dated before the table's last event is refused, so that the caller's clock is
fixed, not the record.
"""

from pitboss.rules.refusal import Refusal
from pitboss.table.commands import (
    ChangeDealing,
    Command,
    FailDevice,
    JamDevice,
    ReshuffleJammed,
    ReturnDevice,
    RoundCommand,
    TakeOutDevice,
)
from pitboss.table.deck_rules import decide_deck
from pitboss.table.device_rules import decide_device
from pitboss.table.events import Event
from pitboss.table.round_rules import decide_round
from pitboss.table.state import TableState


def decide(state: TableState, command: Command) -> tuple[Event, ...] | Refusal:
    """Return what a command leads to, or why it is refused."""
    if command.at < state.at:
        return Refusal(f"Time {command.at} is before the table's last event at {state.at}. Check the clock", None, "at")
    if isinstance(command, RoundCommand):
        return decide_round(state, command)
    if isinstance(command, JamDevice | ReshuffleJammed | FailDevice | TakeOutDevice | ReturnDevice | ChangeDealing):
        return decide_device(state, command)
    return decide_deck(state, command)
