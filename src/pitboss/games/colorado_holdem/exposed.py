"""What exposed cards are worth: boards and one neighbor's hand counted, several neighbors' hands drawn at random."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from math import comb, lcm

import numpy as np
from numpy.typing import NDArray

from pitboss.games.colorado_holdem import peek_kernels
from pitboss.games.colorado_holdem.exact import cell_numbers
from pitboss.games.colorado_holdem.paytables import CELLS
from pitboss.odds.compiled import on_every_thread
from pitboss.odds.evaluator_tables import card_number
from pitboss.odds.exposure import BOARD, NEIGHBOURS, Exposed, Exposure, Moments, Rule, shares, stratified
from pitboss.odds.one_decision import End, Hand, end_of
from pitboss.odds.outcomes import Counts, NotCountable, Outcome, Stakes
from pitboss.odds.pricing import net_of_stakes, required_stakes, stakes_after
from pitboss.odds.short_rules import by_kind
from pitboss.odds.streams import deal
from pitboss.odds.symmetry import hands_by_kind
from pitboss.rules.in_force import RulesInForce
from pitboss.rules.play import Action
from pitboss.rules.reading import NO_DEALER, SeatCards, TableCards

CARDS, EACH = 52, 3
DRAWS, SEED = 512, 1  # random neighbors beside each kind of hand

Integers = NDArray[np.int64]


@dataclass(frozen=True)
class _Answers:
    """The answers to the game's question: what each nets, as integers in the same fraction of a unit."""

    scale: int
    discarding: tuple[Action, ...]  # the one that stakes more first
    stakes: tuple[Stakes, ...]
    nets: Integers  # by answer that discards, and cell
    fixed: dict[Hand, tuple[int, Action, End]]  # by hand: the best answer that doesn't discard
    rules: RulesInForce


def exposed(
    rules: RulesInForce, exposure: Exposure, ties: str = "more", announce: Callable[[str], None] = lambda _: None
) -> Exposed:
    """Return what the main game is worth to a player who has seen these cards before deciding."""
    announce(f"{rules.game.title}: {' '.join(exposure.words)}")
    answers = _answers(rules, ties)
    if exposure.only(BOARD):
        return _with_board(answers, exposure.board)
    if not exposure.only(NEIGHBOURS):
        raise NotCountable(
            f"In {rules.game.title} the community cards and the neighbors' cards are counted separately, not together."
        )
    return _with_neighbour(answers) if exposure.neighbours == 1 else _with_neighbours(answers, exposure.neighbours)


def _answers(rules: RulesInForce, ties: str) -> _Answers:
    (actions,) = rules.actions.values()
    before = required_stakes(rules)
    more = -1 if ties == "more" else 1
    discarding = sorted(
        (action for action in actions.values() if action.discards),
        key=lambda action: more * sum(units for _, units in stakes_after(before, action)),
    )
    stakes = tuple(stakes_after(before, action) for action in discarding)
    nets = [[_net(rules, placed, _end(placed, cell)) for cell in CELLS] for placed in stakes]
    others = [action for action in actions.values() if not action.discards]
    found = {}
    for cards, _ in hands_by_kind(EACH):
        ends = [
            (
                end_of(rules, TableCards(), NO_DEALER, SeatCards(cards, action.becomes), [name for name, _ in before]),
                action,
            )
            for action in others
        ]
        # A wrong declaration is worth as much as a fold, but is not a sensible play.
        best = max(ends, key=lambda item: (_net(rules, before, item[0]), not item[1].settles_at_once))
        found[cards] = _net(rules, before, best[0]), best[1], best[0]
    scale = lcm(*(net.denominator for row in nets for net in row), *(net.denominator for net, _, _ in found.values()))
    return _Answers(
        scale,
        tuple(discarding),
        stakes,
        np.array([[int(net * scale) for net in row] for row in nets], np.int64),
        {cards: (int(net * scale), action, end) for cards, (net, action, end) in found.items()},
        rules,
    )


def _end(stakes: Stakes, cell: str) -> End:
    return frozenset({cell}), tuple((wager, cell) for wager, _ in stakes)


def _net(rules: RulesInForce, stakes: Stakes, end: End) -> Fraction:
    return net_of_stakes(rules, stakes, *end)


@cache
def _hands() -> tuple[tuple[Hand, ...], Integers, Integers]:
    found = list(hands_by_kind(EACH))
    numbers = np.array([sorted(map(card_number, cards)) for cards, _ in found], np.int64)
    return tuple(cards for cards, _ in found), numbers, np.array([ways for _, ways in found], np.int64)


