"""The peer programs in the benchmarks: how each is called at its fastest, on the same cards."""

import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from pitboss.cards.deck import Card
from pitboss.cli.bench.measure import Effort, rate

PLAYERS = 6
BESIDE = "PokerKit, hands dealt to a player"
INSTALL = "pip install 'pitboss[bench]'"
PACKAGES = ("phevaluator", "eval7", "treys", "pokerkit")


@dataclass(frozen=True, slots=True)
class Ranker:
    """A peer's way to rank a seven-card hand: how it prepares cards, and its call."""

    name: str
    prepare: Callable[[Sequence[Card]], Any]
    rank: Callable[[Any], int]
    best_is_highest: bool


def missing() -> tuple[str, ...]:
    """Return the peers that are not installed."""
    return tuple(name for name in PACKAGES if _package(name) is None)


def rankers() -> tuple[Ranker, ...]:
    """Return the peers that rank hands and are installed."""
    return tuple(ranker for find in (_phevaluator, _eval7, _treys) if (ranker := find()) is not None)


def pokerkit_hand() -> Callable[[], int] | None:
    """Return a function that plays a six-player fixed-limit hold 'em hand in PokerKit, with everyone calling."""
    pokerkit = _package("pokerkit")
    if pokerkit is None:
        return None
    automations = tuple(pokerkit.Automation)

    def play() -> int:
        blinds, small, big, stacks = (1, 2), 2, 4, 200
        state = pokerkit.FixedLimitTexasHoldem.create_state(automations, True, 0, blinds, small, big, stacks, PLAYERS)
        while state.status:
            state.check_or_call()
        return 1

    return play


def player_hands_per_second(effort: Effort) -> float | None:
    """Return how many player hands PokerKit plays in a processor second, if it is installed."""
    hand = pokerkit_hand()
    return None if hand is None else PLAYERS * max(rate(hand, effort.seconds) for _ in range(effort.repeats))


def _package(name: str) -> Any | None:
    # Warnings from a peer's own dependencies are not our concern.
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return import_module(name)
        except ImportError:
            return None


def _phevaluator() -> Ranker | None:
    if _package("phevaluator") is None:
        return None
    evaluator, card = _package("phevaluator.evaluator"), _package("phevaluator.card")
    assert evaluator is not None
    assert card is not None
    rank = evaluator.evaluate_7cards
    return Ranker("phevaluator", lambda hand: [card.Card(name).id_ for name in hand], lambda hand: rank(*hand), False)


def _eval7() -> Ranker | None:
    package = _package("eval7")
    if package is None:
        return None
    return Ranker("eval7", lambda hand: [package.Card(name) for name in hand], package.evaluate, True)


def _treys() -> Ranker | None:
    package = _package("treys")
    if package is None:
        return None
    rank = package.Evaluator().evaluate

    def prepare(hand: Sequence[Card]) -> Any:
        cards = [package.Card.new(name) for name in hand]
        return cards[:2], cards[2:]

    return Ranker("treys", prepare, lambda hand: rank(*hand), False)
