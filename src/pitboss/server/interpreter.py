"""Interpreter settings for a server process: few and short garbage collections, and short thread switch intervals."""

import gc
import sys

# A full collection takes a fifth of a second with a thousand sockets open and finds next to nothing: what a command
# leaves behind is freed as soon as nothing refers to it. So young objects are collected as often as their number
# requires, and old ones once in a few million objects.
YOUNG_MOST, YOUNG_ROUNDS, OLD_ROUNDS = 10_000, 20, 50
# The thread that writes the record releases the interpreter lock with every statement. It shouldn't have to wait the
# default five milliseconds each time it wants the lock back while frames are being made.
TURN_S = 0.0005


def settle() -> None:
    """Freeze what was loaded so far, which lives as long as the process, and set short switch intervals."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(YOUNG_MOST, YOUNG_ROUNDS, OLD_ROUNDS)
    sys.setswitchinterval(TURN_S)
