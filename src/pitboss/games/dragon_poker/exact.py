"""Exactly how often each outcome happens: every pair of hands by their faces, under optimal play."""

from collections import Counter
from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement
from math import comb
from typing import NamedTuple

from pitboss.cards.deck import Card, face
from pitboss.games.dragon_poker.deck import COPIES
from pitboss.odds.outcomes import Counts, Outcome
from pitboss.odds.pricing import net_units
from pitboss.rules.in_force import RulesInForce
from pitboss.rules.play import PLAYED, Action
from pitboss.rules.reading import DealerReading, SeatCards, TableCards

HANDS = comb(sum(COPIES.values()), 3)
DEALERS = comb(sum(COPIES.values()) - 3, 3)
CHOOSE = tuple(tuple(comb(n, k) for k in range(4)) for n in range(max(COPIES.values()) + 1))

Cells = tuple[tuple[str, str], ...]
Stakes = tuple[tuple[str, int], ...]


class Choice(NamedTuple):
    """One answer: what it stakes, what it is worth and how often it ends how."""

    stakes: Stakes
    worth: Fraction
    ends: Mapping[tuple[frozenset[str], Cells], int]


def main_counts(rules: RulesInForce, ties: str = "more") -> Counts:
    """Count the outcomes of Ante, Ante Bonus and Play."""
    found: Counter[tuple[Stakes, frozenset[str], Cells]] = Counter()
    for cards, ways in hands_left(COPIES):
        best = next(iter(_choices(rules, cards, ties).values()))
        for (facts, cells), count in best.ends.items():
            found[best.stakes, facts, cells] += ways * count
    return Counts(HANDS * DEALERS, tuple(Outcome(*outcome, count) for outcome, count in found.items()))


def wager_counts(rules: RulesInForce, wager: str, ties: str = "more") -> Counts:
    """Count the outcomes of one side wager; each is on the player's own cards, whatever becomes of the hand."""
    found: Counter[str] = Counter()
    for cards, ways in hands_left(COPIES):
        seat = SeatCards(cards, PLAYED)
        nobody = DealerReading(0, None, None)
        reading = rules.game.readings.seat(TableCards(), nobody, seat, rules.options, (wager,))
        found[reading.cells[wager]] += ways
    outcomes = (Outcome(((wager, 1),), frozenset(), ((wager, cell),), count) for cell, count in found.items())
    return Counts(HANDS, tuple(outcomes))


def action_worths(rules: RulesInForce, cards: tuple[Card, ...], board: tuple[Card, ...] = ()) -> dict[str, Fraction]:
    """Return what each action is worth with these cards, in units of the Ante, the best first."""
    return {name: choice.worth for name, choice in _choices(rules, cards, "more").items()}


def _choices(rules: RulesInForce, cards: tuple[Card, ...], ties: str) -> dict[str, Choice]:
    # Best first: by worth, then by what is staked.
    more = 1 if ties == "more" else -1
    (actions,) = rules.actions.values()
    choices = {name: _choice(rules, cards, action) for name, action in actions.items()}
    return dict(
        sorted(choices.items(), key=lambda one: (one[1].worth, more * sum(dict(one[1].stakes).values())), reverse=True)
    )


def _choice(rules: RulesInForce, cards: tuple[Card, ...], action: Action) -> Choice:
    stakes = tuple((one.name, 1) for one in rules.game.wagers if one.required)
    if action.stakes:
        stakes = (*stakes, (action.stakes.wager, action.stakes.times))
    ends = _ends(rules, SeatCards(cards, action.becomes), [wager for wager, _ in stakes])
    worth = Fraction(0)
    for (facts, cells), count in ends.items():
        for wager, units in stakes:
            verdict = rules.adjudicate(wager, facts, dict(cells).get(wager))
            worth += count * units * net_units(rules, wager, verdict)
    return Choice(stakes, Fraction(worth, DEALERS), ends)


def _ends(rules: RulesInForce, seat: SeatCards, wagers: list[str]) -> Counter[tuple[frozenset[str], Cells]]:
    readings = rules.game.readings
    held = Counter(map(face, seat.cards))
    left = {name: copies - held[name] for name, copies in COPIES.items()}
    ends: Counter[tuple[frozenset[str], Cells]] = Counter()
    for cards, ways in hands_left(left):
        table = TableCards(dealer=cards)
        reading = readings.seat(table, readings.dealer(table, rules.options), seat, rules.options, wagers)
        cells = tuple((wager, reading.cells[wager]) for wager in wagers if wager in reading.cells)
        ends[reading.facts, cells] += ways
    return ends


def hands_left(left: Mapping[str, int]) -> Iterator[tuple[tuple[Card, ...], int]]:
    """Yield one hand for each three faces, and how many hands of the cards left show them."""
    for cards, faces in _kinds():
        ways = 1
        for name, count in faces:
            ways *= CHOOSE[left[name]][count]
        if ways:
            yield cards, ways


@cache
def _kinds() -> tuple[tuple[tuple[Card, ...], tuple[tuple[str, int], ...]], ...]:
    faces = combinations_with_replacement(COPIES, 3)
    return tuple((tuple(map(Card, three)), tuple(Counter(three).items())) for three in faces)
