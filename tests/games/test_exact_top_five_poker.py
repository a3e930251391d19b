"""The exact value of Top Five Poker, computed a second time in other ways."""

from collections import Counter, defaultdict
from fractions import Fraction
from itertools import combinations
from math import comb

import numpy as np
import pytest

from cards.slow_poker import best_by_definition
from games.second_method import average_stake, dealt_nets, mean, rules_of, standard_errors
from pitboss.cards.deck import STANDARD_DECK, Card
from pitboss.cards.shuffle import SeededShuffle
from pitboss.games.top_five_poker import exact
from pitboss.odds.pricing import net_units
from pitboss.rules.play import FOLDED, PLAYED
from pitboss.rules.reading import SeatCards, TableCards

NAME = "top-five-poker"
SIDE = ("top-five-bonus", "poker-bonus")
DEALS = comb(52, 7) * comb(45, 7)
MAIN = Fraction(-799646116, 162155248255)
FIGURES = {
    ("top-five-bonus", "A"): Fraction(-20978, 491855),
    ("top-five-bonus", "B"): Fraction(-4150, 98371),
    ("top-five-bonus", "C"): Fraction(-6254, 70265),
    ("poker-bonus", "A"): Fraction(-1292957, 33446140),
    ("poker-bonus", "B"): Fraction(-763277, 16723070),
    ("poker-bonus", "C"): Fraction(-130619, 1454180),
}
HIGH = tuple(card for card in STANDARD_DECK.cards if card[0] in "TJQKA")
LOW = tuple(card for card in STANDARD_DECK.cards if card not in HIGH)


def hand(text: str) -> tuple[Card, ...]:
    """Return these high cards with low ones up to seven."""
    high = tuple(map(Card, text.split()))
    return high + LOW[: 7 - len(high)]


def value_by_definition(cards: tuple[Card, ...]) -> tuple[int, tuple[int, tuple[int, ...]]]:
    high = tuple(card for card in cards if card in HIGH)
    return len(high), best_by_definition(high)


def short_rule(cards: tuple[Card, ...]) -> list[str]:
    """Play ace-jack or better: three cards, a pair, or an ace with jack, queen or king."""
    value = value_by_definition(cards)
    return ["play" if value >= value_by_definition(hand("Ac Jd")) else "fold"]


def test_the_main_game_is_worth_its_figure() -> None:
    rules = rules_of(NAME)
    counts = exact.main_counts(rules)
    assert counts.total == DEALS
    assert sum(outcome.count for outcome in counts.outcomes) == DEALS
    assert mean(rules, counts) == MAIN


def test_no_hand_is_worth_its_fold_exactly() -> None:
    rules = rules_of(NAME)
    assert exact.main_counts(rules, "more").outcomes == exact.main_counts(rules, "less").outcomes


@pytest.mark.parametrize(("wager", "letter"), FIGURES)
def test_a_bonus_wager_is_worth_its_figure(wager: str, letter: str) -> None:
    rules = rules_of(NAME, **{wager: letter})
    counts = exact.wager_counts(rules, wager)
    assert counts.total == comb(52, 7)
    assert mean(rules, counts) == FIGURES[wager, letter]


def test_the_number_of_high_cards_is_hypergeometric() -> None:
    found = {
        dict(outcome.cells)["top-five-bonus"]: outcome.count
        for outcome in exact.wager_counts(rules_of(NAME), SIDE[0]).outcomes
    }
    words = ("no-cards", "one-card", "two-cards", "three-cards", "four-cards", "five-cards", "six-cards", "seven-cards")
    assert found == {word: comb(20, high) * comb(32, 7 - high) for high, word in enumerate(words)}


def test_poker_hands_are_those_that_counting_out_gives() -> None:
    found = {
        dict(outcome.cells)["poker-bonus"]: outcome.count
        for outcome in exact.wager_counts(rules_of(NAME), SIDE[1]).outcomes
    }
    assert found["royal-flush"] == 4 * comb(47, 2)
    assert found["four-of-a-kind"] == 5 * comb(48, 3)
    # A straight holds every rank; inclusion and exclusion over the ranks that are missing.
    every_rank = sum((-1) ** gone * comb(5, gone) * comb(52 - 4 * gone, 7) for gone in range(6))
    assert found["straight"] == every_rank - found["royal-flush"]


