"""Events about people as entries of the record, and back: drafts, the fold of a stream, snapshots."""

from collections.abc import Iterable, Mapping
from typing import Any

from pitboss.house.people.accounts import People, evolve
from pitboss.house.people.events import KINDS, SIGNIFICANT, Event
from pitboss.house.stream_names import FLOOR
from pitboss.record.entries import Draft, Entry
from pitboss.rules.plain import Malformed, made, plain

STREAM = "people"


def drafts(events: Iterable[Event]) -> tuple[Draft, ...]:
    """Return the drafts of events: each in the people's stream, significant ones on the floor too."""
    recorded = []
    for event in events:
        name, body = type(event).__name__, plain(event)
        recorded.append(Draft(STREAM, f"{STREAM}.{name}", body, event.clause))
        if isinstance(event, SIGNIFICANT):
            recorded.append(Draft(FLOOR, f"{FLOOR}.{name}", body, event.clause))
    return tuple(recorded)


def event_of(kind: str, body: Mapping[str, Any]) -> Event:
    """Return the event for an entry's kind and body, or raise Malformed."""
    room, _, name = kind.partition(".")
    if room != STREAM or name not in KINDS:
        raise Malformed(f"{kind!r} is not an event about people")
    event: Event = made(KINDS[name], body)
    return event


def events_of(entries: Iterable[Entry]) -> tuple[Event, ...]:
    """Return the events in those entries that belong to the people's stream."""
    return tuple(event_of(entry.kind, entry.body) for entry in entries if entry.stream == STREAM)


def evolve_entry(people: People, entry: Entry) -> People:
    """Return the people after an entry of their stream."""
    return evolve(people, event_of(entry.kind, entry.body))


def people_to_data(people: People) -> dict[str, Any]:
    """Return the people as plain data, for a snapshot."""
    data: dict[str, Any] = plain(people)
    return data


def people_of(data: Mapping[str, Any]) -> People:
    """Return the people from plain data, or raise Malformed."""
    people: People = made(People, data)
    return people
