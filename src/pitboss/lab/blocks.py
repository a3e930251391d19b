"""Totals of a block of rounds: sums by wager, the house's result in every round, lines, meter hits, envy."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pitboss.lab.block_kernels import EMPTY, add_endings, enter_codes, number_codes

Integers = NDArray[np.int64]
Line = tuple[str, str]  # a wager, and the line or the word that says how it ended

FIRST_CAPACITY = 1 << 12
WORD_BITS = 64
LARGEST = (1 << 63) - 1


class MeterHit(NamedTuple):
    """The share of a meter that a hand won, and whether its stake is also returned."""

    wager: str
    meter: str
    percent: int
    stake_returned: bool


class Ending(NamedTuple):
    """How a seat's wagers end: each wager's net and stake in cents, without meters and envy."""

    nets: tuple[int, ...]
    staked: tuple[int, ...]
    hit: MeterHit | None
    envied_cents: int  # what the hand pays each of the other seats
    lines: tuple[str, ...]  # of each wager


class Claim(NamedTuple):
    """A meter hit before its payment is known, with the nets of its hand, round and seat without it."""

    round: int
    seat: int
    hit: MeterHit
    hand_cents: int
    round_cents: int
    seat_cents: int


class GroupSums(NamedTuple):
    """The results of a group of wagers in a block, in cents and cents squared, without meters."""

    staked: int
    net: int
    squares: int  # of each hand's net
    round_squares: int  # of each round's net
    hits: int


@dataclass(frozen=True)
class Block:
    """Rounds played together, in order."""

    first: int
    sums: tuple[GroupSums, ...]  # by group of wagers
    house: Integers  # by round, without meter payments
    signs: NDArray[np.int8]  # by round and seat: 1 if the seat won, -1 if it lost, without meter payments
    claims: tuple[Claim, ...]  # in the order of settlement
    lines: dict[Line, int]
    envy_cents: int = 0
    envies: int = 0  # bonuses paid


class Endings:
    """Every ending seen so far, numbered, with its figures in arrays."""

    def __init__(self, wagers: tuple[str, ...], columns: list[list[int]], progressive: int | None) -> None:
        self.all: list[Ending] = []
        self._wagers = wagers
        self._columns = columns  # by group, its wagers
        self.progressive = progressive  # the group that hits of meters and envy belong to
        self._numbers: dict[object, int] = {}
        self._lines: dict[Line, int] = {}
        self._nets = np.zeros((FIRST_CAPACITY, len(columns)), np.int64)
        self._staked = np.zeros_like(self._nets)
        self._line_numbers = np.zeros((FIRST_CAPACITY, len(wagers)), np.int64)
        self._rare = np.zeros(FIRST_CAPACITY, np.bool_)
        self._codes = _Codes()
        self._most = 0  # the largest net of a hand, to either side

    def number(self, key: object) -> int | None:
        """Return the number of the ending stored under a key."""
        return self._numbers.get(key)

    def keep(self, key: object, ending: Ending) -> int:
        """Give an ending a number under its own key."""
        at = self._numbers[key] = len(self.all)
        if at == len(self._nets):
            self._nets, self._staked, self._line_numbers, self._rare = (
                np.concatenate([array, np.zeros_like(array)])
                for array in (self._nets, self._staked, self._line_numbers, self._rare)
            )
        self.all.append(ending)
        for group, columns in enumerate(self._columns):
            self._nets[at, group] = sum(ending.nets[column] for column in columns)
            self._staked[at, group] = sum(ending.staked[column] for column in columns)
        for column, line in enumerate(zip(self._wagers, ending.lines, strict=True)):
            self._line_numbers[at, column] = self._lines.setdefault(line, len(self._lines))
        self._rare[at] = ending.hit is not None or ending.envied_cents > 0
        self._most = max(self._most, *(abs(net) for net in self._nets[at].tolist()))
        return at

    def numbered(self, codes: Integers) -> tuple[Integers, list[int]]:
        """Return the number of each code, and the codes without a number."""
        return self._codes.numbered(codes)

    def enter(self, codes: list[int]) -> None:
        """Map codes to the endings stored last."""
        self._codes.enter(np.array(codes, np.int64), len(self.all) - len(codes))

    def block(self, first: int, which: Integers) -> Block:
        """Add up rounds, given the number of each seat's ending."""
        rounds, seats = which.shape
        counts = np.zeros(len(self.all), np.int64)
        totals = np.zeros((rounds, len(self._columns)), np.int64)
        by_seat = np.empty((rounds, seats), np.int64)
        add_endings(which, self._nets, counts, totals, by_seat)
        met = np.flatnonzero(counts)
        envy = _Envy(self, which, totals, by_seat)
        kind = self._integers(which.size, seats, envy.most_cents)
        times: NDArray[Any] = counts[met].astype(kind)
        nets: NDArray[Any] = self._nets[met].astype(kind)
        by_round: NDArray[Any] = totals.astype(kind)
        sums = zip(
            times @ self._staked[met].astype(kind),
            totals.sum(axis=0),
            times @ (nets * nets),
            (by_round * by_round).sum(axis=0),
            counts[met] @ (self._nets[met] > 0),
            strict=True,
        )
        whole = [GroupSums(*map(int, row)) for row in sums]
        if self.progressive is not None:
            kept = whole[self.progressive]
            whole[self.progressive] = kept._replace(squares=kept.squares + envy.squares)
        return Block(
            first,
            tuple(whole),
            -totals.sum(axis=1),
            np.sign(by_seat).astype(np.int8),
            tuple(self._claims(first, which, totals, by_seat, envy)),
            self._counted(met, counts),
            envy.paid_cents,
            envy.paid,
        )

    def rare(self, which: Integers) -> Iterator[tuple[int, int, Ending]]:
        """Yield each round and seat whose ending hits a meter or pays envy."""
        for row, seat in np.argwhere(self._rare[which]).tolist():
            yield row, seat, self.all[which[row, seat]]

    def own_net(self, number: int) -> int:
        """Return an ending's net in the progressive's group."""
        assert self.progressive is not None, "only a progressive pays envy and shares of meters"
        return int(self._nets[number, self.progressive])

    def _integers(self, hands: int, seats: int, envy_cents: int) -> type:
        # Python integers if a sum of squares could be too large for 64 bits.
        most = seats * (self._most + envy_cents)
        return np.int64 if hands * most * most < LARGEST else object

    def _counted(self, met: Integers, counts: Integers) -> dict[Line, int]:
        found = np.zeros(len(self._lines), np.int64)
        for column in range(len(self._wagers)):
            np.add.at(found, self._line_numbers[met, column], counts[met])
        return {line: count for line, count in zip(self._lines, found.tolist(), strict=True) if count}

    def _claims(
        self, first: int, which: Integers, totals: Integers, by_seat: Integers, envy: "_Envy"
    ) -> Iterator[Claim]:
        # Round by round, from the highest seat down.
        found = [(row, seat, ending.hit) for row, seat, ending in envy.rare if ending.hit is not None]
        for row, seat, hit in sorted(found, key=lambda claim: (claim[0], -claim[1])):
            assert self.progressive is not None, "only a progressive draws on meters"
            hand = self.own_net(which[row, seat]) + envy.received.get((row, seat), 0)
            whole = int(totals[row, self.progressive])
            yield Claim(first + row, seat + 1, hit, hand, whole, int(by_seat[row, seat]))


