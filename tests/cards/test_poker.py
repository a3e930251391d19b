"""The fast ranking against a slow one written straight from the definitions, and against known counts."""

import random
from collections import Counter
from itertools import combinations, pairwise

import pytest

from cards.slow_poker import FACES, ORDER, Hand, Ranked, best_by_definition
from pitboss.cards import STANDARD_DECK, Card
from pitboss.cards.poker import best, category, category_name, describe, first_rank, rank


def hand(text: str) -> Hand:
    return tuple(Card(name) for name in text.split())


def narrow_decks(chance: random.Random) -> list[Hand]:
    """Return the deck, and small parts of it in which rare hands are common."""
    low = chance.randrange(9)
    some_ranks = [card for card in STANDARD_DECK.cards if card[0] in FACES[low : low + 5] + "A"]
    two_suits = [card for card in STANDARD_DECK.cards if card[1] in "hs"]
    one_run = [card for card in two_suits if card[0] in FACES[low : low + 6] + "A"]
    return [STANDARD_DECK.cards, tuple(some_ranks), tuple(two_suits), tuple(one_run)]


@pytest.mark.parametrize(("size", "hands"), [(1, 52), (2, 800), (3, 3000), (4, 4000), (5, 12000), (6, 4000), (7, 3000)])
def test_values_order_hands_exactly_as_the_definition_does(size: int, hands: int) -> None:
    chance = random.Random(size)
    seen: dict[Ranked, int] = {}
    for _ in range(hands // 4):
        for deck in narrow_decks(chance):
            cards = tuple(chance.sample(deck, size))
            slow, fast = best_by_definition(cards), best(cards)
            assert category_name(fast) == ORDER[slow[0]], cards
            assert seen.setdefault(slow, fast) == fast, cards
    in_order = [seen[slow] for slow in sorted(seen)]
    assert all(lower < higher for lower, higher in pairwise(in_order))
    if size >= 5:
        assert {category(fast) for fast in in_order} == set(range(10))


@pytest.mark.slow
def test_every_five_card_hand_falls_into_its_category_as_often_as_counting_says() -> None:
    counts = Counter(category(best(five)) for five in combinations(STANDARD_DECK.cards, 5))
    assert [counts[kind] for kind in range(10)] == [
        1_302_540,
        1_098_240,
        123_552,
        54_912,
        10_200,
        5_108,
        3_744,
        624,
        36,
        4,
    ]


@pytest.mark.parametrize("count", [6, 7])
def test_more_cards_never_make_a_lower_hand(count: int) -> None:
    chance = random.Random(count)
    for _ in range(2000):
        cards = tuple(chance.sample(STANDARD_DECK.cards, count))
        assert best(cards) >= best(cards[:5])


def test_order_of_the_cards_does_not_matter() -> None:
    chance = random.Random(1)
    for _ in range(500):
        cards = chance.sample(STANDARD_DECK.cards, 7)
        value = best(cards)
        chance.shuffle(cards)
        assert best(cards) == value


@pytest.mark.parametrize(
    ("cards", "kind"),
    [
        ("5c 4d 3h 2s Ac", "straight"),
        ("5c 4c 3c 2c Ac", "straight-flush"),
        ("Ac 2d 3h 4s Kc", "high-card"),
        ("Ac 2d 3h Qs Kc", "high-card"),
        ("Ac 2d Jh Qs Kc", "high-card"),
        ("Ac 2c 3c 4c Kc", "flush"),
        ("Ac Kc Qc Jc 2c", "flush"),
        ("Ac 2d 3h 4s", "high-card"),
        ("Ac 2c 3c 4c", "high-card"),
    ],
)
def test_the_ace_is_low_with_five_four_three_two_only(cards: str, kind: str) -> None:
    assert category_name(best(hand(cards))) == kind


def test_the_wheel_is_the_lowest_straight_and_the_lowest_straight_flush() -> None:
    assert best(hand("5c 4d 3h 2s Ac")) < best(hand("6c 5d 4h 3s 2c"))
    assert best(hand("5c 4c 3c 2c Ac")) < best(hand("6d 5d 4d 3d 2d"))
    assert best(hand("5c 4d 3h 2s Ac 9d 9h")) > best(hand("9d 9h Ac Kd Qh"))


def test_a_six_high_straight_beats_the_wheel_in_the_same_cards() -> None:
    assert best(hand("Ac 2d 3h 4s 5c 6d Kd")) == best(hand("2d 3h 4s 5c 6d"))


def test_two_threes_make_the_full_house_of_the_higher_over_the_lower() -> None:
    assert best(hand("9c 9d 9h 4c 4d 4h Ks")) == best(hand("9c 9d 9h 4c 4d"))
    assert best(hand("9c 9d 9h 4c 4d Kh Ks")) == best(hand("9c 9d 9h Kh Ks"))


def test_three_pairs_keep_the_best_two_and_the_best_card_left() -> None:
    assert best(hand("9c 9d 4c 4d 2h 2s Ks")) == best(hand("9c 9d 4c 4d Ks"))
    assert best(hand("9c 9d 4c 4d 3h 3s 2s")) == best(hand("9c 9d 4c 4d 3h"))


def test_suits_never_break_a_tie() -> None:
    assert best(hand("Ac Kc Qc Jc Tc")) == best(hand("As Ks Qs Js Ts"))
    assert best(hand("Ac 8c 6c 4c 2c")) == best(hand("Ad 8d 6d 4d 2d"))


def test_no_cards_rank_below_any_card() -> None:
    assert best(()) < best(hand("2c"))
    assert describe(best(())) == "no cards"


@pytest.mark.parametrize(
    ("cards", "said"),
    [
        ("Ac", "ace high"),
        ("7c 2d", "seven high"),
        ("6c 6d", "pair of sixes"),
        ("2c 2d Ah", "pair of twos"),
        ("Ac Ad Kh Ks", "two pair"),
        ("Ac Ad Ah", "three of a kind"),
        ("Ac Ad Ah As", "four of a kind"),
        ("Ac Ad Ah Ks Kd", "full house"),
        ("Tc Jc Qc Kc Ac", "royal flush"),
    ],
)
def test_hands_are_announced_as_a_dealer_says_them(cards: str, said: str) -> None:
    assert describe(best(hand(cards))) == said


def test_ranks_run_from_two_to_ace() -> None:
    assert [rank(Card(face + "h")) for face in FACES] == list(range(1, 14))
    assert first_rank(best(hand("Ah 3c 3d"))) == rank(Card("3c"))
