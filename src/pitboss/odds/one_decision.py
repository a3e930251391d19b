"""Solves a game with one decision from its kernel: outcome counts, action values, optimal play and a chart."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from math import lcm
from typing import NamedTuple

from pitboss.cards.deck import RANKS, Card
from pitboss.odds.charts import Chart, threshold_section
from pitboss.odds.deciding import Decide, answer_name, won_and_lost
from pitboss.odds.outcomes import Cells, Counts, Outcome, Stakes
from pitboss.odds.pricing import facts_asked_for, net_of_stakes, required_stakes, stakes_after, with_bonuses
from pitboss.rules.in_force import RulesInForce
from pitboss.rules.play import FOLDED, PLAYED, Action
from pitboss.rules.reading import NO_DEALER, DealerReading, Readings, SeatCards, TableCards

Hand = tuple[Card, ...]
End = tuple[frozenset[str], Cells]
Ends = Mapping[End, int]  # how many of the possible deals end each way for a hand

HANDS_KEPT = 1 << 14  # whose ends stay counted: about ten megabytes
RULES_KEPT = 16


class Choice(NamedTuple):
    """An action, the card it discards, what is then staked, its value in units of the Ante and how it ends."""

    action: Action
    discard: Card | None
    stakes: Stakes
    worth: Fraction
    ends: Ends

    @property
    def name(self) -> str:
        return answer_name(self.action.name, self.discard)


@dataclass(frozen=True)
class OneDecision:
    """The solver of a game; hands that the kernel can't tell apart form a class and are solved once."""

    hands: Callable[[], Iterable[tuple[Hand, int]]]  # a hand of each class, and how many hands are in the class
    # With the cells of the wagers named. Of the rules only the readings and the options count: paytables change what an
    # end is worth, not how often it comes.
    ends: Callable[[RulesInForce, SeatCards, Collection[str]], Ends]
    in_class: Callable[[Hand], Hand]  # the same hand for every hand of a class, card by card if a card is discarded

    def main_counts(self, rules: RulesInForce, ties: str = "more") -> Counts:
        """Count the outcomes of the wagers that are played together."""
        found: Counter[tuple[Stakes, frozenset[str], Cells]] = Counter()
        for _, ways, choices in self.solved(rules, ties):
            best = choices[0]
            for end, count in best.ends.items():
                found[best.stakes, *end] += ways * count
        return _counts(found)

    def wager_counts(self, rules: RulesInForce, wager: str, ties: str = "more") -> Counts:
        """Count the outcomes of a side wager, which doesn't change how the hand is played."""
        stakes = ((wager, 1),)
        found: Counter[tuple[Stakes, frozenset[str], Cells]] = Counter()
        if not facts_asked_for(rules, wager):  # the player's own cards decide it, played or folded
            for cards, ways in self.hands():
                _, cells = end_of(rules, TableCards(), NO_DEALER, SeatCards(cards, PLAYED), (wager,))
                found[stakes, frozenset(), cells] += ways
            return _counts(found)
        for cards, ways, choices in self.solved(rules, ties):
            best = choices[0]
            ends = self._counted(rules, SeatCards(cards, best.action.becomes, best.discard), (wager,))
            for end, count in ends.items():
                found[stakes, *end] += ways * count
        return _counts(found)

    def action_worths(self, rules: RulesInForce, cards: Hand, board: Hand = ()) -> dict[str, Fraction]:
        """Return what each action is worth with these cards, in units of the Ante, best first."""
        return {choice.name: choice.worth for choice in self.choices(rules, cards)}

    def reason(self, rules: RulesInForce, cards: Hand, board: Hand = ()) -> str:
        """Return how often staying in wins and loses with these cards, and which action follows from it."""
        choices = self.choices(rules, cards)
        stays = next(choice for choice in choices if choice.action.becomes != FOLDED)
        net = {end: net_of_stakes(rules, stays.stakes, *end) for end in stays.ends}
        won, lost = (
            sum(count for end, count in stays.ends.items() if sign * net[end] > 0) for sign in (1, -1)
        )  # fmt: skip
        told = f"If you {stays.action.name}, {won_and_lost(won, lost, sum(stays.ends.values()))}"
        best = choices[0].action
        if best.becomes != FOLDED and won < lost:
            return f"{told}. A fold loses every time, so {best.name}."
        return f"{told}, so {best.name}."

    def best_discard(self, rules: RulesInForce, cards: Hand, action: str) -> Card:
        """Return the best discard for a player who takes this action."""
        best = next(choice.discard for choice in self.choices(rules, cards) if choice.action.name == action)
        assert best is not None, f"{action} discards nothing"
        return best

    def player(self, rules: RulesInForce) -> Decide:
        """Return the optimal player, who solves each class of hands once."""
        known: dict[Hand, tuple[str, Card | None]] = {}

        def decide(ask: str, cards: Hand, shown: TableCards) -> tuple[str, Card | None]:
            same = self.in_class(cards)
            kind = tuple(sorted(same))
            if kind not in known:
                best = self.choices(rules, kind)[0]
                known[kind] = best.action.name, best.discard
            action, discard = known[kind]
            return action, None if discard is None else cards[same.index(discard)]

        return decide

    def mean_worth(self, rules: RulesInForce, decide: Decide) -> Fraction:
        """Return what a player's decisions are worth over all hands, in units of the Ante."""
        (ask,) = rules.actions
        total, count = Fraction(0), 0
        for cards, ways, choices in self.solved(rules):
            answer = decide(ask, cards, TableCards())
            total += ways * next(choice.worth for choice in choices if (choice.action.name, choice.discard) == answer)
            count += ways
        return total / count

    def threshold_chart(self, rules: RulesInForce, value: Callable[[Hand], int], rule: Callable[[Hand], str]) -> Chart:
        """Return the chart that names the lowest hand to play, in the words of `rule`."""
        ((ask, actions),) = rules.actions.items()
        fold, play = sorted(actions.values(), key=lambda action: action.becomes != FOLDED)
        hands = [
            (cards, ways, {choice.name: choice.worth for choice in choices})
            for cards, ways, choices in self.solved(rules)
        ]
        return Chart((threshold_section(ask, hands, value, rule, play.name, fold.name),))

    def solved(self, rules: RulesInForce, ties: str = "more") -> Iterator[tuple[Hand, int, list[Choice]]]:
        """Yield a hand of each class, how many hands are in the class, and its choices, best first."""
        for cards, ways in self.hands():
            yield cards, ways, self.choices(rules, cards, ties)

    def choices(self, rules: RulesInForce, cards: Hand, ties: str = "more") -> list[Choice]:
        """Return the choices with these cards: the most valuable first, then the one that stakes more (or less)."""
        required = required_stakes(rules)
        (actions,) = rules.actions.values()
        found = []
        for action in actions.values():
            stakes = stakes_after(required, action)
            wagers = tuple(wager for wager, _ in with_bonuses(rules, stakes))
            for discard in in_discard_order(cards) if action.discards else (None,):
                ends = self._counted(rules, SeatCards(cards, action.becomes, discard), wagers)
                found.append(Choice(action, discard, stakes, _worth(rules, stakes, ends), ends))
        more = 1 if ties == "more" else -1
        # A wrong declaration is worth as much as a fold but is not a sensible play, so declaring comes last.
        found.sort(
            key=lambda choice: (
                -choice.worth,
                -more * sum(units for _, units in choice.stakes),
                choice.action.settles_at_once,
            )
        )
        return found

    def _counted(self, rules: RulesInForce, seat: SeatCards, wagers: tuple[str, ...]) -> Ends:
        return _counted(self.ends, _Read(rules.game.readings, frozenset(rules.options.items()), rules), seat, wagers)


