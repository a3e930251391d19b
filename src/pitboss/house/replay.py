"""Replay: a recorded round rebuilt step by step from its entries, and decided again by the rules."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from typing import NamedTuple

from pitboss.cards.deck import Card, face
from pitboss.house import entry_kinds
from pitboss.house.live_table.evolve import ROUND, Reading
from pitboss.house.live_table.sealed_events import Opener, opened
from pitboss.house.live_table.table_terms import ReadTerms, TableTerms, UnsoundDocument
from pitboss.house.stream_names import stream_of
from pitboss.record.entries import Entry, Head, MalformedEntry, entry_of, follows, head_of
from pitboss.record.evidence import TABLES, Segment, UnknownRound, find_round, sequence_of
from pitboss.record.seal import SealBroken, open_card
from pitboss.record.store import Store
from pitboss.round import evolve, open_round
from pitboss.round import view as view_of_play
from pitboss.round.again import Disagreement, decided_again
from pitboss.round.disputed import with_named_cards
from pitboss.round.events import Event
from pitboss.round.state import Round
from pitboss.round.view import RoundView
from pitboss.rules.dealing import BURN
from pitboss.rules.plain import Malformed
from pitboss.table.conditions import rules_under

DISPUTES = (entry_kinds.DISPUTE_REPORTED, entry_kinds.DISPUTE_RESOLVED)
CONDITIONS = (
    entry_kinds.SUBMISSION_ACTIVATED,
    entry_kinds.DEALING_CHANGED,
)  # the entries that say what rounds are played under
LAST_ROUNDS = 10
_CANNOT_FOLLOW = (MalformedEntry, Malformed, SealBroken, UnsoundDocument, KeyError, AssertionError)

OpenerOf = Callable[[str, str], Opener]  # by the round's name and the id of its key


class StillSealed(LookupError):
    """The key to a round's dealt cards isn't published yet."""


class DamagedRecord(LookupError):
    """The entries don't form a chain, or no table can have written them."""


class PlayedUnder(NamedTuple):
    """The terms and the dealing method that rounds are played under."""

    terms: TableTerms
    method: str

    def begin(self) -> Round:
        """Return a round that nobody has wagered on yet."""
        return open_round(rules_under(self.terms.settings, self.method))


class Step(NamedTuple):
    """An entry of a round, its event of play if it has one, and the round after it."""

    entry: Entry
    event: Event | None
    play: Round

    @property
    def public(self) -> RoundView:
        """Return the round after this step as anyone at the table saw it."""
        return view_of_play(self.play)


class ReplayedRound(NamedTuple):
    """A round rebuilt from its entries."""

    round: str
    table: str
    terms: TableTerms
    steps: tuple[Step, ...]
    is_over: bool

    def disagreements(self) -> tuple[Disagreement, ...]:
        """Return where the rules, applied again, differ from what was recorded."""
        events = [step.event for step in self.steps if step.event is not None]
        return tuple(decided_again(self.steps[0].play.rules, events))

    def cards(self, step: Step) -> Mapping[str, tuple[str, ...]]:
        """Return every card dealt up to a step, for authorized readers, or raise StillSealed."""
        if not self.is_over:
            raise StillSealed(_sealed(self.round))
        held = step.play.cards
        return {str(place): tuple(map(face, cards)) for place, cards in held.items() if place != BURN}


class PublishedKey:
    """Opens a round's dealt cards with the key that its record publishes at the end."""

    def __init__(self, round_id: str, keys: Mapping[str, str]) -> None:
        self._round, self._keys = round_id, keys

    def open(self, position: int, sealed: str) -> Card:
        """Return a sealed card, or raise StillSealed."""
        if self._round not in self._keys:
            raise StillSealed(_sealed(self._round))
        return open_card(self._keys[self._round], self._round, position, sealed)[0]


def published_keys(entries: Iterable[Entry]) -> dict[str, str]:
    """Return the keys to dealt cards that a stream publishes, by round."""
    return {entry.body["round"]: entry.body["dealt_key"] for entry in entries if entry.kind == entry_kinds.SEAL_OPENED}


def rounds_of(entries: Iterable[Entry], last: int = LAST_ROUNDS + 1) -> tuple[str, ...]:
    """Return the names of a table's last rounds, newest last; the newest may still be in progress."""
    return tuple([entry.body["round"] for entry in entries if entry.kind == entry_kinds.ROUND_BEGUN][-last:])


