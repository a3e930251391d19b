"""Reads keys of the expected type from a TOML table and collects a fault for every other key."""

import re
from collections.abc import Callable, Iterable, Mapping
from difflib import get_close_matches
from typing import TypeVar

from pitboss.submission.document import ONLY_METER
from pitboss.submission.fault import Fault

MOST_CENTS = 10**13  # a hundred billion dollars; more is a typing error
_BARE = re.compile(r"[A-Za-z0-9_-]+")
_KINDS: tuple[tuple[type, str], ...] = (
    (bool, "true or false"),
    (int, "a whole number"),
    (float, "a number with a decimal point"),
    (str, "text"),
    (dict, "a table"),
    (list, "a list"),
)
Kind = TypeVar("Kind")


class WrongKind(ValueError):
    """A value that its key does not accept; the message says what it accepts."""


class Keys:
    """A TOML table, its place in the file and the faults found so far."""

    def __init__(
        self,
        content: Mapping[str, object],
        where: str,
        table: str | None,
        faults: list[Fault],
        path: tuple[str, ...] = (),
    ) -> None:
        self.content = content
        self.where = where
        self.path = path  # the keys that lead here, without a table's number
        self.table = table
        self.faults = faults
        self._asked: set[str] = set()

    def place(self, key: str) -> str:
        """Return the path of a key in the file."""
        return place(self.where, key)

    def fault(self, key: str, reason: str) -> None:
        """Record what is wrong with a key."""
        self.faults.append(Fault(self.table, self.place(key), reason, path=(*self.path, key)))

    def take(self, key: str, kind: Callable[[object], Kind], *, missing: str = "") -> Kind | None:
        """Return a key's value, or None if it is missing or wrong; `missing` says what to add."""
        self._asked.add(key)
        if key not in self.content:
            if missing:
                self.fault(key, f"{key} is missing; {missing}")
            return None
        try:
            return kind(self.content[key])
        except WrongKind as wrong:
            self.fault(key, f"{key} {wrong}")
            return None

    def inside(self, key: str) -> "Keys":
        """Return the table under a key; empty if it is missing or not a table."""
        content = self.take(key, table)
        return Keys(content or {}, self.place(key), self.table, self.faults, (*self.path, key))

    def finish(self) -> None:
        """Record a fault for every key that nothing read."""
        for key in self.content:
            if key not in self._asked:
                self.fault(key, f"There is no key called {shown(key)} here; {nearest(key, self._asked)}")


def place(where: str, key: str) -> str:
    """Return the path of a key, quoted if TOML requires it."""
    named = key if _BARE.fullmatch(key) else shown(key)
    return f"{where}.{named}" if where else named


def shown(text: str) -> str:
    """Return a text quoted for a sentence, shortened if it is long."""
    return '"' + (text if len(text) <= 40 else text[:37] + "...").replace("\n", " ") + '"'


def listed(names: Iterable[str]) -> str:
    """Return names joined with commas and `or`."""
    *most, last = names
    return f"{', '.join(most)} or {last}" if most else last


def nearest(name: str, known: Iterable[str]) -> str:
    """Suggest the known name that was probably meant."""
    known = sorted(known)
    close = get_close_matches(name, known, 1)
    if close:
        return f"did you mean {close[0]}?"
    return f"use {listed(known)}" if known else "remove it"


def text(value: object) -> str:
    """Accept text that is not blank."""
    if not isinstance(value, str):
        raise WrongKind(f"must be text in quotes, not {_kind(value)}")
    if not value.strip():
        raise WrongKind("must not be blank")
    return value.strip()


def number(value: object) -> int:
    """Accept a whole number of a plausible size."""
    if isinstance(value, bool) or not isinstance(value, int):
        raise WrongKind(f"must be a whole number, not {_kind(value)}")
    if abs(value) > MOST_CENTS:
        raise WrongKind("is too large; check for a typing error")
    return value


def cents(value: object) -> int:
    """Accept a positive amount in cents."""
    amount = number(value)
    if amount <= 0:
        raise WrongKind(f"must be a positive number of cents, not {amount}")
    return amount


def flag(value: object) -> bool:
    """Accept true or false."""
    if not isinstance(value, bool):
        raise WrongKind(f"must be true or false, not {_kind(value)}")
    return value


def table(value: object) -> Mapping[str, object]:
    """Accept a table of keys."""
    if not isinstance(value, dict):
        raise WrongKind(f"must be a table of keys, not {_kind(value)}")
    return value


def texts(value: object) -> tuple[str, ...]:
    """Accept a list of texts."""
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise WrongKind("must be a list of quoted strings")
    return tuple(value)


def choice(value: object) -> str | int:
    """Accept text or a whole number."""
    return value.strip() if isinstance(value, str) else number(value)


def texts_by_name(value: object) -> Mapping[str, str]:
    """Accept a table of texts."""
    return {name: _within(name, text, item) for name, item in table(value).items()}


def cents_by_meter(value: object) -> Mapping[str, int]:
    """Accept one amount, or an amount for each meter."""
    if not isinstance(value, dict):
        return {ONLY_METER: cents(value)}
    return {name: _within(name, cents, item) for name, item in value.items()}


def texts_by_meter(value: object) -> Mapping[str, str]:
    """Accept one text, or a text for each meter."""
    return texts_by_name(value) if isinstance(value, dict) else {ONLY_METER: text(value)}


def _within(name: str, kind: Callable[[object], Kind], value: object) -> Kind:
    try:
        return kind(value)
    except WrongKind as wrong:
        raise WrongKind(f"of {shown(name)} {wrong}") from None


def _kind(value: object) -> str:
    return next((title for kind, title in _KINDS if isinstance(value, kind)), "a date or time")
