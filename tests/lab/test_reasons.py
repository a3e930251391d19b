"""The reasons the coach gives: figures counted again here, and a conclusion that is the best action."""

import random
import re
from collections.abc import Sequence
from itertools import combinations

import pytest

from pitboss.cards.deck import STANDARD_DECK, Card, face
from pitboss.cards.poker import best
from pitboss.games.catalogue import game, game_names
from pitboss.lab.advice import DISCARDING, advise, asked_at
from pitboss.lab.practice import reason_of
from pitboss.rules.in_force import RulesInForce

pytestmark = pytest.mark.xdist_group("exact")
TEXAS = "ultimate-texas-holdem"
DEALS = 3_000
OFF_MOST = 4  # percentage points; four standard deviations of a sample of this size


def told(name: str, cards: Sequence[str], board: Sequence[str] = ()) -> str:
    rules, taken = RulesInForce(game(name)), set[Card]()
    found = reason_of(rules, rules.game.deck.pick(cards, taken), rules.game.deck.pick(board, taken))
    assert found is not None
    return found


def shares(hole: Sequence[str], shown: Sequence[str], chance: random.Random) -> tuple[float, float]:
    """Return how many percent of dealt hands win and lose, by dealing."""
    unseen = [card for card in STANDARD_DECK.cards if card not in (*hole, *shown)]
    won = lost = 0
    for _ in range(DEALS):
        drawn = chance.sample(unseen, 7 - len(shown))
        board, dealer = [*shown, *drawn[2:]], drawn[:2]
        mine, theirs = best((*hole, *board)), best((*dealer, *board))
        won, lost = won + (mine > theirs), lost + (mine < theirs)
    return 100 * won / DEALS, 100 * lost / DEALS


@pytest.mark.parametrize("name", game_names())
def test_a_reason_ends_with_the_best_action_and_its_figures_add_up(name: str) -> None:
    rules, chance = RulesInForce(game(name)), random.Random(31)
    for size in asked_at(rules):
        for _ in range(6):
            drawn = tuple(map(face, chance.sample(rules.game.deck.cards, rules.game.cards_each + size)))
            cards, board = drawn[: rules.game.cards_each], drawn[rules.game.cards_each :]
            reason = told(name, cards, board)
            assert reason.endswith(f", so {advise(rules, cards, board).best.partition(DISCARDING)[0]}."), reason
            percent = [int(share) for share in re.findall(r"(\d+)%", reason)]
            assert percent == [] or 99 <= sum(percent) <= 101, reason


def test_the_dealers_outs_and_every_dealers_hand_on_the_river_are_counted() -> None:
    hole, board = ("2c", "3h"), ("Kd", "Qc", "9h", "8s", "5d")
    unseen = [card for card in STANDARD_DECK.cards if card not in (*hole, *board)]
    mine = best((*hole, *board))
    theirs = [best((*dealer, *board)) for dealer in combinations(unseen, 2)]
    won, lost, tied = (
        round(100 * sum(map(ends, theirs)) / len(theirs))
        for ends in (lambda value: value < mine, lambda value: value > mine, lambda value: value == mine)
    )
    counted = f"you win in {won}% of deals, lose in {lost}% and push in {tied}%, so fold."
    # A pair of any card on the board, or a card above the lowest of them that isn't there.
    assert told(TEXAS, hole, board) == f"The dealer beats you with 35 of the 45 unseen cards: {counted}"


@pytest.mark.parametrize(
    ("hole", "flop"),
    [(("As", "7d"), ("7c", "Jd", "2h")), (("9c", "8d"), ("Kh", "Qs", "3c")), (("5h", "4h"), ("Ah", "9h", "9d"))],
)
def test_how_often_a_hand_wins_after_the_flop_is_what_dealing_shows(hole: Sequence[str], flop: Sequence[str]) -> None:
    reason = told(TEXAS, hole, flop)
    found = re.match(r"If you raise, you win in (\d+)% of deals, lose in (\d+)%", reason)
    assert found, reason
    for share, dealt in zip(map(int, found.groups()), shares(hole, flop, random.Random(32)), strict=True):
        assert abs(share - dealt) < OFF_MOST, reason


@pytest.mark.parametrize(("hole", "sign"), [(("As", "Kd"), 1), (("Jc", "7c"), 1), (("7c", "2d"), -1)])
def test_how_many_more_deals_are_won_than_lost_before_the_flop(hole: Sequence[str], sign: int) -> None:
    reason = told(TEXAS, hole)
    words = "win (\\d+) more deals in 100 than you lose" if sign > 0 else "lose (\\d+) more deals in 100 than you win"
    found = re.match(f"If you raise, you {words}", reason)
    assert found, reason
    won, lost = shares(hole, (), random.Random(33))
    assert abs(sign * int(found[1]) - (won - lost)) < 2 * OFF_MOST


def test_a_hand_that_is_never_beaten_says_so() -> None:
    sure = "If you raise, you win in 100% of deals and lose in 0%, so raise 2x."
    assert told(TEXAS, ("As", "Ks"), ("Qs", "Js", "Ts")) == sure
