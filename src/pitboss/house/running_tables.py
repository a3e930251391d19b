"""The tables that run in this process: commands are decided one at a time, committed, then applied."""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Iterator, Mapping, Sequence
from contextlib import AsyncExitStack
from typing import Any, NamedTuple, Protocol, TypeVar

from pitboss.cards.deck import Card, Deck
from pitboss.house.compliance.facility import ACTIVATED, FACILITY, check_open_versions, check_version
from pitboss.house.compliance.filings import Filing, Filings
from pitboss.house.live_table import commands
from pitboss.house.live_table.decide import decide_as
from pitboss.house.live_table.event_writer import Means
from pitboss.house.live_table.evolve import Reading, evolve
from pitboss.house.live_table.sealed_events import POSTINGS
from pitboss.house.live_table.significant_refusals import FLOOR, NotedRefusal
from pitboss.house.live_table.state import MONEY, LiveTable, progressive_stream
from pitboss.house.live_table.stream_balances import Moved
from pitboss.house.live_table.table_snapshot import fold_of
from pitboss.house.live_table.table_terms import ReadTerms
from pitboss.house.money.ledger import purse
from pitboss.house.people.authorization import role_for
from pitboss.house.progressive import ProgressiveState, after_entry
from pitboss.house.table_registry import KnownTables, NotHere, RunningTable
from pitboss.record.entries import Circumstances, Draft, Entry, Head
from pitboss.record.group_commit import Health
from pitboss.record.keys import Keyring, KeysUnusable, MasterKey
from pitboss.record.seal import RoundSeal
from pitboss.record.shared_streams import SharedStream
from pitboss.record.snapshots import Snapshots
from pitboss.record.store import (
    AnotherBody,
    Batch,
    Committed,
    Conflict,
    Outcome,
    Repeated,
    Store,
    StoreBusy,
    StoredSnapshot,
    StoreFull,
    Unwritable,
    body_digest,
    entries_of,
    is_name,
)
from pitboss.record.system_interface import Clock, Randomness
from pitboss.round import Round
from pitboss.rules.plain import Malformed
from pitboss.rules.refusal import Refusal
from pitboss.table import Person

__all__ = ["FLOOR", "Answer", "Asked", "Decided", "Done", "House", "NotHere", "Outside", "RunningTable", "Writer"]

ATTEMPTS = 25  # for a command whose shared streams others keep writing to
TOKEN_BYTES = 6
SEALS_KEPT = 256  # of recently dealt rounds; deriving their keys takes longer than opening a card

# Commands that mean the same whatever has happened at the table since their sender last looked.
COMMUTING = ("PlaceWagers", "WithdrawWagers", "TakeSeat", "LeaveSeat", "BuyIn", "CashOut", "Tip", "ReadCard")


class Asked(NamedTuple):
    """A command as a person gave it."""

    id: str
    person: str
    roles: tuple[str, ...]
    body: Mapping[str, Any]
    token: int | None = None  # of the dealer's lease
    seen: int | None = None  # the sequence of the table's last entry that the sender had seen
    table: str = ""  # the table it was given at, if any

    def digest(self) -> str:
        """Return this command's digest: the same body at another table is a different command."""
        said = [self.body, self.table] if self.table else self.body
        return body_digest(self.person, said)


class Done(NamedTuple):
    """A command that was carried out now or earlier; its entries are on disk."""

    entries: tuple[Entry, ...]
    again: bool = False


Answer = Done | Refusal
Elsewhere = Callable[[str, Asked], Awaitable[Answer]]


State = TypeVar("State")
Decided = tuple[Draft, ...] | Refusal
DecideShared = Callable[[State, int], tuple[Draft, ...] | Refusal]  # the state and the time
ANOTHER_CONTENT = Refusal("A command of this id was given before with another content", None, "id")
BUSY = Refusal("Too many others write to the same account or meter now; try again")
NO_ROOM = Refusal("The record has no room left; wagering has stopped until there is")
STARTS_OR_STAKES = ("BeginRound", "PlaceWagers")  # stopped while there is still space to finish open rounds


