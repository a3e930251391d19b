"""Events of the people as entries of the record, and back: drafts, the fold of a stream, snapshots."""

from collections.abc import Iterable, Mapping
from typing import Any

from pitboss.house.people.accounts import People, evolve
from pitboss.house.people.events import KINDS, SIGNIFICANT, Event
from pitboss.house.record import Draft, Entry
from pitboss.rules.plain import Malformed, made, plain

STREAM = "people"
FLOOR = "floor"
SIGNIFICANT_EVENT = "house.SignificantEvent"


def drafts(events: Iterable[Event]) -> tuple[Draft, ...]:
    """Return what is to be recorded of events: each in the people's stream, significant ones on the floor too."""
    recorded = []
    for event in events:
        kind = f"{STREAM}.{type(event).__name__}"
        recorded.append(Draft(STREAM, kind, plain(event), event.clause))
        if isinstance(event, SIGNIFICANT):
            body = {"event": kind, "about": event.person, "details": plain(event)}
            recorded.append(Draft(FLOOR, SIGNIFICANT_EVENT, body, event.clause))
    return tuple(recorded)


def event_of(kind: str, body: Mapping[str, Any]) -> Event:
    """Return the event of an entry's kind and body, or raise Malformed."""
    room, _, name = kind.partition(".")
    if room != STREAM or name not in KINDS:
        raise Malformed(f"{kind!r} is no event of people")
    event: Event = made(KINDS[name], body)
    return event


def events_of(entries: Iterable[Entry]) -> tuple[Event, ...]:
    """Return the events of those entries that are of the people's stream."""
    return tuple(event_of(entry.kind, entry.body) for entry in entries if entry.stream == STREAM)


def after(people: People, entries: Iterable[Entry]) -> People:
    """Return the people after entries, of which those of other streams say nothing about them."""
    for event in events_of(entries):
        people = evolve(people, event)
    return people


def people_to_data(people: People) -> dict[str, Any]:
    """Return the people as plain data, for a snapshot."""
    data: dict[str, Any] = plain(people)
    return data


def people_of(data: Mapping[str, Any]) -> People:
    """Return the people that data was made from, or raise Malformed."""
    people: People = made(People, data)
    return people
