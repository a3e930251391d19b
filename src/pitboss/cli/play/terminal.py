"""Reads lines from a terminal so that Ctrl-C always ends the wait.

`input()` alone can miss it: an interrupt that arrives after Python last looked for signals and before the read has
begun is noticed only when the next line is typed. The wakeup descriptor remembers it, so the wait ends at once.
"""

import os
import select
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager


def read_line(prompt: str) -> str:
    """Return the line that the player types; raise KeyboardInterrupt for Ctrl-C and EOFError for Ctrl-D."""
    print(prompt, end="", flush=True)
    if os.name == "posix":
        with _interrupts() as interrupted:
            select.select([sys.stdin, interrupted], [], [])
    return input()


@contextmanager
def _interrupts() -> Iterator[int]:
    """Yield a descriptor that becomes readable when a signal arrives."""
    interrupted, noted = os.pipe()
    os.set_blocking(noted, False)
    before = signal.set_wakeup_fd(noted, warn_on_full_buffer=False)
    try:
        yield interrupted
    finally:
        signal.set_wakeup_fd(before)
        os.close(interrupted)
        os.close(noted)