def segment_of(store: Store, round_id: str) -> Segment:
    """Return where a round is, with the disputes about it; raise UnknownRound if no table has played it."""
    stream = stream_of(round_id.rsplit("-", 2)[0])  # a round's name begins with its table's
    head = store.heads((stream,)).get(stream)
    first = sequence_of(store.read(stream, kinds=(entry_kinds.ROUND_BEGUN,)), round_id) if head is not None else None
    if head is None or first is None:
        return find_round(store, round_id)
    last = sequence_of(store.read(stream, first, kinds=(entry_kinds.ROUND_ENDED,)), round_id)
    for entry in store.read(stream, last, kinds=(entry_kinds.ROUND_BEGUN, *DISPUTES)) if last else ():
        if entry.kind == entry_kinds.ROUND_BEGUN:
            break
        last = entry.sequence
    return Segment(stream, first, last or head.sequence)


def terms_at(store: Store, segment: Segment, read_terms: ReadTerms) -> PlayedUnder:
    """Return what was in force when a round began."""
    entries = store.read(segment.stream, kinds=CONDITIONS)
    return played_under((entry for entry in entries if entry.sequence < segment.first), read_terms)


def played_under(entries: Iterable[Entry], read_terms: ReadTerms) -> PlayedUnder:
    """Return what is in force after these entries of a table's stream."""
    document, method = None, None
    for entry in entries:
        if entry.kind == CONDITIONS[0]:
            document, method = entry.body["document"], None
        elif entry.kind == CONDITIONS[1]:
            method = entry.body["method"]
    assert document is not None, "a round is played under a submission"
    terms = read_terms(document)
    return PlayedUnder(terms, method or terms.settings.dealing)


def replay_recorded(store: Store, round_id: str, reading: Reading) -> ReplayedRound:
    """Replay a round from a store; raise UnknownRound, or DamagedRecord if it can't be replayed."""
    try:
        segment = segment_of(store, round_id)
        lines = store.lines(segment.stream, segment.first - 1, segment.last)
        return replay_round(map(entry_of, lines), terms_at(store, segment, reading.read_terms), reading.opener)
    except _CANNOT_FOLLOW as fault:
        raise _damaged(round_id, fault) from None


def replay_stream(
    entries: Iterable[Entry], round_id: str, read_terms: ReadTerms, opener: OpenerOf | None = None
) -> ReplayedRound:
    """Replay a round from its table's whole stream; without the house's opener a round in progress is StillSealed."""
    stream = tuple(entries)
    names = {entry.body["round"]: place for place, entry in enumerate(stream) if entry.kind == entry_kinds.ROUND_BEGUN}
    if round_id not in names:
        raise UnknownRound(f"This record has no round {round_id}.")
    keys, first = published_keys(stream), names[round_id]
    try:
        under = played_under(stream[:first], read_terms)
        return replay_round(stream[first:], under, opener or (lambda name, key: PublishedKey(name, keys)))
    except _CANNOT_FOLLOW as fault:
        raise _damaged(round_id, fault) from None


def replay_round(entries: Iterable[Entry], under: PlayedUnder, opener: OpenerOf) -> ReplayedRound:
    """Replay the round that begins with the first of these entries."""
    steps = tuple(steps_of(entries, under, opener))
    first = steps[0].entry
    is_over = any(step.entry.kind == entry_kinds.ROUND_ENDED for step in steps)
    return ReplayedRound(first.body["round"], first.stream.removeprefix(TABLES), under.terms, steps, is_over)


def steps_of(entries: Iterable[Entry], under: PlayedUnder, opener: OpenerOf) -> Iterator[Step]:
    """Yield the steps of the round that begins with the first of these entries, until the next round."""
    play, name, key, is_over = under.begin(), "", "", False
    for entry in entries:
        if entry.kind == entry_kinds.ROUND_BEGUN:
            if name:
                return
            name, key = entry.body["round"], entry.body["key"]
        room, _, kind = entry.kind.partition(".")
        event = opened(kind, entry.body, partial(opener, name, key))[0] if room == ROUND else None
        if event is not None:
            play = evolve(play, event)
        elif entry.kind == entry_kinds.DISPUTE_RESOLVED:
            play = with_named_cards(play, entry.body.get("cards", {}))
        elif is_over and entry.kind not in DISPUTES:
            continue  # after a round, only a dispute about it still belongs to it
        is_over = is_over or entry.kind == entry_kinds.ROUND_ENDED
        yield Step(entry, event, play)


def checked(entries: Iterable[Entry]) -> Iterator[Entry]:
    """Yield a stream's entries from the first, or raise DamagedRecord if one doesn't follow the one before."""
    head = Head()
    for entry in entries:
        if not follows(entry, head):
            raise DamagedRecord(
                f"The record is damaged: entry {head.sequence + 1} of {entry.stream} is missing or invalid."
            )
        head = head_of(entry)
        yield entry


def _damaged(round_id: str, fault: Exception) -> DamagedRecord:
    return DamagedRecord(f"The record of round {round_id} cannot be replayed: {fault}.")


def _sealed(round_id: str) -> str:
    return f"The cards of round {round_id} are sealed until it is over."
