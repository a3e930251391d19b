"""The table at a real terminal: an 80 by 30 pseudo-terminal with its own process."""

import os
import select
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from cli.recorded_play import read_rounds
from patience import WAIT_S
from pitboss.round.state import ASKING, OVER

pty = pytest.importorskip("pty")
fcntl = pytest.importorskip("fcntl")
termios = pytest.importorskip("termios")

# A test run started in the background ignores interrupts and would hand that on; a terminal does not.
CODE = """
import fcntl, signal, termios
signal.signal(signal.SIGINT, signal.default_int_handler)
fcntl.ioctl(0, termios.TIOCSCTTY, 0)
from pitboss.cli.play import play_command
raise SystemExit(play_command({game!r}, seats=3, seat=2, stake_cents=None, submission=None, table=None,
                              record=None, seed=None, as_json=False))
"""


class Terminal:
    """One end of a pseudo-terminal, the table at the other."""

    def __init__(self, keyboard: int, running: "subprocess.Popen[bytes]") -> None:
        self._keyboard = keyboard
        self.running = running
        self.seen = ""

    def wait_for(self, text: str) -> str:
        """Return what appeared up to and with this text."""
        until = time.monotonic() + WAIT_S
        new = ""
        while text not in new:
            assert time.monotonic() < until, f"{text!r} did not appear after:\n{new}"
            ready, _, _ = select.select([self._keyboard], [], [], 1)
            if ready:
                new += self._read()
        self.seen += new
        return new

    def type(self, keys: bytes) -> None:
        """Press these keys."""
        os.write(self._keyboard, keys)

    def rest(self) -> str:
        """Return what appears until the program has ended."""
        new = ""
        until = time.monotonic() + WAIT_S
        while time.monotonic() < until:
            ready, _, _ = select.select([self._keyboard], [], [], 0.2)
            read = self._read() if ready else ""
            new += read
            if not read and self.running.poll() is not None:
                break
        self.running.wait(WAIT_S)
        return new

    def _read(self) -> str:
        # Once the program is gone, reading its terminal is an error, not an end of file.
        with suppress(OSError):
            return os.read(self._keyboard, 65536).decode("utf-8", "replace")
        return ""


# An interrupt that another thread takes does not end a read that this one has begun. An interrupt in the moment before
# the read begins does the same, but only once in thousands of tries.
INTERRUPT_MISSES_THE_READ = """
import signal, threading, time
threading.Thread(target=time.sleep, args=(600,), daemon=True).start()
signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
"""


@contextmanager
def at_a_terminal(game: str, home: Path, before: str = "") -> Iterator[Terminal]:
    keyboard, screen = pty.openpty()
    termios.tcsetwinsize(screen, (30, 80))
    environment = {**os.environ, "XDG_DATA_HOME": str(home), "TERM": "xterm-256color", "PYTHONUTF8": "1"}
    environment.pop("NO_COLOR", None)
    running = subprocess.Popen(
        [sys.executable, "-c", before + CODE.format(game=game)],
        stdin=screen,
        stdout=screen,
        stderr=screen,
        start_new_session=True,
        env=environment,
    )
    os.close(screen)
    try:
        yield Terminal(keyboard, running)
    finally:
        if running.poll() is None:
            running.kill()
        running.wait()
        os.close(keyboard)


def test_a_round_is_played_in_color_and_recorded(tmp_path: Path) -> None:
    with at_a_terminal("dragon-poker", tmp_path) as terminal:
        assert "Dragon Poker" in terminal.wait_for("leave")
        terminal.type(b"\r")
        asked = terminal.wait_for("[q]")
        assert "\x1b[" in asked
        assert "Traceback" not in asked
        terminal.type(b"p\r")
        assert "total" in terminal.wait_for("same bet")
        terminal.type(b"q\r")
        goodbye = terminal.rest()
        assert terminal.running.returncode == 0
    assert "You played 1 round" in goodbye
    (file,) = (tmp_path / "pitboss" / "play").iterdir()
    (recorded,) = read_rounds(file)
    assert recorded.state().phase == OVER


@pytest.mark.parametrize("key", [b"\x03", b"\x04"], ids=["Ctrl-C", "Ctrl-D"])
def test_a_key_that_ends_it_leaves_the_open_round_on_record(key: bytes, tmp_path: Path) -> None:
    with at_a_terminal("ultimate-texas-holdem", tmp_path) as terminal:
        terminal.wait_for("leave")
        terminal.type(b"\r")
        terminal.wait_for("Check")
        terminal.type(key)
        goodbye = terminal.rest()
        assert terminal.running.returncode == 0
    assert "stays on record" in goodbye
    assert "Traceback" not in goodbye
    (file,) = (tmp_path / "pitboss" / "play").iterdir()
    (recorded,) = read_rounds(file)
    assert recorded.state().phase == ASKING
    assert recorded.state().seat_asked == 2


def test_an_interrupt_just_before_the_read_begins_is_not_lost(tmp_path: Path) -> None:
    with at_a_terminal("ultimate-texas-holdem", tmp_path, INTERRUPT_MISSES_THE_READ) as terminal:
        terminal.wait_for("leave")
        terminal.type(b"\x03")
        goodbye = terminal.rest()
        assert terminal.running.returncode == 0
    assert "You played no complete rounds" in goodbye
