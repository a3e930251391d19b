"""The exact value of Dragon Poker, computed a second time in other ways."""

from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import combinations
from math import comb

import pytest

from games.second_method import average_stake, dealt_nets, mean, net, rules_of, standard_errors
from pitboss.cards.deck import Card, face
from pitboss.cards.shuffle import SeededShuffle
from pitboss.games import catalogue
from pitboss.games.dragon_poker import exact
from pitboss.games.dragon_poker.deck import DECK
from pitboss.games.dragon_poker.paytables import ANTE_BONUS
from pitboss.odds.pricing import net_units
from pitboss.rules.choices import Choices
from pitboss.rules.in_force import RulesInForce
from pitboss.rules.payoff import payoff
from pitboss.rules.paytable import paytable
from pitboss.rules.play import FOLDED, PLAYED
from pitboss.rules.reading import SeatCards, TableCards

NAME = "dragon-poker"
SIDE = ("three-card-bonus", "dragon-bet")
CHARACTERS = ("Ra", "Mo", "Pa", "Ti", "Ph", "D")
FIGURES = {
    ("main", "A"): Fraction(-581289, 18365984),
    ("main", "B"): Fraction(-6715041, 229574800),
    ("three-card-bonus", "A"): Fraction(-593, 11713),
    ("three-card-bonus", "B"): Fraction(-383, 11713),
    ("dragon-bet", "pair"): Fraction(-3373, 23426),
    ("dragon-bet", "gold"): Fraction(-3925, 23426),
}


def hand(*faces: str) -> tuple[Card, ...]:
    return DECK.pick(faces, set())


def short_rule(cards: tuple[Card, ...]) -> list[str]:
    """Play phoenix, panda and rabbit or better."""
    return ["play" if ranked(cards) >= ranked(hand("Ph", "Pa", "Ra")) else "fold"]


def ranked(cards: tuple[Card, ...]) -> tuple[tuple[int, int], ...]:
    """Rank three cards only from the rulebook: how often each character, the most frequent and highest first."""
    faces = [face(card) for card in cards]
    plain = ["D" if face in ("Dr", "Db") else face for face in faces if face != "Dg"]
    tried = [[*plain, wild] for wild in CHARACTERS] if len(plain) < 3 else [plain]
    return max(
        tuple(sorted(((count, CHARACTERS.index(item)) for item, count in Counter(three).items()), reverse=True))
        for three in tried
    )


@cache
def compared_by_hand() -> dict[tuple[str, ...], tuple[int, int, int, int]]:
    """Return, by faces, how many hands show them and the dealer's hands below, level and above, card by card."""
    value = {three: ranked(three) for three in combinations(DECK.cards, 3)}
    ways = Counter(tuple(map(face, three)) for three in value)
    found = {}
    for faces, count in ways.items():
        mine = hand(*faces)
        left = [card for card in DECK.cards if card not in mine]
        against = Counter(value[three] for three in combinations(left, 3))
        below = sum(dealers for other, dealers in against.items() if other < ranked(mine))
        level = against[ranked(mine)]
        found[faces] = (count, below, level, comb(50, 3) - below - level)
    return found


@pytest.mark.parametrize("letter", ["A", "B"])
def test_the_main_game_is_worth_its_figure(letter: str) -> None:
    rules = rules_of(NAME, ante_bonus=letter)
    counts = exact.main_counts(rules)
    assert counts.total == comb(53, 3) * comb(50, 3)
    assert sum(outcome.count for outcome in counts.outcomes) == counts.total
    assert mean(rules, counts) == FIGURES["main", letter]


@pytest.mark.parametrize("letter", ["A", "B"])
def test_a_side_wager_is_worth_its_figure(letter: str) -> None:
    rules = rules_of(NAME, three_card_bonus=letter)
    counts = exact.wager_counts(rules, "three-card-bonus")
    assert counts.total == comb(53, 3)
    assert mean(rules, counts) == FIGURES["three-card-bonus", letter]


