"""What exposed cards are worth: cards counted by rank, and by the suits that can still make a royal flush."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import cache, partial
from itertools import combinations_with_replacement, product
from math import comb, lcm, prod
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pitboss.cards.deck import RANK_TITLES
from pitboss.cards.poker import rank
from pitboss.games.top_five_poker import peek_kernels
from pitboss.games.top_five_poker.exact import (
    ENDS,
    FOLD_FACTS,
    HIGH_RANKS,
    LOW_CARDS,
    MOST,
    Kinds,
    cards_of,
    dealer_kinds,
)
from pitboss.odds.compiled import on_every_thread
from pitboss.odds.exposure import DEALER, NEIGHBOURS, Exposed, Exposure, Rule, exact_sums, shares
from pitboss.odds.outcomes import Counts, NotCountable, Outcome
from pitboss.odds.pricing import net_of_stakes, required_stakes, stakes_after
from pitboss.odds.short_rules import cost_of, thresholds
from pitboss.odds.symmetry import SUIT_PERMUTATIONS
from pitboss.rules.in_force import RulesInForce
from pitboss.rules.play import FOLDED, Action

SUITS, ROWS_AT_ONCE = 4, 512
LEVEL_OR_BETTER = ("Play every hand that ties or beats the dealer's; fold anything less.",)
ORDERS = len(ENDS) // 2

Integers = NDArray[np.int64]


class Ranking(NamedTuple):
    """The kinds of hands, lowest first, and for each way a hand may end which of the dealer's kinds end it so."""

    kinds: Kinds
    start: Integers  # by kind and end
    stop: Integers


class Nets(NamedTuple):
    """What a played hand nets by end and what a fold nets, as integers in the same fraction of a unit."""

    play: Integers
    fold: int
    scale: int


def exposed(
    rules: RulesInForce, exposure: Exposure, ties: str = "more", announce: Callable[[str], None] = lambda _: None
) -> Exposed:
    """Return the outcomes of the main game for a player who has seen these cards before deciding."""
    if not exposure.only(DEALER, NEIGHBOURS) or (exposure.dealer and exposure.neighbours):
        raise NotCountable(
            f"In {rules.game.title} the dealer's cards and the neighbors' cards are counted separately, not together."
        )
    announce(f"{rules.game.title}: {' '.join(exposure.words)}")
    nets = _nets(rules)
    rule = None
    if exposure.dealer:
        ends, situations, rule = _with_dealers(exposure.dealer, nets, ties)
    else:
        ends, situations = _with_neighbours(exposure.neighbours, nets, ties)
    fold, play = sorted(_actions(rules), key=lambda action: action.becomes != FOLDED)
    stakes = {action.name: stakes_after(required_stakes(rules), action) for action in (fold, play)}
    outcomes = [Outcome(stakes[play.name], facts, (), count) for facts, count in zip(ENDS, ends, strict=False) if count]
    outcomes += [Outcome(stakes[fold.name], FOLD_FACTS, (), ends[-1])] if ends[-1] else []
    if exposure.neighbours:
        rule = _by_unseen(exposure.neighbours, nets, _gained(ends, nets))
    answers = Counter({play.name: sum(ends[:-1]), fold.name: ends[-1]})
    return Exposed(Counts(sum(ends), tuple(outcomes)), shares(answers), situations, rule)


def _actions(rules: RulesInForce) -> list[Action]:
    (actions,) = rules.actions.values()
    return list(actions.values())


def _nets(rules: RulesInForce) -> Nets:
    fold, play = sorted(_actions(rules), key=lambda action: action.becomes != FOLDED)
    before = required_stakes(rules)
    played = [net_of_stakes(rules, stakes_after(before, play), facts, ()) for facts in ENDS]
    folded = net_of_stakes(rules, stakes_after(before, fold), FOLD_FACTS, ())
    scale = lcm(*(net.denominator for net in (*played, folded)))
    return Nets(np.array([int(net * scale) for net in played], np.int64), int(folded * scale), scale)


