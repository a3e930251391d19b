"""A floor that can be reset to an earlier moment and continued with different hidden cards."""

import json
import random
import re
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

from house.floors import AnythingFiled, Chance, Clock, Everyone, Floor, read_terms
from house.stacking import before_the_cut, cut_ahead
from pitboss.cards.deck import Card, Deck
from pitboss.house.live_table import commands
from pitboss.house.live_table.console import console
from pitboss.house.live_table.deck_order import commitment_of
from pitboss.house.live_table.state import LiveTable
from pitboss.house.money.money_balances import Accounts
from pitboss.house.running_tables import Answer, Asked, Done, House, Outside
from pitboss.record.entries import Entry, Head, canonical, line_of
from pitboss.record.group_commit import Health
from pitboss.record.keys import Keyring, MasterKey
from pitboss.record.store import Batch, KeptCommand, Lease, Outcome, Repeated, StoredSnapshot, Weighing, entries_of
from pitboss.round.state import ASKING, AWAITING_METER, AWAITING_VERIFICATION
from pitboss.rules.dealing import BURN
from pitboss.rules.plain import plain
from pitboss.rules.refusal import Refusal
from pitboss.server.live.open_sockets import OpenSockets
from pitboss.server.live.sockets import Hub, frame_of
from pitboss.server.live.views import summaries, table_summary, written
from pitboss.server.routes.tables import acknowledgement

TABLE = "t"
SPECTATOR, AUDITOR, STAFF, LOBBY = "a spectator", "an auditor", "flo", "the lobby"
SEATED = {"ann": 1, "ben": 2, "cy": 3}
_HEX = re.compile(r"[0-9a-f]{64}")
_SEALED = re.compile(r'("sealed(?:_order)?":")([^"]+)"')


class RewindableStore:
    """A record in memory that can be cut back to where it once ended."""

    is_shared = False

    def __init__(self) -> None:
        self.entries: dict[str, list[Entry]] = defaultdict(list)
        self.commands: dict[str, KeptCommand] = {}

    def commit(self, batches: Sequence[Batch], snapshots: Sequence[StoredSnapshot] = ()) -> list[Outcome]:
        """Record batches and say of each how it went; snapshots are not needed here."""
        weighing = Weighing(self.heads(), self.commands, {})
        for batch in batches:
            weighing.weigh(batch)
        for entry in weighing.written:
            self.entries[entry.stream].append(entry)
        return [
            Repeated(entries_of(self, outcome)) if isinstance(outcome, KeptCommand) else outcome
            for outcome in weighing.outcomes
        ]

    def read(self, stream: str, after: int = 0, kinds: Collection[str] = ()) -> Iterator[Entry]:
        """Give a stream's entries after a sequence, of some kinds or of all."""
        yield from (entry for entry in self.entries[stream][after:] if not kinds or entry.kind in kinds)

    def lines(self, stream: str, after: int = 0, until: int | None = None) -> Iterator[str]:
        """Give a stream's lines after one sequence and up to another."""
        yield from map(line_of, self.entries[stream][after:until])

    def unchecked_lines(self, stream: str, until: int | None = None) -> Iterator[str]:
        """Yield a stream's lines."""
        return self.lines(stream, until=until)

    def heads(self, streams: Collection[str] | None = None) -> dict[str, Head]:
        """Return where every stream ends."""
        return {stream: Head(kept[-1].sequence, kept[-1].hash) for stream, kept in self.entries.items() if kept}

    def command(self, command: str) -> KeptCommand | None:
        """Return what is kept of a command, if it was accepted."""
        return self.commands.get(command)

    def snapshots(self, stream: str) -> tuple[StoredSnapshot, ...]:
        """Return no snapshot: there is none."""
        return ()

    def acquire(self, name: str, owner: str, *, now_ms: int, until_ms: int) -> Lease | None:
        """Give nobody a lease: one process runs all tables."""
        return None

    def renew(self, lease: Lease, *, until_ms: int) -> Lease | None:
        """Renew nothing."""
        return None

    def release(self, lease: Lease) -> None:
        """Take nothing back."""

    def close(self) -> None:
        """Let go of nothing."""


class AtOnce:
    """Commits each batch as it comes."""

    health = Health.OPEN

    def __init__(self, store: RewindableStore) -> None:
        self._store = store

    async def commit(self, batch: Batch) -> Outcome:
        """Return how a batch went."""
        return self._store.commit([batch])[0]

    def keep(self, snapshot: StoredSnapshot) -> None:
        """Keep no snapshot."""


