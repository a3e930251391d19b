"""Adds up whole tables by the bytes of their numbers; each byte says how one group of wagers ends."""

from collections.abc import Callable, Collection, Mapping

import numpy as np
from numpy.typing import NDArray

from pitboss.lab.blocks import Block, Claim, Ending, GroupSums, Line
from pitboss.lab.tally_kernels import add_bytes, count_bytes, find_bytes, first_with

Integers = NDArray[np.int64]
VALUES = 256
HALF_BITS = 32


class Tallies:
    """The figures of every byte seen so far."""

    def __init__(
        self,
        wagers: tuple[str, ...],
        columns: list[list[int]],
        progressive: int | None,
        bytes_of: Mapping[str, int],
        price: Callable[[int], Ending],
    ) -> None:
        self._wagers = wagers
        self._columns = columns  # by group, its wagers
        self._progressive = progressive  # the group that hits of meters and envy belong to
        self._price = price
        self._shifts = np.array([8 * bytes_of[wagers[own[0]]] for own in columns], np.int64)
        assert all(
            8 * bytes_of[wagers[column]] == shift
            for own, shift in zip(columns, self._shifts.tolist(), strict=True)
            for column in own
        ), "wagers played together have one byte"
        self._known = np.zeros((len(columns), VALUES), np.bool_)
        self._nets = np.zeros((len(columns), VALUES), np.int64)
        self._staked = np.zeros_like(self._nets)
        self._lines: dict[Line, int] = {}
        self._line_numbers = np.zeros((len(wagers), VALUES), np.int64)
        self._group_of = np.array(
            [next(at for at, own in enumerate(columns) if number in own) for number in range(len(wagers))]
        )
        self._endings: dict[int, Ending] = {}  # by the progressive's byte
        self._rare = np.zeros(VALUES, np.bool_)
        self._most = np.zeros(len(wagers), np.int64)

    def block(
        self, first: int, codes: Integers, *, limit_cents: int | None = None, covered: Collection[str] = ()
    ) -> Block | None:
        """Add up rounds; return None if a payout limit might link wagers that are priced one by one here."""
        counts = np.zeros((len(self._columns), VALUES), np.int64)
        count_bytes(codes, self._shifts, counts)
        for group, value in np.argwhere((counts > 0) & ~self._known).tolist():
            self._keep(group, value, self._price(int(codes[first_with(codes, self._shifts[group], value)])))
        if limit_cents is not None and self._may_reach(limit_cents, covered):
            return None
        house = np.empty(len(codes), np.int64)
        signs = np.empty(codes.shape, np.int8)
        squares = np.zeros((len(self._columns), 2), np.int64)
        add_bytes(codes, self._shifts, self._nets, house, signs, squares)
        sums = [self._sums(group, counts[group], squares[group].tolist()) for group in range(len(self._columns))]
        rare = _Rare(self, codes, self._found(codes, counts))
        if self._progressive is not None:
            sums[self._progressive] = rare.added_to(sums[self._progressive])
        for (row, seat), cents in rare.received.items():
            house[row] -= cents
            signs[row, seat] = np.sign(self.net_of(codes[row, seat]) + cents)
        return Block(
            first,
            tuple(sums),
            house,
            signs,
            tuple(rare.claims(first)),
            self._counted(counts),
            sum(rare.received.values()),
            rare.envies,
        )

    def ending_of(self, code: int) -> Ending:
        """Return an ending that equals this number's in the progressive's group."""
        assert self._progressive is not None, "only a progressive draws on meters and pays envy"
        return self._endings[int(code) >> int(self._shifts[self._progressive]) & 255]

    def own_net(self, code: int) -> int:
        """Return the net of a seat with this number in the progressive's group."""
        return int(self._nets[self._progressive, int(code) >> int(self._shifts[self._progressive]) & 255])

    def net_of(self, code: int) -> int:
        """Return the net of a seat with this number."""
        return int(self._nets[np.arange(len(self._columns)), int(code) >> self._shifts & 255].sum())

    def _keep(self, group: int, value: int, ending: Ending) -> None:
        self._known[group, value] = True
        for column in self._columns[group]:
            net, staked = ending.nets[column], ending.staked[column]
            self._nets[group, value] += net
            self._staked[group, value] += staked
            line = self._wagers[column], ending.lines[column]
            self._line_numbers[column, value] = self._lines.setdefault(line, len(self._lines))
            self._most[column] = max(self._most[column], net + staked)
        if group == self._progressive:
            self._endings[value] = ending
            self._rare[value] = ending.hit is not None or ending.envied_cents > 0

    def _may_reach(self, limit_cents: int, covered: Collection[str]) -> bool:
        # A reduced ending pays exactly the limit, so prices that were reduced can be recognized too.
        most = sum(most for wager, most in zip(self._wagers, self._most.tolist(), strict=True) if wager in covered)
        return most >= limit_cents

    def _sums(self, group: int, counts: Integers, squares: list[int]) -> GroupSums:
        met = np.flatnonzero(counts)
        times, nets = counts[met].tolist(), self._nets[group, met].tolist()
        high, low = squares
        return GroupSums(
            staked=sum(map(int.__mul__, times, self._staked[group, met].tolist())),
            net=sum(map(int.__mul__, times, nets)),
            squares=sum(count * net * net for count, net in zip(times, nets, strict=True)),
            round_squares=(high << HALF_BITS) + low,
            hits=sum(count for count, net in zip(times, nets, strict=True) if net > 0),
        )

    def _found(self, codes: Integers, counts: Integers) -> list[tuple[int, int]]:
        if self._progressive is None:
            return []
        found = np.empty((int(counts[self._progressive, self._rare].sum()), 2), np.int64)
        if len(found):
            find_bytes(codes, self._shifts[self._progressive], self._rare, found)
        return [(row, seat) for row, seat in found.tolist()]

    def _counted(self, counts: Integers) -> dict[Line, int]:
        found = np.zeros(len(self._lines), np.int64)
        np.add.at(found, self._line_numbers, counts[self._group_of])
        return {line: count for line, count in zip(self._lines, found.tolist(), strict=True) if count}


