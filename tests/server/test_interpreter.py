"""The interpreter settings of a server process, tried in a separate process."""

import json
import subprocess
import sys

TRIED = """
import gc, json, sys
from pitboss.server import interpreter

kept = [[number] for number in range(50_000)]
interpreter.settle()
looked_through = len(gc.get_objects())
class Ring:
    def __init__(self):
        self.itself = self
for _ in range(200_000):
    Ring()
rings = sum(isinstance(thing, Ring) for thing in gc.get_objects())
print(json.dumps([gc.get_freeze_count(), looked_through, rings, sys.getswitchinterval(), gc.isenabled()]))
"""


def test_what_stays_is_looked_through_no_more_and_what_is_young_still_is() -> None:
    run = subprocess.run([sys.executable, "-c", TRIED], capture_output=True, text=True, check=True)
    frozen, looked_through, rings, turn_s, is_enabled = json.loads(run.stdout)
    assert frozen > 50_000
    assert looked_through < 1_000
    assert rings < 20_000
    assert turn_s < 0.002
    assert is_enabled
