"""A strategy to memorize, for a game without its own chart: the lowest hand to play, or actions by hand."""

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction

from pitboss.cards.deck import RANKS, Card, face
from pitboss.odds.charts import Chart, Said, Section, threshold_section
from pitboss.odds.enumerated import Choice
from pitboss.odds.general import hands
from pitboss.odds.outcomes import NotCountable
from pitboss.odds.seen import questions
from pitboss.rules.dealing import DEALER
from pitboss.rules.in_force import RulesInForce
from pitboss.rules.play import FOLDED, UNDECIDED
from pitboss.rules.reading import NO_DEALER, DealerReading, SeatCards, TableCards

Hand = tuple[tuple[Card, ...], int, list[Choice]]


def chart(rules: RulesInForce) -> Chart:
    """Return rules for the first question of a game, with their cost compared with optimal play."""
    asked = tuple(questions(rules))
    if not asked:
        raise NotCountable(f"{rules.game.title} players make no decisions, so there is no strategy.")
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
    # A player's hand is valued as if it were the dealer's, since the dealer's reading is what compares hands.
    return threshold_section(
        asked,
        [(cards, ways, {choice.action.name: choice.worth for choice in choices}) for cards, ways, choices in found],
        lambda cards: _as_dealers(rules, cards).value,
        lambda cards: (
            f"{title} with {_as_dealers(rules, cards).hand} ({_spelled(cards)}) or better; fold anything less."
        ),
        playing,
        folding,
    )


def _by_name(rules: RulesInForce, asked: str, found: Sequence[Hand]) -> Section:
    groups: dict[str, list[tuple[int, dict[str, Fraction]]]] = {}
    for cards, ways, choices in found:
        worths: dict[str, Fraction] = {}
        for choice in choices:
            worths.setdefault(choice.action.name, choice.worth)  # the best discard comes first
        groups.setdefault(_named(rules, cards), []).append((ways, worths))
    lines: dict[str, list[str]] = {}
    answers: dict[str, str] = {}
    counted: Counter[str] = Counter()
    cost = Fraction(0)
    for name, same in groups.items():
        sums = {action: sum(ways * worths[action] for ways, worths in same) for action in same[0][1]}
        best = max(sums, key=lambda action: sums[action])
        cost += sum((ways * (max(worths.values()) - worths[best]) for ways, worths in same), Fraction(0))
        counted[best] += sum(ways for ways, _ in same)
        lines.setdefault(best, []).append(name)
        answers[name] = best
    told = {action: f"{action.capitalize()}: {', '.join(names)}." for action, names in lines.items()}

    def says(cards: tuple[Card, ...], board: tuple[Card, ...]) -> Said:
        action = answers[_named(rules, cards)]
        return Said(told[action], action)

    cost /= sum(counted.values())
    return Section(asked.capitalize(), tuple(told.values()), cost, counted, asked=asked, says=says)


def _as_dealers(rules: RulesInForce, cards: tuple[Card, ...]) -> DealerReading:
    return rules.game.readings.dealer(TableCards(dealer=cards), rules.options)


def _named(rules: RulesInForce, cards: tuple[Card, ...]) -> str:
    return rules.game.readings.seat(TableCards(), NO_DEALER, SeatCards(cards, UNDECIDED), rules.options, ()).hand


def _spelled(cards: tuple[Card, ...]) -> str:
    if all(card[0] in RANKS and len(card) == 2 for card in cards):
        return "-".join(sorted((card[0] for card in cards), key=RANKS.index, reverse=True))
    return "-".join(map(face, cards))
