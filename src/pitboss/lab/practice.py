"""Hands to practice on: close decisions that a good player faces, and what the chart says about them."""

import random
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations

from pitboss.cards.deck import RANKS, Card, face
from pitboss.lab.advice import DISCARDING, Advice, advise, asked_at
from pitboss.lab.exact_counts import exact_of
from pitboss.odds.charts import Chart, Grid
from pitboss.rules.in_force import RulesInForce
from pitboss.rules.play import UNDECIDED

DEALS_TRIED = 24  # the closest decision among this many deals is asked


@dataclass(frozen=True, slots=True)
class Quoted:
    """What a chart says about a hand: the rules that apply, the action and discard they give, and the cost of that."""

    rules: tuple[str, ...]
    action: str
    discard: str | None
    cost: Fraction  # compared with the best action, in units of the Ante
    because: str | None  # why the action is good or bad, in a sentence


def hard_hand(rules: RulesInForce, seed: int) -> Advice:
    """Return the closest decision among the deals of a seed; the same seed gives the same decision."""
    chance = random.Random(f"{rules.game.name} {seed}")
    size = chance.choice(tuple(asked_at(rules)))
    tried = [found for _ in range(DEALS_TRIED) if (found := _dealt(rules, chance, size)) is not None]
    return min(tried, key=_gap) if tried else advise(rules, *_cards(rules, chance, size))


def score_of(advice: Advice, action: str) -> int:
    """Return 100 for the best action, 0 for the worst, and in between according to its value."""
    spread = advice.worths[advice.best] - min(advice.worths.values())
    return round(100 * (1 - advice.cost(action) / spread)) if spread else 100


def quoted(rules: RulesInForce, chart: Chart, advice: Advice) -> Quoted | None:
    """Return what the chart says about the cards of an advice, or None where it has no rule for them."""
    taken: set[Card] = set()
    held, shown = (rules.game.deck.pick(faces, taken) for faces in (advice.cards, advice.board))
    said = chart.said(advice.asked, held, shown)
    action = next((part.action for part in said if part.action), None)
    if action is None:
        return None
    # A rule for the discard applies only where the action discards.
    discards = rules.actions[advice.asked][action].discards
    parts = [part for part in said if part.action or discards]
    discard = next((face(part.discard) for part in parts if part.discard), None)
    name = action if discard is None else f"{action}{DISCARDING}{discard}"
    return Quoted(tuple(part.rule for part in parts), action, discard, advice.cost(name), reason_of(rules, held, shown))


def reason_of(rules: RulesInForce, cards: tuple[Card, ...], board: tuple[Card, ...] = ()) -> str | None:
    """Return why a hand is strong or weak, in a sentence, where its game's analysis says."""
    found = getattr(exact_of(rules.game.name), "reason", None)
    return found(rules, cards, board) if found else None


def squares_of(grid: Grid, cards: tuple[str, ...]) -> tuple[tuple[int, int], ...]:
    """Return the row and column in a grid of ranks for every two of these cards."""
    if not {*grid.rows, *grid.columns} <= set(RANKS):
        return ()
    return tuple(dict.fromkeys(_squares(grid, cards)))


def _squares(grid: Grid, cards: tuple[str, ...]) -> Iterator[tuple[int, int]]:
    for pair in combinations(cards, 2):
        high, low = sorted(pair, key=lambda card: RANKS.index(card[0]), reverse=True)
        row, column = (high[0], low[0]) if high[1] == low[1] else (low[0], high[0])
        yield grid.rows.index(row), grid.columns.index(column)


def _dealt(rules: RulesInForce, chance: random.Random, size: int) -> Advice | None:
    # A good player reaches a later question only by waiting at those before it.
    cards, board = _cards(rules, chance, size)
    for before, asked in asked_at(rules).items():
        if before < size:
            best = advise(rules, cards, board[:before]).best
            if rules.actions[asked][best.partition(DISCARDING)[0]].becomes != UNDECIDED:
                return None
    found = advise(rules, cards, board)
    return found if _gap(found) else None


def _gap(advice: Advice) -> Fraction:
    best, second = list(advice.worths.values())[:2]
    return best - second


def _cards(rules: RulesInForce, chance: random.Random, size: int) -> tuple[tuple[str, ...], tuple[str, ...]]:
    game = rules.game
    drawn = tuple(map(face, chance.sample(game.deck.cards, game.cards_each + size)))
    return drawn[: game.cards_each], drawn[game.cards_each :]
