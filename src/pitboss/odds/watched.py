"""Runs a game's readings on inputs that record what is asked of them, so that one run covers many hands.

A reading that never looked at the board is the same with any board. A reading that asked only whether the dealer's
value is above another is the same for every value above it. What a run did not ask for cannot have mattered.
"""

import operator
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pitboss.cards.deck import Card
from pitboss.rules.dealing import BOARD, BOX, DEALER
from pitboss.rules.reading import DealerReading, SeatReading, TableCards

Mask = NDArray[np.bool_]

HAND_NAME = "hand-name"  # the dealer's hand as it is announced
DEALER_CARDS = "dealer-cards"  # the cards themselves, where the value is not enough


class Needs(BaseException):
    """A reading looked at something it was not given; the place says what. A reading's own `except` can't hide it."""

    def __init__(self, place: str) -> None:
        super().__init__(place)
        self.place = place


class Blank:
    """A card that cannot be looked at: it is itself, no other card, and nothing else is known of it."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        return self is other

    __hash__ = None  # type: ignore[assignment]


class WatchedTable:
    """The table's cards, as far as they are given; looking at others ends the run."""

    __slots__ = ("_given",)

    def __init__(self, **given: tuple[Card, ...]) -> None:
        self._given = given

    @property
    def dealer(self) -> tuple[Card, ...]:
        return self._place(DEALER, DEALER_CARDS)

    @property
    def board(self) -> tuple[Card, ...]:
        return self._place(BOARD, BOARD)

    @property
    def box(self) -> tuple[Card, ...]:
        return self._place(BOX, BOX)

    def __iter__(self) -> Iterator[tuple[Card, ...]]:
        return iter((self.dealer, self.board, self.box))

    def __getitem__(self, at: int) -> tuple[Card, ...]:
        return (lambda: self.dealer, lambda: self.board, lambda: self.box)[at]()

    def _place(self, place: str, need: str) -> tuple[Card, ...]:
        if place not in self._given:
            raise Needs(need)
        return self._given[place]


class _NoDealer:
    """A dealer's reading that is not there; looking at it ends the run."""

    __slots__ = ()

    def __getattr__(self, name: str) -> Any:
        raise Needs(DEALER)

    def __iter__(self) -> Iterator[Any]:
        raise Needs(DEALER)

    def __getitem__(self, at: int) -> Any:
        raise Needs(DEALER)


NO_DEALER: Any = _NoDealer()


class Keys(NamedTuple):
    """Every dealer's reading that can happen, each once."""

    readings: Sequence[DealerReading]
    values: NDArray[Any]  # numbers if all values are numbers, else objects
    qualifies: NDArray[np.int64]  # -1 where the game does not ask
    names: NDArray[np.int64]
    cards: Sequence[tuple[Card, ...]]  # a dealer's hand for each, complete only if cards are keys
    has_names: bool = False
    has_cards: bool = False


class Branch(NamedTuple):
    """One way a reading can run: for which of the dealer's readings, and what it gives."""

    keys: Mask | None
    reading: SeatReading


class _Run:
    def __init__(self, keys: Keys | None, answers: list[bool]) -> None:
        self.keys = keys
        self.answers = answers
        self.at = 0
        self.open: list[int] = []
        self.left: Mask | None = None if keys is None else np.ones(len(keys.readings), np.bool_)

    def ask(self, holds: Mask | None) -> bool:
        """Return whether something is true in this run, and keep the dealer's readings that agree."""
        if self.left is None or holds is None:
            return self._answer(is_possible=True, is_avoidable=True)
        kept, dropped = self.left & holds, self.left & ~holds
        answer = self._answer(is_possible=bool(kept.any()), is_avoidable=bool(dropped.any()))
        self.left = kept if answer else dropped
        return answer

    def settle(self, values: NDArray[Any] | None, need: str) -> Any:
        """Return the value itself; what follows is true for this value only."""
        if values is None or self.left is None:
            raise Needs(need)
        while True:
            value = values[np.flatnonzero(self.left)[0]]
            same = [other == value for other in values] if values.dtype == object else values == value
            if self.ask(np.asarray(same, np.bool_)):
                return value

    def _answer(self, *, is_possible: bool, is_avoidable: bool) -> bool:
        at = self.at
        self.at += 1
        if at < len(self.answers):
            return self.answers[at]
        if is_possible and is_avoidable:
            self.open.append(at)
        self.answers.append(is_possible)
        return is_possible


