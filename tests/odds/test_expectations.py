"""Conditional expectations: solved tables equal a count of one situation, and each averages to the one before it."""

from fractions import Fraction

import pytest

from pitboss.games import game, game_names
from pitboss.lab.exact_counts import MAIN, exact_of
from pitboss.lab.split import situations_of
from pitboss.lab.worth import worth_of
from pitboss.odds.deciding import answer_name
from pitboss.odds.expectations import OfAnyGame, expected_by_dealers
from pitboss.odds.pricing import required_stakes, stakes_after
from pitboss.odds.seen import questions
from pitboss.odds.streams import deal
from pitboss.rules.choices import Choices
from pitboss.rules.in_force import RulesInForce
from pitboss.rules.play import PLAYED
from pitboss.rules.reading import SeatCards, TableCards

pytestmark = pytest.mark.xdist_group("exact")
HOLDEM = "ultimate-texas-holdem"


@pytest.mark.parametrize("name", game_names())
def test_the_worth_of_an_answer_is_that_of_the_coach(name: str) -> None:
    rules = RulesInForce(game(name))
    situations, exact, definition = situations_of(rules), exact_of(name), rules.game
    for row in deal(5, 0, 4, cards=len(definition.deck), drawn=definition.cards_each + 5).tolist():
        cards = tuple(map(definition.deck.cards.__getitem__, row))
        own, board = cards[: definition.cards_each], cards[definition.cards_each :]
        for ask, up in questions(rules):
            shown = TableCards(board=board[: up.get("board", 0)])
            worths = situations.worths(ask, own, shown)
            assert worths == exact.action_worths(rules, own, shown.board)
            assert list(worths.values()) == sorted(worths.values(), reverse=True)


@pytest.mark.parametrize("blind", ["A", "B"])
def test_the_flop_averages_to_a_check_before_it(blind: str) -> None:
    # The three flops of one kind weigh the same for a hand that the change of suits leaves alone.
    rules = RulesInForce(game(HOLDEM), Choices(paytables={"blind": blind}))
    situations, exact = situations_of(rules), exact_of(HOLDEM)
    deck = rules.game.deck
    cards = deck.pick(("Qh", "7c"), set())
    board = deck.pick(("7h", "8h", "2s"), set(cards))
    assert situations.worths("after the flop", cards, TableCards(board=board)) == exact.action_worths(
        rules, cards, board
    )


def test_a_raised_hand_is_expected_to_win_what_every_dealer_gives_it() -> None:
    rules = RulesInForce(game(HOLDEM))
    deck = rules.game.deck
    for names in ("Qh 7c 7h 8h 2s Td 3c", "2c 2d Ah Kh Qh Jh Th"):
        cards = deck.pick(names.split(), set())
        held, table = SeatCards(cards[:2], PLAYED), TableCards(board=cards[2:])
        stakes = stakes_after(required_stakes(rules), rules.actions["before the flop"]["raise 3x"])
        assert situations_of(rules).expected(held, stakes, table) == expected_by_dealers(rules, held, stakes, table)


def test_own_cards_average_to_the_house_edge() -> None:
    for name in game_names():
        solver = getattr(exact_of(name), "SOLVER", None)
        if solver is None:
            continue
        rules = RulesInForce(game(name))
        situations = situations_of(rules)
        (ask,) = rules.actions
        total, count = Fraction(0), 0
        for cards, ways in solver.hands():
            total += ways * next(iter(situations.worths(ask, cards, TableCards()).values()))
            count += ways
        assert total / count == worth_of(rules, MAIN).ev


def test_a_side_wager_that_a_fold_loses_is_priced_by_answer() -> None:
    rules = RulesInForce(game("colorado-holdem"))
    situations, solver = situations_of(rules), exact_of("colorado-holdem").SOLVER  # type: ignore[attr-defined]
    total, count = Fraction(0), 0
    for cards, ways in solver.hands():
        worths = situations.side_worths("bonus", 100, cards)
        assert worths is not None
        assert worths["fold"] == -1
        best = solver.choices(rules, cards)[0]
        assert next(iter(worths)) == answer_name(best.action.name, best.discard)
        total += ways * next(iter(worths.values()))
        count += ways
    assert total / count == worth_of(rules, "bonus").ev
    assert situations_of(RulesInForce(game("dragon-poker"))).side_worths("dragon-bet", 100, ()) is None


def test_a_game_without_kernels_is_solved_from_its_definition() -> None:
    rules = RulesInForce(game("dragon-poker"))
    cards = rules.game.deck.pick(("Ph", "Pa", "Ra"), set())
    general = OfAnyGame(rules)
    (ask,) = rules.actions
    assert general.worths(ask, cards, TableCards()) == situations_of(rules).worths(ask, cards, TableCards())
    assert general.side_worths("dragon-bet", 100, cards) is None
