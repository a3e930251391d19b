"""Full names of poker hands, and the kickers that tell two of them apart."""

import random

import pytest

from pitboss.cards.deck import STANDARD_DECK, Card
from pitboss.cards.hand_names import best_five, full_name, told_apart
from pitboss.cards.poker import best, describe


def cards(text: str) -> tuple[Card, ...]:
    return tuple(map(Card, text.split()))


@pytest.mark.parametrize(
    ("hand", "name"),
    [
        ("Ah Kd Qs 9c 2d", "ace high"),
        ("9h 9d Qs 4c 2d", "pair of nines"),
        ("Ah Ad 6s 6c 2d", "two pair, aces and sixes"),
        ("6h 6d 6s 4c 2d", "three sixes"),
        ("7h 6d 5s 4c 3d", "seven-high straight"),
        ("Ah 2d 3s 4c 5d", "five-high straight"),
        ("Kh 9h 5h 4h 2h", "king-high flush"),
        ("9h 9d 9s 2c 2d", "full house, nines over twos"),
        ("9h 9d 9s 9c 2d", "four nines"),
        ("9h 8h 7h 6h 5h", "nine-high straight flush"),
        ("Ah Kh Qh Jh Th", "royal flush"),
        ("", "no cards"),
    ],
)
def test_a_hand_has_a_full_name(hand: str, name: str) -> None:
    assert full_name(best(cards(hand))) == name


@pytest.mark.parametrize(
    ("hand", "other", "names"),
    [
        ("7h 6d 5s 4c 3d", "Ah 2d 3s 4c 5d", ("seven-high straight", "five-high straight")),
        ("9h 9d As 4c 2d", "9s 9c Kh 4d 2s", ("pair of nines, ace kicker", "pair of nines, king kicker")),
        ("9h 9d As Kc 2d", "9s 9c Ah Qd 2s", ("pair of nines, ace-king kickers", "pair of nines, ace-queen kickers")),
        ("Ah Kd 9s 4c 2d", "As Qd 9c 4d 2s", ("ace-king high", "ace-queen high")),
        ("Ah Kh 9h 4h 2h", "As Ks 8s 4s 3s", ("ace-king-nine-high flush", "ace-king-eight-high flush")),
        ("6h 6d 6s 4c 2d", "6h 6d 6s 3c 2d", ("three sixes, four kicker", "three sixes, three kicker")),
        ("9h 9d As 4c 2d", "9s 9c Ah 4d 2s", ("pair of nines", "pair of nines")),
    ],
)  # fmt: skip
def test_two_hands_are_told_apart_by_the_first_kicker_that_differs(
    hand: str, other: str, names: tuple[str, str]
) -> None:
    assert told_apart(best(cards(hand)), best(cards(other))) == names


def test_hands_of_different_value_never_have_one_name() -> None:
    chance = random.Random(5)
    for _ in range(2_000):
        drawn = chance.sample(STANDARD_DECK.cards, 9)
        first, other = best(drawn[:7]), best(drawn[2:])
        names = told_apart(first, other)
        assert (names[0] == names[1]) == (first == other), (drawn, names)


def test_the_best_five_make_the_value_of_all() -> None:
    chance = random.Random(6)
    for size in (3, 5, 6, 7):
        for _ in range(200):
            drawn = tuple(chance.sample(STANDARD_DECK.cards, size))
            five = best_five(drawn)
            assert len(five) == min(size, 5)
            assert set(five) <= set(drawn)
            assert best(five) == best(drawn)


def test_a_full_name_says_what_the_dealer_announces() -> None:
    for text in ("Ah Kd Qs 9c 2d", "9h 9d Qs 4c 2d", "7h 6d 5s 4c 3d", "Ah Kh Qh Jh Th"):
        value = best(cards(text))
        assert full_name(value).endswith(describe(value))
