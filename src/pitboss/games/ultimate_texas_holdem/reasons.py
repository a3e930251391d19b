"""Why an action is best, in sentences with the figures that decide it."""

from fractions import Fraction
from math import comb

import numpy as np

from pitboss.cards.deck import STANDARD_DECK, Card
from pitboss.games.ultimate_texas_holdem import situation_kernels
from pitboss.games.ultimate_texas_holdem.board_kernels import DEALERS
from pitboss.games.ultimate_texas_holdem.exact import action_worths, numbers_of
from pitboss.games.ultimate_texas_holdem.solution import ENDS, ends_counted
from pitboss.games.ultimate_texas_holdem.strategies import outs_of_dealer
from pitboss.odds.deciding import won_and_lost
from pitboss.rules.in_force import RulesInForce

Hand = tuple[Card, ...]


def reason_for(rules: RulesInForce, cards: Hand, board: Hand) -> str:
    """Return how often a hand wins and loses with what is seen, and the action that follows."""
    worths = action_worths(rules, cards, board)
    best = next(iter(worths))
    if not board:
        margin = _margin_before(rules, worths)
        told = f"If you raise, {_more_won_than_lost(margin)}"
    elif len(board) == 3:
        won, lost = _after_flop(cards, board)
        margin = Fraction(won - lost, 1)
        told = f"If you raise, {won_and_lost(won, lost, comb(47, 2) * DEALERS)}"
    else:
        won, lost = _after_river(cards, board)
        unseen = len(STANDARD_DECK) - len(cards) - len(board)
        outs = f"The dealer beats you with {outs_of_dealer(cards, board)} of the {unseen} unseen cards"
        return f"{outs}: {won_and_lost(won, lost, DEALERS)}, so {best}."
    if best == "check" and margin > 0:
        return f"{told}. It's worth more to see more cards first, so check."
    return f"{told}, so {best}."


def _margin_before(rules: RulesInForce, worths: dict[str, Fraction]) -> Fraction:
    # Each unit raised wins or loses a unit, so what one more of them is worth is how much more often a hand wins.
    raises = [
        (action.stakes.times, worths[name])
        for name, action in rules.actions["before the flop"].items()
        if action.stakes and name in worths
    ]
    (fewer, less), *_, (times, more) = sorted(raises)
    return Fraction(more - less, times - fewer)


def _more_won_than_lost(margin: Fraction) -> str:
    of_hundred = round(100 * abs(margin))
    if not of_hundred:
        return "you win about as many deals as you lose"
    done, undone = ("win", "lose") if margin > 0 else ("lose", "win")
    return f"you {done} {of_hundred} more deals in 100 than you {undone}"


def _after_flop(cards: Hand, board: Hand) -> tuple[int, int]:
    won, lost, _ = situation_kernels.worth_after_flop(numbers_of(board), numbers_of(cards), *ends_counted().tables(), 0)
    return int(won), int(lost)


def _after_river(cards: Hand, board: Hand) -> tuple[int, int]:
    ends = np.zeros(len(ENDS), np.int64)
    category = situation_kernels.ends_against(numbers_of(board), numbers_of(cards), ends)
    won, lost = (int(ends @ table[:, category]) for table in ends_counted().tables())
    return won, lost
