"""What exposed cards are worth in a game without an `exposed.py`, from its definition only."""

import os
import time
from collections import Counter
from collections.abc import Callable, Iterator

import numpy as np

from pitboss.odds.alike import Integers
from pitboss.odds.effort import PATIENCE, PATIENCE_SECONDS, effort_of
from pitboss.odds.enumerated import Choice, Enumeration, Seen
from pitboss.odds.exposure import BOARD, DEALER, NEIGHBOURS, Exposed, Exposure, estimate, shares
from pitboss.odds.outcomes import Cells, Counts, NotCountable, Outcome, Stakes
from pitboss.odds.pricing import main_wagers
from pitboss.odds.streams import deal
from pitboss.odds.tried import suits_read_alike
from pitboss.rules.in_force import RulesInForce

SITUATIONS_MOST, SITUATIONS_LEAST, SEED = 20_000, 200, 1


class _WithGone(Enumeration):
    """An enumeration in which some cards are known to be in nobody's hand that matters."""

    gone: tuple[int, ...] = ()

    def after(self, seen: Seen) -> int:
        """Return how many deals are possible for a player who sees this and the cards that are gone."""
        return super().after(seen._replace(own=(*seen.own, *self.gone)))

    def _left(self, seen: Seen) -> Integers:
        return super()._left(seen) - self.alike.counts(self.gone)


def exposed(
    rules: RulesInForce, exposure: Exposure, ties: str = "more", announce: Callable[[str], None] = lambda _: None
) -> Exposed:
    """Return what the main game is worth to a player who has seen these cards before deciding."""
    announce(f"{rules.game.title}: {' '.join(exposure.words)}")
    wagers = main_wagers(rules)
    enumeration = _WithGone(rules, wagers, suits_alike=suits_read_alike(rules, wagers))
    if not exposure.only(DEALER, BOARD, NEIGHBOURS) or (exposure.board and len(enumeration.questions) > 1):
        raise NotCountable(
            f"{rules.game.title} shows its board in steps, and the general solver prices only exposed cards of the"
            " dealer or of a board shown at once. Add an exposed.py to the game's folder."
        )
    if exposure.neighbours:
        return _drawn(enumeration, exposure, ties)
    return _counted(enumeration, exposure, ties)


def _counted(enumeration: _WithGone, exposure: Exposure, ties: str) -> Exposed:
    _check(enumeration, enumeration.alike.count(exposure.dealer) * enumeration.alike.count(exposure.board))
    found: Counter[tuple[Stakes, int]] = Counter()
    answers: Counter[str] = Counter()
    situations = 0
    for seen, ways, best in _situations(enumeration, exposure, ties):
        situations += 1
        answers[best.action.name] += ways * enumeration.after(seen)
        for end, count in best.ends.items():
            found[end] += ways * count
    merged: Counter[tuple[Stakes, frozenset[str], Cells]] = Counter()
    for (stakes, number), count in found.items():
        merged[stakes, *enumeration.outcomes[number]] += count
    outcomes = tuple(Outcome(*outcome, count) for outcome, count in merged.items())
    return Exposed(Counts(sum(merged.values()), outcomes), shares(answers), situations)


def _situations(enumeration: _WithGone, exposure: Exposure, ties: str) -> Iterator[tuple[Seen, int, Choice]]:
    for own, ways, keeping in enumeration.hands():
        for dealer, more, kept in enumeration.drawn(own, exposure.dealer, keeping):
            with_dealer = own._replace(dealer=dealer)
            for board, last, still in enumeration.drawn(with_dealer, exposure.board, kept):
                seen = with_dealer._replace(board=board)
                yield seen, ways * more * last, enumeration.choices(0, seen, still, ties=ties)[0]


def _check(enumeration: _WithGone, times: int) -> None:
    limit = float(os.environ.get(PATIENCE, PATIENCE_SECONDS))
    seconds = effort_of(enumeration).seconds * max(times / len(enumeration.alike.permutations), 1)
    if seconds > limit:
        raise NotCountable(
            f"With these cards seen, {enumeration.rules.game.title} would take the general solver about"
            f" {round(seconds):,} seconds, and its limit is {round(limit):,}. Raise the limit with {PATIENCE}"
            " (in seconds), or add an exposed.py to the game's folder."
        )


def _drawn(enumeration: _WithGone, exposure: Exposure, ties: str) -> Exposed:
    # Random hands and neighbors' hands, each situation solved exactly, until the time is up.
    game = enumeration.rules.game
    limit = time.process_time() + float(os.environ.get(PATIENCE, PATIENCE_SECONDS)) / 10
    sizes = (game.cards_each, game.cards_each * exposure.neighbours, exposure.dealer, exposure.board)
    alike = enumeration.alike
    worths, staked = [], []
    for number in range(SITUATIONS_MOST):
        cards = [game.deck.cards[at] for at in deal(SEED, number, 1, cards=len(game.deck), drawn=sum(sizes))[0]]
        parts = []
        for size in sizes:
            parts.append(alike.row(cards[:size]))
            cards = cards[size:]
        own, gone, dealer, board = parts
        enumeration.gone = gone
        seen = Seen(own, dealer, board)
        best = enumeration.choices(0, seen, alike.keeping(*seen, gone), ties=ties)[0]
        worths.append(float(best.worth))
        staked.append(float(best.staked))
        if time.process_time() > limit and number + 1 >= SITUATIONS_LEAST:
            break
    result = estimate(np.array(worths), np.array(staked))
    return Exposed(result, {}, result.situations)