def _with_board(answers: _Answers, seen: int) -> Exposed:
    hands, numbers, ways = _hands()
    fixed = np.array([answers.fixed[cards][0] for cards in hands], np.int64)
    taken = np.zeros(len(hands), np.int64)

    def work(thread: int, threads: int) -> tuple[Integers, Integers]:
        counts, gains = np.zeros(answers.nets.shape, np.int64), np.zeros((len(peek_kernels.KINDS), 2), np.int64)
        peek_kernels.count_boards(
            thread, threads, seen, numbers, ways, cell_numbers(), answers.nets, fixed, counts, taken, gains
        )
        return counts, gains

    counts, gains = (np.sum(parts, axis=0) for parts in zip(*on_every_thread(work), strict=True))
    found: Counter[tuple[Stakes, frozenset[str], tuple[tuple[str, str], ...]]] = Counter()
    names: Counter[str] = Counter()
    for action, stakes, row in zip(answers.discarding, answers.stakes, counts.tolist(), strict=True):
        for cell, count in zip(CELLS, row, strict=True):
            found[stakes, *_end(stakes, cell)] += count
            names[action.name] += count
    for cards, count in zip(hands, taken.tolist(), strict=True):
        _, action, end = answers.fixed[cards]
        found[required_stakes(answers.rules), *end] += count
        names[action.name] += count
    outcomes = tuple(Outcome(*outcome, count) for outcome, count in found.items() if count)
    rule = _by_kinds(answers, gains, sum(found.values())) if seen else None
    return Exposed(Counts(sum(found.values()), outcomes), shares(names), len(hands) * comb(CARDS - EACH, seen), rule)


def _by_kinds(answers: _Answers, gains: Integers, deals: int) -> Rule:
    """Return the rule that looks at what the player's cards and those of the board make."""
    winner, *pairs = peek_kernels.KINDS[: peek_kernels.LOW_PAIR + 1]
    found = by_kind(dict(zip(peek_kernels.KINDS, map(tuple, gains.tolist()), strict=True)))
    bet = answers.discarding[0].name
    otherwise = answers.discarding[1].name if len(answers.discarding) > 1 else "fold"
    kinds = [kind for kind in found.play if kind not in pairs]
    if set(pairs) <= set(found.play):
        kinds.insert(winner in kinds, "a pair or better")
    else:
        kinds = list(found.play)
    declared = f"Declare {winner}. " if winner in found.leave else ""
    lines = (
        f"{declared}Look at your cards with those of the board. {bet.capitalize()} with {'; '.join(kinds)}.",
        f"Otherwise {otherwise}. Discard as in best play.",
    )
    return Rule(lines, Fraction(found.lost, deals * answers.scale))


def _with_neighbour(answers: _Answers) -> Exposed:
    hands, numbers, ways = _hands()
    fixed = np.array([answers.fixed[cards][0] for cards in hands], np.int64)
    functions = np.concatenate([np.stack([row, row * row, (row > 0).astype(np.int64)]) for row in answers.nets])
    taken = np.zeros(len(hands), np.int64)

    def work(thread: int, threads: int) -> Integers:
        totals = np.zeros((len(answers.nets), 4), np.int64)
        peek_kernels.sum_neighbour(
            thread, threads, numbers, ways, cell_numbers(), functions, len(answers.nets), fixed, totals, taken
        )
        return totals

    totals = np.sum(on_every_thread(work), axis=0).tolist()
    neighbours, boards = comb(CARDS - EACH, EACH), comb(CARDS - 2 * EACH, EACH)
    deals = comb(CARDS, EACH) * neighbours
    names: Counter[str] = Counter()
    net = square = wins = staked = 0
    for action, stakes, (count, won, squared, hits) in zip(answers.discarding, answers.stakes, totals, strict=True):
        names[action.name] += count
        net, square, wins = net + won, square + squared, wins + hits
        staked += count * sum(units for _, units in stakes)
    for count, (worth, action, _) in zip(taken.tolist(), (answers.fixed[cards] for cards in hands), strict=True):
        names[action.name] += count
        ends = count * boards
        net, square, wins = net + ends * worth, square + ends * worth**2, wins + ends * (worth > 0)
        staked += count * sum(units for _, units in required_stakes(answers.rules))
    total, scale = deals * boards, answers.scale
    moments = Moments(
        Fraction(net, total * scale), Fraction(staked, deals), Fraction(wins, total), Fraction(square, total * scale**2)
    )
    return Exposed(moments, shares(names), len(hands) * neighbours)


def _with_neighbours(answers: _Answers, neighbours: int) -> Exposed:
    # Each hand gets the same number of random neighbors, so only the neighbors are estimated, not the player's hand.
    hands, numbers, ways = _hands()
    shown = EACH * neighbours
    worths, units = np.empty((2, len(hands), DRAWS))

    def work(thread: int, threads: int) -> None:
        for at in range(thread, len(hands), threads):
            seen = deal(SEED, at * DRAWS, DRAWS, cards=CARDS - EACH, drawn=shown)
            fixed = answers.fixed[hands[at]][0]
            peek_kernels.worth_without(numbers[at], seen, cell_numbers(), answers.nets, fixed, worths[at], units[at])

    on_every_thread(work)
    required = sum(count for _, count in required_stakes(answers.rules))
    result = stratified(np.true_divide(worths, answers.scale), units + required, ways)
    return Exposed(result, {}, result.situations)
