"""Tables that run in this process: commands decided one at a time, committed, then in effect."""

import asyncio
from collections.abc import Callable, Iterator, Mapping
from contextlib import AsyncExitStack
from typing import Any, NamedTuple, Protocol, TypeVar

from pitboss.cards.deck import Card, Deck
from pitboss.house.desk import commands
from pitboss.house.desk.decide import decide
from pitboss.house.desk.evolve import Reading, evolve
from pitboss.house.desk.pen import Means
from pitboss.house.desk.purses import Moved
from pitboss.house.desk.sealing import POSTINGS
from pitboss.house.desk.snapshot import fold_of
from pitboss.house.desk.state import MONEY, Desk, progressive_stream, stream_of
from pitboss.house.desk.terms import ReadTerms
from pitboss.house.keys import Keyring
from pitboss.house.ledger import purse
from pitboss.house.outside import Clock, Randomness
from pitboss.house.people.allowed import role_for
from pitboss.house.progressive import ProgressiveState, after_entry
from pitboss.house.record import Circumstances, Draft, Entry, Head
from pitboss.house.seal import RoundSeal
from pitboss.house.shared import SharedStream
from pitboss.house.snapshots import Snapshots
from pitboss.house.store import (
    AnotherBody,
    Batch,
    Committed,
    Conflict,
    Lease,
    Outcome,
    Repeated,
    Store,
    StoreFull,
    body_digest,
    entries_of,
)
from pitboss.rules.plain import Malformed
from pitboss.rules.refusal import Refusal

ATTEMPTS = 25  # of a command whose shared streams others keep writing to
TOKEN_BYTES = 6
FLOOR = "floor"

# Commands that mean the same whatever happened at the table since their sender last looked.
COMMUTING = ("PlaceWagers", "WithdrawWagers", "TakeSeat", "LeaveSeat", "BuyIn", "CashOut", "Tip", "ReadCard")


class Asked(NamedTuple):
    """A command as somebody gave it."""

    id: str
    person: str
    roles: tuple[str, ...]
    body: Mapping[str, Any]
    token: int | None = None  # of the dealer's lease
    seen: int | None = None  # the sequence of the table's last entry that the sender had seen


class Done(NamedTuple):
    """A command that was carried out, or had been before; its entries are on disk."""

    entries: tuple[Entry, ...]
    again: bool = False


Answer = Done | Refusal
Listener = Callable[[Desk, tuple[Entry, ...]], None]


State = TypeVar("State")
DecideShared = Callable[[State, int], tuple[Draft, ...] | Refusal]  # the state and the time
ANOTHER_CONTENT = Refusal("A command of this id was given before with another content", None, "id")
BUSY = Refusal("Too many others write to the same account or meter now; try again")


class NotHere(LookupError):
    """The table is not run by this process."""


class Writer(Protocol):
    """Commits batches, many at once, and answers when they are on disk."""

    async def commit(self, batch: Batch) -> Outcome:
        """Return how a batch went."""
        ...


class Outside(NamedTuple):
    """The world around the house."""

    clock: Clock
    randomness: Randomness
    shuffle: Callable[[Deck], tuple[Card, ...]]


class RunningTable:
    """One table: its state, and the lock by which it handles one command at a time."""

    def __init__(self, desk: Desk, lease: Lease | None) -> None:
        self.desk = desk
        self.lease = lease
        self.lock = asyncio.Lock()


