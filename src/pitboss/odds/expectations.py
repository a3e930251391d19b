"""What a player can expect in each situation of a round: at a decision, and once the decisions are over."""

from collections.abc import Mapping
from fractions import Fraction
from itertools import combinations
from math import comb
from typing import Protocol

from pitboss.cards.deck import Card
from pitboss.odds import general
from pitboss.odds.deciding import answer_name
from pitboss.odds.one_decision import OneDecision, end_of
from pitboss.odds.outcomes import NotCountable, Stakes
from pitboss.odds.pricing import facts_asked_for, net_of_stakes, net_units, with_bonuses
from pitboss.rules.dealing import DEALER
from pitboss.rules.in_force import RulesInForce
from pitboss.rules.reading import SeatCards, TableCards

MOST_DEALERS = 20_000  # the dealer's hands that are gone through one by one

Worths = Mapping[str, Fraction]  # by answer, the best first


class Situations(Protocol):
    """A game's conditional expectations, in units of the Ante; every decision to come is assumed to be the best."""

    def worths(self, ask: str, cards: tuple[Card, ...], shown: TableCards) -> Worths:
        """Return what each answer to a question is worth, best first."""
        ...

    def expected(self, held: SeatCards, stakes: Stakes, table: TableCards) -> Fraction:
        """Return what is expected of a decided hand when only the dealer's cards are unknown."""
        ...

    def side_worths(self, wager: str, stake_cents: int, cards: tuple[Card, ...]) -> Worths | None:
        """Return what each answer is worth to a side wager, per unit of it; None if answers don't change it."""
        ...


class OfOneDecision:
    """The situations of a game with one decision; each class of hands is solved once."""

    def __init__(self, rules: RulesInForce, solver: OneDecision) -> None:
        self._rules, self._solver = rules, solver
        self._known: dict[tuple[Card, ...], list[tuple[str, Card | None, Fraction]]] = {}
        self._sides: dict[tuple[str, int, tuple[Card, ...]], list[Fraction]] = {}

    def worths(self, ask: str, cards: tuple[Card, ...], shown: TableCards) -> Worths:
        """Return what each answer is worth, best first."""
        same, choices = self._choices(cards)
        return {_answer(cards, same, action, discard): worth for action, discard, worth in choices}

    def expected(self, held: SeatCards, stakes: Stakes, table: TableCards) -> Fraction:
        """Return what is expected of a decided hand when only the dealer's cards are unknown."""
        return expected_by_dealers(self._rules, held, stakes, table)

    def side_worths(self, wager: str, stake_cents: int, cards: tuple[Card, ...]) -> Worths | None:
        """Return what each answer is worth to a side wager; None if the player's cards alone decide it."""
        if not facts_asked_for(self._rules, wager):
            return None
        same, choices = self._choices(cards)
        key = wager, stake_cents, tuple(sorted(same))
        if key not in self._sides:
            (actions,) = self._rules.actions.values()
            self._sides[key] = [
                self._side(wager, stake_cents, SeatCards(key[2], actions[action].becomes, discard))
                for action, discard, _ in choices
            ]
        return {
            _answer(cards, same, action, discard): worth
            for (action, discard, _), worth in zip(choices, self._sides[key], strict=True)
        }

    def _choices(self, cards: tuple[Card, ...]) -> tuple[tuple[Card, ...], list[tuple[str, Card | None, Fraction]]]:
        same = self._solver.in_class(cards)
        kind = tuple(sorted(same))
        if kind not in self._known:
            found = self._solver.choices(self._rules, kind)
            self._known[kind] = [(choice.action.name, choice.discard, choice.worth) for choice in found]
        return same, self._known[kind]

    def _side(self, wager: str, stake_cents: int, seat: SeatCards) -> Fraction:
        won, count = Fraction(0), 0
        for (facts, cells), ways in self._solver.ends(self._rules, seat, (wager,)).items():
            verdict = self._rules.adjudicate(wager, facts, dict(cells).get(wager))
            won += ways * net_units(self._rules, wager, verdict, stake_cents=stake_cents)
            count += ways
        return won / count


class OfAnyGame:
    """The situations of a game without kernels, from the general solver; slow, and remembered."""

    def __init__(self, rules: RulesInForce) -> None:
        self._rules = rules
        self._known: dict[tuple[tuple[Card, ...], TableCards], Worths] = {}

    def worths(self, ask: str, cards: tuple[Card, ...], shown: TableCards) -> Worths:
        """Return what each answer is worth, best first."""
        key = cards, shown
        if key not in self._known:
            self._known[key] = general.action_worths(self._rules, cards, shown.board, shown.dealer)
        return self._known[key]

    def expected(self, held: SeatCards, stakes: Stakes, table: TableCards) -> Fraction:
        """Return what is expected of a decided hand when only the dealer's cards are unknown."""
        return expected_by_dealers(self._rules, held, stakes, table)

    def side_worths(self, wager: str, stake_cents: int, cards: tuple[Card, ...]) -> Worths | None:
        """Return None: the general solver doesn't price side wagers by answer."""
        return None


def expected_by_dealers(rules: RulesInForce, held: SeatCards, stakes: Stakes, table: TableCards) -> Fraction:
    """Return the mean net of a decided hand over every hand the dealer can hold, in units."""
    game, size = rules.game, rules.game.table_cards.get(DEALER, 0)
    seen = {*held.cards, *table.board}
    left = [card for card in game.deck.cards if card not in seen]
    if comb(len(left), size) > MOST_DEALERS:
        raise NotCountable(f"The dealer can hold {comb(len(left), size):,} hands; the limit is {MOST_DEALERS:,}.")
    wagers = [wager for wager, _ in with_bonuses(rules, stakes)]
    won, count = Fraction(0), 0
    for dealt in combinations(left, size):
        full = table._replace(dealer=dealt)
        dealer = game.readings.dealer(full, rules.options)
        won += net_of_stakes(rules, stakes, *end_of(rules, full, dealer, held, wagers))
        count += 1
    return won / count


def _answer(cards: tuple[Card, ...], same: tuple[Card, ...], action: str, discard: Card | None) -> str:
    return answer_name(action, None if discard is None else cards[same.index(discard)])
