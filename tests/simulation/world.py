"""The world of one seed: disk, clock, randomness, network and processes, and everything that can go wrong with them."""

import asyncio
import json
import random
from collections import Counter, deque

from house.floors import PROGRESSIVE, Chance
from pitboss.house.live_table.state import LiveTable
from pitboss.house.running_tables import Asked, Done
from pitboss.record.entries import Entry, Head
from pitboss.record.keys import Keyring, MasterKey
from pitboss.record.memory_store import MemoryStore
from pitboss.record.simulated_disk import Boundary, SimulatedDisk
from pitboss.record.store import StoreBroken
from simulation.checks import Checker, verified
from simulation.documents import read_terms, tables_of
from simulation.network import Network
from simulation.process import Killed, Process

BEGINS_MS = 1_700_000_000_000
QUEUE_MOST = 5
AT_DISK = {"half appended": "half-written", "appended": "written unsynced", "synced": "synced"}


class Archive:
    """The heads' file, which no process can take back."""

    def __init__(self) -> None:
        self.text = ""

    def is_empty(self) -> bool:
        """Say whether nothing was ever added."""
        return not self.text

    def append(self, text: str) -> None:
        """Add text for good."""
        self.text += text


class Clock:
    """The system clock, which people may set."""

    def __init__(self) -> None:
        self.set_by_ms = 0

    def now_ms(self) -> int:
        """Return UTC milliseconds as the wall shows them."""
        return BEGINS_MS + round(asyncio.get_running_loop().time() * 1000) + self.set_by_ms


class SlowReader:
    """A viewer who looks at a table now and then and is sent more than they read."""

    def __init__(self) -> None:
        self.waiting: deque[int] = deque()
        self.sequence = 0
        self.is_behind = False

    def push(self, sequence: int) -> bool:
        """Take a view's sequence, and say whether the reader had to be dropped for it."""
        self.waiting.append(sequence)
        if len(self.waiting) <= QUEUE_MOST:
            return False
        self.waiting.clear()
        was_behind, self.is_behind = self.is_behind, True
        return not was_behind

    def read(self, newest: int) -> bool:
        """Read one view, or everything again after being dropped; return whether time only moved forward."""
        if self.is_behind:
            self.is_behind, found = False, newest
            self.waiting.clear()
        elif self.waiting:
            found = self.waiting.popleft()
        else:
            return True
        is_forward = found >= self.sequence
        self.sequence = found
        return is_forward


