"""A floor in three processes under load, and what can happen to it: a process killed or paused, a database that stalls,
is slow or drops everyone, a network that is cut between processes."""

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path

import httpx
import psycopg
from sqlalchemy import make_url

from patience import WAIT_S
from pitboss.games.catalogue import game_names
from server.beside import Beside, Pair
from server.running import QUICK, Client

CENTS = 1
PROCESSES = 3


class Wire:
    """A network between processes: it forwards every byte, until it is cut and forwards nothing."""

    def __init__(self) -> None:
        self.is_cut = False
        self.target = ("", 0)
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.address = f"http://127.0.0.1:{self._listening.getsockname()[1]}"
        self._open: list[socket.socket] = []
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        while True:
            try:
                here, _ = self._listening.accept()
                there = socket.create_connection(self.target)
            except OSError:
                if self._listening.fileno() < 0:
                    return
                here.close()  # nothing listens behind it any more
                continue
            self._open += (here, there)
            for source, sink in ((here, there), (there, here)):
                threading.Thread(target=self._forward, args=(source, sink), daemon=True).start()

    def _forward(self, source: socket.socket, sink: socket.socket) -> None:
        try:
            while data := source.recv(65_536):
                while self.is_cut:
                    time.sleep(0.02)
                sink.sendall(data)
        except OSError:
            pass
        finally:
            for end in (source, sink):
                end.close()

    def close(self) -> None:
        """End it."""
        self.is_cut = False
        self._listening.close()
        for end in self._open:
            end.close()


class Trio(Pair):
    """Three processes of one floor, each reached by the others over a wire that can be cut."""

    def __init__(self, folder: Path, url: str) -> None:
        self.name = folder.name
        named = make_url(url).update_query_dict({"application_name": self.name})
        self.wires: list[Wire] = []
        self._started = 0
        super().__init__(folder, named.render_as_string(hide_password=False))

    def started(self) -> list[Beside]:
        """Return the processes as they are first started."""
        found: list[Beside] = []
        try:
            for pace in (QUICK, *[None] * (PROCESSES - 1)):
                found += [self._start(pace)]
        except BaseException:
            for process in found:
                process.end()
            raise
        return found

    def _start(self, pace: dict[str, int] | None) -> Beside:
        self._started += 1
        wire = Wire()
        self.wires.append(wire)
        process = Beside(self.folder, f"process {self._started}", self.url, pace, address=wire.address)
        try:
            process.ready()
        except BaseException:
            process.end()
            raise
        wire.target = ("127.0.0.1", int(process.address.rpartition(":")[2]))
        process.wire = wire
        return process

    def again(self, name: str) -> Beside:
        """Start a process in the place of one that ended."""
        return self._start(None)

    def owner(self, table: str) -> Beside:
        """Return the process that runs a table."""
        held = next(lease for lease in self.store.leases()[1] if lease.name == f"table/{table}")
        return next(floor for floor in self.both if held.owner.startswith(floor.wire.address + "#"))

    @contextmanager
    def stalled_database(self, seconds: float) -> Iterator[None]:
        """Let nobody write to the record for a while."""
        with psycopg.connect(self._driver_url(), autocommit=False) as connection:
            connection.execute("LOCK TABLE entries IN ACCESS EXCLUSIVE MODE")
            yield
            time.sleep(seconds)

    @contextmanager
    def slow_database(self, seconds: float) -> Iterator[None]:
        """Let every commit take this much longer."""
        with psycopg.connect(self._driver_url(), autocommit=True) as connection:
            body = f"BEGIN PERFORM pg_sleep({seconds}); RETURN NULL; END"
            connection.execute(f"CREATE FUNCTION delayed() RETURNS trigger LANGUAGE plpgsql AS $${body}$$")
            connection.execute("CREATE TRIGGER delayed AFTER INSERT ON commands EXECUTE FUNCTION delayed()")
            try:
                yield
            finally:
                connection.execute("DROP FUNCTION delayed CASCADE")

    def drop_connections(self) -> int:
        """End every connection to the database, as when it fails over to another machine."""
        with psycopg.connect(self._driver_url(), autocommit=True) as connection:
            found = connection.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                "WHERE application_name = %s AND pid <> pg_backend_pid()",
                (self.name,),
            )
            return len(found.fetchall())

    def _driver_url(self) -> str:
        return make_url(self.url).set(drivername="postgresql").render_as_string(hide_password=False)

    def end(self) -> None:
        """End all processes and wires."""
        super().end()
        for wire in self.wires:
            wire.close()


