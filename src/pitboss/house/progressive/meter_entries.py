"""A progressive's events and state as the entries of its stream and as plain data, and back."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, get_args

from pitboss.house.money.ledger import HOUSE, pool
from pitboss.house.progressive.events import ContributionReversed, ContributionTaken, Event
from pitboss.house.progressive.evolve import evolve
from pitboss.house.progressive.state import ProgressiveState
from pitboss.house.stream_names import progressive_stream
from pitboss.record.entries import Draft, Entry
from pitboss.record.snapshots import Fold
from pitboss.rules.plain import Malformed, made, plain

ROOM = "progressive"
POSTINGS = "postings"
_KINDS: dict[str, type] = {kind.__name__: kind for kind in get_args(Event)}


def drafts_of(state: ProgressiveState, events: Iterable[Event]) -> tuple[Draft, ...]:
    """Return events as drafts of the progressive's stream, each with its effect on the pool."""
    drafts = []
    for event in events:
        after = evolve(state, event)
        body = event_to_data(event)
        postings = pool_postings(state, after)
        if postings:
            body[POSTINGS] = postings
        drafts.append(Draft(progressive_stream(state.name), f"{ROOM}.{type(event).__name__}", body, event.clause))
        state = after
    return tuple(drafts)


def pool_postings(before: ProgressiveState, after: ProgressiveState) -> dict[str, int]:
    """Return what entered or left the pool in whole cents, through the house."""
    if after.meters is before.meters:
        return {}
    change = after.pool_cents - before.pool_cents
    return {pool(before.name): change, HOUSE: -change} if change else {}


def tray_cents(events: Sequence[Event]) -> int:
    """Return the whole cents that a table's tray pays for these events, negative if it gets some back."""
    taken = sum(event.from_tray_cents for event in events if isinstance(event, ContributionTaken))
    return taken - sum(event.to_tray_cents for event in events if isinstance(event, ContributionReversed))


def event_to_data(event: Event) -> dict[str, Any]:
    """Return an event as an entry's body."""
    body: dict[str, Any] = plain(event)
    return body


def event_from_data(kind: str, body: Mapping[str, Any]) -> Event:
    """Return the event in an entry's body, or raise Malformed."""
    if kind not in _KINDS:
        raise Malformed(f"{kind!r} is not a progressive event")
    event: Event = made(_KINDS[kind], {name: value for name, value in body.items() if name != POSTINGS})
    return event


def after_entry(state: ProgressiveState, entry: Entry) -> ProgressiveState:
    """Return the progressive after an entry of its stream."""
    assert entry.stream == progressive_stream(state.name), "entry belongs to another stream"
    return evolve(state, event_from_data(entry.kind.removeprefix(f"{ROOM}."), entry.body))


def state_to_data(state: ProgressiveState) -> dict[str, Any]:
    """Return a progressive as plain data, for a snapshot."""
    data: dict[str, Any] = plain(state)
    return data


def state_from_data(data: Mapping[str, Any]) -> ProgressiveState:
    """Return the progressive from its data, or raise Malformed."""
    state: ProgressiveState = made(ProgressiveState, data)
    return state


def fold_of_meters(name: str) -> Fold[ProgressiveState]:
    """Return how a progressive is computed from its entries, and how it is serialized."""
    return Fold("progressive 1", lambda: ProgressiveState(name), after_entry, state_to_data, state_from_data)
