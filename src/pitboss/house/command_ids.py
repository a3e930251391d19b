"""What happens when a command id comes again with a different body: it is refused, and the floor's stream says so."""

from pitboss.house import entry_kinds
from pitboss.house.stream_names import FLOOR
from pitboss.record.entries import Draft
from pitboss.rules.refusal import Refusal

REUSED = Refusal("This command ID was already used for a different command", None, "id")


def reuse_noted(command_id: str, person: str) -> Draft:
    """Return the entry that tells the floor who reused a command id."""
    return Draft(FLOOR, entry_kinds.COMMAND_ID_REUSED, {"command": command_id, "person": person})
