"""Numbered random deals: a round's cards depend only on the seed and the round's number.

The generator is Philox 4x32 with ten rounds: the seed is its key, a round's number and a place in it are its
counter. Nothing is carried from one round to the next, so any process can deal any round in any order.
"""

import numpy as np
from numpy.typing import NDArray

from pitboss.odds.compiled import inlined, kernel

SEEDS = 1 << 64
WORD = np.uint64(32)
LOW = np.uint64(0xFFFFFFFF)
ONE = np.uint64(1)
NONE = np.uint64(0)
FIRST_FACTOR, SECOND_FACTOR = np.uint64(0xD2511F53), np.uint64(0xCD9E8D57)
FIRST_STEP, SECOND_STEP = np.uint64(0x9E3779B9), np.uint64(0xBB67AE85)
MIXINGS = 10
TOGETHER = 64  # rounds whose words are made at once


@inlined
def _mixed(
    first: np.uint64, second: np.uint64, third: np.uint64, fourth: np.uint64, one_key: np.uint64, other_key: np.uint64
) -> tuple[np.uint64, np.uint64, np.uint64, np.uint64]:
    for _ in range(MIXINGS):
        low = FIRST_FACTOR * first
        high = SECOND_FACTOR * third
        first = (high >> WORD) ^ second ^ one_key
        second = high & LOW
        third = (low >> WORD) ^ fourth ^ other_key
        fourth = low & LOW
        one_key = (one_key + FIRST_STEP) & LOW
        other_key = (other_key + SECOND_STEP) & LOW
    return first, second, third, fourth


@kernel
def mix(words: NDArray[np.uint64], key: NDArray[np.uint64]) -> None:
    """Turn a counter of four 32-bit words into four random ones, under a key of two."""
    words[0], words[1], words[2], words[3] = _mixed(words[0], words[1], words[2], words[3], key[0], key[1])


@kernel
def _mix_together(first: np.uint64, place: int, key: NDArray[np.uint64], words: NDArray[np.uint64]) -> None:
    # The same place of many rounds: a loop without a branch, which the compiler makes four wide.
    one_key, other_key = key[0], key[1]
    for row in range(TOGETHER):
        number = first + np.uint64(row)
        word, second, third, fourth = _mixed(np.uint64(place), NONE, number & LOW, number >> WORD, one_key, other_key)
        words[4 * place, row] = word
        words[4 * place + 1, row] = second
        words[4 * place + 2, row] = third
        words[4 * place + 3, row] = fourth


@kernel
def _deal_one(number: np.uint64, key: NDArray[np.uint64], deck: NDArray[np.uint8], dealt: NDArray[np.uint8]) -> None:
    words = np.empty(4, np.uint64)
    for at in range(deck.size):
        deck[at] = at
    used = 4
    place = NONE
    for at in range(dealt.size):
        left = np.uint64(deck.size - at)
        # This many of the 2^32 words would make the distribution uneven; they are drawn again.
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
        dealt[at] = card


@kernel
def _deal(seed: np.uint64, first: np.uint64, rounds: int, cards: int, drawn: int) -> NDArray[np.uint8]:
    dealt = np.empty(rounds * drawn, np.uint8)
    new = np.empty((TOGETHER, cards), np.uint8)
    for at in range(cards):
        new[:, at] = at
    decks = np.empty(TOGETHER * cards, np.uint8)
    new_words, deck_words = new.ravel().view(np.uint64), decks.view(np.uint64)  # copied eight cards at a time
    places = (drawn + 3) // 4
    words = np.empty((4 * places, TOGETHER), np.uint64)
    key = np.empty(2, np.uint64)
    key[0] = seed & LOW
    key[1] = seed >> WORD
    for start in range(0, rounds, TOGETHER):
        for place in range(places):
            _mix_together(first + np.uint64(start), place, key, words)
        for at in range(deck_words.size):
            deck_words[at] = new_words[at]
        are_even = True
        # The same card of many rounds in turn, so that none waits for the previous store.
        for at in range(drawn):
            left = np.uint64(cards - at)
            for row in range(min(TOGETHER, rounds - start)):
                share = words[at, row] * left
                # The words drawn again are fewer than `left`: a share above that is even, and no division is needed.
                are_even &= share & LOW >= left
                here = np.uint64(row * cards + at)  # unsigned: a signed index would be checked for being negative
                other = here + (share >> WORD)
                dealt[np.uint64((start + row) * drawn + at)] = decks[other]
                decks[other] = decks[here]
        if not are_even:
            for row in range(start, min(start + TOGETHER, rounds)):
                _deal_one(first + np.uint64(row), key, decks[:cards], dealt[row * drawn : (row + 1) * drawn])
    return dealt.reshape((rounds, drawn))


def deal(seed: int, first: int, rounds: int, *, cards: int, drawn: int) -> NDArray[np.uint8]:
    """Return the first cards drawn from a shuffled deck in each round from number `first` on, one round per row."""
    assert 0 <= seed < SEEDS, "a seed has 64 bits"
    assert 0 <= drawn <= cards <= 256, "a card's number is a byte, and no card is drawn twice"
    return _deal(np.uint64(seed), np.uint64(first), rounds, cards, drawn)
