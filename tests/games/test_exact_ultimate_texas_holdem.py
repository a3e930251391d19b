"""Ultimate Texas Hold 'Em counted completely, compared with frequencies found in every textbook."""

from collections import Counter
from fractions import Fraction
from math import comb

import pytest

from games.second_method import average_stake, mean, rules_of
from pitboss.cards.deck import Card
from pitboss.games.ultimate_texas_holdem import exact
from pitboss.rules.in_force import RulesInForce

pytestmark = pytest.mark.xdist_group("exact")
NAME = "ultimate-texas-holdem"
OF_FIVE = {
    "high-card": 1_302_540,
    "pair": 1_098_240,
    "two-pair": 123_552,
    "three-of-a-kind": 54_912,
    "straight": 10_200,
    "flush": 5_108,
    "full-house": 3_744,
    "four-of-a-kind": 624,
    "straight-flush": 36,
    "royal-flush": 4,
}
OF_SEVEN = dict(
    zip(
        OF_FIVE,
        (23_294_460, 58_627_800, 31_433_400, 6_461_620, 6_180_020, 4_047_644, 3_473_184, 224_848, 37_260, 4_324),
        strict=True,
    )
)


def cells(rules: RulesInForce, wager: str) -> Counter[str]:
    counted = exact.wager_counts(rules, wager)
    found: Counter[str] = Counter()
    for outcome in counted.outcomes:
        assert outcome.stakes == ((wager, 1),)
        ((named, cell),) = outcome.cells
        assert named == wager
        found[cell] += outcome.count
    assert found.total() == counted.total
    return found


def test_the_main_game_costs_what_is_published_whichever_way_equal_choices_go() -> None:
    rules = rules_of(NAME)
    more, less = (exact.main_counts(rules, ties) for ties in ("more", "less"))
    assert mean(rules, more) == mean(rules, less) == Fraction(-607723787676, 27813810024000)
    assert average_stake(more) > average_stake(less)
    together = exact.counts_together["trips"](rules, "more")
    assert mean(rules, together) == mean(rules, more) + mean(rules, exact.wager_counts(rules, "trips"))


def test_trips_and_the_progressive_are_hands_of_seven_or_of_five() -> None:
    seven, five = (rules_of(NAME, progressive_hand=chosen) for chosen in ("best-of-seven", "hole-and-flop"))
    assert cells(seven, "trips") == OF_SEVEN
    assert cells(seven, "progressive") == OF_SEVEN
    assert cells(five, "progressive") == OF_FIVE


def test_a_pair_on_the_board_is_tens_or_better_five_times_in_thirteen() -> None:
    expected = {name: count for name, count in OF_FIVE.items() if name != "pair"}
    expected |= {"pair-of-tens-or-better": 422_400, "pair-below-tens": 675_840}
    assert cells(rules_of(NAME), "play-the-board") == expected


def test_a_royal_flush_that_a_nine_lengthens_is_counted_apart() -> None:
    found = cells(rules_of(NAME), "six-card-bonus")
    assert found.total() == comb(52, 6)
    assert (found["super-royal-of-diamonds"], found["super-royal-of-another-suit"]) == (1, 3)
    # Four suits and any sixth card of 47, less the four nines that lengthen the royal flush.
    assert found["royal-flush"] == 4 * 47 - 4


def test_two_aces_meet_two_aces_once_in_1225() -> None:
    found = cells(rules_of(NAME), "ultimate-pairs")
    assert found.total() == comb(52, 2) * comb(50, 2)
    assert (found["aces-against-aces"], found["red-aces-against-aces"]) == (5, 1)
    assert (found["aces"], found["red-aces"]) == (5 * 1224, 1224)


def test_a_beaten_hand_is_the_players_as_often_as_the_dealers() -> None:
    player, both = (cells(rules_of(NAME, bad_beat_pays=chosen), "bad-beat") for chosen in ("player", "either"))
    beaten = set(player) - {"nobody-beaten", "tie"}
    assert beaten
    assert {name: both[name] for name in beaten} == {name: 2 * player[name] for name in beaten}
    assert both["tie"] == player["tie"]
    assert player["nobody-beaten"] == sum(player[name] for name in beaten)


def test_on_the_flop_the_dearer_answer_comes_first() -> None:
    rules = rules_of(NAME)
    pair = exact.action_worths(rules, (Card("Ah"), Card("7d")), (Card("As"), Card("7c"), Card("2h")))
    nothing = exact.action_worths(rules, (Card("3h"), Card("2d")), (Card("As"), Card("Kc"), Card("9h")))
    assert list(pair) == ["raise 2x", "check"]
    assert list(nothing) == ["check", "raise 2x"]
    assert pair["raise 2x"] > pair["check"] > 0 > nothing["check"] > nothing["raise 2x"]