class World:
    """Everything outside the house, as one seed has it."""

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self.chance = random.Random(seed)
        self.happened: Counter[str] = Counter()  # faults
        self.accepted: Counter[str] = Counter()  # commands
        self.tried: Counter[str] = Counter()  # what held tables refused
        self.refused = 0
        self.last_refusals: dict[str, str] = {}  # by table, to say why a table is stuck
        self.violations: list[str] = []
        self.tables = tables_of(seed)
        self.clock = Clock()
        self.randomness = Chance(self.fresh_seed())
        self.keyring = Keyring((MasterKey(self.chance.randbytes(32)),))
        self.archives: dict[str, Archive] = {}  # one a process: none knows all that another has exported
        self.network = Network(random.Random(self.fresh_seed()), self.happened)
        self.checker = Checker(self.keyring, read_terms, self.tell)
        self.reserve_bytes = 3_000
        self.disk = SimulatedDisk()
        self._attach(self.disk)
        self.backup = b""
        self.writing: Process | None = None
        self.planned: str | None = None
        self.flips_a_bit = self.restores_backup = False
        self.processes: dict[str, Process] = {}
        self.told: dict[str, tuple[tuple[str, int, str], ...]] = {}  # by command: what its sender was told
        self.reader = SlowReader()
        self.finishing = False
        self.done: set[str] = set()  # tables that have shown that they can continue
        self._number = 0

    def fresh_seed(self) -> int:
        """Return a seed for some other chance."""
        return self.chance.getrandbits(48)

    def command_id(self, person: str) -> str:
        """Return an id that no command has had."""
        self._number += 1
        return f"{person}-{self._number}"

    def tell(self, violation: str) -> None:
        """Take note that something does not hold."""
        self.violations.append(violation)

    def archive_of(self, name: str) -> Archive:
        """Return the heads' file of the processes of a name."""
        return self.archives.setdefault(name, Archive())

    def start(self, name: str) -> Process:
        """Start a process on the disk as it is."""
        process = Process(self, name)
        self.processes[name] = process
        process.spawn(process.serve())
        return process

    def kill(self, process: Process, boundary: str) -> None:
        """Kill a process where it is, and have it started again later."""
        self.happened[f"killed {boundary}"] += 1
        self.planned = None
        others = [other for other in self.processes.values() if other is not process]
        is_power_cut = boundary == "sync failed" or not others
        for other in (process, *others) if is_power_cut else (process,):
            self._end(other)
        if is_power_cut:
            self._cut_power()
        else:
            self.disk.fails_sync = False
            self.disk.at_boundary = lambda boundary: None
            self.disk.sync()
            self._attach(self.disk)

    def _end(self, process: Process) -> None:
        process.is_dead = True
        process.end()
        self.processes.pop(process.name, None)
        delay_s = self.chance.uniform(0.2, 2)
        asyncio.get_running_loop().call_later(delay_s, self._restart, process.name)

    def _cut_power(self) -> None:
        unsynced = self.disk.unsynced
        surviving = self.chance.choice((0, unsynced, self.chance.randint(0, unsynced)))
        if unsynced and surviving < unsynced:
            self.happened["torn write" if surviving else "lost write"] += 1
        self.disk = self.disk.crash(surviving)
        self._attach(self.disk)

    def _attach(self, disk: SimulatedDisk) -> None:
        def at(boundary: Boundary) -> None:
            process = self.writing
            name = AT_DISK.get(boundary)
            if process is not None and name is not None and self.is_planned(name, process):
                self.kill(process, name)
                raise Killed

        disk.at_boundary = at

    def is_planned(self, boundary: str, process: Process) -> bool:
        """Say whether a process is to be killed here."""
        return self.planned == boundary and not process.is_dead

    def _restart(self, name: str) -> None:
        if self.flips_a_bit:
            self._flip()
        if self.restores_backup:
            self._restore()
        self.start(name)
        self.checker.follow(MemoryStore(SimulatedDisk(self.disk.read())))
        self.check_told()

    def _flip(self) -> None:
        self.flips_a_bit = False
        damaged = self.disk.crash()
        if not damaged.length:
            return
        damaged.flip(self.chance.randrange(damaged.length * 8))
        try:
            MemoryStore(damaged)
        except StoreBroken:
            self.happened["bit flipped"] += 1
        else:
            self.tell("a flipped bit was not found")

    def _restore(self) -> None:
        self.restores_backup = False
        if not self.backup or not self._signed():
            return
        old = MemoryStore(SimulatedDisk(self.backup))
        report = verified(old, self._signed())
        exported = verified(MemoryStore(SimulatedDisk(self.disk.crash().read())), self._signed())
        if exported.fault:
            self.tell(f"the record does not stand against its heads: {exported.fault}")
        if report.fault:
            self.happened["old backup restored"] += 1
        elif self._said_more_than(old):
            self.tell("an old backup was not noticed")

    def _signed(self) -> list[str]:
        return [archive.text for archive in self.archives.values() if archive.text]

    def _said_more_than(self, old: MemoryStore) -> bool:
        said = [json.loads(line) for text in self._signed() for line in text.splitlines() if line]
        reached = old.heads()
        return any(
            entry["sequence"] > reached.get(entry["stream"], Head()).sequence for entry in said if "stream" in entry
        )

    def owner(self, table: str) -> Process | None:
        """Return the process that runs a table, if one does."""
        found = [process for process in self.processes.values() if table in process.house.tables]
        return next((item for item in found if item.awake.is_set()), found[0] if found else None)

    def live(self, table: str) -> LiveTable | None:
        """Return a table as the process that runs it has it."""
        process = self.owner(table)
        return process.house.live(table) if process else None

    def purse_cents(self, person: str) -> int:
        """Return what a person holds with the house."""
        return self.checker.balances[f"purse:{person}"]

    def watch(self, live: LiveTable, entries: tuple[Entry, ...]) -> None:
        """Look over people's shoulders after something happened at a table."""
        seated = sorted(set(live.seats.values()))
        people = [None, self.chance.choice(seated)] if seated else [None]
        self.checker.hides(live, entries, people)
        if live.table == "a" and self.reader.push(live.head.sequence):
            self.happened["slow reader dropped"] += 1

    def acknowledged(self, asked: Asked, done: Done) -> None:
        """Note the answer that the sender of a command got."""
        entries = tuple((entry.stream, entry.sequence, entry.hash) for entry in done.entries)
        if asked.id not in self.told:
            self.accepted[str(asked.body.get("kind"))] += 1
        if self.told.setdefault(asked.id, entries) != entries:
            self.tell(f"{asked.id} was answered in two ways")

    def check_told(self) -> None:
        """Check that everything anyone was told is in the record."""
        for command, entries in self.told.items():
            self.checker.acknowledged(entries, command)

    def check_all(self) -> None:
        """Make every check there is at this moment, the verifier's included."""
        store = MemoryStore(SimulatedDisk(self.disk.read()))
        self.checker.follow(store)
        self.check_told()
        for table in self.tables:
            live = self.live(table)
            if live is not None:
                self.checker.compare(live)
        for process in self.processes.values():
            controls, kept = process.house.controls, self.checker.controls
            if controls.head == kept.head and controls.state != kept.state:
                self.tell(f"the controls of {process.name} differ from their record")
            patrons = process.house.patrons
            if patrons.head == kept.patrons_head and patrons.state != kept.patrons:
                self.tell(f"what {process.name} knows of patrons differs from their record")
            shared = process.house.progressive(PROGRESSIVE)
            if (
                shared.head == self.checker.heads.get(shared.stream)
                and shared.state != self.checker.progressives[shared.state.name]
            ):
                self.tell(f"the meters of {process.name} differ from their record")
        for command in self.told:
            if store.command(command) is None:
                self.tell(f"{command} was acknowledged and is not kept")

    def check_verifier(self) -> None:
        """Export the heads and the record, and let the independent verifier read both."""
        for process in self.processes.values():
            process.heads.follow_all(process.store.heads())
            process.heads.export()
        report = verified(MemoryStore(SimulatedDisk(self.disk.read())), self._signed())
        if report.fault:
            self.tell(f"the verifier says: {report.fault}")
