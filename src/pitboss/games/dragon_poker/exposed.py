"""What exposed cards are worth: every set of cards that a player has seen, counted by character."""

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from math import comb, prod

import numpy as np
from numpy.typing import NDArray

from pitboss.cards.deck import Card
from pitboss.games.dragon_poker.chart import hand_words
from pitboss.games.dragon_poker.deck import COPIES, TITLES
from pitboss.games.dragon_poker.readings import value_of
from pitboss.odds.charts import best_threshold
from pitboss.odds.exposure import DEALER, NEIGHBOURS, Exposed, Exposure, Rule, exact_sums, shares
from pitboss.odds.one_decision import End, Hand, end_of
from pitboss.odds.outcomes import Counts, NotCountable, Outcome, Stakes
from pitboss.odds.pricing import net_of_stakes, required_stakes, stakes_after, with_bonuses
from pitboss.rules.in_force import RulesInForce
from pitboss.rules.play import FOLDED
from pitboss.rules.reading import SeatCards, TableCards

CARDS_EACH = 3
# Red and blue dragons decide nothing in the main game by their color.
KINDS = ("Dr", "Dg", "Ph", "Ti", "Pa", "Mo", "Ra")
DECK = tuple(COPIES[name] + (COPIES["Db"] if name == "Dr" else 0) for name in KINDS)
CHOOSE = np.array([[comb(n, k) for k in range(CARDS_EACH + 1)] for n in range(max(DECK) + 1)], np.int64)

Integers = NDArray[np.int64]


def exposed(
    rules: RulesInForce, exposure: Exposure, ties: str = "more", announce: Callable[[str], None] = lambda _: None
) -> Exposed:
    """Return the outcomes of the main game for a player who has seen these cards before deciding."""
    if not exposure.only(DEALER, NEIGHBOURS):
        raise NotCountable(f"{rules.game.title} has no cards on a board.")
    played = _Played(rules, ties)
    # Beside a dealer's whole hand nobody's cards matter.
    seats = 1 if exposure.dealer == CARDS_EACH else exposure.neighbours + 1
    known = _sets(CARDS_EACH * seats)
    weights = [prod(map(comb, DECK, row)) for row in known.tolist()]
    mine = _ways(known, _sets(CARDS_EACH))
    left = np.array(DECK) - known
    for seen in _sets(exposure.dealer):
        announce(f"{rules.game.title}: {' '.join(exposure.words)}")
        now = left - seen
        possible = (now >= 0).all(axis=1)
        of_dealer = _ways(left, seen[None, :])[:, 0] * possible
        rest = _sets(CARDS_EACH - exposure.dealer)
        rest = rest[(rest + seen <= DECK).all(axis=1)]
        played.add(weights, mine * of_dealer[:, None], _ways(np.maximum(now, 0), rest), rest + seen)
        if exposure == Exposure(dealer=1):
            played.remember(seen.tolist(), weights, mine * of_dealer[:, None])
    return played.exposed(len(known) * len(_sets(exposure.dealer)))


