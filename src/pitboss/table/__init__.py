"""What surrounds rounds: decks, people, devices, the rack and the procedure of each moment."""

from pitboss.table.decide import decide
from pitboss.table.duties_now import next_duties
from pitboss.table.evolve import evolve, replay
from pitboss.table.people import Person
from pitboss.table.settings import TableSettings, check_instrument, settings_faults
from pitboss.table.state import TableState, new_table

__all__ = [
    "Person",
    "TableSettings",
    "TableState",
    "check_instrument",
    "decide",
    "evolve",
    "new_table",
    "next_duties",
    "replay",
    "settings_faults",
]
