"""The tables that run in this process: commands are decided one at a time, committed, then applied."""

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine, Iterable, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple, Protocol

from pitboss.cards.deck import Card, Deck
from pitboss.house import entry_kinds
from pitboss.house.compliance.facility import check_open_versions, check_version
from pitboss.house.compliance.filings import Filings
from pitboss.house.live_table import commands
from pitboss.house.live_table.decide import decide_as
from pitboss.house.live_table.event_writer import EventWriter, Means
from pitboss.house.live_table.evolve import Reading
from pitboss.house.live_table.significant_refusals import NotedRefusal
from pitboss.house.live_table.state import LiveTable
from pitboss.house.live_table.table_snapshot import fold_of
from pitboss.house.live_table.table_terms import ReadTerms
from pitboss.house.patron_controls.play_totals import PlayTotals, account_at
from pitboss.house.people.authorization import role_for
from pitboss.house.people.people_office import PeopleStream
from pitboss.house.stream_names import ACCOUNTS, FLOOR
from pitboss.house.table_registry import NotHere, RunningTable, TableRegistry
from pitboss.house.unrecorded_commands import REUSED, floor_note, reuse_noted, stopped
from pitboss.record.entries import Circumstances, Draft, Entry, Head, head_of
from pitboss.record.group_commit import Health, InlineRunner
from pitboss.record.kept_seals import KeptSeals
from pitboss.record.keys import Keyring, KeysUnusable, MasterKey
from pitboss.record.seal import RoundSeal, SealBroken, open_text, seal_text
from pitboss.record.shared_streams import SharedStream, expected_heads
from pitboss.record.snapshots import Snapshots
from pitboss.record.store import (
    AnotherBody,
    Batch,
    Committed,
    Conflict,
    Outcome,
    Repeated,
    Stopped,
    Store,
    StoreBusy,
    StoreFull,
    Unwritable,
    body_digest,
    is_name,
    known,
)
from pitboss.record.store import Writer as RecordWriter
from pitboss.record.system_interface import Clock, Randomness, Runner
from pitboss.round import Round
from pitboss.rules.plain import Malformed
from pitboss.rules.refusal import Refusal

__all__ = ["Answer", "Asked", "Decided", "Done", "House", "NotHere", "Outside", "RunningTable", "Writer"]

ATTEMPTS = 25  # for a command whose shared streams others keep writing to
TOKEN_BYTES = 6

# Commands that mean the same whatever has happened at the table since their sender last looked.
COMMUTING = (
    "PlaceWagers",
    "WithdrawWagers",
    "TakeSeat",
    "LeaveSeat",
    "BuyIn",
    "CashOut",
    "Tip",
    "ReadCard",
    "ReaderSaw",
    "SensorSaw",
    "CallFloor",
    "NoteShift",
)


@dataclass(frozen=True)
class Asked:
    """A command as a person gave it."""

    id: str
    person: str
    roles: tuple[str, ...]
    body: Mapping[str, Any]
    token: int | None = None  # of the dealer's lease
    seen: int | None = None  # the sequence of the table's last entry that the sender had seen
    table: str = ""  # the table it was given at, if any

    @cached_property
    def digest(self) -> str:
        """Return this command's digest: the same body at another table is a different command."""
        said = [self.body, self.table] if self.table else self.body
        return body_digest(self.person, said)


class Done(NamedTuple):
    """A command that was carried out now or earlier; its entries are on disk."""

    entries: tuple[Entry, ...]
    again: bool = False


Answer = Done | Refusal
BestDiscard = Callable[[Round, int, str], Card]  # of a round and a seat, for an action
Decided = tuple[Draft, ...] | Refusal

BUSY = Refusal("This account or meter is busy. Try again")
NO_ROOM = Refusal("Storage is full. Betting is paused until space is freed")
# Stopped while there is still space to finish open rounds.
LIMITED = ("PlaceWagers", "RepeatWagers", "SensorSaw", "BuyIn", "TakeSeat", "Confirm")
STARTS_OR_STAKES = ("BeginRound", "PlaceWagers", "RepeatWagers")


class Writer(RecordWriter, Protocol):
    """Commits batches, many at once, and says how the record is doing."""

    @property
    def health(self) -> Health:
        """Return whether the record accepts new entries from tables."""
        ...


class Outside(NamedTuple):
    """The system around the house."""

    clock: Clock
    randomness: Randomness
    shuffle: Callable[[Deck], tuple[Card, ...]]


