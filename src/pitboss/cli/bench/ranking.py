"""Benchmarks of ranking seven cards: an array of random hands at once, compared with peers on the same hands."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import pairwise
from math import comb
from typing import TYPE_CHECKING, Any

from pitboss.cards.deck import Card
from pitboss.cli.bench.measure import Effort, Measure, best, rate, spent
from pitboss.cli.bench.peers import Ranker, rankers

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

PART = "evaluator"
CARDS, HELD = 52, 7
SEED = 20
UNIT = "hands/s"


class Disagreement(Exception):
    """A peer ranks some of the hands in a different order than we do."""


def evaluators(effort: Effort) -> Iterator[Measure]:
    """Measure our evaluator, compiled and in plain Python, compared with each peer on the same hands."""
    from pitboss.cards import poker
    from pitboss.odds.evaluator import rank_hands
    from pitboss.odds.evaluator_tables import card_at
    from pitboss.odds.streams import deal

    hands = deal(SEED, 0, effort.hands, cards=CARDS, drawn=HELD)
    values = rank_hands(hands[: effort.peer_hands]).tolist()
    cards = [tuple(map(card_at, hand)) for hand in hands[: effort.peer_hands].tolist()]
    peers = rankers()
    for peer in peers:
        _agrees(peer, cards, values)
    prepared = [[peer.prepare(hand) for hand in cards] for peer in peers]
    measured: list[Callable[[], float]] = [
        lambda: effort.hands / spent(lambda: rank_hands(hands)),
        partial(_plain, poker.best, iter(range(effort.repeats)), hands, effort.peer_hands),
        *(
            partial(rate, partial(_each, peer.rank, given), effort.seconds / 4)
            for peer, given in zip(peers, prepared, strict=True)
        ),
    ]
    ours, plain, *theirs = best(measured, effort.repeats)
    what = "seven cards, random hands in an array"
    if not peers:
        yield Measure(PART, what, ours, UNIT)
    for peer, figure in zip(peers, theirs, strict=True):
        yield Measure(PART, what, ours, UNIT, f"{peer.name}, hand by hand", figure)
    yield Measure(PART, what, ours, UNIT, "pitboss in plain Python", plain)
    yield _every_hand(max(zip(theirs, peers, strict=True), default=None, key=lambda pair: pair[0]))


def _every_hand(fastest: tuple[float, Ranker] | None) -> Measure:
    from pitboss.odds.enumerate import category_counts

    category_counts(5)  # compiles what isn't cached
    category_counts.cache_clear()
    figure = comb(CARDS, HELD) / spent(lambda: category_counts(HELD))
    what = f"seven cards, all {comb(CARDS, HELD):,} hands in order"
    if fastest is None:
        return Measure(PART, what, figure, UNIT)
    return Measure(PART, what, figure, UNIT, f"{fastest[1].name}, hand by hand", fastest[0])


def _plain(rank: Any, turns: Iterator[int], hands: "NDArray[np.uint8]", count: int) -> float:
    # It remembers ranks it has seen, so each turn uses new hands.
    from pitboss.odds.evaluator_tables import card_at

    first = next(turns) * count
    cards = [tuple(map(card_at, hand)) for hand in hands[first : first + count].tolist()]
    return count / spent(lambda: _each(rank, cards))


def _each(rank: Any, hands: Sequence[Any]) -> int:
    for hand in hands:
        rank(hand)
    return len(hands)


def _agrees(peer: Ranker, cards: Sequence[Sequence[Card]], values: Sequence[int]) -> None:
    # A comparison with a peer that answers a different question would mean nothing.
    sign = 1 if peer.best_is_highest else -1
    found: dict[int, set[int]] = {}
    for hand, value in zip(cards, values, strict=True):
        found.setdefault(value, set()).add(sign * peer.rank(peer.prepare(hand)))
    ranks = [found[value] for value in sorted(found)]
    if any(len(same) > 1 for same in ranks) or any(max(low) >= min(high) for low, high in pairwise(ranks)):
        raise Disagreement(
            f"{peer.name} ranks these hands in a different order than Pitboss does, so they cannot be compared."
        )
