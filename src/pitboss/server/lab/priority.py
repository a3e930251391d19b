"""How far the lab's processes give way to the process that runs the tables."""

import os

MOST = "PITBOSS_LAB_NICE"  # the highest niceness of a lab process; 0 where the lab has processors of its own


def give_way(nice: int) -> None:
    """Lower this process's priority, no further than the environment allows."""
    most = os.environ.get(MOST, "")
    if hasattr(os, "nice"):
        os.nice(min(nice, int(most)) if most.isdecimal() else nice)