class _Envy:
    """The bonuses of a block, added to the results of its rounds and seats."""

    def __init__(self, endings: Endings, which: Integers, totals: Integers, by_seat: Integers) -> None:
        self.rare = list(endings.rare(which))
        self.received: dict[tuple[int, int], int] = {}
        self.paid_cents = self.paid = self.squares = 0
        for row, holder, ending in self.rare:
            for seat in range(which.shape[1]) if ending.envied_cents else ():
                if seat != holder:
                    self.received[row, seat] = self.received.get((row, seat), 0) + ending.envied_cents
                    self.paid_cents += ending.envied_cents
                    self.paid += 1
        for (row, seat), cents in self.received.items():
            own = endings.own_net(which[row, seat])
            self.squares += (own + cents) ** 2 - own**2
            totals[row, endings.progressive] += cents
            by_seat[row, seat] += cents
        self.most_cents = max(self.received.values(), default=0)


class _Codes:
    """Numbers by code, in a hash table that compiled loops read."""

    def __init__(self) -> None:
        self._known = 0
        self._make(FIRST_CAPACITY)

    def numbered(self, codes: Integers) -> tuple[Integers, list[int]]:
        which = np.empty_like(codes)
        unknown = np.empty(codes.size, np.int64)
        missing = number_codes(codes, self._keys, self._values, self._shift, which, unknown)
        return which, np.unique(unknown[:missing]).tolist()

    def enter(self, codes: Integers, first: int) -> None:
        self._known += codes.size
        if 2 * self._known > self._keys.size:
            keys, values = self._keys, self._values
            self._make(1 << (4 * self._known - 1).bit_length())
            for at in np.flatnonzero(values != EMPTY).tolist():
                enter_codes(keys[at : at + 1], int(values[at]), self._keys, self._values, self._shift)
        enter_codes(codes, first, self._keys, self._values, self._shift)

    def _make(self, size: int) -> None:
        self._keys = np.zeros(size, np.int64)
        self._values = np.full(size, EMPTY, np.int64)
        self._shift = WORD_BITS - (size.bit_length() - 1)