def test_a_gold_dragon_with_one_dragon_is_cheaper_as_gold() -> None:
    for reading in ("pair", "gold"):
        rules = rules_of(NAME, gold_with_one_dragon=reading)
        assert mean(rules, exact.wager_counts(rules, "dragon-bet")) == FIGURES["dragon-bet", reading]
    # Six dragons besides the gold one, each with one of 46 other cards, at 7 to 1 or at 5 to 1.
    assert FIGURES["dragon-bet", "pair"] - FIGURES["dragon-bet", "gold"] == Fraction(6 * 46 * 2, comb(53, 3))


def test_dragons_are_counted_as_they_lie_in_the_deck() -> None:
    outcomes = exact.wager_counts(rules_of(NAME), "dragon-bet").outcomes
    assert {dict(outcome.cells)["dragon-bet"]: outcome.count for outcome in outcomes} == {
        "three-red-dragons": 1,
        "three-blue-dragons": 1,
        "three-dragons": comb(6, 3) - 2,
        "three-dragons-with-gold": comb(6, 2),
        "pair-of-dragons": comb(6, 2) * 46,
        "gold-and-one-dragon": 6 * 46,
        "gold-dragon": comb(46, 2),
        "fewer-dragons": comb(46, 3) + 6 * comb(46, 2),
    }


@pytest.mark.slow
def test_every_dealers_hand_dealt_card_by_card_gives_the_same_value() -> None:
    main = {"A": Fraction(0), "B": Fraction(0)}
    three = {letter: rules_of(NAME, ante_bonus=letter) for letter in main}
    for faces, (ways, below, level, above) in compared_by_hand().items():
        for letter, rules in three.items():
            cell = rules.game.readings.seat(
                TableCards(dealer=hand("Ra", "Ra", "Mo")),
                rules.game.readings.dealer(TableCards(dealer=hand("Ra", "Ra", "Mo")), {}),
                SeatCards(hand(*faces), PLAYED),
                rules.options,
                (),
            ).cells["ante-bonus"]
            bonus = net_units(rules, "ante-bonus", rules.adjudicate("ante-bonus", frozenset({"wins"}), cell))
            play = below * (2 + bonus) - 3 * above
            worths = exact.action_worths(rules, hand(*faces))
            assert worths == {"play": Fraction(play, comb(50, 3)), "fold": -2}, faces
            assert below + level + above == comb(50, 3)
            main[letter] += ways * max(Fraction(play), Fraction(-2 * comb(50, 3)))
    total = comb(53, 3) * comb(50, 3)
    assert {letter: Fraction(sum_, total) for letter, sum_ in main.items()} == {
        letter: FIGURES["main", letter] for letter in main
    }


@pytest.mark.parametrize("letter", ["A", "B"])
def test_values_equal_a_plain_enumeration_through_the_readings(letter: str) -> None:
    rules = rules_of(NAME, ante_bonus=letter)
    shuffle = SeededShuffle(2018)
    for cards in (hand("Dg", "Ph", "Ra"), shuffle.order(DECK)[:3]):
        worths = {}
        for action, status in (("play", PLAYED), ("fold", FOLDED)):
            ends: Counter[tuple[frozenset[str], str]] = Counter()
            for dealt in combinations([card for card in DECK.cards if card not in cards], 3):
                table = TableCards(dealer=dealt)
                dealer = rules.game.readings.dealer(table, rules.options)
                reading = rules.game.readings.seat(table, dealer, SeatCards(cards, status), rules.options, ())
                ends[reading.facts, reading.cells["ante-bonus"]] += 1
            won = Fraction(0)
            for (facts, cell), count in ends.items():
                for wager in ("ante", "ante-bonus", "play") if action == "play" else ("ante", "ante-bonus"):
                    won += count * net_units(rules, wager, rules.adjudicate(wager, facts, cell))
            worths[action] = won / comb(50, 3)
        assert exact.action_worths(rules, cards) == worths, cards


@pytest.mark.slow
def test_dealt_rounds_settle_within_four_standard_errors() -> None:
    rounds, rules = 6_000, rules_of(NAME)
    won = dealt_nets(rules, SIDE, short_rule, rounds, seed=53)
    assert standard_errors(rules, exact.main_counts(rules), won["main"], rounds) < 4
    for wager in SIDE:
        assert standard_errors(rules, exact.wager_counts(rules, wager), won[wager], rounds) < 4


