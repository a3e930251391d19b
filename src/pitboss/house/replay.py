"""Replay: a recorded round step by step, from the record only, and decided again by the rules."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from pitboss.cards.deck import Card, face
from pitboss.house.live_table.evolve import Reading, evolve
from pitboss.house.live_table.sealed_events import Opener, opened
from pitboss.house.live_table.state import LiveTable
from pitboss.house.live_table.table_terms import ReadTerms
from pitboss.record.entries import Entry, Head, digest, head_of
from pitboss.record.evidence import UnknownRound
from pitboss.record.seal import open_card
from pitboss.round import view as view_of_play
from pitboss.round.again import Disagreement, decided_again
from pitboss.round.events import Event
from pitboss.round.view import RoundView
from pitboss.rules.dealing import BURN

BEGUN, ENDED, SEAL_OPENED, ROUND = "house.RoundBegun", "house.RoundEnded", "house.SealOpened", "round"
DISPUTES = ("house.DisputeReported", "house.DisputeResolved")
LAST_ROUNDS = 10

OpenerOf = Callable[[str, str], Opener]  # by the round's name and the id of its key


class StillSealed(LookupError):
    """The key to a round's dealt cards isn't published yet."""


class DamagedRecord(LookupError):
    """A stream's entries don't form a chain."""


class Step(NamedTuple):
    """An entry of a round, its event of play if it has one, and the table after it."""

    entry: Entry
    event: Event | None
    live: LiveTable

    @property
    def public(self) -> RoundView:
        """Return the round after this step as anyone at the table saw it."""
        assert self.live.play is not None, "a step is one of a round"
        return view_of_play(self.live.play)


class Recalled(NamedTuple):
    """A round reconstructed from its record."""

    round: str
    steps: tuple[Step, ...]
    is_over: bool
    disagreements: tuple[Disagreement, ...]

    def cards(self, step: Step) -> Mapping[str, tuple[str, ...]]:
        """Return every card dealt up to a step, for authorized readers, or raise StillSealed."""
        if not self.is_over:
            raise StillSealed(_sealed(self.round))
        assert step.live.play is not None, "a step is one of a round"
        held = step.live.play.cards
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
    return {entry.body["round"]: entry.body["dealt_key"] for entry in entries if entry.kind == SEAL_OPENED}


def recall(entries: Iterable[Entry], round_id: str, read_terms: ReadTerms, opener: OpenerOf | None = None) -> Recalled:
    """Return a round from a table's whole stream, or raise UnknownRound, or StillSealed without the house's opener."""
    stream = tuple(entries)
    if not any(entry.kind == BEGUN and entry.body["round"] == round_id for entry in stream):
        raise UnknownRound(f"This record has no round {round_id}.")
    keys = published_keys(stream)

    def published(name: str, key: str) -> Opener:
        return PublishedKey(name, keys)

    steps = tuple(_steps(stream, round_id, Reading(read_terms, opener or published)))
    played = [step.event for step in steps if step.event is not None]
    first = steps[0].live.play
    assert first is not None, "a round that has begun is played"
    is_over = any(step.entry.kind == ENDED for step in steps)
    return Recalled(round_id, steps, is_over, tuple(decided_again(first.rules, played)))


def rounds_of(entries: Iterable[Entry], last: int = LAST_ROUNDS + 1) -> tuple[str, ...]:
    """Return the names of a table's last rounds, newest last; the newest may still be in progress."""
    return tuple([entry.body["round"] for entry in entries if entry.kind == BEGUN][-last:])


def checked(entries: Iterable[Entry]) -> Iterator[Entry]:
    """Yield a stream's entries from the first, or raise DamagedRecord if one doesn't follow the one before."""
    head = Head()
    for entry in entries:
        fields: dict[str, Any] = entry._asdict()
        told = fields.pop("hash")
        if (entry.sequence, entry.previous) != (head.sequence + 1, head.hash) or digest(fields) != told:
            raise DamagedRecord(f"The record has no sound entry {head.sequence + 1} of {entry.stream}.")
        head = head_of(entry)
        yield entry


def _sealed(round_id: str) -> str:
    return f"The cards of round {round_id} are sealed until it is over."


def _steps(stream: Iterable[Entry], round_id: str, reading: Reading) -> Iterator[Step]:
    live, within, has_ended = None, False, False
    for entry in stream:
        if has_ended and entry.kind == BEGUN:
            return
        live = live or LiveTable(entry.stream.partition("/")[2])
        live = evolve(live, entry, reading)
        within = within or (entry.kind == BEGUN and entry.body["round"] == round_id)
        if not within:
            continue
        room, _, kind = entry.kind.partition(".")
        if has_ended and room != ROUND and entry.kind not in DISPUTES:
            continue  # after a round, only a dispute about it still belongs to it
        has_ended = has_ended or entry.kind == ENDED
        event = opened(kind, entry.body, reading.opener(live.round, live.key))[0] if room == ROUND else None
        yield Step(entry, event, live)
