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
from pitboss.games.dragon_poker.readings import CHARACTERS, full_name, value_of
from pitboss.odds.exposure import DEALER, NEIGHBOURS, Exposed, Exposure, Rule, exact_sums, shares
from pitboss.odds.one_decision import End, Hand, end_of
from pitboss.odds.outcomes import Counts, NotCountable, Outcome, Stakes
from pitboss.odds.pricing import net_of_stakes, required_stakes, stakes_after, with_bonuses
from pitboss.odds.short_rules import cost_of, thresholds
from pitboss.rules.in_force import RulesInForce
from pitboss.rules.play import FOLDED
from pitboss.rules.reading import SeatCards, TableCards

CARDS_EACH = 3
# Red and blue dragons decide nothing in the main game by their color.
KINDS = ("Dr", "Dg", "Ph", "Ti", "Pa", "Mo", "Ra")
DECK = tuple(COPIES[name] + (COPIES["Db"] if name == "Dr" else 0) for name in KINDS)
COUNTED = {
    2: "dragons",
    3: "dragons and phoenixes",
    4: "dragons, phoenixes and tigers",
    5: "dragons, phoenixes, tigers and pandas",
}
LEVEL_OR_BETTER = ("Play every hand that ties or beats the dealer's; fold anything less.",)
WILD, PAIRED = 9, 1000  # above every single card, and above every two cards that differ
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
    deals = mine * np.array(weights, object)[:, None]
    for seen in _sets(exposure.dealer):
        announce(f"{rules.game.title}: {' '.join(exposure.words)}")
        now = left - seen
        possible = (now >= 0).all(axis=1)
        of_dealer = _ways(left, seen[None, :])[:, 0] * possible
        rest = _sets(CARDS_EACH - exposure.dealer)
        rest = rest[(rest + seen <= DECK).all(axis=1)]
        played.add(weights, mine * of_dealer[:, None], _ways(np.maximum(now, 0), rest), rest + seen)
        played.note(_shown_value(seen.tolist()), known, deals * of_dealer[:, None])
    if exposure.only(DEALER) and exposure.dealer:
        return played.exposed(len(known) * len(_sets(exposure.dealer)), played.against(exposure.dealer))
    if exposure.only(NEIGHBOURS) and exposure.neighbours:
        return played.exposed(len(known), played.by_unseen())
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
        self.gain = np.zeros((0, 0), np.int64)
        self.values = sorted({value_of(hand) for hand in self.hands})
        self.at = np.searchsorted(self.values, [value_of(hand) for hand in self.hands])
        self.best = 0  # what best play gains over folding every hand, over all deals
        self.seen: dict[int, Integers] = {}  # by value of the dealer's cards seen: what playing gains, by value
        self.high: dict[int, dict[int, Integers]] = {}  # by kinds counted and cards of them known: the same

    def add(self, weights: list[int], mine: Integers, ways: Integers, dealers: Integers) -> None:
        """Add every hand in each situation: how many there are, and how often the dealer completes each hand."""
        at = [_index()[tuple(row)] for row in dealers.tolist()]
        nets = self.nets[:, at]
        worth = (ways.astype(np.float64) @ nets.T.astype(np.float64)).astype(np.int64)  # small enough to be exact
        total = ways.sum(axis=1)[:, None]
        gain = worth - total * self.folds
        self.gain = gain
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

    def note(self, shown: int, known: Integers, deals: NDArray[np.object_]) -> None:
        """Note what playing gains against the cards just added, by the player's hand and by what may be counted."""
        gains = deals * self.gain
        self.best += int(gains[self.gain > 0].sum())
        by_value = np.stack([gains[:, self.at == at].sum(axis=1) for at in range(len(self.values))], axis=1)
        self.seen[shown] = self.seen.get(shown, 0) + by_value.sum(axis=0)
        for kinds in COUNTED:
            held = known[:, :kinds].sum(axis=1)
            by_count = self.high.setdefault(kinds, {})
            for count in np.unique(held).tolist():
                by_count[count] = by_count.get(count, 0) + by_value[held == count].sum(axis=0)

    def against(self, seen: int) -> Rule:
        """Return the rule that looks at the dealer's cards."""
        sights = sorted(self.seen)
        if seen == CARDS_EACH:
            levels = [(self.seen[shown], self.values.index(shown)) for shown in sights]
            gained = sum(int(gains[level:].sum()) for gains, level in levels)
            return Rule(LEVEL_OR_BETTER, self._cost(gained))
        found = thresholds([self.seen[shown].tolist() for shown in sights])
        names = [_shown_words(shown) for shown in sights]
        lines = []
        for first, last, least in found.stretches:
            several = "a " + (names[first] if first == last else f"{names[first]} to a {names[last]}")
            lines.append(f"Against {several}, {self._played_from(least)}.")
        return Rule(tuple(lines), self._cost(found.gained))

    def by_unseen(self) -> Rule:
        """Return the rule that counts high cards that nobody has shown."""
        found = {
            kinds: thresholds([gains[held].tolist() for held in sorted(gains, reverse=True)], 3)
            for kinds, gains in self.high.items()
        }
        kinds = max(found, key=lambda kinds: found[kinds].gained)
        sights = [sum(DECK[:kinds]) - held for held in sorted(self.high[kinds], reverse=True)]
        lines = [f"Count the {COUNTED[kinds]} that none of the shared hands holds."]
        for first, last, least in found[kinds].stretches:
            many = str(sights[first]) if first == last else f"{sights[first]} to {sights[last]}"
            lines.append(f"With {many} unseen, {self._played_from(least)}.")
        return Rule(tuple(lines), self._cost(found[kinds].gained))

    def _cost(self, gained: int) -> Fraction:
        return cost_of(self.best, gained, sum(self.found.values()) * self.scale)

    def _played_from(self, least: int) -> str:
        if least == len(self.values):
            return "fold"
        words = {value: hand_words(hand) for hand, value in zip(self.hands, map(value_of, self.hands), strict=True)}
        value = self.values[least]
        is_lowest = all(words[lower] != words[value] for lower in self.values[:least])
        return f"play {words[value] if is_lowest else full_name(value, 2)} or better"

    def exposed(self, situations: int, rule: Rule | None = None) -> Exposed:
        """Return what was counted."""
        counts = Counts(
            sum(self.found.values()), tuple(Outcome(*outcome, count) for outcome, count in self.found.items())
        )
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


def _shown_value(row: list[int]) -> int:
    """Return a value that orders what the dealer shows: a hand's own, two cards with the pair first, or a character."""
    cards = _hand(row)
    if len(cards) == CARDS_EACH or not cards:
        return value_of(cards) if cards else 0
    wild = KINDS.index("Dg")
    ranks = sorted(len(KINDS) - KINDS.index(card[:2]) for card in cards if card != KINDS[wild])
    is_wild = len(ranks) < len(cards)
    if len(cards) == 1:
        return WILD if is_wild else ranks[0]
    pair = is_wild or ranks[0] == ranks[1]
    return PAIRED * pair + ranks[-1] * len(CHARACTERS) * 2 + (ranks[0] if not pair else 0)


def _shown_words(value: int) -> str:
    names = {len(KINDS) - at: CHARACTERS[-1] if at == 0 else TITLES[name] for at, name in enumerate(KINDS)}
    if value == WILD:
        return TITLES["Dg"]
    if value <= len(KINDS):
        return names[value]
    high, low = divmod(value % PAIRED, len(CHARACTERS) * 2)
    return f"pair of {names[high]}s" if value >= PAIRED else f"{names[high]} and {names[low]}"


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