@pytest.mark.slow
def test_values_equal_a_plain_enumeration_through_the_readings() -> None:
    rules, readings = rules_of(NAME), rules_of(NAME).game.readings
    shuffle = SeededShuffle(20)
    dealt = [shuffle.order(STANDARD_DECK)[:7] for _ in range(2)]
    for cards in [
        *dealt,
        hand("Ac Td"),
        hand("Tc Jc Qc Kc Ac Td"),
        hand("Tc Jd Qc Kc Ac"),
        hand("Tc Td Th Jc Jd Qh Ks"),
    ]:
        high = sum(card in HIGH for card in cards)
        left = [card for card in HIGH if card not in cards]
        ends: Counter[frozenset[str]] = Counter()
        for size in range(8):
            low = [card for card in LOW if card not in cards]
            for some in combinations(left, size):
                table = TableCards(dealer=some + tuple(low[: 7 - size]))
                dealer = readings.dealer(table, rules.options)
                reading = readings.seat(table, dealer, SeatCards(cards, PLAYED), rules.options, ())
                ends[reading.facts] += comb(25 + high, 7 - size)
        assert ends.total() == comb(45, 7)
        won = sum(
            count * net_units(rules, wager, rules.adjudicate(wager, facts, None))
            for facts, count in ends.items()
            for wager in ("ante", "play")
        )
        assert exact.action_worths(rules, cards) == {"play": Fraction(won, comb(45, 7)), "fold": -1}, cards


@pytest.mark.slow
def test_every_set_of_high_cards_against_every_other_gives_the_same_value() -> None:
    masks = np.array([mask for mask in range(1 << 20) if mask.bit_count() <= 7])
    kinds: dict[tuple[int, ...], list[int]] = defaultdict(list)
    for mask in masks.tolist():
        kinds[tuple(sorted(mask >> 5 * suit & 31 for suit in range(4)))].append(mask)
    by_kind = {
        kind: value_by_definition(tuple(card for bit, card in enumerate(exact.HIGH_CARDS) if same[0] >> bit & 1))
        for kind, same in kinds.items()
    }
    dense = {value: number for number, value in enumerate(sorted({*by_kind.values(), (2, (0, (10, 9)))}))}
    value_of_mask = {mask: dense[by_kind[kind]] for kind, same in kinds.items() for mask in same}
    value = np.array([value_of_mask[mask] for mask in masks.tolist()])
    size = np.bitwise_count(masks).astype(np.int64)
    qualifies = value >= dense[2, (0, (10, 9))]
    won = 0
    for kind, same in kinds.items():
        high, mine = same[0].bit_count(), dense[by_kind[kind]]
        weight = np.array([comb(25 + high, 7 - dealt) for dealt in range(8)])[size]
        weight = np.where(masks & same[0] == 0, weight, 0)
        sign = np.sign(mine - value)
        played = int((weight * sign * (1 + qualifies)).sum())
        won += len(same) * comb(32, 7 - high) * max(played, -comb(45, 7))
    assert Fraction(won, DEALS) == MAIN


@pytest.mark.slow
def test_dealt_rounds_settle_within_four_standard_errors() -> None:
    rounds, rules = 10_000, rules_of(NAME)
    won = dealt_nets(rules, SIDE, short_rule, rounds, seed=5)
    assert standard_errors(rules, exact.main_counts(rules), won["main"], rounds) < 4
    for wager in SIDE:
        assert standard_errors(rules, exact.wager_counts(rules, wager), won[wager], rounds) < 4


def test_the_short_rule_is_the_whole_strategy() -> None:
    rules = rules_of(NAME)
    for size in range(4):
        for high in combinations(HIGH, size):
            if size < 3 or high[0][1] == "c":
                cards = hand(" ".join(high))
                assert [next(iter(exact.action_worths(rules, cards)))] == short_rule(cards), high
    # More cards than three are worth more than any three.
    counts = exact.main_counts(rules)
    played = comb(52, 7) - sum(comb(20, high) * comb(32, 7 - high) for high in (0, 1))
    folded_pairs = 16 * 7  # ten-jack to king-queen, and ace-ten, in any suits
    expected = 1 + Fraction(played - folded_pairs * comb(32, 5), comb(52, 7))
    assert average_stake(counts) == expected


def test_ace_ten_is_folded_by_a_fifth_of_a_percent() -> None:
    worths = exact.action_worths(rules_of(NAME), hand("Ac Td"))
    assert list(worths) == ["fold", "play"]
    assert Fraction(-1003, 1000) < worths["play"] < Fraction(-1001, 1000)


def test_facts_are_those_of_the_readings() -> None:
    rules = rules_of(NAME)
    counts = exact.main_counts(rules)
    chance = {(outcome.stakes, outcome.facts): outcome.count / counts.total for outcome in counts.outcomes}
    shuffle, rounds = SeededShuffle(11), 4_000
    seen: Counter[tuple[tuple[tuple[str, int], ...], frozenset[str]]] = Counter()
    for _ in range(rounds):
        order = shuffle.order(STANDARD_DECK)
        table, (action,) = TableCards(dealer=order[7:14]), short_rule(order[:7])
        seat = SeatCards(order[:7], PLAYED if action == "play" else FOLDED)
        reading = rules.game.readings.seat(
            table, rules.game.readings.dealer(table, rules.options), seat, rules.options, ()
        )
        stakes = (("ante", 1), ("play", 1)) if action == "play" else (("ante", 1),)
        seen[stakes, reading.facts] += 1
    assert seen.keys() <= chance.keys()
    for outcome, expected in chance.items():
        assert abs(seen[outcome] - rounds * expected) < 5 * (rounds * expected * (1 - expected)) ** 0.5 + 1, outcome
