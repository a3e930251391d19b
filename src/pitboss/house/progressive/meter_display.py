"""What a progressive's display shows by the books, for someone who reads it at the table."""

from pitboss.house.people.house_rules import METER_READINGS
from pitboss.house.progressive.state import ProgressiveState
from pitboss.rules.refusal import Refusal


def shown_now(state: ProgressiveState, name: str) -> int | Refusal:
    """Return what a meter's display shows by the books; during a round it may change before anyone has read it."""
    meter = state.meters.get(name)
    if meter is None or meter.is_retired:
        return Refusal(f"{state.name} has no active meter named {name}", METER_READINGS, "meter")
    if state.plays:
        playing = ", ".join(sorted(state.plays))
        reason = f"Read the display between rounds: a round is open at {playing}"
        return Refusal(reason, METER_READINGS, "meter")
    return meter.shown_cents