@cache
def ranking() -> Ranking:
    """Return the kinds of hands in order of their value."""
    kinds, qualifies = dealer_kinds()
    order = np.argsort(kinds.value, kind="stable")
    kinds = Kinds(*(part[order] for part in kinds))
    assert (np.diff(qualifies[order]) >= 0).all(), "a better hand qualifies too"
    qualifying = int(np.searchsorted(qualifies[order], 1))
    size, count = kinds.size(), len(kinds.value)
    fewer, more = np.searchsorted(size, size), np.searchsorted(size, size, side="right")
    below, level = np.searchsorted(kinds.value, kinds.value), np.searchsorted(kinds.value, kinds.value, side="right")
    zero, every = np.zeros(count, np.int64), np.full(count, count)
    # In the order of `exact.ORDERS`: more cards, fewer, equal and higher, equal and lower, equal.
    start = np.stack([zero, more, fewer, level, below], axis=1)
    stop = np.stack([fewer, every, below, more, level], axis=1)
    starts = np.hstack([np.minimum(start, qualifying), np.maximum(start, qualifying)])
    stops = np.hstack([np.minimum(stop, qualifying), np.maximum(stop, qualifying)])
    return Ranking(kinds, starts, stops)


def _with_neighbours(neighbours: int, nets: Nets, ties: str) -> tuple[list[int], int]:
    # All cards seen are a pool, of which any seven are the player's own: what the dealer may hold depends only on it.
    pool = MOST * (neighbours + 1)
    found = [0] * (len(ENDS) + 1)
    situations = 0
    for rows in _in_parts(_pools(pool)):
        held = np.array([row[0] for row in rows], np.int64)
        whole = np.array([row[1] for row in rows], np.int64)
        ends = _ends_of_pools(held, whole, pool)
        for weights, mine, sign in _own_hands(rows, held, pool):
            counts = _played(ends, mine, nets, ties)
            found = [total + sign * more for total, more in zip(found, exact_sums(weights, counts), strict=True)]
        situations += int(np.count_nonzero(_plain_ways(held, pool)))
    return found, situations


def _own_hands(
    rows: Sequence[tuple[tuple[int, ...], int, int, int]], held: Integers, pool: int
) -> Iterator[tuple[list[int], Integers, int]]:
    """Yield which hands are the player's own in pools with these ranks: a weight for each pool, the hands, a sign."""
    kinds = ranking().kinds
    less = np.where(kinds.held > 0, _choose(held[:, None, :] - 1, kinds.held - 1), 0)
    royal = np.where(kinds.royal == 1, _low_ways(held, pool) * np.prod(less, axis=2), 0)
    all_ways, royal_ways = [row[2] for row in rows], [row[3] for row in rows]
    # Of the pools with these ranks, those with a royal flush among the player's cards are taken out again.
    yield all_ways, _plain_ways(held, pool), 1
    yield royal_ways, royal, 1
    yield royal_ways, _as_plain(royal, _plain_twins()), -1


def _plain_ways(held: Integers, pool: int) -> Integers:
    kinds = ranking().kinds
    every = _low_ways(held, pool) * np.prod(_choose(held[:, None, :], kinds.held), axis=2)
    plain: Integers = np.where(kinds.royal == 1, 0, every)
    return plain


def _low_ways(held: Integers, pool: int) -> Integers:
    return _choose((pool - held.sum(axis=1))[:, None], MOST - ranking().kinds.size())


def _gained(ends: list[int], nets: Nets) -> int:
    """Return what best play gains over folding every hand, over all deals."""
    return sum(count * (int(net) - nets.fold) for count, net in zip(ends[:-1], nets.play.tolist(), strict=True))


def _by_unseen(neighbours: int, nets: Nets, best: int) -> Rule:
    """Return the rule that looks at how many high cards are unseen and at the player's hand."""
    pool = MOST * (neighbours + 1)
    high_cards = SUITS * HIGH_RANKS
    found: dict[int, list[int]] = {}
    for rows in _in_parts(_pools(pool)):
        held = np.array([row[0] for row in rows], np.int64)
        ends = _ends_of_pools(held, np.array([row[1] for row in rows], np.int64), pool)
        gain = ends @ nets.play - ends.sum(axis=2) * nets.fold
        for weights, mine, sign in _own_hands(rows, held, pool):
            gains = sign * mine * gain
            for seen in np.unique(held.sum(axis=1)).tolist():
                at = np.flatnonzero(held.sum(axis=1) == seen)
                sums = exact_sums([weights[row] for row in at.tolist()], gains[at])
                before = found.get(seen, [0] * len(sums))
                found[seen] = [total + more for total, more in zip(before, sums, strict=True)]
    deals = comb(high_cards + LOW_CARDS, pool) * comb(pool, MOST) * comb(high_cards + LOW_CARDS - pool, MOST)
    sights = sorted(found, reverse=True)
    rule = thresholds(_by_value([found[seen] for seen in sights]))
    lines = ["Count the tens, jacks, queens, kings and aces that none of the shared hands holds."]
    for first, last, least in rule.stretches:
        lines.append(
            f"With {_many(high_cards - sights[first], high_cards - sights[last])} unseen, {_played_from(least)}."
        )
    return Rule(tuple(lines), cost_of(best, rule.gained, deals * nets.scale))


