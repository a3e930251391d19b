"""Processes of one floor in PostgreSQL, started beside each other, stopped and killed as a test says."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx

from pitboss.server.limits import CLIENT
from server.running import QUICK

TESTS = Path(__file__).parents[1]


class Beside:
    """A process that serves, and how to reach it; it looks to a client like any running server."""

    def __init__(self, folder: Path, name: str, database: str, pace: dict[str, int] | None = None) -> None:
        asked = {
            "data": str(folder / name),
            "keys": str(folder / "master.keys"),
            "database": database,
            "pace": pace,
        }
        self.data = folder / name
        self.log = (folder / f"{name}.log").open("w")
        self.process = subprocess.Popen(
            [sys.executable, "-m", "server.process", json.dumps(asked)],
            env={**os.environ, "PYTHONPATH": os.pathsep.join((str(TESTS), os.environ.get("PYTHONPATH", "")))},
            stdout=subprocess.PIPE,
            stderr=self.log,
            text=True,
        )
        self.address = ""
        self.links: dict[str, str] = {}
        self.clients: list[httpx.Client] = [httpx.Client(timeout=30, headers={CLIENT: "tests"})]

    def ready(self) -> "Beside":
        """Wait until the process serves."""
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        assert line, Path(self.log.name).read_text()
        said = json.loads(line)
        self.address, self.links = said["address"], said["links"]
        return self

    def tables(self, address: str = "") -> int:
        """Return how many tables this process runs, or the one at another address."""
        text = self.clients[0].get(f"{address or self.address}/metrics").text
        return next(int(float(line.split()[1])) for line in text.splitlines() if line.startswith("pitboss_tables "))

    def signal(self, number: signal.Signals) -> None:
        """Send the process a signal."""
        self.process.send_signal(number)

    def end(self) -> None:
        """End the process, if it has not ended."""
        for client in self.clients:
            client.close()
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGCONT)
            self.process.terminate()
            try:
                self.process.wait(20)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        assert self.process.stdout is not None
        self.process.stdout.close()
        self.log.close()


def until(holds: Callable[[], Any], seconds: float = 60) -> float:
    """Wait until something holds, and return how long it took."""
    begun = time.monotonic()
    while not holds():
        assert time.monotonic() - begun < seconds, "it did not come true"
        time.sleep(0.1)
    return time.monotonic() - begun


__all__ = ["QUICK", "Beside", "until"]
