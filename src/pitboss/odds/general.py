"""The exact analysis of a game without an `exact.py`, from its definition only."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from functools import lru_cache

import numpy as np

from pitboss.cards.deck import Card
from pitboss.odds.alike import Integers
from pitboss.odds.deciding import Decide
from pitboss.odds.effort import check_effort
from pitboss.odds.enumerated import Choice, Enumeration, Seen
from pitboss.odds.outcomes import Cells, Counts, Outcome, Stakes
from pitboss.odds.pricing import facts_asked_for, main_wagers, required_stakes
from pitboss.odds.tried import suits_read_alike
from pitboss.odds.watched import Needs, branches
from pitboss.rules.dealing import BOARD, DEALER
from pitboss.rules.in_force import RulesInForce
from pitboss.rules.play import UNDECIDED, SeatStatus
from pitboss.rules.reading import TableCards

Project = Callable[[Stakes, frozenset[str], dict[str, str]], tuple[Stakes, frozenset[str], dict[str, str]]]


def main_counts(rules: RulesInForce, ties: str = "more") -> Counts:
    """Count the outcomes of the wagers played together."""
    return _counted(rules, main_wagers(rules), ties, lambda stakes, facts, cells: (stakes, facts, cells))


def wager_counts(rules: RulesInForce, wager: str, ties: str = "more") -> Counts:
    """Count the outcomes of one side wager, which does not affect how the hand is played."""
    asked_for = facts_asked_for(rules, wager)
    if not asked_for and (own := _own_counts(rules, wager)):
        return own

    def project(
        stakes: Stakes, facts: frozenset[str], cells: dict[str, str]
    ) -> tuple[Stakes, frozenset[str], dict[str, str]]:
        return ((wager, 1),), facts & asked_for, {name: cell for name, cell in cells.items() if name == wager}

    return _counted(rules, (*main_wagers(rules), wager), ties, project)


class _Together:
    """The joint counts of any side wager's outcomes and the main game's."""

    def __contains__(self, wager: object) -> bool:
        return True

    def __getitem__(self, wager: str) -> Callable[[RulesInForce, str], Counts]:
        return lambda rules, ties: _counted(
            rules,
            (*main_wagers(rules), wager),
            ties,
            lambda stakes, facts, cells: ((*stakes, (wager, 1)), facts, cells),
        )


counts_together = _Together()


def action_worths(
    rules: RulesInForce, cards: tuple[Card, ...], board: tuple[Card, ...] = (), dealer: tuple[Card, ...] = ()
) -> dict[str, Fraction]:
    """Return what each action is worth to a player who sees these cards, in units of the Ante, best first."""
    return {choice.name: choice.worth for choice in choices(rules, cards, board, dealer)}


def choices(
    rules: RulesInForce, cards: tuple[Card, ...], board: tuple[Card, ...] = (), dealer: tuple[Card, ...] = ()
) -> list[Choice]:
    """Return every answer available to a player who sees these cards, best first."""
    enumeration = enumeration_of(rules, main_wagers(rules))
    alike = enumeration.alike
    own = tuple(sorted(cards, key=lambda card: alike.number[card]))
    seen = Seen(alike.row(own), alike.row(dealer), alike.row(board))
    up = (len(dealer), len(board))
    stage = next(
        at for at, (_, shown) in enumerate(enumeration.questions) if (shown.get(DEALER, 0), shown.get(BOARD, 0)) == up
    )
    check_effort(enumeration, stage, seen)
    named = dict(zip(alike.drawn(seen.own), own, strict=True))
    found = enumeration.choices(stage, seen, alike.keeping(*seen))
    return [choice._replace(discard=named[choice.discard]) if choice.discard else choice for choice in found]


def player(rules: RulesInForce) -> Decide:
    """Return the player who always takes the action with the highest value, found once for each kind of hand."""
    enumeration = enumeration_of(rules, main_wagers(rules))
    check_effort(enumeration)  # of all hands: a player sees each of them sooner or later
    alike = enumeration.alike
    known: dict[tuple[str, tuple[int, ...], TableCards], tuple[str, int | None]] = {}
    of_kind: dict[tuple[str, Seen], tuple[str, int | None]] = {}

    def decide(ask: str, cards: tuple[Card, ...], shown: TableCards) -> tuple[str, Card | None]:
        key = ask, alike.row(cards), shown
        if key not in known:
            seen = Seen(key[1], alike.row(shown.dealer), alike.row(shown.board))
            permutation, kind = alike.chosen(*seen)
            if (ask, Seen(*kind)) not in of_kind:
                own, dealer, board = map(alike.drawn, kind)
                best = choices(rules, own, board, dealer)[0]
                thrown = None if best.discard is None else alike.number[best.discard]
                of_kind[ask, Seen(*kind)] = best.action.name, thrown
            action, thrown = of_kind[ask, Seen(*kind)]
            back = None if thrown is None else int(np.flatnonzero(alike.permutations[permutation] == thrown)[0])
            known[key] = action, back
        action, number = known[key]
        return action, None if number is None else next(card for card in cards if alike.number[card] == number)

    return decide


def best_discard(rules: RulesInForce, cards: tuple[Card, ...], action: str) -> Card:
    """Return the best discard for a player who takes this action."""
    found = next(choice.discard for choice in choices(rules, cards) if choice.action.name == action)
    assert found is not None, f"{action} discards nothing"
    return found


def hands(rules: RulesInForce) -> Iterator[tuple[tuple[Card, ...], int, list[Choice]]]:
    """Yield a hand of each kind, how many there are and its answers to the first question, best first."""
    enumeration = enumeration_of(rules, main_wagers(rules))
    check_effort(enumeration)
    for own, ways, keeping in enumeration.hands():
        for seen, more, kept in enumeration.shown(0, own, keeping):
            yield enumeration.alike.drawn(own.own), ways * more, enumeration.choices(0, seen, kept)


@lru_cache(maxsize=6)
def enumeration_of(rules: RulesInForce, wagers: tuple[str, ...]) -> Enumeration:
    """Return the enumeration of a game for some of its wagers, with suits interchangeable if the readings allow it."""
    return Enumeration(rules, wagers, suits_alike=suits_read_alike(rules, wagers))


def _counted(rules: RulesInForce, wagers: tuple[str, ...], ties: str, project: Project) -> Counts:
    enumeration = enumeration_of(rules, wagers)
    check_effort(enumeration)
    found: Counter[tuple[Stakes, int]] = Counter()
    total = 0
    for seen, ways, keeping in enumeration.hands():
        for end, count in _ended(enumeration, seen, keeping, ties):
            found[end] += ways * count
            total += ways * count
    merged: Counter[tuple[Stakes, frozenset[str], Cells]] = Counter()
    for (stakes, number), count in found.items():
        facts, cells = enumeration.outcomes[number]
        placed, kept, named = project(stakes, facts, dict(cells))
        merged[placed, kept, tuple(named.items())] += count
    return Counts(total, tuple(Outcome(*outcome, count) for outcome, count in merged.items()))


def _ended(
    enumeration: Enumeration, seen: Seen, keeping: Integers, ties: str
) -> Iterator[tuple[tuple[Stakes, int], int]]:
    if not enumeration.questions:
        stakes = required_stakes(enumeration.rules)
        for number, count in enumeration.ends(seen, UNDECIDED, None).items():
            yield (stakes, number), count
        return
    for shown, ways, kept in enumeration.shown(0, seen, keeping):
        for end, count in enumeration.choices(0, shown, kept, ties=ties)[0].ends.items():
            yield end, ways * count


def _own_counts(rules: RulesInForce, wager: str) -> Counts | None:
    # A wager that only the player's own cards decide is counted without playing the hand.
    actions = [action for actions in rules.actions.values() for action in actions.values()]
    if any(action.discards for action in actions):
        return None
    enumeration = enumeration_of(rules, (wager,))
    statuses: Iterable[SeatStatus] = dict.fromkeys(action.becomes for action in actions) or (UNDECIDED,)
    found: Counter[str] = Counter()
    for seen, ways, _ in enumeration.hands():
        try:
            cells = {
                branch.reading.cells.get(wager)
                for status in statuses
                for branch in branches(enumeration.reader(seen, status, None), None)
            }
        except (Needs, Exception):
            return None  # it depends on more than the player's own cards
        if len(cells) != 1 or None in cells:
            return None
        found[str(cells.pop())] += ways
    outcomes = (Outcome(((wager, 1),), frozenset(), ((wager, cell),), count) for cell, count in found.items())
    return Counts(sum(found.values()), tuple(outcomes))
