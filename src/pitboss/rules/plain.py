"""Values as plain data that JSON can hold, and back to equal values by the types they are declared with."""

import re
from collections.abc import Callable, Mapping
from dataclasses import MISSING, fields, is_dataclass
from fractions import Fraction
from functools import cache
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

KIND = "kind"
_PLAIN = frozenset((str, int, bool, NoneType))
# A short text can mean a number that takes an hour to work out, such as 1e999999999.
_NUMBER = re.compile(r"[0-9]{1,18}")
_FRACTION = re.compile(r"-?[0-9]{1,500}(\.[0-9]{1,500}|/0*[1-9][0-9]{0,499})?")
Reader = Callable[[Any], Any]


class Malformed(ValueError):
    """Data that isn't the written form of any value of the requested kind."""


def plain(value: Any) -> Any:
    """Return a value as plain data."""
    if type(value) in _PLAIN:  # most are, and the checks below are slow
        return value
    if is_dataclass(value):
        return {field.name: plain(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, Mapping):
        return {_named(key): plain(held) for key, held in value.items()}
    if isinstance(value, tuple):
        if hasattr(value, "_fields"):
            return {name: plain(held) for name, held in zip(value._fields, value, strict=True)}
        return [plain(member) for member in value]
    if isinstance(value, frozenset):
        return sorted(value)
    return str(value) if isinstance(value, Fraction) else value


def _named(key: Any) -> Any:
    # JSON writes a number that keys a mapping as text, and sorts it as text when it is read again.
    return str(key) if type(key) is int else key


def with_kind(value: Any) -> dict[str, Any]:
    """Return a value as plain data that names its kind."""
    return {KIND: type(value).__name__, **plain(value)}


def of_kind(kinds: Mapping[str, type], data: Any) -> Any:
    """Return the value of one of these kinds that the data was made from, or raise Malformed."""
    kind = kinds.get(str(data.get(KIND))) if isinstance(data, Mapping) else None
    if kind is None:
        raise Malformed(f"{data!r} is not of a known kind")
    return made(kind, {name: value for name, value in data.items() if name != KIND})


def made(kind: type, data: Any, **given: Any) -> Any:
    """Return the value of a kind that the data was made from, apart from the given fields, or raise Malformed."""
    if not isinstance(data, Mapping):
        raise Malformed(f"{data!r} is not a {kind.__name__}")
    readers, needed = _readers(kind)
    unknown = data.keys() - readers.keys() | data.keys() & given.keys()
    if unknown:
        raise Malformed(f"{kind.__name__} has no {', '.join(sorted(map(str, unknown)))}")
    missing = needed - data.keys() - given.keys()
    if missing:
        raise Malformed(f"{kind.__name__} is missing {', '.join(sorted(missing))}")
    return kind(**given, **{name: readers[name](item) for name, item in data.items()})


@cache
def _readers(kind: type) -> tuple[dict[str, Reader], frozenset[str]]:
    readers = {name: _reader(hint) for name, hint in get_type_hints(kind).items()}
    if is_dataclass(kind):
        bare = [field.name for field in fields(kind) if field.default is MISSING and field.default_factory is MISSING]
        return {field.name: readers[field.name] for field in fields(kind)}, frozenset(bare)
    defaults: Mapping[str, Any] = getattr(kind, "_field_defaults", {})
    return readers, frozenset(readers.keys() - defaults.keys())


def _reader(hint: Any) -> Reader:
    origin, inner = get_origin(hint), get_args(hint)
    if origin in (UnionType, Union):  # a NewType makes the older kind
        return _union(inner)
    if origin is Literal:
        return _one_of(inner)
    if origin is tuple:
        return _list(_reader(inner[0]))
    if origin is frozenset:
        members = _list(_reader(inner[0]))
        return lambda data: frozenset(members(data))
    if origin is Mapping:
        return _mapping(_key(inner[0]), _reader(inner[1]))
    if hint is Fraction:
        return _fraction
    if hint is Any:
        return lambda data: data
    if isinstance(hint, type) and (is_dataclass(hint) or hasattr(hint, "_fields")):
        return lambda data: made(hint, data)
    return _exactly(getattr(hint, "__supertype__", hint))


def _exactly(kind: type) -> Reader:
    def read(data: Any) -> Any:
        if type(data) is not kind:
            raise Malformed(f"{data!r} is not of type {kind.__name__}")
        return data

    return read


def _one_of(values: tuple[str, ...]) -> Reader:
    def read(data: Any) -> Any:
        if type(data) is not str or data not in values:
            raise Malformed(f"{data!r} is not one of {', '.join(values)}")
        return data

    return read


def _union(kinds: tuple[Any, ...]) -> Reader:
    readers = [_reader(kind) for kind in kinds if kind is not NoneType]

    def read(data: Any) -> Any:
        if data is None and NoneType in kinds:
            return None
        for reader in readers:
            try:
                return reader(data)
            except Malformed:
                continue
        raise Malformed(f"{data!r} is not of any type allowed here")

    return read


def _list(member: Reader) -> Reader:
    def read(data: Any) -> Any:
        if not isinstance(data, list):
            raise Malformed(f"{data!r} is not a list")
        return tuple(member(item) for item in data)

    return read


def _mapping(key: Reader, value: Reader) -> Reader:
    def read(data: Any) -> Any:
        if not isinstance(data, Mapping):
            raise Malformed(f"{data!r} is not a mapping")
        return {key(name): value(item) for name, item in data.items()}

    return read


def _key(hint: Any) -> Reader:
    # JSON knows only names: a number that keys a mapping comes back as text.
    if hint is not int:
        return _reader(hint)
    return lambda data: data if type(data) is int else _number(data)


def _number(data: Any) -> int:
    if not (isinstance(data, str) and _NUMBER.fullmatch(data)):
        raise Malformed(f"{data!r} is not a number")
    return int(data)


def _fraction(data: Any) -> Fraction:
    if not (isinstance(data, str) and _FRACTION.fullmatch(data)):
        raise Malformed(f"{data!r} is not a fraction")
    return Fraction(data)