def _many(least: int, most: int) -> str:
    return str(most) if least == most else f"{least} to {most}"


@cache
def _values() -> list[int]:
    return sorted(set(ranking().kinds.value.tolist()))


def _by_value(gains: list[list[int]]) -> list[list[int]]:
    # Kinds are in order of their value, and some are equal.
    place = np.searchsorted(_values(), ranking().kinds.value).tolist()
    found = [[0] * len(_values()) for _ in gains]
    for row, sums in zip(found, gains, strict=True):
        for at, gain in zip(place, sums, strict=True):
            row[at] += gain
    return found


def _played_from(least: int) -> str:
    """Return what to do if this is the lowest value to play, by its place among all."""
    values, kinds = _values(), ranking().kinds
    if least == 0:
        return "play every hand"
    if least == len(values):
        return "fold"
    at = int(np.searchsorted(kinds.value, values[least]))
    size = int(kinds.size()[at])
    if size > int(kinds.size()[np.searchsorted(kinds.value, values[least - 1])]):
        return f"play {size} or more high cards"
    cards = sorted(map(rank, cards_of(int(kinds.sample[at]))), reverse=True)
    return f"play {'-'.join(RANK_TITLES[high - 1] for high in cards)} or better"


def _in_parts(
    rows: Sequence[tuple[tuple[int, ...], int, int, int]],
) -> Iterator[Sequence[tuple[tuple[int, ...], int, int, int]]]:
    for at in range(0, len(rows), ROWS_AT_ONCE):
        yield rows[at : at + ROWS_AT_ONCE]


def _pools(size: int) -> list[tuple[tuple[int, ...], int, int, int]]:
    """Return how many of each rank may be in a pool, the suits left whole, and how many pools are so.

    The last number counts pools with one of their suits complete; a player who holds that suit has a royal flush.
    """
    found = []
    for held in product(range(SUITS + 1), repeat=HIGH_RANKS):
        low = size - sum(held)
        if not 0 <= low <= LOW_CARDS:
            continue
        for whole in range(SUITS + 1):
            ways = _exactly(whole, SUITS, partial(_any, held))
            if not ways:
                continue
            royal = _exactly(whole, SUITS - 1, partial(_with_one, held))
            found.append((held, whole, ways * comb(LOW_CARDS, low), SUITS * royal * comb(LOW_CARDS, low)))
    return found


def _any(held: tuple[int, ...], suits: int) -> int:
    return prod(comb(suits, count) for count in held)


def _with_one(held: tuple[int, ...], suits: int) -> int:
    return prod((comb(suits, count - 1) if count else 0) for count in held)


def _exactly(whole: int, suits: int, ways: Callable[[int], int]) -> int:
    # Of so many suits exactly these are left whole: by inclusion and exclusion from those that leave at least these.
    if whole > suits:
        return 0
    left = suits - whole
    terms = ((1, -1)[more % 2] * comb(left, more) * ways(left - more) for more in range(left + 1))
    return comb(suits, whole) * sum(terms)


def _ends_of_pools(held: Integers, whole: Integers, pool: int) -> Integers:
    """Return by pool, kind of the player's hand and end how many of the dealer's hands end a played hand so."""
    order = ranking()
    kinds = order.kinds
    left = SUITS - held[:, None, :]
    every = np.prod(_choose(left, kinds.held), axis=2)
    less = np.where(kinds.held > 0, _choose(left - 1, kinds.held - 1), 0)
    royal = whole[:, None] * np.prod(less, axis=2)
    high = np.where(kinds.royal == 1, royal, every - royal)
    low = _choose((LOW_CARDS - pool + held.sum(axis=1))[:, None], MOST - kinds.size())
    below = np.zeros((len(held), len(kinds.value) + 1), np.int64)
    np.cumsum(high * low, axis=1, out=below[:, 1:])
    return below[:, order.stop] - below[:, order.start]


def _played(ends: Integers, mine: Integers, nets: Nets, ties: str) -> Integers:
    """Return by row how many deals end in each way, the folded ones last, if each hand is played as it should be."""
    worth = ends @ nets.play
    folded = ends.sum(axis=2) * nets.fold
    plays = worth >= folded if ties == "more" else worth > folded
    played = np.einsum("ij,ijk->ik", np.where(plays, mine, 0), ends)
    fold = (np.where(plays, 0, mine) * ends.sum(axis=2)).sum(axis=1)
    return np.column_stack([played, fold])


