"""The rounds of a session's file, read back."""

import json
from dataclasses import dataclass
from pathlib import Path

from pitboss.cli.play.record import ROUND_OPENED, ROUND_SUMMARY, Line
from pitboss.cli.play.written_choices import choices_from_data
from pitboss.games.catalogue import UnknownGame, game
from pitboss.round.events import Event
from pitboss.round.round_data import UnknownRecord, from_data, replay
from pitboss.round.state import Round
from pitboss.rules.in_force import RulesInForce


@dataclass(frozen=True)
class RecordedRound:
    """A round read back: its opening terms and all its events."""

    opened: Line
    rules: RulesInForce
    events: tuple[Event, ...]

    def state(self) -> Round:
        """Return the state after all events."""
        return replay(self.rules, self.events)


def read_rounds(path: Path) -> tuple[RecordedRound, ...]:
    """Return the rounds of a record, or raise UnknownRecord if a line can't be read."""
    rounds: list[RecordedRound] = []
    opened: Line | None = None
    events: list[Event] = []
    for number, text in enumerate(path.read_text("utf-8").splitlines(), 1):
        line = _parsed(text, number)
        if line["kind"] == ROUND_OPENED:
            if opened is not None:
                rounds.append(_recorded(opened, events))
            opened, events = line, []
        elif line["kind"] != ROUND_SUMMARY:
            if opened is None:
                raise UnknownRecord(f"line {number}: no round has been opened yet")
            events.append(from_data(line))
    if opened is not None:
        rounds.append(_recorded(opened, events))
    return tuple(rounds)


def _recorded(opened: Line, events: list[Event]) -> RecordedRound:
    try:
        rules = RulesInForce(game(str(opened["game"])), choices_from_data(opened["choices"]))
    except (KeyError, TypeError, ValueError, UnknownGame) as wrong:
        raise UnknownRecord(f"a round's opening line cannot be read: {wrong}") from None
    return RecordedRound(opened, rules, tuple(events))


def _parsed(text: str, number: int) -> Line:
    try:
        line = json.loads(text)
    except ValueError:
        raise UnknownRecord(f"line {number} is not JSON") from None
    if not isinstance(line, dict) or "kind" not in line:
        raise UnknownRecord(f"line {number} is not a line of a record")
    return line
