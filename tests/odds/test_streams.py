"""Deals depend only on seed and number, match the published generator, and are uniform."""

import numpy as np
import pytest

from pitboss.odds.streams import deal, mix


@pytest.mark.parametrize(
    ("counter", "key", "expected"),
    [  # the known answers that come with the generator's own distribution, Random123
        ([0] * 4, [0] * 2, [0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8]),
        ([0xFFFFFFFF] * 4, [0xFFFFFFFF] * 2, [0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD]),
        (
            [0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344],
            [0xA4093822, 0x299F31D0],
            [0xD16CFE09, 0x94FDCCEB, 0x5001E420, 0x24126EA1],
        ),
    ],
)
def test_known_answers_of_the_generator(counter: list[int], key: list[int], expected: list[int]) -> None:
    words = np.array(counter, np.uint64)
    mix(words, np.array(key, np.uint64))
    assert words.tolist() == expected


def dealt_plainly(seed: int, number: int, cards: int, drawn: int) -> tuple[list[int], bool]:
    """Deal one round as the generator and an even draw are defined, and say whether a word had to be drawn again."""
    key = np.array([seed & 0xFFFFFFFF, seed >> 32], np.uint64)
    words: list[int] = []
    deck, place, again = list(range(cards)), 0, False
    for at in range(drawn):
        left = cards - at
        while True:
            if not words:
                block = np.array([place, 0, number & 0xFFFFFFFF, number >> 32], np.uint64)
                mix(block, key)
                words, place = block.tolist(), place + 1
            share = words.pop(0) * left
            if share % (1 << 32) >= (1 << 32) % left:
                break
            again = True
        other = at + (share >> 32)
        deck[at], deck[other] = deck[other], deck[at]
    return deck[:drawn], again


@pytest.mark.parametrize(
    ("seed", "first", "rounds", "cards", "drawn"),
    [(1, 0, 200, 52, 13), (1 << 63, (1 << 32) - 70, 140, 52, 23), (77, 5, 3, 53, 53), (3, 0, 65, 256, 256)],
)
def test_rounds_dealt_together_are_those_dealt_plainly(
    seed: int, first: int, rounds: int, cards: int, drawn: int
) -> None:
    together = deal(seed, first, rounds, cards=cards, drawn=drawn).tolist()
    assert together == [dealt_plainly(seed, number, cards, drawn)[0] for number in range(first, first + rounds)]


@pytest.mark.parametrize("number", [4_961_672, 17_054_239])  # of the first half a billion words three
def test_a_word_that_gives_no_even_share_is_drawn_again(number: int) -> None:
    expected, again = dealt_plainly(1, number, 52, 13)
    assert again
    around = deal(1, number - 30, 50, cards=52, drawn=13)
    assert around[30].tolist() == expected
    assert around[29].tolist() == dealt_plainly(1, number - 1, 52, 13)[0]


def test_a_round_is_dealt_the_same_way_no_matter_who_deals() -> None:
    together = deal(9, 0, 500, cards=53, drawn=20)
    apart = [deal(9, first, 50, cards=53, drawn=20) for first in range(0, 500, 50)]
    assert np.array_equal(together, np.vstack(apart))
    assert np.array_equal(deal(9, 123, 1, cards=53, drawn=7), together[123:124, :7])


def test_other_seeds_and_far_rounds_are_other_deals() -> None:
    base = deal(1, 0, 50, cards=52, drawn=10)
    for seed, first in ((2, 0), (1 + (1 << 32), 0), (1, 1 << 32), ((1 << 64) - 1, 0)):
        assert not np.array_equal(base, deal(seed, first, 50, cards=52, drawn=10))


def test_no_card_is_drawn_twice() -> None:
    assert (np.sort(deal(3, 0, 200, cards=52, drawn=52), axis=1) == np.arange(52)).all()


def test_cards_are_even_in_every_place_and_beside_one_another() -> None:
    rounds = 60_000
    dealt = deal(4, 0, rounds, cards=12, drawn=12).astype(np.int64)
    for place in range(12):
        counts = np.bincount(dealt[:, place], minlength=12)
        assert ((counts - rounds / 12) ** 2 / (rounds / 12)).sum() < 40  # eleven degrees of freedom
    pairs = np.bincount(12 * dealt[:, 0] + dealt[:, 11], minlength=144)
    expected = rounds / 132
    assert pairs.reshape(12, 12).trace() == 0
    assert sum((pair - expected) ** 2 / expected for pair in pairs.tolist() if pair) < 210  # 131 degrees