@dataclass(frozen=True)
class _Read:
    """How cards are read under rules: rules that differ in nothing else share what was counted for them."""

    readings: Readings
    options: frozenset[tuple[str, str]]
    rules: RulesInForce = field(compare=False)


@lru_cache(maxsize=HANDS_KEPT)
def _counted(
    ends: Callable[[RulesInForce, SeatCards, Collection[str]], Ends],
    read: _Read,
    seat: SeatCards,
    wagers: tuple[str, ...],
) -> Ends:
    return ends(read.rules, seat, wagers)


@lru_cache(maxsize=RULES_KEPT)
def _nets(rules: RulesInForce) -> dict[tuple[Stakes, End], Fraction]:
    return {}  # filled by the solver


def end_of(
    rules: RulesInForce, table: TableCards, dealer: DealerReading, seat: SeatCards, wagers: Collection[str]
) -> End:
    """Read how a hand ends: the facts, and the cell of each of these wagers that has one."""
    reading = rules.game.readings.seat(table, dealer, seat, rules.options, wagers)
    return reading.facts, tuple((wager, reading.cells[wager]) for wager in wagers if wager in reading.cells)


def in_discard_order(cards: Hand) -> Hand:
    """Return the cards in the order they go when discards are worth the same: low first, then what leaves a suit."""

    def suits_left(card: Card) -> int:
        return len({other[1] for other in cards if other != card})

    return tuple(sorted(cards, key=lambda card: (RANKS.index(card[0]), suits_left(card))))


def _worth(rules: RulesInForce, stakes: Stakes, ends: Ends) -> Fraction:
    # Summed as integers over one denominator: adding fractions takes most of the time otherwise.
    known, nets = _nets(rules), []
    for end in ends:
        if (stakes, end) not in known:
            known[stakes, end] = net_of_stakes(rules, stakes, *end)
        nets.append(known[stakes, end])
    scale = lcm(*(net.denominator for net in nets))
    counts = ends.values()
    total = sum(count * net.numerator * (scale // net.denominator) for count, net in zip(counts, nets, strict=True))
    return Fraction(total, scale * sum(counts))


def _counts(found: Mapping[tuple[Stakes, frozenset[str], Cells], int]) -> Counts:
    return Counts(sum(found.values()), tuple(Outcome(*outcome, count) for outcome, count in found.items()))
