"""A second way to an exact result: price what was counted, and deal hands through the table's own settlement."""

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from math import sqrt

from pitboss.cards.deck import Card, face
from pitboss.cards.shuffle import SeededShuffle
from pitboss.games import catalogue
from pitboss.odds.outcomes import Counts, Outcome
from pitboss.odds.pricing import net_units
from pitboss.round.finished import settle_hand
from pitboss.rules.choices import Choices
from pitboss.rules.in_force import RulesInForce
from pitboss.rules.paytable import Paytable
from pitboss.rules.refusal import Refusal

STAKE_CENTS = 100
Strategy = Callable[[tuple[Card, ...]], list[str]]


def rules_of(name: str, own_tables: dict[str, Paytable] | None = None, **chosen: str) -> RulesInForce:
    """Return a game's rules with these paytable letters and options, underscores for hyphens."""
    game = catalogue.game(name)
    given = {key.replace("_", "-"): value for key, value in chosen.items()}
    letters = {key: value for key, value in given.items() if key in game.wagers_by_name}
    options = {key: value for key, value in given.items() if key in game.options_by_name}
    assert len(letters) + len(options) == len(given)
    return RulesInForce(game, Choices(paytables=letters, options=options, own_tables=own_tables or {}))


def net(rules: RulesInForce, outcome: Outcome) -> Fraction:
    """Return what one outcome brings, in units."""
    cells = dict(outcome.cells)
    return sum(
        (
            units * net_units(rules, wager, rules.adjudicate(wager, outcome.facts, cells.get(wager)))
            for wager, units in outcome.stakes
        ),
        Fraction(0),
    )


def mean(rules: RulesInForce, counts: Counts) -> Fraction:
    """Return the mean net result of what was counted, in units."""
    return sum((outcome.count * net(rules, outcome) for outcome in counts.outcomes), Fraction(0)) / counts.total


def average_stake(counts: Counts) -> Fraction:
    """Return how many units are staked on average."""
    return Fraction(
        sum(outcome.count * sum(dict(outcome.stakes).values()) for outcome in counts.outcomes), counts.total
    )


def deviation(rules: RulesInForce, counts: Counts) -> float:
    """Return the standard deviation of the net result, in units."""
    square = sum((outcome.count * net(rules, outcome) ** 2 for outcome in counts.outcomes), Fraction(0)) / counts.total
    return sqrt(square - mean(rules, counts) ** 2)


def dealt_nets(rules: RulesInForce, side: tuple[str, ...], strategy: Strategy, rounds: int, seed: int) -> Counter[str]:
    """Deal and settle rounds of one seat; return the units won by the main wagers, as `main`, and by each other."""
    game, shuffle = rules.game, SeededShuffle(seed)
    placed = [wager.name for wager in game.wagers if wager.required] + list(side)
    won: Counter[str] = Counter()
    for _ in range(rounds):
        order = shuffle.order(game.deck)
        cards, at = order[: game.cards_each], game.cards_each
        hand: dict[str, object] = {"game": game.name}
        for place, size in game.table_cards.items():
            hand[place] = [face(card) for card in order[at : at + size]]
            at += size
        seat = {"seat": 1, "cards": [face(card) for card in cards], "actions": strategy(cards)}
        seat["wagers"] = dict.fromkeys(placed, STAKE_CENTS)
        result = settle_hand(rules, hand | {"seats": [seat]})
        assert not isinstance(result, Refusal), result
        for wager, settled in result["seats"][0]["wagers"].items():
            won[wager if wager in side else "main"] += settled["net"]
    return Counter({wager: Fraction(cents, STAKE_CENTS) for wager, cents in won.items()})


def standard_errors(rules: RulesInForce, counts: Counts, won: Fraction, rounds: int) -> float:
    """Return by how many standard errors a simulation's result lies off the exact one."""
    return abs(float(won - rounds * mean(rules, counts))) / (sqrt(rounds) * deviation(rules, counts))