class Move(NamedTuple):
    """A command that a person gave, or a look that everyone took."""

    person: str
    role: str
    body: Mapping[str, Any]
    token: int | None = None
    seen: int | None = None
    at: int | None = None  # when it was made the first time
    discards: int | None = None  # which of the seat's cards, whatever that is in another world


class Moment(NamedTuple):
    """How far a round had come: how much each was sent, who had seen what."""

    sent: dict[str, int]
    known: dict[str, set[int]]
    opened: bool


class Viewer(NamedTuple):
    """A viewer, with only the attributes that a view needs."""

    name: str
    roles: tuple[str, ...] = ()


class Line:
    """A connection that keeps what is sent over it."""

    def __init__(self, worlds: "Worlds", name: str) -> None:
        self.guest, self.table = Viewer(name), TABLE
        self.send = partial(worlds.tell, name)


class Mark(NamedTuple):
    """A moment of a floor."""

    live: LiveTable
    shared: tuple[tuple[Any, Any, Head, int], ...]
    ends: dict[str, int]
    kept: dict[str, KeptCommand]
    now: int
    tokens: Any
    number: int


class Worlds(Floor):
    """One floor, the moments it is reset to, and every text that anyone was sent since."""

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self.clock = Clock()
        self.chance = random.Random(seed)
        self.store: Any = RewindableStore()
        self.writer = AtOnce(self.store)
        self.tokens = Chance(seed + 1)
        self.keyring = Keyring((MasterKey(random.Random(seed).randbytes(32)),))
        self.order: tuple[Card, ...] = ()  # in which the cards of the round that comes leave the deck
        outside = Outside(self.clock, self.tokens, self._shuffled)
        filings = AnythingFiled(self.store)
        self.house = House(
            self.store, self.writer, outside, self.keyring, read_terms, people=Everyone(), filings=filings
        )
        self.number = 0
        self.viewers: tuple[str, ...] = (SPECTATOR,)  # whose views are kept
        self.moves: list[Move] | None = None  # kept if the moves will be repeated
        self.begin_again()

    def _shuffled(self, deck: Deck) -> tuple[Card, ...]:
        assert set(self.order) == set(deck.cards), "the round's deck was laid out"
        cards = self.house.live(TABLE).cards
        assert cards is not None
        return before_the_cut(self.order, cut_ahead(cards))

    def begin_again(self) -> None:
        """Forget what was sent, and who saw what."""
        self.sent: dict[str, list[str]] = defaultdict(list)
        self.known: dict[str, set[int]] = defaultdict(set)  # by viewer: the positions of the deck that were seen
        running = self.house.tables.get(TABLE)
        self.past = running.live.round if running else ""  # the round before the one that is compared
        self.opened = False  # whether the key to the dealt cards was published
        self.named: dict[int, Any] = {}  # the orders whose commitments are among the secrets
        self.secrets: dict[str, str] = {}  # values that always differ between worlds, and their placeholders
        self.sockets: OpenSockets[Any] = OpenSockets()
        self.hub = Hub(self)
        self.house.events.changed[:] = [self.hub.changed, self._happened]

    def mark(self) -> Mark:
        """Return this moment."""
        shared = self.house.progressives.values()
        return Mark(
            live=self.house.live(TABLE),
            shared=tuple((item, item.state, item.head, item.at) for item in shared),
            ends={stream: len(kept) for stream, kept in self.store.entries.items()},
            kept=dict(self.store.commands),
            now=self.clock.now,
            tokens=self.tokens._random.getstate(),
            number=self.number,
        )

    def rewind(self, mark: Mark) -> None:
        """Be at that moment again."""
        self.house.tables[TABLE].live = mark.live
        for stream, state, head, at in mark.shared:
            stream.state, stream.head, stream.at = state, head, at
        for stream, kept in self.store.entries.items():
            del kept[mark.ends.get(stream, 0) :]
        self.store.commands = dict(mark.kept)
        self.house.money = Accounts(self.store, self.house.snapshots)  # which reads them again
        self.clock.now, self.number = mark.now, mark.number
        self.tokens._random.setstate(mark.tokens)
        self.begin_again()

    async def ask(self, table: str, person: str, role: str, body: Any, **rest: Any) -> Answer:
        """Send a command at the table, and keep the answer."""
        data = body if isinstance(body, Mapping) else commands.data_of(body)
        return await self.perform(Move(person, role, data, rest.get("token"), rest.get("seen")))

    async def perform(self, move: Move) -> Answer:
        """Make a move; a card that a reader reports is the one that lies on top in this world."""
        self.clock.now = move.at or self.clock.now + 1
        live, body = self.house.live(TABLE), dict(move.body)
        if body.get("kind") == "ReadCard" and move.role == "dealer":
            body["card"] = self.order[live.drawn]
        held = live.play.cards.get(body.get("seat", ""), ()) if live.play is not None else ()
        if move.discards is not None:
            body["discard"] = held[move.discards]
        elif body.get("discard") in held:
            move = move._replace(discards=held.index(body["discard"]))
        asked = Asked(self.command_id(), move.person, (move.role,), body, move.token, move.seen)
        answer = await self.house.do(TABLE, asked)
        if isinstance(answer, Done):
            told = written(acknowledgement(self, TABLE, asked.id, answer))
        else:
            told = canonical([answer.reason, answer.clause, answer.field])
        self.tell(move.person, told)
        self._seen_by_all(live, move)
        self._kept(move)
        return answer

    def _kept(self, move: Move) -> None:
        if self.moves is not None:
            self.moves.append(move._replace(at=self.clock.now))

    def moment(self) -> Moment:
        """Return how far the round has come."""
        counted = {item: len(texts) for item, texts in self.sent.items()}
        return Moment(counted, {item: set(places) for item, places in self.known.items()}, self.opened)

    def tell(self, recipient: str, text: str) -> None:
        """Keep what a person is sent, with placeholders for commitments and hashes."""
        self.sent[recipient].append(_HEX.sub(lambda found: self.secrets.get(found[0], found[0]), text))

    def _happened(self, live: LiveTable, entries: tuple[Entry, ...]) -> None:
        for order in (*live.orders.values(), *([live.order] if live.order else ())):
            if id(order) in self.named:
                continue
            self.named[id(order)] = order
            shuffled = {
                commitment: f"commitment {order.place_of(place)}" for place, commitment in enumerate(order.commitments)
            }
            self.secrets |= {**shuffled, commitment_of(order.commitments): "the deck's commitment"}
        for entry in entries:
            self.secrets[entry.hash] = f"hash of {entry.stream} {entry.sequence}"
            self.opened = self.opened or entry.kind == "house.SealOpened"
            line = _SEALED.sub(lambda found: f'{found[1]}{len(found[2])} letters"', line_of(entry))
            self.tell(AUDITOR, line)
        events = summaries(live, entries)
        for viewer in self.viewers:
            seated = viewer if viewer in SEATED else None
            self.tell(viewer, frame_of(self, live, seated, events))

    def look(self, move: Move) -> None:
        """Have everyone request what they can: a connection resumed, the lobby, the console."""
        live = self.house.live(TABLE)
        for viewer in self.viewers:
            line = Line(self, viewer)
            self.hub.add(line, move.seen or 0)
            self.hub.remove(line)
        self.tell(LOBBY, table_summary(self, live).model_dump_json())
        asked = Asked("", live.lease.holder or "", ("dealer",), {"kind": "BeginRound"}, live.lease.token)
        self.tell(STAFF, json.dumps(plain(console(live, self.house.means(live, asked)))))
        self._kept(move)

    def _seen_by_all(self, before: LiveTable, move: Move) -> None:
        live = self.house.live(TABLE)
        play, positions = live.play, live.positions
        if play is None or live.round == self.past:
            return
        for viewer in self.viewers:
            own = live.seats_of(viewer)
            for place, cards in play.cards.items():
                self.known[viewer] |= {positions[card] for card in _seen(play, place, cards, own) if card in positions}
        if play.phase == AWAITING_METER and play.meter is not None:
            self._is_told_of(play.cards[play.meter.seat], positions)
        if play.phase == AWAITING_VERIFICATION and play.payout is not None:
            self._is_told_of(play.cards[play.payout.seat], positions)
        acted_for = before.play.cursor if before.play is not None and before.play.phase == ASKING else None
        if move.body.get("kind") == "ActForAbsent" and acted_for is not None:
            self._is_told_of(play.cards.get(acted_for, ()), positions)  # a hand that wins at once is declared

    def _is_told_of(self, cards: tuple[Card, ...], positions: Mapping[Card, int]) -> None:
        for viewer in self.viewers:
            self.known[viewer] |= {positions[card] for card in cards}


def _seen(play: Any, place: int | str, cards: tuple[Card, ...], own: tuple[int, ...]) -> tuple[Card, ...]:
    if place == BURN:
        return ()
    if place in own:
        return cards
    turned = play.face_up.get(place, 0)
    if not isinstance(place, int):
        return cards[:turned]
    return tuple(card for card in cards if card != play.discards.get(place)) if turned else ()


__all__ = ["AUDITOR", "LOBBY", "SEATED", "SPECTATOR", "STAFF", "TABLE", "Mark", "Move", "Refusal", "Worlds"]
