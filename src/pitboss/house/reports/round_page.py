"""A replayed round as a page: each step with who, when and which clause, and the cards its reader may see."""

from typing import Any

from pitboss.house.people.authorization import Place, allowed
from pitboss.house.replay import Recalled, Step
from pitboss.rules.plain import plain
from pitboss.rules.refusal import Refusal
from pitboss.table.people import Person

LOOK_UP, READ_SEALED = "RecallRounds", "ReadSealed"


def page_of(found: Recalled, reader: Person) -> dict[str, Any] | Refusal:
    """Return a round as data for a reader: public cards by step, and all cards after the end for those authorized."""
    refusal = allowed(reader, LOOK_UP)
    if refusal:
        return refusal
    sees_all = found.is_over and allowed(reader, READ_SEALED, Place(is_round_over=found.is_over)) is None
    return {
        "round": found.round,
        "table": found.steps[0].live.table,
        "rules": found.steps[0].entry.rules,
        "is_over": found.is_over,
        "disagreements": [disagreement._asdict() for disagreement in found.disagreements],
        "steps": [_step(found, step, sees_all=sees_all) for step in found.steps],
    }


def _step(found: Recalled, step: Step, *, sees_all: bool) -> dict[str, Any]:
    # By allow-list: an entry's body contains sealed cards, and its key is published at the end.
    entry, seen = step.entry, step.public
    shown: dict[str, Any] = {
        "sequence": entry.sequence,
        "at": entry.at,
        "actor": entry.actor,
        "role": entry.role,
        "kind": entry.kind,
        "clause": entry.clause,
        "phase": seen.phase,
        "seat_asked": seen.seat_asked,
        "seats": [plain(seat) for seat in seen.seats],
        "cards": plain(seen.table),
    }
    return {**shown, "all_cards": plain(found.cards(step))} if sees_all else shown
