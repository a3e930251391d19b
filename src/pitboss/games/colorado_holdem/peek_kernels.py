"""Every board or neighbor's hand that may be seen: what each answer is worth, and how the best of them ends."""

# mypy: ignore-errors
# Compiled loops: their types are the compiler's, inferred from what they are called with.

import numpy as np
from numpy.typing import NDArray

from pitboss.odds.compiled import inlined, kernel
from pitboss.odds.evaluator import CARD_KEY, FLUSH, FLUSH_BITS, START, value5

CARDS, OTHERS, EACH = 52, 49, 3
SEVEN, TEN = 5, 8  # ranks, from two
# What a player knows who sees some of the board: one or two cards of it, or all three. Aces are high.
KINDS = (
    "an instant winner",
    "a pair of tens or better",
    "a pair of sevens, eights or nines",
    "a lower pair",
    "no pair, but two of your cards of one suit with those of the board",
    "no pair, but two of your cards within five ranks with those of the board",
    "none of these, and no card above a nine",
    "none of these, and one card above a nine",
    "none of these, and two cards above a nine",
    "none of these, and more than two cards above a nine",
    "a hand that pays or pushes",
    "a hand that loses",
)
WINNER, HIGH_PAIR, MIDDLE_PAIR, LOW_PAIR, SUITED, NEAR, NEITHER, PAYS, LOSES = 0, 1, 2, 3, 4, 5, 6, 10, 11
SPAN = 4  # of five ranks

Integers = NDArray[np.int64]
Reals = NDArray[np.float64]
Cards = NDArray[np.uint8]


@inlined
def _cell(cells, key, first, second, third, low, high):
    if key & FLUSH_BITS:
        mask = 0
        for card in (first, second, third, low, high):
            mask |= 1 << (card >> 2)
        return cells[FLUSH[mask]]
    return cells[value5(key)]


@kernel
def _others(hand, others):
    at = 0
    for card in range(CARDS):
        if card != hand[0] and card != hand[1] and card != hand[2]:
            others[at] = card
            at += 1


@kernel
def _kept(hand, discard):
    return hand[1 if discard == 0 else 0], hand[1 if discard == 2 else 2]


@kernel
def cells_of(hand, cells, others, found):
    """Write by discard and by board, its three cards in order, the cell of the five cards."""
    _others(hand, others)
    for discard in range(EACH):
        low, high = _kept(hand, discard)
        kept = START + CARD_KEY[low] + CARD_KEY[high]
        for first in range(OTHERS - 2):
            base = kept + CARD_KEY[others[first]]
            for second in range(first + 1, OTHERS - 1):
                mid = base + CARD_KEY[others[second]]
                for third in range(second + 1, OTHERS):
                    key = mid + CARD_KEY[others[third]]
                    found[discard, first, second, third] = _cell(
                        cells, key, others[first], others[second], others[third], low, high
                    )


@kernel
def count_boards(
    first: int,
    step: int,
    seen: int,
    hands: Integers,
    all_ways: Integers,
    cells: Integers,
    nets: Integers,
    fixed: Integers,
    counts: Integers,
    fixed_taken: Integers,
    gains: Integers,
) -> None:
    """Count by answer and cell how hands end for a player who sees some of the board, and which take a fixed answer.

    `nets` is by answer that discards and cell, `fixed` by hand: the most that an answer without a discard nets.
    `gains` is by kind of what is known: what the first answer gains over the others, and where it gains at all.
    """
    others = np.zeros(OTHERS, np.int64)
    found = np.zeros((EACH, OTHERS, OTHERS, OTHERS), np.uint8)
    tallies = np.zeros((EACH, nets.shape[1]), np.int64)
    for number in range(first, hands.shape[0], step):
        cells_of(hands[number], cells, others, found)
        ways = all_ways[number]
        best = fixed[number]
        for base in range(OTHERS if seen else 1):
            for mid in range(base + 1 if seen > 1 else 0, OTHERS if seen > 1 else 1):
                for top in range(mid + 1 if seen > 2 else 0, OTHERS if seen > 2 else 1):
                    boards = _tally(seen, base, mid, top, found, tallies)
                    gain = _take(ways, boards, best, number, tallies, nets, counts, fixed_taken)
                    if best > 0:
                        kind = WINNER
                    elif seen == EACH:
                        kind = PAYS if gain >= 0 else LOSES
                    else:
                        kind = _kind_of(hands[number], others[base], others[mid], seen)
                    gains[kind, 0] += ways * gain
                    gains[kind, 1] += ways * max(gain, 0)


