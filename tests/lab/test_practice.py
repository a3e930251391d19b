"""Practice hands: close decisions, the same for a seed, scored by value, and found on the chart."""

import pytest

from pitboss.games.catalogue import game, game_names
from pitboss.lab.advice import DISCARDING, advise, asked_at, chart_of
from pitboss.lab.practice import hard_hand, score_of, squares_of
from pitboss.odds.charts import Grid
from pitboss.rules.in_force import RulesInForce
from pitboss.rules.play import UNDECIDED

pytestmark = pytest.mark.xdist_group("exact")
RANKS = tuple("AKQJT98765432")
GRID = Grid(RANKS, RANKS, tuple(tuple("." * 13) for _ in RANKS))


@pytest.mark.parametrize("name", game_names())
def test_a_hard_hand_is_closer_than_most_and_the_same_for_a_seed(name: str) -> None:
    rules = RulesInForce(game(name))
    for seed in range(4):
        hand = hard_hand(rules, seed)
        assert hand == hard_hand(rules, seed)
        best, second = list(hand.worths.values())[:2]
        assert 0 < best - second < 1
    assert len({hard_hand(rules, seed).cards for seed in range(4)}) > 1


@pytest.mark.parametrize("name", game_names())
def test_a_good_player_comes_to_every_hard_hand(name: str) -> None:
    rules = RulesInForce(game(name))
    sizes = set()
    for seed in range(8):
        hand = hard_hand(rules, seed)
        sizes.add(len(hand.board))
        for size, asked in asked_at(rules).items():
            if size < len(hand.board):
                best = advise(rules, hand.cards, hand.board[:size]).best.partition(DISCARDING)[0]
                assert rules.actions[asked][best].becomes == UNDECIDED
    assert sizes == set(asked_at(rules)) if len(asked_at(rules)) < 3 else len(sizes) > 1


@pytest.mark.parametrize("name", game_names())
def test_a_claim_that_the_cards_contradict_is_not_an_answer(name: str) -> None:
    rules = RulesInForce(game(name))
    for seed in range(8):
        hand = hard_hand(rules, seed)
        moves = {worth.partition(DISCARDING)[0] for worth in hand.worths}
        claims = {action.name for action in rules.actions[hand.asked].values() if action.settles_at_once}
        assert moves - claims == set(rules.actions[hand.asked]) - claims
        assert all(hand.worths[move] > 0 for move in moves & claims)


@pytest.mark.parametrize("name", game_names())
def test_scores_run_from_zero_to_a_hundred_in_the_order_of_value(name: str) -> None:
    hand = hard_hand(RulesInForce(game(name)), 1)
    scores = [score_of(hand, action) for action in hand.worths]
    assert scores[0] == 100
    assert scores[-1] == 0
    assert scores == sorted(scores, reverse=True)


@pytest.mark.parametrize(
    ("cards", "squares"),
    [
        (("As", "Ks"), [(0, 1)]),
        (("Kd", "As"), [(1, 0)]),
        (("2c", "2d"), [(12, 12)]),
        (("As", "Kd", "Qd"), [(1, 0), (2, 0), (1, 2)]),
    ],
)
def test_suited_cards_are_above_the_diagonal_and_others_below(
    cards: tuple[str, ...], squares: list[tuple[int, int]]
) -> None:
    assert list(squares_of(GRID, cards)) == squares


def test_a_grid_of_anything_but_ranks_has_no_squares() -> None:
    assert squares_of(Grid(("high",), ("low",), (("x",),)), ("As", "Ks")) == ()


def test_the_squares_of_a_chart_say_what_is_best_where_the_chart_is_complete() -> None:
    for name in game_names():
        rules = RulesInForce(game(name))
        section = chart_of(rules).sections[0]
        if section.grid is None or section.cost:
            continue
        for cards in (("As", "Kd"), ("7c", "2d"), ("9s", "8s")):
            ((row, column),) = squares_of(section.grid, cards)
            is_marked = section.grid.cells[row][column] == next(iter(section.grid.legend))
            assert is_marked == (advise(rules, cards).best == max(section.hands, key=lambda hand: hand != "check"))
