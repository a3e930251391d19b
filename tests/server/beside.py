"""Several processes of one floor in PostgreSQL, started, stopped and killed by a test."""

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

from patience import WAIT_S
from pitboss.games.catalogue import game_names
from pitboss.record.signing_keys import SigningKeys
from pitboss.record.sql_store import SqlStore
from pitboss.record.store import export
from pitboss.server.request_limits import CLIENT
from pitboss_verify import verify
from server.running import METRICS_TOKEN, NO_TLS, QUICK, Client

TESTS = Path(__file__).parents[1]


class Beside:
    """A process that serves, and how to reach it; it looks to a client like any running server."""

    wire: Any = None  # what other processes reach it over, if not directly

    def __init__(
        self, folder: Path, name: str, database: str, pace: dict[str, int] | None = None, address: str | None = None
    ) -> None:
        asked = {
            "address": address,
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
        self.clients: list[httpx.Client] = [httpx.Client(timeout=240, headers={CLIENT: "tests"}, verify=NO_TLS)]

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
        scraper = {"authorization": f"Bearer {METRICS_TOKEN}"}
        text = self.clients[0].get(f"{address or self.address}/metrics", headers=scraper).text
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
                self.process.wait(240)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        assert self.process.stdout is not None
        self.process.stdout.close()
        self.log.close()


def until(holds: Callable[[], Any], seconds: float = WAIT_S) -> float:
    """Wait until something holds, and return how long it took."""
    begun = time.monotonic()
    while not holds():
        assert time.monotonic() - begun < seconds, "it did not come true"
        time.sleep(0.1)
    return time.monotonic() - begun


class Pair:
    """Two processes of one floor, and who runs what."""

    def __init__(self, folder: Path, url: str) -> None:
        self.folder, self.url = folder, url
        self.store = SqlStore(url)
        self.both = self.started()
        self.folders = [floor.data for floor in self.both]
        self.cookies: dict[str, dict[str, str]] = {}
        self.links = self.both[0].links

    def started(self) -> list[Beside]:
        """Return the processes as they are first started."""
        both = [Beside(self.folder, "first", self.url, QUICK), Beside(self.folder, "second", self.url)]
        return [floor.ready() for floor in both]

    def again(self, name: str) -> Beside:
        """Start a process in the place of one that ended."""
        return Beside(self.folder, name, self.url).ready()

    def whole(self) -> "Pair":
        """Let another process come for one that a test has killed, and the tables be shared out again."""
        for place, floor in enumerate(self.both):
            if floor.process.poll() is not None:
                floor.end()
                self.both[place] = self.again(f"again {len(self.folders)}")
                self.folders.append(self.both[place].data)
        until(self.is_shared_out)
        return self

    def is_shared_out(self) -> bool:
        """Say whether each process runs its part."""
        counts = [floor.tables() for floor in self.both]
        return sum(counts) >= len(game_names()) and max(counts) - min(counts) <= 1

    def owner(self, table: str) -> Beside:
        """Return the process that runs a table."""
        held = next(lease for lease in self.store.leases()[1] if lease.name == f"table/{table}")
        return next(floor for floor in self.both if held.owner.startswith(floor.address + "#"))

    def other(self, table: str) -> Beside:
        """Return the process that does not run a table."""
        return next(floor for floor in self.both if floor is not self.owner(table))

    def client(self, at: Beside, name: str) -> Client:
        """Sign a person in at a process, or connect a signed-in person with the same cookie."""
        at.links = self.links
        found = Client(at, name if name in self.links else None)
        if name in self.links:
            self.cookies[name] = dict(found.http.cookies)
            del self.links[name]
        found.name = name
        found.http.cookies.update(self.cookies[name])
        return found

    def verified(self) -> Any:
        """Check the whole record against the heads that both processes signed."""
        log, key = self.folder / "record.jsonl", self.folder / "heads.pub"
        heads = [self.folder / f"{folder.name}.heads" for folder in self.folders]
        for folder, copy in zip(self.folders, heads, strict=True):  # before the record, which keeps growing
            copy.write_bytes((folder / "heads" / "heads.jsonl").read_bytes())
        with log.open("w", encoding="utf-8") as out:
            export(self.store, out)
        key.write_text("\n".join(SigningKeys(self.folder / "signing.keys").publics()))
        return verify(log, heads=heads, key=key)

    def end(self) -> None:
        """End both processes."""
        for floor in self.both:
            floor.end()
        self.store.close()


__all__ = ["QUICK", "Beside", "Pair", "until"]