def test_the_short_rule_is_the_whole_strategy() -> None:
    for letter in ("A", "B"):
        rules = rules_of(NAME, ante_bonus=letter)
        for faces in {tuple(map(face, three)) for three in combinations(DECK.cards, 3)}:
            best = next(iter(exact.action_worths(rules, hand(*faces))))
            assert [best] == short_rule(hand(*faces)), faces


def test_facts_and_cells_are_those_of_the_readings() -> None:
    rules = rules_of(NAME)
    counted = {(outcome.stakes, outcome.facts, outcome.cells) for outcome in exact.main_counts(rules).outcomes}
    shuffle = SeededShuffle(7)
    seen = set()
    for _ in range(2_000):
        order = shuffle.order(DECK)
        table, (action,) = TableCards(dealer=order[3:6]), short_rule(order[:3])
        seat = SeatCards(order[:3], PLAYED if action == "play" else FOLDED)
        reading = rules.game.readings.seat(table, rules.game.readings.dealer(table, {}), seat, rules.options, ())
        stakes = (("ante", 1), ("ante-bonus", 1), *((("play", 1),) if action == "play" else ()))
        seen.add((stakes, reading.facts, (("ante-bonus", reading.cells["ante-bonus"]),)))
    assert seen <= counted
    assert len(seen) > len(counted) // 2


def test_an_operators_own_odds_change_the_play() -> None:
    # At these odds every win pays, and a hand that was folded by a little is played.
    dear = ANTE_BONUS[0].with_odds({"winning-hand": payoff("3 to 2")})
    rules = rules_of(NAME, own_tables={"ante-bonus": dear})
    cards = hand("Ph", "Mo", "Ra")
    assert next(iter(exact.action_worths(rules_of(NAME), cards))) == "fold"
    assert next(iter(exact.action_worths(rules, cards))) == "play"
    counts = exact.main_counts(rules)
    assert average_stake(counts) > average_stake(exact.main_counts(rules_of(NAME)))
    assert mean(rules, counts) > FIGURES["main", "A"]
    assert {net(rules, outcome) for outcome in counts.outcomes} >= {Fraction(7, 2)}


def test_equal_choices_are_played_or_folded_as_asked() -> None:
    # Odds on a win with no pair that make one such hand worth its fold exactly.
    cards = hand("Ti", "Mo", "Ra")
    _, below, _, above = compared_by_hand()["Ti", "Mo", "Ra"]
    level = Fraction(3 * above - 2 * comb(50, 3), below) - 2
    odds = payoff(f"{level.numerator} to {level.denominator}")
    table = paytable(None, "Ch. 12 §B", {"high-card": "push"}).with_odds({"high-card": odds})
    rules = rules_of(NAME, own_tables={"ante-bonus": table})
    assert exact.action_worths(rules, cards) == {"play": -2, "fold": -2}
    more, less = exact.main_counts(rules, "more"), exact.main_counts(rules, "less")
    assert mean(rules, more) == mean(rules, less)
    assert average_stake(more) - average_stake(less) == Fraction(8 * 10 * 12, comb(53, 3))


@pytest.mark.parametrize(
    ("reads", "cell", "hands"),
    [("dragons", "three-red-dragons", 1), ("three-card", "three-rabbits", comb(12, 3) + comb(12, 2))],
)
def test_a_progressive_is_counted_on_the_hand_the_submission_names(reads: str, cell: str, hands: int) -> None:
    table = paytable(None, "Ch. 7 §F(4)", {cell: "100 % of meter"})
    choices = Choices(own_tables={"progressive": table}, own_hands={"progressive": reads})
    rules = RulesInForce(catalogue.game(NAME), choices)
    counts = exact.wager_counts(rules, "progressive")
    assert sum(outcome.count for outcome in counts.outcomes if outcome.cells == (("progressive", cell),)) == hands
