"""Every hand against a dealer some of whose cards are seen: suits matter only for the dealer's royal flush."""

# mypy: ignore-errors
# Compiled loops: their types are the compiler's, inferred from what they are called with.

import numpy as np
from numpy.typing import NDArray

from pitboss.odds.compiled import inlined, kernel

RANKS, SUITS, HIGH, LOW, MOST = 5, 4, 20, 32, 7
WHOLE = (1 << RANKS) - 1

Integers = NDArray[np.int64]


@inlined
def _choose(table, left, drawn):
    return table[left, drawn] if left >= 0 and drawn >= 0 else 0


@kernel
def _own_ways(masks, held, avoided, royal, table):
    """Count the sets of high cards with these ranks, not shown by the dealer and outside the suits avoided.

    With a suit in `royal`, those that hold all of this suit.
    """
    ways = 1
    for rank in range(RANKS):
        left = 0
        for suit in range(SUITS):
            left += (avoided >> suit & 1) == 0 and (masks[suit] >> rank & 1) == 0
        drawn = held[rank]
        if royal >= 0:
            left -= 1
            drawn -= 1
        ways *= _choose(table, left, drawn)
    return ways


@kernel
def _exactly(masks, held, untouched, royal, table):
    """Count those that touch every suit but these."""
    total = 0
    others = 15 ^ untouched
    if royal >= 0 and (masks[royal] or untouched >> royal & 1):
        return 0
    more = others
    while True:
        sign = 1
        for suit in range(SUITS):
            if more >> suit & 1:
                sign = -sign
        if royal < 0 or (more >> royal & 1) == 0:
            total += sign * _own_ways(masks, held, untouched | more, royal, table)
        if more == 0:
            return total
        more = (more - 1) & others


@kernel
def _add_ends(count, position, start, stop, ends):
    for end in range(ends.size):
        if start[end] <= position < stop[end]:
            ends[end] += count


@kernel
def _against(masks, shown, held, own, low_left, rest, position, start, stop, table, every, by_suit):
    """Count the dealer's hands by how a hand ends: as if there were no royal flush, and what each suit's changes."""
    every[:] = 0
    by_suit[:] = 0
    for number in range(rest.shape[0]):
        drawn = 0
        key = 0
        power = 1
        ways = 1
        for rank in range(RANKS):
            more = rest[number, rank]
            drawn += more
            ways *= _choose(table, SUITS - shown[rank] - held[rank], more)
            if shown[rank] + more > SUITS:
                ways = 0
            key += power * (shown[rank] + more)
            power *= 5
        if not ways:
            continue
        low = _choose(table, low_left, own - drawn)
        if not low:
            continue
        plain = position[0, key]
        _add_ends(ways * low, plain, start, stop, every)
        royal = position[1, key]
        if royal < 0:
            continue
        for suit in range(SUITS):
            ways = low
            for rank in range(RANKS):
                missing = 1 - (masks[suit] >> rank & 1)
                left = SUITS - shown[rank] - held[rank] - missing
                ways *= _choose(table, left, rest[number, rank] - missing)
            _add_ends(ways, royal, start, stop, by_suit[suit])
            _add_ends(-ways, plain, start, stop, by_suit[suit])


@kernel
def count_peeked(
    first: int,
    step: int,
    seen: int,
    all_masks: Integers,
    rest: Integers,
    hands: Integers,
    position: Integers,
    start: Integers,
    stop: Integers,
    table: Integers,
    play: Integers,
    fold: int,
    equal_plays: bool,
    found: Integers,
    gains: Integers,
    situations: Integers,
) -> None:
    """Count by what the dealer shows how hands end, the folded ones last, each played if that is worth more.

    `gains` sums by what the dealer shows and kind of hand what playing gains over a fold.
    """
    ends = start.shape[1]
    every = np.zeros(ends, np.int64)
    by_suit = np.zeros((SUITS, ends), np.int64)
    now = np.zeros(ends, np.int64)
    shown = np.zeros(RANKS, np.int64)
    for number in range(first, all_masks.shape[0], step):
        masks = all_masks[number]
        high = 0
        for rank in range(RANKS):
            shown[rank] = 0
            for suit in range(SUITS):
                shown[rank] += masks[suit] >> rank & 1
            high += shown[rank]
        for at in range(hands.shape[0]):
            held = hands[at]
            size = 0
            key = 0
            power = 1
            fits = True
            for rank in range(RANKS):
                size += held[rank]
                key += power * held[rank]
                power *= 5
                fits = fits and held[rank] + shown[rank] <= SUITS
            if not fits:
                continue
            low_left = LOW - (seen - high)
            low_ways = _choose(table, low_left, MOST - size)
            low_left -= MOST - size
            for royal in range(-1, SUITS):
                kind = position[1 if royal >= 0 else 0, key]
                if kind < 0 or (royal >= 0 and masks[royal]):
                    continue
                _against(
                    masks,
                    shown,
                    held,
                    MOST - seen,
                    low_left,
                    rest,
                    position,
                    start[kind],
                    stop[kind],
                    table,
                    every,
                    by_suit,
                )
                for untouched in range(16):
                    ways = _exactly(masks, held, untouched, royal, table)
                    if royal < 0:
                        for suit in range(SUITS):
                            ways -= _exactly(masks, held, untouched, suit, table)
                    if not ways:
                        continue
                    worth = 0
                    total = 0
                    for end in range(ends):
                        now[end] = every[end]
                        for suit in range(SUITS):
                            if untouched >> suit & 1:
                                now[end] += by_suit[suit, end]
                        worth += now[end] * play[end]
                        total += now[end]
                    situations[number] += 1
                    gains[number, kind] += ways * low_ways * (worth - fold * total)
                    if worth > fold * total or (equal_plays and worth == fold * total):
                        for end in range(ends):
                            found[number, end] += ways * low_ways * now[end]
                    else:
                        found[number, ends] += ways * low_ways * total
