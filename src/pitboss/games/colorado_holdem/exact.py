"""Exactly how often each outcome happens, under optimal play: every board for every three cards and discard.

The boards open to two kept cards are all of theirs less those with the discard on them, so it is enough to know,
for two and for three cards, in which cells the five-card hands that hold them end.

Of discards worth the same the lowest card goes; of two cards of a rank, the one that leaves two of one suit.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations
from math import comb, lcm
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pitboss.cards.deck import RANKS, SUITS, Card
from pitboss.cards.poker import rank
from pitboss.games.colorado_holdem.paytables import CELLS
from pitboss.games.colorado_holdem.readings import five_card_cell
from pitboss.odds.evaluator import rank_hands
from pitboss.odds.evaluator_tables import tables
from pitboss.odds.outcomes import Counts, Outcome
from pitboss.odds.pricing import net_units
from pitboss.odds.symmetry import kinds
from pitboss.rules.in_force import RulesInForce
from pitboss.rules.play import DECLARED, Action
from pitboss.rules.reading import DealerReading, SeatCards, TableCards

HANDS, BOARDS = comb(52, 3), comb(49, 3)

Integers = NDArray[np.int64]
Hand = tuple[Card, ...]
Stakes = tuple[tuple[str, int], ...]


class Hands(NamedTuple):
    """Three-card hands, each in the order in which its cards are discarded when nothing else decides."""

    cards: Sequence[Hand]
    ways: Sequence[int]  # how many hands differ from each by their suits alone, itself included
    boards: Integers  # by hand, discard and cell


class End(NamedTuple):
    """How a hand ends: the facts, the cell that prices every wager on it, and on how many boards."""

    facts: frozenset[str]
    cell: str | None
    boards: int


class Choice(NamedTuple):
    """One answer and what it is worth to each hand; a discard by its place in the hand's order."""

    action: Action
    discard: int | None
    worths: Sequence[Fraction]


def main_counts(rules: RulesInForce, ties: str = "more") -> Counts:
    """Count the outcomes of Ante and Bet."""
    found: Counter[tuple[Stakes, frozenset[str], tuple[tuple[str, str], ...]]] = Counter()
    for stakes, end, ways in _played_best(rules, ties):
        cells = tuple((wager, end.cell) for wager, _ in stakes) if end.cell else ()
        found[stakes, end.facts, cells] += ways * end.boards
    return Counts(HANDS * BOARDS, tuple(Outcome(*outcome, count) for outcome, count in found.items()))


def wager_counts(rules: RulesInForce, wager: str, ties: str = "more") -> Counts:
    """Count the outcomes of the bonus wager, which takes no part in how the hand is played."""
    found: Counter[tuple[frozenset[str], tuple[tuple[str, str], ...]]] = Counter()
    for _, end, ways in _played_best(rules, ties):
        found[end.facts, ((wager, end.cell),) if end.cell else ()] += ways * end.boards
    outcomes = (Outcome(((wager, 1),), facts, cells, count) for (facts, cells), count in found.items())
    return Counts(HANDS * BOARDS, tuple(outcomes))


def action_worths(rules: RulesInForce, cards: Hand, board: tuple[Card, ...] = ()) -> dict[str, Fraction]:
    """Return what each action is worth with these cards, in units of the Ante, the best first."""
    hands = _hands([cards], [1])
    worths = {}
    for choice in choices_of(rules, hands, "more"):
        discard = "" if choice.discard is None else f", discard {hands.cards[0][choice.discard]}"
        worths[choice.action.name + discard] = choice.worths[0]
    return dict(sorted(worths.items(), key=lambda one: -one[1]))


def best_discard(rules: RulesInForce, cards: Hand, action: str) -> Card:
    """Return the discard of highest worth for a player who takes this action."""
    hands = _hands([cards], [1])
    open_to_it = [one for one in choices_of(rules, hands, "more") if one.action.name == action]
    best = max(open_to_it, key=lambda one: one.worths[0]).discard
    assert best is not None, f"{action} discards nothing"
    return hands.cards[0][best]


def _played_best(rules: RulesInForce, ties: str) -> Iterator[tuple[Stakes, End, int]]:
    hands = all_hands()
    choices = choices_of(rules, hands, ties)
    by_hand = zip(*(one.worths for one in choices), strict=True)
    for number, (ways, worths) in enumerate(zip(hands.ways, by_hand, strict=True)):
        best = choices[worths.index(max(worths))]
        for end in _ends(rules, hands, number, best.action, best.discard):
            yield _stakes(rules, best.action), end, ways


def choices_of(rules: RulesInForce, hands: Hands, ties: str) -> list[Choice]:
    """Return every answer open to these hands, in the order in which equal worths are settled."""
    # By what is staked; and a declaration comes last, since a wrong one is worth what a fold is worth and is no
    # way to play.
    more = 1 if ties == "more" else -1
    (actions,) = rules.actions.values()
    choices = []
    for action in sorted(actions.values(), key=lambda one: (-more * _staked(rules, one), one.becomes == DECLARED)):
        if action.discards:
            worths = _worths_played(rules, hands, _stakes(rules, action))
            choices += [Choice(action, place, column) for place, column in enumerate(worths)]
        else:
            choices.append(Choice(action, None, _worths_at_once(rules, hands, action)))
    return choices