@kernel
def _tally(seen, base, mid, top, found, tallies):
    """Count by discard and cell the boards with the cards seen; return how many there are."""
    tallies[:] = 0
    boards = 0
    for discard in range(EACH):
        cells = found[discard]
        tally = tallies[discard]
        if seen == 3:
            tally[cells[base, mid, top]] += 1
        elif seen == 2:
            for last in range(OTHERS):
                if last < base:
                    tally[cells[last, base, mid]] += 1
                elif base < last < mid:
                    tally[cells[base, last, mid]] += 1
                elif last > mid:
                    tally[cells[base, mid, last]] += 1
        elif seen == 1:
            for low in range(OTHERS - 1):
                for high in range(low + 1, OTHERS):
                    if base < low:
                        tally[cells[base, low, high]] += 1
                    elif low < base < high:
                        tally[cells[low, base, high]] += 1
                    elif base > high:
                        tally[cells[low, high, base]] += 1
        else:
            for low in range(OTHERS - 2):
                for middle in range(low + 1, OTHERS - 1):
                    for high in range(middle + 1, OTHERS):
                        tally[cells[low, middle, high]] += 1
    for count in tallies[0]:
        boards += count
    return boards


@kernel
def _take(ways, boards, best, number, tallies, nets, counts, fixed_taken):
    """Count how the best answer ends; return what the first answer gains over the others."""
    chosen = -1
    kept = 0
    most = others = best * boards
    first = 0
    for answer in range(nets.shape[0]):
        for discard in range(EACH):
            worth = 0
            for cell in range(nets.shape[1]):
                worth += tallies[discard, cell] * nets[answer, cell]
            if answer == 0:
                first = worth if discard == 0 else max(first, worth)
            else:
                others = max(others, worth)
            if worth > most or (worth == most and chosen < 0 and answer == 0):
                most = worth
                chosen = answer
                kept = discard
    if chosen < 0:
        fixed_taken[number] += ways * boards
        return first - others
    for cell in range(nets.shape[1]):
        counts[chosen, cell] += ways * tallies[kept, cell]
    return first - others


@kernel
def _kind_of(hand, first, second, seen):
    """Return the kind of what a player knows who holds no instant winner and sees one or two cards of the board."""
    pair = -1
    high = (first >> 2 >= TEN) + (seen > 1 and second >> 2 >= TEN)
    lowest = min(first, second) >> 2 if seen > 1 else first >> 2
    highest = max(first, second) >> 2 if seen > 1 else first >> 2
    suited = near = False
    for card in range(EACH):
        rank = hand[card] >> 2
        high += rank >= TEN
        if rank == first >> 2 or (seen > 1 and rank == second >> 2):
            pair = max(pair, rank)
        for other in range(card):
            against = hand[other] >> 2
            if rank == against:
                pair = max(pair, rank)
            fits = hand[card] & 3 == hand[other] & 3 == first & 3
            suited = suited or (fits and (seen < 2 or second & 3 == first & 3))
            near = near or max(rank, against, highest) - min(rank, against, lowest) <= SPAN
    if seen > 1 and first >> 2 == second >> 2:
        pair = max(pair, first >> 2)
    if pair >= 0:
        return HIGH_PAIR if pair >= TEN else MIDDLE_PAIR if pair >= SEVEN else LOW_PAIR
    if suited:
        return SUITED
    if near:
        return NEAR
    return NEITHER + min(high, 3)


@kernel
def _sums(cells, functions, none, single, double):
    """Sum by function over all boards, over those with a card, and over those with two cards."""
    none[:] = 0
    single[:] = 0
    double[:] = 0
    for low in range(OTHERS - 2):
        for middle in range(low + 1, OTHERS - 1):
            for high in range(middle + 1, OTHERS):
                cell = cells[low, middle, high]
                for function in range(functions.shape[0]):
                    value = functions[function, cell]
                    if value == 0:
                        continue
                    none[function] += value
                    single[function, low] += value
                    single[function, middle] += value
                    single[function, high] += value
                    double[function, low, middle] += value
                    double[function, low, high] += value
                    double[function, middle, high] += value


