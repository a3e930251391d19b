"""Commands that aren't recorded: an id that comes again with a different body, or a record that was altered."""

from pitboss.house import entry_kinds
from pitboss.house.stream_names import FLOOR
from pitboss.record.entries import Circumstances, Draft
from pitboss.record.store import Batch, Stopped, body_digest
from pitboss.rules.refusal import Refusal

REUSED = Refusal("This command ID was already used for a different command", None, "id")


def reuse_noted(command_id: str, person: str) -> Draft:
    """Return the entry that tells the floor who reused a command id."""
    return Draft(FLOOR, entry_kinds.COMMAND_ID_REUSED, {"command": command_id, "person": person})


def floor_note(noted: Draft, by: Circumstances) -> Batch:
    """Return the batch that notes something in the floor's stream, wherever that ends."""
    return Batch((noted,), {FLOOR: None}, by, body_digest(by.actor, noted.body))


def stopped(found: Stopped) -> Refusal:
    """Return the refusal of a command whose part of the record was altered."""
    return Refusal(f"The database was altered, so nothing more is recorded here: {found.says.removesuffix('.')}")
