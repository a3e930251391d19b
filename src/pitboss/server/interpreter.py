"""How the interpreter is set for a process that serves: few and short pauses for garbage, threads that take turns."""

import gc
import sys

# A look through everything takes a fifth of a second with a thousand sockets open, and finds next to nothing: what a
# command leaves behind goes as soon as nobody refers to it. So the young are looked through as often as their number
# asks for, and the old once in a few million objects.
YOUNG_MOST, YOUNG_ROUNDS, OLD_ROUNDS = 10_000, 20, 50
# The thread that writes the record gives the interpreter away with every statement. It should not wait for five
# milliseconds, the usual turn, each time it wants it back while frames are being made.
TURN_S = 0.0005


def settle() -> None:
    """Leave aside what was loaded so far, which stays as long as the process, and take short turns from now on."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(YOUNG_MOST, YOUNG_ROUNDS, OLD_ROUNDS)
    sys.setswitchinterval(TURN_S)
