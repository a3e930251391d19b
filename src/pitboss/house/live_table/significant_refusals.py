"""Refusals that are significant for the floor: what was refused is recorded all the same."""

from dataclasses import dataclass

from pitboss.record.entries import Draft
from pitboss.rules.refusal import Refusal

FLOOR = "floor"
_NOTHING = Draft(FLOOR, f"{FLOOR}.Nothing", {})


@dataclass(frozen=True, slots=True)
class NotedRefusal(Refusal):
    """A refusal with what the floor is told of it."""

    note: Draft = _NOTHING
