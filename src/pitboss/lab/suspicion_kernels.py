"""The inner loops of the leak test: hidden cards completed, lines priced, and what answers are worth on average."""

# mypy: ignore-errors
# Compiled loops: their types are the compiler's, inferred from what they are called with.

import numpy as np
from numpy.typing import NDArray

from pitboss.odds.compiled import kernel

CARDS_MOST = 256


@kernel
def complete(unseen: NDArray[np.uint8], pattern: NDArray[np.int64], hands: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return by round, candidate and arrangement the hidden cards: the candidate's in front, then the pattern's.

    The pattern's cards are the same for every candidate, as far as they can be: those it holds give way.
    """
    rounds, candidates, known = hands.shape
    count, size = pattern.shape
    found = np.empty((rounds, candidates, count, size), np.uint8)
    is_used = np.zeros(CARDS_MOST, np.bool_)
    for row in range(rounds):
        for candidate in range(candidates):
            for at in range(known):
                is_used[hands[row, candidate, at]] = True
            for number in range(count):
                cards = found[row, candidate, number]
                if known == 1:
                    moved = unseen[row, pattern[number, 0]]
                    cards[0] = hands[row, candidate, 0]
                    for at in range(1, size):
                        card = unseen[row, pattern[number, at]]
                        cards[at] = moved if is_used[card] else card
                    continue
                for at in range(known):
                    cards[at] = hands[row, candidate, at]
                filled = known
                at = 0
                while filled < size:
                    card = unseen[row, pattern[number, at]]
                    at += 1
                    if not is_used[card]:
                        cards[filled] = card
                        filled += 1
            for at in range(known):
                is_used[hands[row, candidate, at]] = False
    return found


@kernel
def price(
    codes: NDArray[np.int64], prices: NDArray[np.float64], lines: NDArray[np.int64], found: NDArray[np.float64]
) -> bool:
    """Write the price of some lines for each code; return whether all of them had one."""
    for row in range(codes.size):
        code = codes[row]
        if code >= prices.shape[0] or np.isnan(prices[code, 0]):
            return False
        for at in range(lines.size):
            found[row, lines[at]] = prices[code, at]
    return True


@kernel
def average(
    nets: NDArray[np.float64], lines: NDArray[np.int64], starts: NDArray[np.int64], hindsight: float
) -> NDArray[np.float64]:
    """Return by round, candidate and answer its worth: the mean of its line over the deals.

    An answer with several lines is worth the best line's mean, and by the part that hindsight counts the best
    line of each deal. Its lines are those from its start to the next.
    """
    rounds, candidates, deals, _ = nets.shape
    answers = starts.size - 1
    found = np.empty((rounds, candidates, answers))
    sums = np.empty(lines.size)
    for row in range(rounds):
        for candidate in range(candidates):
            for answer in range(answers):
                sums[:] = 0.0
                best = 0.0
                first, end = starts[answer], starts[answer + 1]
                for deal in range(deals):
                    most = -np.inf
                    for at in range(first, end):
                        net = nets[row, candidate, deal, lines[at]]
                        sums[at] += net
                        most = max(most, net)
                    best += most
                ahead = sums[first]
                for at in range(first + 1, end):
                    ahead = max(ahead, sums[at])
                worth = ahead if end == first + 1 else hindsight * best + (1 - hindsight) * ahead
                found[row, candidate, answer] = worth / deals
    return found


@kernel
def average_apart(
    nets: NDArray[np.float64],
    dealt: NDArray[np.uint64],
    held: NDArray[np.uint64],
    lines: NDArray[np.int64],
    starts: NDArray[np.int64],
    hindsight: float,
) -> NDArray[np.float64]:
    """Return the same over those of a round's deals that share no card with the candidate; cards are masks of bits."""
    rounds, deals, _ = nets.shape
    candidates, answers = held.shape[1], starts.size - 1
    found = np.empty((rounds, candidates, answers))
    best = np.empty((deals, answers))
    sums = np.empty(lines.size)
    bests = np.empty(answers)
    for row in range(rounds):
        for deal in range(deals):
            for answer in range(answers):
                best[deal, answer] = -np.inf
                for at in range(starts[answer], starts[answer + 1]):
                    best[deal, answer] = max(best[deal, answer], nets[row, deal, lines[at]])
        for candidate in range(candidates):
            sums[:] = 0.0
            bests[:] = 0.0
            count = 0.0
            for deal in range(deals):
                # A factor instead of a branch, which would be guessed wrong half of the time.
                is_apart = 0.0 if dealt[row, deal] & held[row, candidate] else 1.0
                count += is_apart
                for at in range(lines.size):
                    sums[at] += is_apart * nets[row, deal, lines[at]]
                for answer in range(answers):
                    bests[answer] += is_apart * best[deal, answer]
            for answer in range(answers):
                first, end = starts[answer], starts[answer + 1]
                ahead = sums[first]
                for at in range(first + 1, end):
                    ahead = max(ahead, sums[at])
                worth = ahead if end == first + 1 else hindsight * bests[answer] + (1 - hindsight) * ahead
                found[row, candidate, answer] = worth / max(count, 1.0)
    return found


@kernel
def follow(
    worths: NDArray[np.float64], given: int, precisions: NDArray[np.float64], slips: float
) -> NDArray[np.float64]:
    """Return by round, candidate and precision how likely a seat that follows these worths gives an answer."""
    rounds, candidates, answers = worths.shape
    found = np.empty((rounds, candidates, precisions.size))
    for row in range(rounds):
        for candidate in range(candidates):
            most = -np.inf
            for answer in range(answers):
                most = max(most, worths[row, candidate, answer])
            for at in range(precisions.size):
                total = 0.0
                for answer in range(answers):
                    total += np.exp(precisions[at] * (worths[row, candidate, answer] - most))
                likely = np.exp(precisions[at] * (worths[row, candidate, given] - most)) / total
                found[row, candidate, at] = (1 - slips) * likely + slips / answers
    return found
