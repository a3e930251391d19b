"""Coach, chart and strategy agree: every situation where two of them disagree is listed, and none is left."""

import random
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from typing import Any

import pytest

from pitboss.cards.deck import Card, face
from pitboss.games.catalogue import game, game_names
from pitboss.games.parts import part_of
from pitboss.lab.advice import advise, asked_at, chart_of
from pitboss.lab.exact_counts import exact_of
from pitboss.lab.players import strategies_of
from pitboss.lab.practice import quoted
from pitboss.odds.charts import Chart
from pitboss.odds.deciding import answer_name
from pitboss.odds.named_strategies import player_by
from pitboss.odds.one_decision import OneDecision
from pitboss.rules.in_force import RulesInForce
from pitboss.rules.reading import TableCards

pytestmark = pytest.mark.xdist_group("exact")
Hand = tuple[Card, ...]
SOLVED = [name for name in game_names() if isinstance(getattr(exact_of(name), "SOLVER", None), OneDecision)]
SAMPLED = [name for name in game_names() if name not in SOLVED]


@cache
def rules_and_chart(name: str) -> tuple[RulesInForce, Chart]:
    rules = RulesInForce(game(name))
    return rules, chart_of(rules)


def charted(rules: RulesInForce, chart: Chart, asked: str, cards: Hand, board: Hand = ()) -> tuple[str, Card | None]:
    """Return the action and the discard that a chart's rules give."""
    said = chart.said(asked, cards, board)
    action = next(part.action for part in said if part.action)
    discards = rules.actions[asked][action].discards
    return action, next((part.discard for part in said if part.discard), None) if discards else None


@pytest.mark.parametrize("name", SOLVED)
def test_coach_chart_and_strategy_agree_on_every_hand(name: str) -> None:
    rules, chart = rules_and_chart(name)
    ((asked, _),) = rules.actions.items()
    exact: Any = exact_of(name)
    solver = exact.SOLVER
    optimal = solver.player(rules)
    strategy = next(way for way in strategies_of(name) if way.answers)
    module: Any = part_of(name, "strategies")
    short = player_by(strategy, module.sight(rules))
    differs: list[str] = []
    lost, hands = Fraction(0), 0
    for number, (cards, ways, choices) in enumerate(solver.solved(rules)):
        worths = {(choice.action.name, choice.discard): choice.worth for choice in choices}
        best, said = max(worths.values()), charted(rules, chart, asked, cards)
        lost, hands = lost + ways * (best - worths[said]), hands + ways
        ways_to_play = {"the chart": said}
        if number % 40 == 0:  # solved again for each hand, by the same solver
            ways_to_play["optimal play"] = optimal(asked, cards, TableCards())
        for who, answer in ways_to_play.items():
            if worths[answer] != best:
                differs.append(f"{' '.join(cards)}: the coach {choices[0].name}, {who} {answer_name(*answer)}")
        if strategy.plays_the_chart and short(asked, cards, TableCards())[0] != said[0]:
            differs.append(f"{' '.join(cards)}: the chart {said[0]}, {strategy.name} otherwise")
    assert not differs, f"{len(differs)} hands, such as {differs[:10]}"
    assert lost / hands == chart.cost == 0


@pytest.mark.parametrize("name", game_names())
def test_the_coach_quotes_the_chart(name: str) -> None:
    rules, chart = rules_and_chart(name)
    told = {rule for section in chart.sections for rule in section.rules}
    for asked, cards, board in decisions(rules, random.Random(23), 3):
        line = quoted(rules, chart, advise(rules, tuple(map(face, cards)), tuple(map(face, board))))
        assert line is not None
        assert (line.action, line.discard) == charted(rules, chart, asked, cards, board)
        assert line.rules
        if not any(section.grid and section.grid.is_points for section in chart.sections):
            assert set(line.rules) <= told


def decisions(rules: RulesInForce, chance: random.Random, deals: int) -> Iterator[tuple[str, Hand, Hand]]:
    for size, asked in asked_at(rules).items():
        for _ in range(deals):
            drawn = tuple(chance.sample(rules.game.deck.cards, rules.game.cards_each + size))
            yield asked, drawn[: rules.game.cards_each], drawn[rules.game.cards_each :]


@pytest.mark.parametrize("name", game_names())
def test_the_strategy_that_plays_the_chart_does_what_the_chart_says(name: str) -> None:
    rules, chart = rules_and_chart(name)
    strategy = next(way for way in strategies_of(name) if way.answers)
    module: Any = part_of(name, "strategies")
    decide = player_by(strategy, module.sight(rules))
    found = [
        f"{asked}: {' '.join(cards)} on {' '.join(board)}: {played} or {said}"
        for asked, cards, board in decisions(rules, random.Random(21), 2_000)
        for played in (decide(asked, cards, TableCards(board=board))[0],)
        for said in (charted(rules, chart, asked, cards, board)[0],)
        if played != said
    ]
    if strategy.plays_the_chart:
        assert not found, found[:10]
    else:
        assert found, f"{name}: {strategy.name} plays the chart and should say so"


@pytest.mark.parametrize("name", SAMPLED)
def test_where_a_chart_is_complete_the_coach_says_the_same(name: str) -> None:
    rules, chart = rules_and_chart(name)
    complete = {section.asked for section in chart.sections if not section.cost}
    assert complete
    for asked, cards, board in decisions(rules, random.Random(22), 40):
        if asked in complete:
            worths = advise(rules, tuple(map(face, cards)), tuple(map(face, board))).worths
            assert worths[charted(rules, chart, asked, cards, board)[0]] == max(worths.values()), (asked, cards, board)
    assert {section.asked for section in chart.sections} == set(asked_at(rules).values())