def _stakes(rules: RulesInForce, action: Action) -> Stakes:
    stakes: Stakes = tuple((one.name, 1) for one in rules.game.wagers if one.required)
    return (*stakes, (action.stakes.wager, action.stakes.times)) if action.stakes else stakes


def _staked(rules: RulesInForce, action: Action) -> int:
    return sum(units for _, units in _stakes(rules, action))


def _units(rules: RulesInForce, stakes: Stakes, facts: frozenset[str], cell: str | None) -> Fraction:
    nets = (units * net_units(rules, wager, rules.adjudicate(wager, facts, cell)) for wager, units in stakes)
    return sum(nets, Fraction(0))


def _worths_played(rules: RulesInForce, hands: Hands, stakes: Stakes) -> list[list[Fraction]]:
    units = [_units(rules, stakes, frozenset({cell}), cell) for cell in CELLS]
    scale = lcm(*(one.denominator for one in units))
    # Python's own integers: an operator's odds may be of any size.
    sums = hands.boards.astype(object) @ np.array([int(one * scale) for one in units], object)
    return [[Fraction(one, scale * BOARDS) for one in column] for column in sums.T.tolist()]


def _worths_at_once(rules: RulesInForce, hands: Hands, action: Action) -> list[Fraction]:
    stakes = _stakes(rules, action)
    ends = (next(_ends(rules, hands, number, action, None)) for number in range(len(hands.cards)))
    return [_units(rules, stakes, end.facts, end.cell) for end in ends]


def _ends(rules: RulesInForce, hands: Hands, number: int, action: Action, discard: int | None) -> Iterator[End]:
    if discard is not None:
        for cell, boards in zip(CELLS, hands.boards[number, discard].tolist(), strict=True):
            if boards:
                yield End(frozenset({cell}), cell, boards)
        return
    seat = SeatCards(hands.cards[number], action.becomes)
    reading = rules.game.readings.seat(TableCards(), DealerReading(0, None, None), seat, rules.options, ())
    yield End(reading.facts, next(iter(reading.cells.values()), None), BOARDS)


@cache
def all_hands() -> Hands:
    """Return one hand of each kind that suits alone do not tell apart."""
    three = kinds(3)
    cards = [_cards(masks) for masks in three.masks.tolist()]
    return _hands(cards, three.multiplicity.tolist())


def _hands(cards: Sequence[Hand], ways: Sequence[int]) -> Hands:
    ordered = [_in_order_of_discarding(hand) for hand in cards]
    return Hands(ordered, ways, np.array([_boards(hand) for hand in ordered], np.int64))


def _in_order_of_discarding(cards: Hand) -> Hand:
    def leaves_two_of_one_suit(card: Card) -> bool:
        return len({other[1] for other in cards if other != card}) == 1

    return tuple(sorted(cards, key=lambda card: (rank(card), not leaves_two_of_one_suit(card))))


def _boards(cards: Hand) -> list[Integers]:
    with_discard = _hands_holding(_kind_of(cards))
    kept = (tuple(card for card in cards if card != discard) for discard in cards)
    return [_hands_holding(_kind_of(two)) - with_discard for two in kept]


def _kind_of(cards: Hand) -> Hand:
    # The same cards with their suits changed as `odds.symmetry` chooses: masks of ranks that do not increase.
    masks = [sum(1 << rank(card) - 1 for card in cards if card[1] == suit) for suit in SUITS]
    return _cards(sorted(masks, reverse=True))


def _cards(masks: Sequence[int]) -> Hand:
    pairs = zip(SUITS, masks, strict=True)
    return tuple(Card(name + suit) for suit, mask in pairs for at, name in enumerate(RANKS) if mask >> at & 1)


@cache
def _hands_holding(cards: Hand) -> Integers:
    # By cell: how many five-card hands hold these cards.
    held = [4 * RANKS.index(card[0]) + SUITS.index(card[1]) for card in cards]
    others = np.array([number for number in range(52) if number not in held], np.uint8)
    drawn = others[_draws(len(others), 5 - len(held))]
    hands = np.hstack([np.tile(np.array(held, np.uint8), (len(drawn), 1)), drawn])
    return np.bincount(_cell_numbers()[rank_hands(hands)], minlength=len(CELLS))


@cache
def _draws(cards: int, drawn: int) -> Integers:
    return np.array(list(combinations(range(cards), drawn)), np.int64)


@cache
def _cell_numbers() -> Integers:
    cells = {cell: number for number, cell in enumerate(CELLS)}
    return np.array([cells[five_card_cell(value)] for value in tables().poker_value.tolist()], np.int64)