class Writer(Protocol):
    """Commits batches, many at once, and answers when they are on disk."""

    @property
    def health(self) -> Health:
        """Return whether the record accepts new entries from tables."""
        ...

    async def commit(self, batch: Batch) -> Outcome:
        """Return the outcome of a batch."""
        ...

    def keep(self, snapshot: StoredSnapshot) -> None:
        """Save a snapshot with the next commit."""
        ...


class Outside(NamedTuple):
    """The system around the house."""

    clock: Clock
    randomness: Randomness
    shuffle: Callable[[Deck], tuple[Card, ...]]


class House(KnownTables):
    """The tables of this process, the tables of other processes that it follows, and what they all share."""

    def __init__(self, store: Store, writer: Writer, outside: Outside, keyring: Keyring, read_terms: ReadTerms) -> None:
        self.store = store
        self.writer = writer
        self.outside = outside
        self.keyring = keyring
        self.elsewhere: Elsewhere | None = None  # sends a command to a table that another process runs
        self.catch_up: Callable[[], Awaitable[bool]] | None = None  # reads others' new entries; says if there were any
        self.look_round: Callable[[], Awaitable[None]] | None = None  # reads the other processes' tables to their ends
        self.reread_keys: Callable[[], Keyring] | None = None  # reads the key file that processes share
        self.halted: str | None = None  # why no command is accepted, if the house's operator stopped it
        self.no_wagers: Refusal | None = None  # why no wager is accepted, while open rounds are finished
        self.standing: Callable[[Person], Refusal | None] = lambda person: None  # why a person may no longer act
        self.best_discard: Callable[[Round, int, str], Card] | None = None  # for an absent player
        self.filings = Filings(store)
        self.filing: Callable[[str, str], Filing | None] = self.filings.of  # by table and version
        self._seals: dict[tuple[str, str], RoundSeal] = {}
        self._under_way: set[asyncio.Task[Answer]] = set()
        super().__init__(Snapshots(store, keyring.current.snapshot_key()), Reading(read_terms, self.seal))
        self.money: SharedStream[Moved] = SharedStream(MONEY, {}, _after_money)
        self.facility: SharedStream[None] = SharedStream(FACILITY, None, lambda state, entry: state)
        self.progressives: dict[str, SharedStream[ProgressiveState]] = {}
        self.money.catch_up(store)
        self.facility.catch_up(store)
        for stream in store.heads():
            if stream.startswith(progressive_stream("")):
                self.progressive(stream.partition("/")[2])

    async def do(self, table: str, asked: Asked) -> Answer:
        """Carry out a command at a table in whichever process runs it; return once it is on disk, or why not."""
        try:
            return await self.do_here(table, asked)
        except NotHere:
            if self.elsewhere is None or table not in self.tables:
                raise
            return self._stopped(asked) or await self.elsewhere(table, asked)

    async def do_here(self, table: str, asked: Asked) -> Answer:
        """Carry out a command at a table that this process runs."""
        running = self._table(table)
        if not running.is_here:
            raise NotHere(f"The table {table} is run elsewhere.")
        asked = asked._replace(table=table)
        try:
            command = commands.command_of(asked.body)
        except Malformed as wrong:
            return Refusal(f"The command cannot be read: {wrong}", None, "body")
        refusal = self._stopped(asked)
        if refusal:
            return refusal
        if type(command).__name__ in STARTS_OR_STAKES and (stopped := self.wagering_stopped()):
            return await self._known(asked) or stopped
        return await self._to_its_end(self._at_table(running, command, asked))

    async def at_shared(self, stream: SharedStream[State], decide_there: DecideShared[State], asked: Asked) -> Answer:
        """Carry out a command about what tables share, not about a table."""
        return await self.at_streams((stream,), lambda at: decide_there(stream.state, at), asked)

    async def at_streams(
        self, streams: Sequence[SharedStream[Any]], decide_there: Callable[[int], Decided], asked: Asked
    ) -> Answer:
        """Carry out a command on shared streams, completely or not at all; entries of other streams are appended."""
        ordered = sorted(streams, key=lambda shared: shared.stream)
        return self._stopped(asked) or await self._to_its_end(self._at_streams(ordered, decide_there, asked))

    def wagering_stopped(self) -> Refusal | None:
        """Return why no round begins and no wager is accepted now, or None."""
        return NO_ROOM if self.writer.health is Health.NEARLY_FULL else self.no_wagers

    def _stopped(self, asked: Asked) -> Refusal | None:
        if self.halted:
            return Refusal(self.halted)
        try:
            asked.digest()
        except (ValueError, TypeError, RecursionError) as wrong:
            return Refusal(f"The command cannot be recorded: {wrong}", None, "body")
        if not is_name(asked.id + asked.person):
            return Refusal("A command's id is text without empty or broken characters", None, "id")
        return None

    async def _to_its_end(self, work: Coroutine[Any, Any, Answer]) -> Answer:
        # The caller may go away in the meantime; what is on disk must still take effect.
        task = asyncio.create_task(work)
        self._under_way.add(task)
        task.add_done_callback(self._under_way.discard)
        return await asyncio.shield(task)

    async def _at_streams(
        self, streams: Sequence[SharedStream[Any]], decide_there: Callable[[int], Decided], asked: Asked
    ) -> Answer:
        async with AsyncExitStack() as held:
            for stream in streams:
                await held.enter_async_context(stream.lock)
            for _ in range(ATTEMPTS):
                at = max([self.outside.clock.now_ms(), *(shared.at for shared in streams)])
                decision = decide_there(at)
                if isinstance(decision, Refusal):
                    if await self._was_behind():
                        continue
                    return await self._known(asked) or decision
                answer = await self._commit_shared(streams, decision, asked, at)
                if answer is not None:
                    return answer
        return BUSY

    async def _commit_shared(
        self, streams: Sequence[SharedStream[Any]], drafts: tuple[Draft, ...], asked: Asked, at: int
    ) -> Answer | None:
        expected: dict[str, Head | None] = {draft.stream: None for draft in drafts}
        expected |= {shared.stream: shared.head for shared in streams}
        role = role_for(asked.roles, str(asked.body.get("kind"))) or asked.roles[0]
        by = Circumstances(asked.person, role, asked.id, at)
        outcome = await self._written(Batch(drafts, expected, by, asked.digest()))
        match outcome:
            case Committed():
                for stream in streams:
                    stream.apply(outcome.entries)
                return Done(outcome.entries)
            case Repeated():
                return Done(outcome.entries, again=True)
            case Conflict():
                for stream in streams:
                    stream.catch_up(self.store)
                return None
            case Refusal():
                return outcome
            case _:
                return await self._reused(asked)

    async def _at_table(self, running: RunningTable, command: commands.Command, asked: Asked) -> Answer:
        async with running.lock:
            for _ in range(ATTEMPTS):
                if self.tables.get(running.live.table) is not running:
                    raise NotHere(f"The table {running.live.table} is run elsewhere now.")
                answer = await self._tried(running, command, asked)
                if answer is not None:
                    return answer
        return BUSY

    async def _tried(self, running: RunningTable, command: commands.Command, asked: Asked) -> Answer | None:
        live, means = running.live, self.means(running.live, asked)
        late = asked.seen not in (None, live.head.sequence) and type(command).__name__ not in COMMUTING
        stale = Refusal(f"The table has moved on to entry {live.head.sequence}; look again", None, "seen")
        decision, means = (stale, means) if late else decide_as(live, command, means, asked.roles)
        if isinstance(decision, Refusal):
            return None if await self._was_behind() else await self._refused(asked, decision)
        async with AsyncExitStack() as held:
            shared = self._shared(decision, live)
            for stream in shared:
                await held.enter_async_context(stream.lock)
            if self.facility in shared:
                await self._look_round()
            if shared:  # a decision made before the lock may depend on something another table has changed since
                decision, means = decide_as(live, command, self.means(live, asked), asked.roles)
                if isinstance(decision, Refusal):
                    return await self._refused(asked, decision)
            return await self._commit(running, decision, (asked, means), shared)

    async def _commit(
        self,
        running: RunningTable,
        drafts: tuple[Draft, ...],
        by_whom: tuple[Asked, Means],
        shared: list[SharedStream[Any]],
    ) -> Answer | None:
        live, (asked, means) = running.live, by_whom
        expected: dict[str, Head | None] = {live.stream: live.head, **{stream.stream: stream.head for stream in shared}}
        version = live.terms.version if live.terms else None
        by = Circumstances(asked.person, means.role, asked.id, means.at, version)
        outcome = await self._written(Batch(drafts, expected, by, asked.digest(), running.lease))
        match outcome:
            case Refusal():
                return outcome
            case Committed():
                self._apply(running, outcome.entries, shared)
                return Done(outcome.entries)
            case Repeated():
                return Done(outcome.entries, again=True)
            case AnotherBody():
                return await self._reused(asked)
            case Conflict() if outcome.stream != live.stream:
                for stream in shared:
                    stream.catch_up(self.store)
                return None
            case _:
                if self.tables.get(live.table) is running:
                    self._lose(live.table)
                raise NotHere(f"The table {live.table} is run elsewhere now.")

    def _lose(self, table: str) -> None:
        if self.elsewhere is None:
            del self.tables[table]
        else:
            self.leave(table)

    async def _look_round(self) -> None:
        # The tables are read after the stream that constrains them: everything before the head that a commit expects
        # is then known.
        head = None
        while self.look_round is not None and head != self.facility.head:
            self.facility.catch_up(self.store)
            head = self.facility.head
            await self.look_round()

    async def _was_behind(self) -> bool:
        # No one is refused because of what another process has changed since.
        return self.catch_up is not None and await self.catch_up()

    async def _written(self, batch: Batch) -> Outcome | Refusal:
        try:
            outcome = await self.writer.commit(batch)
        except StoreFull:
            return NO_ROOM
        except StoreBusy:
            return BUSY
        if isinstance(outcome, Unwritable):
            return Refusal(f"The command cannot be recorded: {outcome.reason}", None, "body")
        return outcome

    def _apply(self, running: RunningTable, entries: tuple[Entry, ...], shared: list[SharedStream[Any]]) -> None:
        live = running.live
        for entry in entries:
            if entry.stream == live.stream:
                live = evolve(live, entry, self.reading)
        for stream in shared:
            stream.apply(entries)
        before, running.live = running.live, live
        if self.snapshots.is_due(before.head, live.head):
            self.writer.keep(self.snapshots.sealed(live.stream, live.head, fold_of(live.table, self.reading), live))
        for listener in self.listeners:
            listener(live, entries)

    async def _reused(self, asked: Asked) -> Refusal:
        body = {"command": asked.id, "person": asked.person}
        await self._note(asked, Draft(FLOOR, "floor.CommandIdReused", body), f"{asked.id} again {self._fresh()}")
        return ANOTHER_CONTENT

    async def _refused(self, asked: Asked, refusal: Refusal) -> Answer:
        known = await self._known(asked)
        if known is None and isinstance(refusal, NotedRefusal):
            await self._note(asked, refusal.note, f"{asked.id} refused {self._fresh()}")
        return known or refusal

    async def _note(self, asked: Asked, noted: Draft, command_id: str) -> None:
        role = asked.roles[0] if asked.roles else ""
        by = Circumstances(asked.person, role, command_id, self.outside.clock.now_ms())
        await self._written(Batch((noted,), {FLOOR: None}, by, body_digest(asked.person, noted.body)))

    async def _known(self, asked: Asked) -> Answer | None:
        kept = self.store.command(asked.id)
        if kept is None:
            return None
        if kept.digest != asked.digest():
            return await self._reused(asked)
        return Done(entries_of(self.store, kept), again=True)

    def _fresh(self) -> str:
        return self.outside.randomness.token(TOKEN_BYTES).hex()

    def means(self, live: LiveTable, asked: Asked) -> Means:
        """Return who gives the command and what a decision at a table may need from outside it."""
        kind = str(asked.body.get("kind"))
        progressive = live.terms.progressive if live.terms else None
        return Means(
            actor=asked.person,
            role=role_for(asked.roles, kind) or (asked.roles[0] if asked.roles else ""),
            at=max(self.outside.clock.now_ms(), live.at),  # a clock that jumps back doesn't reorder the record
            token=asked.token,
            reading=self.reading,
            seal=self.seal,
            key=self.keyring.current.id,
            shuffle=self.outside.shuffle,
            fresh=self._fresh,
            purse_cents=self.money.state.get(purse(asked.person, free_play=live.free_play), 0),
            progressive=self.progressive(progressive).state if progressive else None,
            money=self.money.state,
            standing=self.standing,
            deals_at=lambda person: self._deals_at(person, live.table),
            entry=lambda sequence: next(iter(self.store.read(live.stream, sequence - 1)), None),
            activated=lambda: tuple(self.store.read(live.stream, kinds=(ACTIVATED,))),
            best_discard=self.best_discard,
            filing=lambda version: self.filing(live.table, version),
            beside_others=lambda terms: check_version(
                live.table, terms, self._live_tables(), self.filings, self.reading.read_terms
            ),
            beside_open=lambda terms: check_open_versions(live.table, terms, self._live_tables()),
        )

    def _live_tables(self) -> dict[str, LiveTable]:
        return {name: running.live for name, running in self.tables.items()}

    def _deals_at(self, person: str, other_than: str) -> str | None:
        now = self.outside.clock.now_ms()
        held = ((name, table.live.lease) for name, table in self.tables.items() if name != other_than)
        return next((name for name, lease in held if lease.holder == person and lease.is_held(now)), None)

    def _shared(self, drafts: tuple[Draft, ...], live: LiveTable) -> list[SharedStream[Any]]:
        names = sorted({draft.stream for draft in drafts} - {live.stream})
        known: dict[str, SharedStream[Any]] = {MONEY: self.money, FACILITY: self.facility}
        return [known.get(name) or self.progressive(name.partition("/")[2]) for name in names]

    def progressive(self, name: str) -> SharedStream[ProgressiveState]:
        """Return a progressive, as far as this process has read it."""
        if name not in self.progressives:
            stream: SharedStream[ProgressiveState] = SharedStream(
                progressive_stream(name), ProgressiveState(name), after_entry
            )
            stream.catch_up(self.store)
            self.progressives[name] = stream
        return self.progressives[name]

    def seal(self, round_id: str, key_id: str) -> RoundSeal:
        """Return the seal of a round's cards."""
        found = self._seals.get((round_id, key_id))
        if found is None:
            found = self._seals[round_id, key_id] = RoundSeal(self._key(key_id), round_id)
            while len(self._seals) > SEALS_KEPT:
                del self._seals[next(iter(self._seals))]
        return found

    def _key(self, key_id: str) -> MasterKey:
        try:
            return self.keyring.by_id(key_id)
        except KeysUnusable:
            if self.reread_keys is None:
                raise
            self.keyring = self.reread_keys()  # another process may have rotated them
            return self.keyring.by_id(key_id)


def _after_money(balances: Moved, entry: Entry) -> Moved:
    changed = dict(balances)
    for account, cents in _postings(entry):
        changed[account] = changed.get(account, 0) + cents
        assert changed[account] >= 0 or not account.startswith(("purse:", "deposit:")), f"{account} fell below zero"
    return changed


def _postings(entry: Entry) -> Iterator[tuple[str, int]]:
    yield from entry.body.get(POSTINGS, {}).items()
