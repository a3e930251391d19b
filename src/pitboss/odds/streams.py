"""Random deals that are numbered: the cards of a round follow from the seed and the round's number alone.

The generator is Philox 4x32 with ten rounds: the seed is its key, a round's number and a place in it are its
counter. Nothing is carried from one round to the next, so it does not matter who deals which of them, or when.
"""

import numpy as np
from numpy.typing import NDArray

from pitboss.odds.compiled import kernel

SEEDS = 1 << 64
WORD = np.uint64(32)
LOW = np.uint64(0xFFFFFFFF)
ONE = np.uint64(1)
NONE = np.uint64(0)
FIRST_FACTOR, SECOND_FACTOR = np.uint64(0xD2511F53), np.uint64(0xCD9E8D57)
FIRST_STEP, SECOND_STEP = np.uint64(0x9E3779B9), np.uint64(0xBB67AE85)
MIXINGS = 10


@kernel
def mix(words: NDArray[np.uint64], key: NDArray[np.uint64]) -> None:
    """Turn a counter of four 32-bit words into four random ones, under a key of two."""
    first_key, second_key = key[0], key[1]
    for _ in range(MIXINGS):
        first = FIRST_FACTOR * words[0]
        second = SECOND_FACTOR * words[2]
        words[0] = (second >> WORD) ^ words[1] ^ first_key
        words[1] = second & LOW
        words[2] = (first >> WORD) ^ words[3] ^ second_key
        words[3] = first & LOW
        first_key = (first_key + FIRST_STEP) & LOW
        second_key = (second_key + SECOND_STEP) & LOW


@kernel
def _deal(seed: np.uint64, first: np.uint64, rounds: int, cards: int, drawn: int) -> NDArray[np.uint8]:
    dealt = np.empty((rounds, drawn), np.uint8)
    deck = np.empty(cards, np.uint8)
    words = np.empty(4, np.uint64)
    key = np.empty(2, np.uint64)
    key[0] = seed & LOW
    key[1] = seed >> WORD
    for row in range(rounds):
        number = first + np.uint64(row)
        for at in range(cards):
            deck[at] = at
        used = 4
        place = NONE
        for at in range(drawn):
            left = np.uint64(cards - at)
            # Of the 2^32 words so many are one too many for an even share; they are drawn again.
            uneven = (LOW - left + ONE) % left
            share = NONE
            while True:
                if used == 4:
                    words[0] = place
                    words[1] = NONE
                    words[2] = number & LOW
                    words[3] = number >> WORD
                    mix(words, key)
                    place += ONE
                    used = 0
                share = words[used] * left
                used += 1
                if share & LOW >= uneven:
                    break
            other = at + np.int64(share >> WORD)
            card = deck[other]
            deck[other] = deck[at]
            deck[at] = card
            dealt[row, at] = card
    return dealt


def deal(seed: int, first: int, rounds: int, *, cards: int, drawn: int) -> NDArray[np.uint8]:
    """Return the first cards drawn from a shuffled deck in each of the rounds from number `first` on, one a row."""
    assert 0 <= seed < SEEDS, "a seed has 64 bits"
    assert 0 <= drawn <= cards <= 256, "a card's number is a byte, and no card is drawn twice"
    return _deal(np.uint64(seed), np.uint64(first), rounds, cards, drawn)