class _Value:
    """The dealer's value; every comparison with it is answered and recorded."""

    __slots__ = ("_run", "_values")

    def __init__(self, run: _Run, values: NDArray[Any] | None) -> None:
        self._run = run
        self._values = values

    def _compared(self, other: object, how: Callable[[Any, Any], Any]) -> bool:
        if self._values is None:
            return self._run.ask(None)
        return self._run.ask(np.asarray(how(self._values, _plain(other)), np.bool_))

    def _made(self, other: object, how: Callable[[Any, Any], Any], *, swapped: bool = False) -> "_Value":
        if self._values is None:
            return _Value(self._run, None)
        mine, its = self._values.astype(object), _plain(other)  # Python integers, which can't overflow
        return _Value(self._run, how(its, mine) if swapped else how(mine, its))

    def _known(self) -> int:
        return int(self._run.settle(self._values, DEALER))

    def __eq__(self, other: object) -> bool:
        return self._compared(other, operator.eq)

    def __ne__(self, other: object) -> bool:
        return self._compared(other, operator.ne)

    def __lt__(self, other: object) -> bool:
        return self._compared(other, operator.lt)

    def __le__(self, other: object) -> bool:
        return self._compared(other, operator.le)

    def __gt__(self, other: object) -> bool:
        return self._compared(other, operator.gt)

    def __ge__(self, other: object) -> bool:
        return self._compared(other, operator.ge)

    def __bool__(self) -> bool:
        return self._compared(0, operator.ne)

    def __hash__(self) -> int:
        return hash(self._known())

    def __index__(self) -> int:
        return self._known()

    def __int__(self) -> int:
        return self._known()

    def __format__(self, spec: str) -> str:
        return format(self._known(), spec)

    def __repr__(self) -> str:
        return repr(self._known())

    def __neg__(self) -> "_Value":
        return self._made(-1, operator.mul)


def _operation(how: Callable[[Any, Any], Any], *, swapped: bool) -> Callable[[_Value, object], _Value]:
    return lambda self, other: self._made(other, how, swapped=swapped)


for _name in ("add", "sub", "mul", "floordiv", "mod", "rshift", "lshift", "and", "or", "xor"):
    _how = getattr(operator, f"{_name}_" if _name in ("and", "or") else _name)
    setattr(_Value, f"__{_name}__", _operation(_how, swapped=False))
    setattr(_Value, f"__r{_name}__", _operation(_how, swapped=True))


class _WatchedDealer:
    """The dealer's reading, which records what is asked of it."""

    __slots__ = ("_run",)

    def __init__(self, run: _Run) -> None:
        self._run = run

    @property
    def value(self) -> Any:
        keys = self._run.keys
        if keys is not None and keys.values.dtype == object and not all(type(value) is int for value in keys.values):
            return self._run.settle(keys.values, DEALER)
        return _Value(self._run, None if keys is None else keys.values)

    @property
    def qualifies(self) -> bool | None:
        keys = self._run.keys
        if keys is None:
            return self._run.ask(None)
        found = int(self._run.settle(keys.qualifies, DEALER))
        return None if found < 0 else bool(found)

    @property
    def hand(self) -> str | None:
        keys = self._run.keys
        if keys is None or not keys.has_names:
            raise Needs(HAND_NAME)
        chosen = self._run.settle(keys.names, HAND_NAME)
        return keys.readings[int(np.flatnonzero(keys.names == chosen)[0])].hand

    def __iter__(self) -> Iterator[Any]:
        return iter((self.value, self.hand, self.qualifies))

    def __getitem__(self, at: int) -> Any:
        return (lambda: self.value, lambda: self.hand, lambda: self.qualifies)[at]()


class _DealtTable(WatchedTable):
    """A table whose dealer's cards are known only as far as a run asks for them."""

    __slots__ = ("_run",)

    def __init__(self, run: _Run, **given: tuple[Card, ...]) -> None:
        super().__init__(**given)
        self._run = run

    @property
    def dealer(self) -> tuple[Card, ...]:
        keys = self._run.keys
        if keys is None or not keys.has_cards:
            raise Needs(DEALER_CARDS)
        return keys.cards[int(self._run.settle(np.arange(len(keys.cards)), DEALER_CARDS))]


def branches(
    read: Callable[[TableCards, DealerReading], SeatReading], keys: Keys | None, **given: tuple[Card, ...]
) -> Iterator[Branch]:
    """Run a seat's reading in every way that the dealer's readings, or any dealer's if none are given, can lead to."""
    waiting: list[list[bool]] = [[]]
    while waiting:
        start = waiting.pop()
        run = _Run(keys, list(start))
        table: Any = _DealtTable(run, **given)
        dealer: Any = _WatchedDealer(run)
        reading = read(table, dealer)
        yield Branch(run.left, reading)
        waiting += [[*run.answers[:at], not run.answers[at]] for at in run.open]


def _plain(other: object) -> Any:
    return other._values if isinstance(other, _Value) else other
