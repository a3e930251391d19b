"""The strategy a person can hold, for a game without a chart of its own: a least hand to play, or actions by hand."""

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction

from pitboss.cards.deck import RANKS, Card, face
from pitboss.odds.charts import Chart, Section, best_threshold
from pitboss.odds.enumerated import Choice
from pitboss.odds.general import hands
from pitboss.odds.outcomes import NotCountable
from pitboss.odds.seen import questions
from pitboss.rules.dealing import DEALER
from pitboss.rules.in_force import RulesInForce
from pitboss.rules.play import FOLDED, UNDECIDED
from pitboss.rules.reading import DealerReading, SeatCards, TableCards

Hand = tuple[tuple[Card, ...], int, list[Choice]]


def chart(rules: RulesInForce) -> Chart:
    """Return rules for the first question of a game, with what they cost against optimal play."""
    asked = tuple(questions(rules))
    if not asked:
        raise NotCountable(f"{rules.game.title} asks its players nothing, so there is no strategy.")
    found = list(hands(rules))
    actions = list(rules.actions[asked[0][0]].values())
    compares = rules.game.cards_each == rules.game.table_cards.get(DEALER, 0) and not asked[0][1].get(DEALER)
    if len(actions) == 2 and compares and sum(action.becomes == FOLDED for action in actions) == 1:
        fold, play = sorted(actions, key=lambda action: action.becomes != FOLDED)
        return Chart((_by_threshold(rules, asked[0][0], found, play.title or play.name, play.name, fold.name),))
    return Chart((_by_name(rules, asked[0][0], found),))


def _by_threshold(
    rules: RulesInForce, asked: str, found: Sequence[Hand], title: str, playing: str, folding: str
) -> Section:
    # The dealer's reading compares hands; read as the dealer's, a player's hand takes its place among them.
    values = []
    for cards, ways, choices in found:
        worths = {choice.action.name: choice.worth for choice in choices}
        values.append((_value(rules, cards).value, ways, worths[playing] - worths[folding]))
    least, cost = best_threshold(values)
    sample = next(cards for cards, _, _ in found if _value(rules, cards).value == least)
    counted: Counter[str] = Counter()
    for value, ways, _ in values:
        counted[playing if value >= least else folding] += ways
    named = _value(rules, sample).hand
    rule = f"{title} with {named} ({_spelled(sample)}) or better; fold anything less."
    return Section(asked.capitalize(), (rule,), cost / sum(ways for _, ways, _ in values), counted)


def _by_name(rules: RulesInForce, asked: str, found: Sequence[Hand]) -> Section:
    groups: dict[str, list[tuple[int, dict[str, Fraction]]]] = {}
    for cards, ways, choices in found:
        worths: dict[str, Fraction] = {}
        for choice in choices:
            worths.setdefault(choice.action.name, choice.worth)  # the best discard comes first
        groups.setdefault(_named(rules, cards), []).append((ways, worths))
    lines: dict[str, list[str]] = {}
    counted: Counter[str] = Counter()
    cost = Fraction(0)
    for name, same in groups.items():
        sums = {action: sum(ways * worths[action] for ways, worths in same) for action in same[0][1]}
        best = max(sums, key=lambda action: sums[action])
        cost += sum((ways * (max(worths.values()) - worths[best]) for ways, worths in same), Fraction(0))
        counted[best] += sum(ways for ways, _ in same)
        lines.setdefault(best, []).append(name)
    rules_told = tuple(f"{action.capitalize()}: {', '.join(names)}." for action, names in lines.items())
    return Section(asked.capitalize(), rules_told, cost / sum(counted.values()), counted)


def _value(rules: RulesInForce, cards: tuple[Card, ...]) -> DealerReading:
    return rules.game.readings.dealer(TableCards(dealer=cards), rules.options)


def _named(rules: RulesInForce, cards: tuple[Card, ...]) -> str:
    nobody = DealerReading(0, None, None)
    return rules.game.readings.seat(TableCards(), nobody, SeatCards(cards, UNDECIDED), rules.options, ()).hand


def _spelled(cards: tuple[Card, ...]) -> str:
    if all(card[0] in RANKS and len(card) == 2 for card in cards):
        return "-".join(sorted((card[0] for card in cards), key=RANKS.index, reverse=True))
    return "-".join(map(face, cards))
