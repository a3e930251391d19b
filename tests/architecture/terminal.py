"""A terminal that runs a page's commands in a folder; lines below a server's line run while that server is open."""

import os
import re
import shlex
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from architecture.pages import Block
from pitboss.server.lab.worker_pool import WARM_UP

PORT = "8000"
DATABASE = "postgresql://pitboss@localhost/"
OPENS = ("pitboss serve", "pitboss demo")
LONGEST_S = 120


def lines_of(block: Block) -> list[str]:
    """Return the command lines of a block."""
    return [line for line in block.text.splitlines() if line.strip()]


class Terminal:
    """A folder to run lines in, and what the page's port and databases stand for there."""

    def __init__(self, folder: Path, databases: Mapping[str, str] | None = None, tools: Sequence[Path] = ()) -> None:
        self.folder = folder
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port = str(free.getsockname()[1])
        self.databases = databases or {}
        kept = {name: value for name, value in os.environ.items() if not name.startswith("PITBOSS_") or name == WARM_UP}
        programs = os.pathsep.join(map(str, (Path(sys.executable).parent, *tools)))
        self.environment = {
            **kept,
            "PATH": f"{programs}{os.pathsep}{kept['PATH']}",
            "XDG_DATA_HOME": str(folder / "data"),
            "PYTHONIOENCODING": "utf-8",
        }

    def meant(self, line: str) -> str:
        """Return a line with this test's port and databases."""
        line = re.sub(rf"\b{PORT}\b", self.port, line)
        return re.sub(rf"{re.escape(DATABASE)}(\w+)", lambda found: shlex.quote(self.databases[found[1]]), line)

    def run(self, line: str) -> None:
        """Run a line that has to succeed."""
        done = subprocess.run(
            ["bash", "-c", self.meant(line)],
            cwd=self.folder,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            encoding="utf-8",
            timeout=LONGEST_S,
            check=False,
        )
        assert done.returncode == 0, f"{line}\n{done.stdout}{done.stderr}"
        assert "Traceback" not in done.stderr, line

    def run_block(self, lines: Sequence[str]) -> None:
        """Run the lines of a block, those after the line of a server while it is open."""
        at = next((number for number, line in enumerate(lines) if line.startswith(OPENS)), len(lines))
        for line in lines[:at]:
            self.run(line)
        if at < len(lines):
            with self.opened(lines[at]):
                for line in lines[at + 1 :]:
                    self.run(line)

    @contextmanager
    def opened(self, line: str) -> Iterator[None]:
        """Keep a server open, and close it as Ctrl-C does."""
        with (self.folder / "server.log").open("w") as log:
            child = subprocess.Popen(
                ["bash", "-c", f"exec {self.meant(line)}"],
                cwd=self.folder,
                env=self.environment,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
            )
        try:
            self._until_ready(child, line)
            yield
        finally:
            child.send_signal(signal.SIGINT)
            status = child.wait(LONGEST_S)
        assert status == 0, self._said(line)

    def _until_ready(self, child: "subprocess.Popen[bytes]", line: str) -> None:
        end = time.monotonic() + LONGEST_S
        while time.monotonic() < end:
            assert child.poll() is None, self._said(line)
            if " is open at " in self._said(line):
                return
            time.sleep(0.1)
        raise AssertionError(self._said(line))

    def _said(self, line: str) -> str:
        return f"{line}\n{(self.folder / 'server.log').read_text('utf-8')}"