class _Rare:
    """The hits of meters and the envy of a block, which no single byte contains."""

    def __init__(self, tallies: Tallies, codes: Integers, places: list[tuple[int, int]]) -> None:
        self._tallies = tallies
        self._codes = codes
        self._hits = [(row, seat, hit) for row, seat in places if (hit := tallies.ending_of(codes[row, seat]).hit)]
        self.received: dict[tuple[int, int], int] = {}
        self.envies = 0
        for row, holder in places:
            cents = tallies.ending_of(codes[row, holder]).envied_cents
            for seat in range(codes.shape[1]) if cents else ():
                if seat != holder:
                    self.received[row, seat] = self.received.get((row, seat), 0) + cents
                    self.envies += 1

    def added_to(self, sums: GroupSums) -> GroupSums:
        """Return the sums of the progressive's group with the envy in them."""
        squares = round_squares = 0
        for (row, seat), cents in self.received.items():
            own = self._tallies.own_net(self._codes[row, seat])
            squares += (own + cents) ** 2 - own**2
        for row in {row for row, _ in self.received}:
            before = sum(map(self._tallies.own_net, self._codes[row]))
            round_squares += self._round_net(row) ** 2 - before**2
        return sums._replace(
            net=sums.net + sum(self.received.values()),
            squares=sums.squares + squares,
            round_squares=sums.round_squares + round_squares,
        )

    def claims(self, first: int) -> list[Claim]:
        """Return the hits of meters in the order of settlement: round by round, from the highest seat down."""
        found = []
        for row, seat, hit in sorted(self._hits, key=lambda claim: (claim[0], -claim[1])):
            code, envy = self._codes[row, seat], self.received.get((row, seat), 0)
            own, whole = self._tallies.own_net(code) + envy, self._tallies.net_of(code) + envy
            found.append(Claim(first + row, seat + 1, hit, own, self._round_net(row), whole))
        return found

    def _round_net(self, row: int) -> int:
        envy = sum(self.received.get((row, seat), 0) for seat in range(self._codes.shape[1]))
        return sum(map(self._tallies.own_net, self._codes[row])) + envy