@cache
def _plain_twins() -> dict[int, int]:
    # By kind of a royal flush: the kind with the same ranks and without one.
    kinds = ranking().kinds
    plain = {tuple(row): at for at, row in enumerate(kinds.held.tolist()) if not kinds.royal[at]}
    return {int(at): plain[tuple(kinds.held[at].tolist())] for at in np.flatnonzero(kinds.royal)}


def _as_plain(ways: Integers, twins: dict[int, int]) -> Integers:
    found = np.zeros_like(ways)
    for royal, plain in twins.items():
        found[:, plain] = ways[:, royal]
    return found


@cache
def _binomials() -> Integers:
    # A row more at the end, and a column: drawing from fewer than none, or fewer than none, is impossible.
    size = LOW_CARDS + 1
    table = np.zeros((size + 1, MOST + 2), np.int64)
    table[:size, : MOST + 1] = [[comb(n, k) for k in range(MOST + 1)] for n in range(size)]
    return table


def _choose(left: Integers, drawn: Integers) -> Integers:
    table = _binomials()
    found: Integers = table[np.where(left < 0, -1, left), np.where(drawn < 0, -1, drawn)]
    return found


def _with_dealers(seen: int, nets: Nets, ties: str) -> tuple[list[int], int, Rule]:
    order = ranking()
    kinds = order.kinds
    position = np.full((2, 5**HIGH_RANKS), -1, np.int64)
    keys = (kinds.held * 5 ** np.arange(HIGH_RANKS)).sum(axis=1)
    position[kinds.royal, keys] = np.arange(len(keys))
    shown = _shown(seen)
    masks = np.array([masks for masks, _ in shown], np.int64)
    rest = np.array([row for row in product(range(SUITS + 1), repeat=HIGH_RANKS) if sum(row) <= MOST - seen], np.int64)
    own = kinds.held[kinds.royal == 0]
    found = np.zeros((len(masks), len(ENDS) + 1), np.int64)
    gains = np.zeros((len(masks), len(keys)), np.int64)
    situations = np.zeros(len(masks), np.int64)

    def work(thread: int, threads: int) -> None:
        tables = position, order.start, order.stop, _binomials()
        terms = nets.play, nets.fold, ties == "more"
        peek_kernels.count_peeked(thread, threads, seen, masks, rest, own, *tables, *terms, found, gains, situations)

    on_every_thread(work)
    ways = [ways for _, ways in shown]
    ends = exact_sums(ways, found)
    total, best = sum(ends) * nets.scale, _gained(ends, nets)
    if seen == MOST:
        held = (masks[:, :, None] >> np.arange(HIGH_RANKS) & 1).sum(axis=1)
        royal = (masks == (1 << HIGH_RANKS) - 1).any(axis=1).astype(np.int64)
        dealers = kinds.value[position[royal, (held * 5 ** np.arange(HIGH_RANKS)).sum(axis=1)]]
        (gained,) = exact_sums(ways, np.where(kinds.value >= dealers[:, None], gains, 0).sum(axis=1, keepdims=True))
        return ends, int(situations.sum()), Rule(LEVEL_OR_BETTER, cost_of(best, gained, total))
    high = np.bitwise_count(masks).sum(axis=1)
    sights = [np.flatnonzero(high == count) for count in range(seen + 1)]
    rule = thresholds(_by_value([exact_sums([ways[row] for row in at.tolist()], gains[at]) for at in sights]))
    lines = (
        f"With {_many(first, last)} of them ten or higher, {_played_from(least)}."
        for first, last, least in rule.stretches
    )
    return ends, int(situations.sum()), Rule(tuple(lines), cost_of(best, rule.gained, total))


def _shown(seen: int) -> list[tuple[tuple[int, ...], int]]:
    """Return what a dealer may show, by the ranks of each suit, one of each kind, and how many are of the kind."""
    found = []
    for masks in combinations_with_replacement(range(1 << HIGH_RANKS), SUITS):
        high = sum(mask.bit_count() for mask in masks)
        if high <= seen <= high + LOW_CARDS:
            same = len({tuple(masks[suit] for suit in suits) for suits in SUIT_PERMUTATIONS.tolist()})
            found.append((masks, same * comb(LOW_CARDS, seen - high)))
    return found