@kernel
def sum_neighbour(
    first: int,
    step: int,
    hands: Integers,
    all_ways: Integers,
    cells: Integers,
    functions: Integers,
    answers: int,
    fixed: Integers,
    totals: Integers,
    fixed_taken: Integers,
) -> None:
    """Sum what the best answer gives over every hand of a neighbor: boards without those cards, by exclusion.

    `functions` is by number and cell: for each answer that discards what it nets, its square and whether it wins.
    `totals` is by answer: how many deals take it, and the sums of its three functions.
    """
    others = np.zeros(OTHERS, np.int64)
    found = np.zeros((EACH, OTHERS, OTHERS, OTHERS), np.uint8)
    numbers = functions.shape[0]
    none = np.zeros((EACH, numbers), np.int64)
    single = np.zeros((EACH, numbers, OTHERS), np.int64)
    double = np.zeros((EACH, numbers, OTHERS, OTHERS), np.int64)
    boards = (OTHERS - 3) * (OTHERS - 4) * (OTHERS - 5) // 6
    for number in range(first, hands.shape[0], step):
        cells_of(hands[number], cells, others, found)
        for discard in range(EACH):
            _sums(found[discard], functions, none[discard], single[discard], double[discard])
        ways = all_ways[number]
        for base in range(OTHERS - 2):
            for mid in range(base + 1, OTHERS - 1):
                for top in range(mid + 1, OTHERS):
                    most = fixed[number] * boards
                    chosen = -1
                    kept = 0
                    for answer in range(answers):
                        for discard in range(EACH):
                            at = 3 * answer
                            cell = found[discard, base, mid, top]
                            alone, both = single[discard, at], double[discard, at]
                            worth = none[discard, at] - alone[base] - alone[mid] - alone[top]
                            worth += both[base, mid] + both[base, top] + both[mid, top] - functions[at, cell]
                            if worth > most or (worth == most and chosen < 0 and answer == 0):
                                most = worth
                                chosen = answer
                                kept = discard
                    if chosen < 0:
                        fixed_taken[number] += ways
                        continue
                    totals[chosen, 0] += ways
                    cell = found[kept, base, mid, top]
                    for function in range(3):
                        at = 3 * chosen + function
                        alone, both = single[kept, at], double[kept, at]
                        worth = none[kept, at] - alone[base] - alone[mid] - alone[top]
                        worth += both[base, mid] + both[base, top] + both[mid, top] - functions[at, cell]
                        totals[chosen, 1 + function] += ways * worth


@kernel
def worth_without(
    hand: Integers,
    seen: Cards,
    cells: Integers,
    nets: Integers,
    fixed: int,
    found: Reals,
    staked: Reals,
) -> None:
    """Write what a hand's best answer nets on the boards without the cards seen, and the units of its Bet.

    Each row of `seen` is a set of cards by their places among the 49 that the hand doesn't hold. Boards with one of
    them are excluded by sums over one, two and three of them. The first answer places the Bet.
    """
    others = np.zeros(OTHERS, np.int64)
    every = np.zeros((EACH, OTHERS, OTHERS, OTHERS), np.uint8)
    answers = nets.shape[0]
    none = np.zeros((EACH, answers), np.int64)
    single = np.zeros((EACH, answers, OTHERS), np.int64)
    double = np.zeros((EACH, answers, OTHERS, OTHERS), np.int64)
    cells_of(hand, cells, others, every)
    for discard in range(EACH):
        _sums(every[discard], nets, none[discard], single[discard], double[discard])
    worths = np.zeros((EACH, answers), np.int64)
    left = OTHERS - seen.shape[1]
    boards = left * (left - 1) * (left - 2) // 6
    for row in range(seen.shape[0]):
        cards = np.sort(seen[row]).astype(np.int64)
        worths[:] = none
        for discard in range(EACH):
            for answer in range(answers):
                alone, both = single[discard, answer], double[discard, answer]
                for first in range(cards.size):
                    worths[discard, answer] -= alone[cards[first]]
                    for second in range(first + 1, cards.size):
                        worths[discard, answer] += both[cards[first], cards[second]]
            for first in range(cards.size - 2):
                for second in range(first + 1, cards.size - 1):
                    of_board = every[discard, cards[first], cards[second]]
                    for third in range(second + 1, cards.size):
                        cell = of_board[cards[third]]
                        for answer in range(answers):
                            worths[discard, answer] -= nets[answer, cell]
        most = fixed * boards
        bets = 0
        for answer in range(answers):
            for discard in range(EACH):
                worth = worths[discard, answer]
                if worth >= most:
                    bets = 1 if answer == 0 else 0 if worth > most else bets
                    most = worth
        found[row] = np.true_divide(most, boards)  # an estimate, not a count
        staked[row] = bets
