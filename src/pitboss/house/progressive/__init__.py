"""Progressive meters shared by tables: command, decide, events, evolve, state, exact to the fraction of a cent."""

from pitboss.house.progressive.decide import decide, may_wager
from pitboss.house.progressive.evolve import evolve
from pitboss.house.progressive.meter import Meter
from pitboss.house.progressive.meter_entries import after_entry, drafts_of, fold_of_meters, pool_postings, tray_cents
from pitboss.house.progressive.meter_terms import Link, MeterTerms, Stake, link_of
from pitboss.house.progressive.state import Hit, Play, ProgressiveState

__all__ = [
    "Hit",
    "Link",
    "Meter",
    "MeterTerms",
    "Play",
    "ProgressiveState",
    "Stake",
    "after_entry",
    "decide",
    "drafts_of",
    "evolve",
    "fold_of_meters",
    "link_of",
    "may_wager",
    "pool_postings",
    "tray_cents",
]