class Load(threading.Thread):
    """Buys in at a table again and again through one process after another; a command is repeated until it counts."""

    def __init__(self, trio: Trio, table: str, clients: list[Client]) -> None:
        super().__init__(daemon=True)
        self.trio, self.table, self.clients = trio, table, clients
        self.done: dict[str, float] = {}  # by command id: when it was acknowledged
        self.refused: set[str] = set()
        self.is_over = threading.Event()
        self.fault = ""
        self.start()

    def run(self) -> None:
        number = 0
        while not self.is_over.is_set() and not self.fault:
            number += 1
            self._carry_out(f"{self.table} {number} {id(self)}")

    def _carry_out(self, name: str) -> None:
        end, turn = time.monotonic() + WAIT_S, len(self.done)
        while time.monotonic() < end:
            client = self.clients[turn % len(self.clients)]
            turn += 1
            try:
                answer = client.command(self.table, {"kind": "BuyIn", "cents": CENTS}, name)
            except (httpx.TransportError, OSError):
                time.sleep(0.05)  # that process is gone; the next one takes it
                continue
            if answer.status_code == 200:
                self.done[name] = time.monotonic()
                return
            said = answer.json().get("refused", {}).get("reason", "")
            self.refused.add(said)
            if answer.status_code != 503 and "Try again" not in said:
                break
            time.sleep(0.05)
        self.fault = f"{name} was not carried out: {self.refused}"

    def longest_wait(self) -> float:
        """Return the longest time between two acknowledgments."""
        moments = list(self.done.values())
        return max((later - earlier for earlier, later in pairwise(moments)), default=0.0)

    def goes_on(self, since: float) -> bool:
        """Say whether a command was acknowledged that was sent after a moment."""
        assert not self.fault, self.fault
        return sum(at > since for at in tuple(self.done.values())) > 1


@contextmanager
def under_load(trio: Trio, people: tuple[str, ...] = ("alice", "bob")) -> Iterator[list[Load]]:
    """Let people buy in at every table, and check at the end that every command counted exactly once."""
    clients = {name: [trio.client(process, name) for process in trio.both] for name in people}
    tables = {table: people[place % len(people)] for place, table in enumerate(game_names())}
    before = {}
    for seat, (table, name) in enumerate(tables.items(), start=1):
        clients[name][0].must(table, {"kind": "TakeSeat", "seat": seat})
        before[table] = held(clients[name], table, name)
    loads = [Load(trio, table, clients[name]) for table, name in tables.items()]
    try:
        yield loads
    finally:
        for load in loads:
            load.is_over.set()
        for load in loads:
            load.join(WAIT_S)
    for seat, load in enumerate(loads, start=1):
        name = tables[load.table]
        assert not load.fault, load.fault
        counted = held(clients[name], load.table, name) - before[load.table]
        next(alive(clients[name])).must(load.table, {"kind": "LeaveSeat", "seat": seat})
        recorded = {entry.command for entry in trio.store.read(f"table/{load.table}")}
        assert set(load.done) <= recorded, "nothing that was acknowledged is lost"
        assert counted == len(load.done) * CENTS, "and each command counts once"
    report = trio.verified()
    assert report.is_sound, report.fault


def alive(clients: list[Client]) -> Iterator[Client]:
    """Yield the clients whose process answers."""
    for client in clients:
        try:
            client.http.get("/ready")
        except (httpx.TransportError, OSError):
            continue
        yield client


def held(clients: list[Client], table: str, name: str) -> int:
    """Return a person's stack at a table."""
    client = next(alive(clients))
    seats = client.view(table)["seats"]
    return int(next(seat["stack_cents"] for seat in seats if seat["player"] == name))