class House:
    """The tables of this process and what they share with all others."""

    def __init__(self, store: Store, writer: Writer, outside: Outside, keyring: Keyring, read_terms: ReadTerms) -> None:
        self.store = store
        self.writer = writer
        self.outside = outside
        self.keyring = keyring
        self.tables: dict[str, RunningTable] = {}
        self.listeners: list[Listener] = []
        self.halted: str | None = None
        self.reading = Reading(read_terms, self.seal)
        self.snapshots = Snapshots(store, keyring.current.snapshot_key())
        self.money: SharedStream[Moved] = SharedStream(MONEY, {}, _after_money)
        self.progressives: dict[str, SharedStream[ProgressiveState]] = {}
        self.money.catch_up(store)
        for stream in store.heads():
            if stream.startswith(progressive_stream("")):
                self.progressive(stream.partition("/")[2])

    def open(self, table: str, lease: Lease | None = None) -> Desk:
        """Run a table here, from where its record ends."""
        fold = fold_of(table, self.reading)
        desk = self.snapshots.restore(stream_of(table), fold).state
        self.tables[table] = RunningTable(desk, lease)
        return desk

    def desk(self, table: str) -> Desk:
        """Return the state of a table that runs here."""
        return self._table(table).desk

    async def do(self, table: str, asked: Asked) -> Answer:
        """Carry out a command at a table and return when it is on disk, or say why not."""
        if self.halted:
            return Refusal(self.halted)
        running = self._table(table)
        try:
            command = commands.command_of(asked.body)
        except Malformed as wrong:
            return Refusal(f"The command cannot be read: {wrong}", None, "body")
        async with running.lock:
            return await self._at_table(running, command, asked)

    async def at_shared(self, stream: SharedStream[State], decide_there: DecideShared[State], asked: Asked) -> Answer:
        """Carry out a command that concerns no table but what tables share."""
        if self.halted:
            return Refusal(self.halted)
        async with stream.lock:
            for _ in range(ATTEMPTS):
                at = self.outside.clock.now_ms()
                decision = decide_there(stream.state, at)
                if isinstance(decision, Refusal):
                    return self._known(asked) or decision
                by = Circumstances(asked.person, asked.roles[0], asked.id, at)
                digest = body_digest(asked.person, asked.body)
                outcome = await self._written(Batch(decision, {stream.stream: stream.head}, by, digest))
                match outcome:
                    case Committed():
                        stream.apply(outcome.entries)
                        return Done(outcome.entries)
                    case Repeated():
                        return Done(outcome.entries, again=True)
                    case Conflict():
                        stream.catch_up(self.store)
                    case Refusal():
                        return outcome
                    case _:
                        return ANOTHER_CONTENT
            return BUSY

    async def _at_table(self, running: RunningTable, command: commands.Command, asked: Asked) -> Answer:
        for _ in range(ATTEMPTS):
            desk = running.desk
            late = asked.seen not in (None, desk.head.sequence) and type(command).__name__ not in COMMUTING
            stale = Refusal(f"The table has moved on to entry {desk.head.sequence}; look again", None, "seen")
            decision = stale if late else decide(desk, command, self._means(desk, asked))
            if isinstance(decision, Refusal):
                return self._known(asked) or decision
            async with AsyncExitStack() as held:
                shared = self._shared(decision, desk)
                for stream in shared:
                    await held.enter_async_context(stream.lock)
                if shared:  # what was decided before the lock may rest on what another table has changed since
                    decision = decide(desk, command, self._means(desk, asked))
                    if isinstance(decision, Refusal):
                        return self._known(asked) or decision
                answer = await self._commit(running, decision, asked, shared)
            if answer is not None:
                return answer
        return BUSY

    async def _commit(
        self, running: RunningTable, drafts: tuple[Draft, ...], asked: Asked, shared: list[SharedStream[Any]]
    ) -> Answer | None:
        desk = running.desk
        means = self._means(desk, asked)
        expected: dict[str, Head | None] = {desk.stream: desk.head, **{one.stream: one.head for one in shared}}
        version = desk.terms.version if desk.terms else None
        by = Circumstances(asked.person, means.role, asked.id, means.at, version)
        digest = body_digest(asked.person, asked.body)
        outcome = await self._written(Batch(drafts, expected, by, digest, running.lease))
        match outcome:
            case Refusal():
                return outcome
            case Committed():
                self._apply(running, outcome.entries, shared)
                return Done(outcome.entries)
            case Repeated():
                return Done(outcome.entries, again=True)
            case AnotherBody():
                await self._reused(asked, means)
                return ANOTHER_CONTENT
            case Conflict() if outcome.stream != desk.stream:
                for stream in shared:
                    stream.catch_up(self.store)
                return None
            case _:
                del self.tables[desk.table]
                raise NotHere(f"The table {desk.table} is run elsewhere now.")

    async def _written(self, batch: Batch) -> Outcome | Refusal:
        try:
            return await self.writer.commit(batch)
        except StoreFull:
            self.halted = "The record has no room left; wagering has stopped until there is"
            return Refusal(self.halted)

    def _apply(self, running: RunningTable, entries: tuple[Entry, ...], shared: list[SharedStream[Any]]) -> None:
        desk = running.desk
        for entry in entries:
            if entry.stream == desk.stream:
                desk = evolve(desk, entry, self.reading)
        for stream in shared:
            stream.apply(entries)
        if self.snapshots.is_due(running.desk.head, desk.head):
            self.snapshots.keep(desk.stream, desk.head, fold_of(desk.table, self.reading), desk)
        running.desk = desk
        for listener in self.listeners:
            listener(desk, entries)

    async def _reused(self, asked: Asked, means: Means) -> None:
        body = {"command": asked.id, "person": asked.person}
        noted = Draft(FLOOR, "floor.CommandIdReused", body)
        again = f"{asked.id} again {means.fresh()}"
        by = Circumstances(asked.person, means.role, again, self.outside.clock.now_ms())
        await self.writer.commit(Batch((noted,), {FLOOR: None}, by, body_digest(asked.person, body)))

    def _known(self, asked: Asked) -> Answer | None:
        kept = self.store.command(asked.id)
        if kept is None:
            return None
        if kept.digest != body_digest(asked.person, asked.body):
            return ANOTHER_CONTENT
        return Done(entries_of(self.store, kept), again=True)

    def _means(self, desk: Desk, asked: Asked) -> Means:
        kind = str(asked.body.get("kind"))
        progressive = desk.terms.progressive if desk.terms else None
        return Means(
            actor=asked.person,
            role=role_for(asked.roles, kind) or (asked.roles[0] if asked.roles else ""),
            at=max(self.outside.clock.now_ms(), desk.at),  # a clock that jumps back does not reorder the record
            token=asked.token,
            reading=self.reading,
            seal=self.seal,
            key=self.keyring.current.id,
            shuffle=self.outside.shuffle,
            fresh=lambda: self.outside.randomness.token(TOKEN_BYTES).hex(),
            purse_cents=self.money.state.get(purse(asked.person), 0),
            progressive=self.progressive(progressive).state if progressive else None,
        )

    def _shared(self, drafts: tuple[Draft, ...], desk: Desk) -> list[SharedStream[Any]]:
        names = sorted({draft.stream for draft in drafts} - {desk.stream})
        return [self.money if name == MONEY else self.progressive(name.partition("/")[2]) for name in names]

    def progressive(self, name: str) -> SharedStream[ProgressiveState]:
        """Return a progressive, as far as this process has read it."""
        if name not in self.progressives:
            stream: SharedStream[ProgressiveState] = SharedStream(
                progressive_stream(name), ProgressiveState(name), after_entry
            )
            stream.catch_up(self.store)
            self.progressives[name] = stream
        return self.progressives[name]

    def _table(self, table: str) -> RunningTable:
        if table not in self.tables:
            raise NotHere(f"The table {table} is not run here.")
        return self.tables[table]

    def seal(self, round_id: str, key_id: str) -> RoundSeal:
        """Return what seals and opens the cards of a round."""
        return RoundSeal(self.keyring.by_id(key_id), round_id)


def _after_money(balances: Moved, entry: Entry) -> Moved:
    changed = dict(balances)
    for account, cents in _postings(entry):
        changed[account] = changed.get(account, 0) + cents
        assert changed[account] >= 0 or not account.startswith("purse:"), f"{account} fell below zero"
    return changed


def _postings(entry: Entry) -> Iterator[tuple[str, int]]:
    yield from entry.body.get(POSTINGS, {}).items()