class _Played:
    """Plays or folds each hand in each situation, whichever is worth more, and counts how it ends."""

    def __init__(self, rules: RulesInForce, ties: str) -> None:
        self.rules = rules
        self.equal_plays = ties == "more"
        self.found: Counter[tuple[Stakes, frozenset[str], tuple[tuple[str, str], ...]]] = Counter()
        self.answers: Counter[str] = Counter()
        ((_, actions),) = rules.actions.items()
        self.fold, self.play = sorted(actions.values(), key=lambda action: action.becomes != FOLDED)
        self.hands = [_hand(row) for row in _sets(CARDS_EACH).tolist()]
        self.stakes = {action.name: stakes_after(required_stakes(rules), action) for action in (self.fold, self.play)}
        self.ends = [[self._end(hand, dealer) for dealer in self.hands] for hand in self.hands]
        nets = [[self._net(self.play.name, end) for end in row] for row in self.ends]
        folds = [self._net(self.fold.name, self._end(hand, None)) for hand in self.hands]
        self.scale = int(np.lcm.reduce([net.denominator for row in (*nets, folds) for net in row]))
        self.nets = np.array([[int(net * self.scale) for net in row] for row in nets], np.int64)
        self.folds = np.array([int(net * self.scale) for net in folds], np.int64)
        self.gain = self.total = np.zeros((0, 0), np.int64)
        self.thresholds: dict[str, list[str]] = {}  # by the lowest hand to play: the dealer's cards
        self.cost = Fraction(0)

    def add(self, weights: list[int], mine: Integers, ways: Integers, dealers: Integers) -> None:
        """Add every hand in each situation: how many there are, and how often the dealer completes each hand."""
        at = [_index()[tuple(row)] for row in dealers.tolist()]
        nets = self.nets[:, at]
        worth = (ways.astype(np.float64) @ nets.T.astype(np.float64)).astype(np.int64)  # small enough to be exact
        total = ways.sum(axis=1)[:, None]
        gain = worth - total * self.folds
        self.gain, self.total = gain, total
        plays = (gain >= 0) if self.equal_plays else (gain > 0)
        by_end: dict[End, list[tuple[int, list[int]]]] = {}
        for own, row in enumerate(self.ends):
            columns: dict[End, list[int]] = {}
            for column, dealer in enumerate(at):
                columns.setdefault(row[dealer], []).append(column)
            for end, found in columns.items():
                by_end.setdefault(end, []).append((own, found))
        played, folded = mine * plays, mine * ~plays * total
        ends = [(self.play.name, end) for end in by_end]
        counts = [
            sum((played[:, own] * ways[:, found].sum(axis=1) for own, found in parts), np.zeros(len(ways), np.int64))
            for parts in by_end.values()
        ]
        ends += [(self.fold.name, self._end(hand, None)) for hand in self.hands]
        self._count(ends, exact_sums(weights, np.column_stack([*counts, folded])))

    def remember(self, seen: list[int], weights: list[int], mine: Integers) -> None:
        """Note the lowest hand worth playing against the card just added, and what such a rule loses."""
        found = [
            (value_of(hand), weights[row] * int(mine[row, own]), Fraction(int(self.gain[row, own]), self.scale))
            for own, hand in enumerate(self.hands)
            for row in np.flatnonzero(mine[:, own])
        ]
        least, cost = best_threshold(found)
        name = next(hand_words(hand) for hand in self.hands if value_of(hand) == least)
        self.thresholds.setdefault(name, []).append(TITLES[KINDS[seen.index(1)]])
        self.cost += cost

    def exposed(self, situations: int) -> Exposed:
        """Return what was counted."""
        total = sum(self.found.values())
        rule = None
        if self.thresholds:
            lines = (f"Against a {_listed(cards)}, play {name} or better." for name, cards in self.thresholds.items())
            rule = Rule(tuple(lines), Fraction(self.cost, total))
        counts = Counts(total, tuple(Outcome(*outcome, count) for outcome, count in self.found.items()))
        return Exposed(counts, shares(self.answers), situations, rule)

    def _count(self, ends: list[tuple[str, End]], counts: list[int]) -> None:
        for (action, end), count in zip(ends, counts, strict=True):
            if count:
                self.found[self.stakes[action], *end] += count
                self.answers[action] += count

    def _end(self, hand: Hand, dealer: Hand | None) -> End:
        action = self.fold if dealer is None else self.play
        table = TableCards(dealer=dealer or self.hands[0])
        wagers = [wager for wager, _ in with_bonuses(self.rules, self.stakes[action.name])]
        reading = self.rules.game.readings.dealer(table, self.rules.options)
        return end_of(self.rules, table, reading, SeatCards(hand, action.becomes), wagers)

    def _net(self, action: str, end: End) -> Fraction:
        return net_of_stakes(self.rules, self.stakes[action], *end)


def _listed(names: list[str]) -> str:
    plain = [name.removeprefix("red ") for name in names]  # a blue dragon is as good as a red one
    return plain[0] if len(plain) == 1 else f"{', '.join(plain[:-1])} or {plain[-1]}"


def _hand(row: list[int]) -> Hand:
    return tuple(Card(name) for name, count in zip(KINDS, row, strict=True) for _ in range(count))


@cache
def _index() -> dict[tuple[int, ...], int]:
    return {tuple(row): at for at, row in enumerate(_sets(CARDS_EACH).tolist())}


@cache
def _sets(size: int) -> Integers:
    """Return every way to hold this many cards, by how many of each kind."""
    rows = np.zeros((1, 0), np.int64)
    for at, copies in enumerate(DECK):
        drawn = np.arange(copies + 1)
        rows = np.hstack([np.repeat(rows, copies + 1, axis=0), np.tile(drawn, len(rows))[:, None]])
        held = rows.sum(axis=1)
        rows = rows[(held <= size) & (held + sum(DECK[at + 1 :]) >= size)]
    return rows


def _ways(left: Integers, drawn: Integers) -> Integers:
    """Return in how many ways each set can be drawn from each of the decks left."""
    found = np.ones((len(left), len(drawn)), np.int64)
    for kind in range(len(KINDS)):
        found *= CHOOSE[left[:, kind]][:, drawn[:, kind]]
    return found
