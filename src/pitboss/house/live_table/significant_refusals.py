"""Refusals that are significant for the floor, and are therefore recorded."""

from dataclasses import dataclass

from pitboss.house import entry_kinds
from pitboss.house.stream_names import FLOOR
from pitboss.record.entries import Draft
from pitboss.rules.refusal import Refusal

_NOTHING = Draft(FLOOR, entry_kinds.NOTHING, {})


@dataclass(frozen=True, slots=True)
class NotedRefusal(Refusal):
    """A refusal with what is reported to the floor about it."""

    note: Draft = _NOTHING
