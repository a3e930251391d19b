"""The player of highest value, hand by hand: its answer is the first of the values, in every game."""

import importlib
from collections.abc import Callable
from fractions import Fraction
from types import ModuleType

import pytest

from games.second_method import rules_of
from pitboss.cards.deck import Card
from pitboss.cards.shuffle import SeededShuffle
from pitboss.rules.reading import TableCards

pytestmark = pytest.mark.xdist_group("exact")
GAMES = ("ultimate-texas-holdem", "top-five-poker", "dragon-poker", "colorado-holdem")
HANDS = 6


def rooms(name: str) -> tuple[ModuleType, ModuleType]:
    folder = f"pitboss.games.{name.replace('-', '_')}"
    return importlib.import_module(f"{folder}.play"), importlib.import_module(f"{folder}.exact")


def answered(action: str, discard: Card | None) -> str:
    return action if discard is None else f"{action}, discard {discard}"


@pytest.mark.parametrize("name", GAMES)
def test_the_best_player_takes_the_action_of_highest_value(name: str) -> None:
    play, exact = rooms(name)
    rules = rules_of(name)
    decide = play.player(rules)
    worths: Callable[..., dict[str, Fraction]] = exact.action_worths
    boards = (0, 3, 5) if name == "ultimate-texas-holdem" else (0,)
    for ask, shown in zip(rules.actions, boards, strict=True):
        for seed in range(HANDS):
            cards = SeededShuffle(seed).order(rules.game.deck)
            held, board = cards[: rules.game.cards_each], cards[-5:][:shown]
            known = worths(rules, held, board) if board else worths(rules, held)
            taken = answered(*decide(ask, held, TableCards(board=board)))
            assert known[taken] == max(known.values()), (ask, held, board)
            assert answered(*decide(ask, held, TableCards(board=board))) == taken