class House(TableRegistry):
    """The tables of this process, the tables of other processes that it follows, and what they all share."""

    def __init__(
        self,
        store: Store,
        writer: Writer,
        outside: Outside,
        keyring: Keyring,
        read_terms: ReadTerms,
        *,
        snapshots: Snapshots | None = None,
        people: PeopleStream,
        filings: Filings,
        best_discard: BestDiscard | None = None,  # for an absent player
        requires_readers: bool = False,  # card readers at real-money tables
        reread_keys: Callable[[], Keyring] | None = None,  # from the key file that processes share
        reader: Runner | None = None,  # of what other processes wrote
    ) -> None:
        snapshots = snapshots or Snapshots(store, keyring.current.snapshot_key())
        super().__init__(store, snapshots, Reading(read_terms, self.seal), people, reader or InlineRunner())
        self.writer = writer
        self.outside = outside
        self.keyring = keyring
        self.halted: str | None = None  # why no command is accepted, if the house's operator stopped it
        self.no_wagers: Refusal | None = None  # why no wager is accepted, while open rounds are finished
        self.filings = filings
        self._best_discard, self._reread_keys = best_discard, reread_keys
        self.requires_readers = requires_readers
        self._seals = KeptSeals(self._key, lambda: len(self.tables))
        self._limited: dict[str, asyncio.Lock] = {}  # by account
        self._under_way: set[asyncio.Task[Answer]] = set()

    async def do(self, table: str, asked: Asked) -> Answer:
        """Carry out a command at a table that this process runs; return once it is on disk, or why not."""
        running = self.running(table)
        if not running.is_here:
            raise NotHere(f"Another server runs the table {table}.")
        asked = replace(asked, table=table)
        try:
            command = commands.command_of(asked.body)
        except Malformed as wrong:
            return Refusal(f"Invalid command: {wrong}", None, "body")
        refusal = self.refuses(asked)
        if refusal:
            return refusal
        if type(command).__name__ in STARTS_OR_STAKES and (stopped := self.wagering_stopped()):
            return await self.answer_before(asked) or stopped
        return await self._to_its_end(self._at_table(running, command, asked))

    async def at_streams(
        self, streams: Sequence[SharedStream[Any]], decide_there: Callable[[int], Decided], asked: Asked
    ) -> Answer:
        """Carry out a command on shared streams, completely or not at all; entries of other streams are appended."""
        ordered = sorted(streams, key=lambda shared: shared.stream)
        return self.refuses(asked) or await self._to_its_end(self._at_streams(ordered, decide_there, asked))

    def wagering_stopped(self) -> Refusal | None:
        """Return why no round begins and no wager is accepted now, or None."""
        return NO_ROOM if self.writer.health is Health.NEARLY_FULL else self.no_wagers

    def refuses(self, asked: Asked) -> Refusal | None:
        """Return why a command is not even looked at, or None."""
        if self.halted:
            return Refusal(self.halted)
        try:
            asked.digest  # noqa: B018 -- computed here, or it can't be
        except (ValueError, TypeError, RecursionError) as wrong:
            return Refusal(f"The command can't be recorded: {wrong}", None, "body")
        if not is_name(asked.id + asked.person):
            return Refusal("A command ID must be text without NUL or invalid characters", None, "id")
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
                    if await self._was_behind(shared.stream for shared in streams):
                        continue
                    return await self._refused(asked, decision)
                answer = await self._commit_shared(streams, decision, asked, at)
                if answer is not None:
                    return answer
        return BUSY

    async def _commit_shared(
        self, streams: Sequence[SharedStream[Any]], drafts: tuple[Draft, ...], asked: Asked, at: int
    ) -> Answer | None:
        expected = expected_heads(streams, drafts)
        role = role_for(asked.roles, str(asked.body.get("kind"))) or asked.roles[0]
        by = Circumstances(asked.person, role, asked.id, at)
        outcome = await self._written(Batch(drafts, expected, by, asked.digest))
        match outcome:
            case Committed():
                self._apply_shared(streams, outcome.entries)
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
        async with running.lock, self._one_bet_at_a_time(running.live, asked):
            for _ in range(ATTEMPTS):
                if self.tables.get(running.live.table) is not running:
                    raise NotHere(f"Another server now runs the table {running.live.table}.")
                answer = await self._tried(running, command, asked)
                if answer is not None:
                    return answer
        return BUSY

    @asynccontextmanager
    async def _one_bet_at_a_time(self, live: LiveTable, asked: Asked) -> AsyncIterator[None]:
        # A player who bets at two tables at once can't exceed their limits: each bet counts before the next.
        limited = self.patrons.state.limits
        is_counted = not live.free_play and asked.body.get("kind") in LIMITED
        if not is_counted or not (limited or self.controls.state.settings.player_limits):
            yield
            return
        people = sorted({asked.person, *(account_at(player) or "" for player in live.seats.values())})
        async with AsyncExitStack() as held:
            for person in people:
                await held.enter_async_context(self._limited.setdefault(person, asyncio.Lock()))
            yield

    async def _tried(self, running: RunningTable, command: commands.Command, asked: Asked) -> Answer | None:
        live, means = running.live, self.means(running.live, asked)
        late = asked.seen not in (None, live.head.sequence) and type(command).__name__ not in COMMUTING
        stale = Refusal(f"The table has moved on to entry {live.head.sequence}. Reload it and try again", None, "seen")
        decision, means = (stale, means) if late else decide_as(live, command, means, asked.roles)
        if isinstance(decision, Refusal):
            return None if await self._was_behind(self.money.state.seen) else await self._refused(asked, decision)
        async with AsyncExitStack() as held:
            shared = self._shared(decision.drafts, live)
            for stream in shared:
                await held.enter_async_context(stream.lock)
            if self.facility in shared:
                await self._read_other_tables()
            if shared:  # a decision made before the lock may depend on something another table has changed since
                decision, means = decide_as(live, command, self.means(live, asked), asked.roles)
                if isinstance(decision, Refusal):
                    return await self._refused(asked, decision)
            return await self._commit(running, decision, (asked, means), shared)

    async def _commit(
        self,
        running: RunningTable,
        decided: EventWriter,
        by_whom: tuple[Asked, Means],
        shared: list[SharedStream[Any]],
    ) -> Answer | None:
        live, drafts, (asked, means) = running.live, tuple(decided.drafts), by_whom
        # What is only noted about the floor goes wherever its stream ends.
        expected: dict[str, Head | None] = {draft.stream: None for draft in drafts if draft.stream == FLOOR}
        expected |= {live.stream: live.head, **{stream.stream: stream.head for stream in shared}}
        version = live.terms.version if live.terms else None
        by = Circumstances(asked.person, means.role, asked.id, means.at, version)
        outcome = await self._written(Batch(drafts, expected, by, asked.digest, running.lease))
        match outcome:
            case Refusal():
                return outcome
            case Committed():
                self._apply(running, decided.live, outcome.entries, shared)
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
                raise NotHere(f"Another server now runs the table {live.table}.")

    def _lose(self, table: str) -> None:
        if self.store.is_shared:
            self.leave(table)
        else:
            del self.tables[table]

    async def _read_other_tables(self) -> None:
        # The tables are read after the stream that constrains them: everything before the head that a commit expects
        # is then known.
        head = None
        while self.store.is_shared and head != self.facility.head:
            self.facility.catch_up(self.store)
            head = self.facility.head
            await self.read_other_tables()

    async def _was_behind(self, streams: Iterable[str]) -> bool:
        # No one is refused because of what another process has changed since.
        accounts = {stream for stream in streams if stream.startswith(ACCOUNTS)}
        return self.store.is_shared and await self.catch_up(accounts)

    async def _written(self, batch: Batch) -> Outcome | Refusal:
        try:
            outcome = await self.writer.commit(batch)
        except StoreFull:
            return NO_ROOM
        except StoreBusy:
            return BUSY
        if isinstance(outcome, Unwritable):
            return Refusal(f"The command can't be recorded: {outcome.reason}", None, "body")
        if isinstance(outcome, Stopped):
            return stopped(outcome)
        return outcome

    def _apply(
        self, running: RunningTable, decided: LiveTable, entries: tuple[Entry, ...], shared: list[SharedStream[Any]]
    ) -> None:
        # The decision has already computed the table after these entries; only the hash of its head was missing.
        before = live = running.live
        own = [entry for entry in entries if entry.stream == live.stream]
        if own:
            live = decided._replace(head=head_of(own[-1]))
        if shared:
            self._apply_shared(shared, entries)
        running.live = live
        if self.snapshots.is_due(before.head, live.head):
            self.writer.keep(self.snapshots.sealed(live.stream, live.head, fold_of(live.table, self.reading), live))
        self._publish(live, entries)

    def _apply_shared(self, streams: Iterable[SharedStream[Any]], entries: tuple[Entry, ...]) -> None:
        for stream in streams:
            stream.apply_and_save(entries, self.snapshots, self.writer)

    async def _reused(self, asked: Asked) -> Refusal:
        await self._note(asked, reuse_noted(asked.id, asked.person), f"{asked.id} again {self._fresh()}")
        return REUSED

    async def _refused(self, asked: Asked, refusal: Refusal) -> Answer:
        answered = await self.answer_before(asked)
        if answered is None and isinstance(refusal, NotedRefusal):
            await self._note(asked, refusal.note, f"{asked.id} refused {self._fresh()}")
        return answered or refusal

    async def _note(self, asked: Asked, noted: Draft, command_id: str) -> None:
        role = asked.roles[0] if asked.roles else ""
        by = Circumstances(asked.person, role, command_id, self.outside.clock.now_ms())
        await self._written(floor_note(noted, by))

    async def answer_before(self, asked: Asked) -> Answer | None:
        """Return the answer to a command that is in the record already, or None."""
        before = known(self.store, asked.id, asked.digest)
        if isinstance(before, AnotherBody):
            return await self._reused(asked)
        return Done(before.entries, again=True) if before else None

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
            progressive=self.progressive(progressive).state if progressive else None,
            money=self.money.state,
            controls=self.controls.state,
            patrons=self.patrons.state,
            played=lambda person: self.played(person, live.table),
            open_text=self.opened_text,
            standing=self.people.standing,
            are_two=lambda first, second: self.people.are_two(first, second, has_money=not live.free_play),
            deals_at=lambda person: self._deals_at(person, live.table),
            entry=lambda sequence: next(iter(self.store.read(live.stream, sequence - 1)), None),
            activated=lambda: tuple(self.store.read(live.stream, kinds=(entry_kinds.SUBMISSION_ACTIVATED,))),
            keys_enrolled=lambda: frozenset(
                entry.body["key"]
                for entry in self.store.read(
                    live.stream, kinds=(entry_kinds.READER_ENROLLED, entry_kinds.SENSOR_ENROLLED)
                )
            ),
            no_wagers=self.wagering_stopped(),
            requires_readers=self.requires_readers,
            best_discard=self._best_discard,
            filing=lambda version: self.filings.of(live.table, version),
            beside_others=lambda terms: check_version(
                live.table, terms, self._live_tables(), self.filings, self.reading.read_terms
            ),
            beside_open=lambda terms: check_open_versions(live.table, terms, self._live_tables()),
        )

    def played(self, person: str, other_than: str = "") -> tuple[PlayTotals, ...]:
        """Return what a person bought and lost, and how long they sat, at every table except one."""
        lives = [running.live for name, running in tuple(self.tables.items()) if name != other_than]
        return tuple(live.played[person] for live in lives if person in live.played)

    def sealed_text(self, name: str, text: str) -> str:
        """Return a text that only the holder of the house's keys can open under the same name."""
        return seal_text(self.keyring.current, name, text)

    def opened_text(self, name: str, sealed: str) -> str | None:
        """Return a sealed text, or None if it was altered or sealed under another name."""
        try:
            return open_text(self._key(sealed.partition(".")[0]), name, sealed)
        except (KeysUnusable, SealBroken):
            return None

    def _live_tables(self) -> dict[str, LiveTable]:
        return {name: running.live for name, running in self.tables.items()}

    def is_playing(self, person: str) -> bool:
        """Say whether a person has wagers in a round that isn't over."""
        return any(person in self.glance(table).playing for table in tuple(self.tables))

    def is_dealing(self, person: str) -> bool:
        """Say whether a person holds a table in the middle of a round."""
        now = self.outside.clock.now_ms()
        lives = (running.live for running in tuple(self.tables.values()) if running.live.in_round)
        return any(live.lease.holder == person and live.lease.is_held(now) for live in lives)

    def _deals_at(self, person: str, other_than: str) -> str | None:
        now = self.outside.clock.now_ms()
        held = ((name, self.glance(name)) for name in self.tables if name != other_than)
        return next((name for name, glance in held if glance.dealer == person and now < glance.dealer_until), None)

    def _shared(self, drafts: Iterable[Draft], live: LiveTable) -> list[SharedStream[Any]]:
        names = sorted({draft.stream for draft in drafts} - {live.stream, FLOOR})  # nothing depends on what is noted
        return [self.shared(name) for name in names]

    def seal(self, round_id: str, key_id: str) -> RoundSeal:
        """Return the seal of a round's cards."""
        return self._seals.of(round_id, key_id)

    def _key(self, key_id: str) -> MasterKey:
        try:
            return self.keyring.by_id(key_id)
        except KeysUnusable:
            if self._reread_keys is None:
                raise
            self.keyring = self._reread_keys()  # another process may have rotated them
            return self.keyring.by_id(key_id)
