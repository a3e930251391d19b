"""Named strategies answer every decision, have the value they claim, and never borrow another's theory."""

from fractions import Fraction
from functools import cache

import numpy as np
import pytest

from pitboss.games import game, game_names
from pitboss.lab.exact_counts import MAIN, exact_of, main_wagers
from pitboss.lab.played import UNIT_CENTS, Table
from pitboss.lab.players import NotPlayed, player_of, strategies_of, strategy_of, whole_tables_of
from pitboss.lab.simulate import simulate
from pitboss.lab.simulation_theory import cut_may_apply, depends_on_play, theory_of, worth_of_strategy
from pitboss.lab.worth import worth_of
from pitboss.odds.streams import deal
from pitboss.rules.choices import Choices
from pitboss.rules.in_force import RulesInForce
from pitboss.rules.strategy import OPTIMAL

pytestmark = pytest.mark.xdist_group("exact")
SEED = 11
NAMED = [(name, strategy.name) for name in game_names() for strategy in strategies_of(name) if strategy.name != OPTIMAL]
VERSIONS = [
    pytest.param(name, strategy, {item.name: value} if item else {}, id=f"{name} {strategy} {value}")
    for name, strategy in NAMED
    for item, value in [(None, "")] + [(option, option.values[-1]) for option in game(name).options[:1]]
]


def rules_of(name: str, options: dict[str, str] | None = None) -> RulesInForce:
    return RulesInForce(game(name), Choices(options=options or {}))


@cache
def known_worth(name: str, strategy: str, options: tuple[tuple[str, str], ...] = ()) -> Fraction | None:
    return worth_of_strategy(rules_of(name, dict(options)), strategy)


@pytest.mark.parametrize(("name", "strategy", "options"), VERSIONS)
def test_a_strategy_answers_whatever_it_is_asked(name: str, strategy: str, options: dict[str, str]) -> None:
    rules = rules_of(name, options)
    table = Table(rules, 2, player_of(rules, strategy))
    for drawn in deal(SEED, 0, 150, cards=len(rules.game.deck), drawn=table.drawn).tolist():
        _, seats = table.play(drawn)
        for seat in seats:
            assert seat.actions


@pytest.mark.parametrize("name", game_names())
def test_a_strategy_speaks_the_words_of_its_game(name: str) -> None:
    definition = game(name)
    asks = {step.name: {action.name for action in step.actions} for step in definition.play if hasattr(step, "actions")}
    names = [strategy.name for strategy in strategies_of(name)]
    assert names[0] == OPTIMAL
    assert len(set(names)) == len(names) > 2
    for strategy in strategies_of(name):
        assert strategy.title.endswith(".")
        assert all(answer.action in asks[answer.ask] for answer in strategy.answers)


@pytest.mark.parametrize(("name", "strategy"), NAMED)
def test_no_strategy_beats_optimal_play(name: str, strategy: str) -> None:
    rules = rules_of(name)
    worth = known_worth(name, strategy)
    assert worth is None or worth <= worth_of(rules, MAIN).ev


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "strategy", "options"),
    [version for version in VERSIONS if game(str(version.values[0])).cards_each != 2],
)
def test_a_strategy_is_worth_what_its_answers_are_worth(name: str, strategy: str, options: dict[str, str]) -> None:
    # A second method: simulated hands, each priced by the exact value of the action taken.
    rules = rules_of(name, options)
    exact = exact_of(name)
    table = Table(rules, 1, player_of(rules, strategy))
    found = []
    for drawn in deal(SEED, 0, 150, cards=len(rules.game.deck), drawn=table.drawn).tolist():
        _, (seat,) = table.play(drawn)
        found.append(exact.action_worths(rules, seat.held.cards)[", ".join(seat.actions)])
    mean = sum(found, Fraction(0)) / len(found)
    spread = float(sum((item - mean) ** 2 for item in found) / len(found)) ** 0.5
    worth = known_worth(name, strategy, tuple(options.items()))
    assert worth is not None
    assert abs(float(mean - worth)) < 4 * spread / len(found) ** 0.5 + 1e-12


@pytest.mark.slow
@pytest.mark.parametrize(("name", "strategy"), NAMED)
def test_a_simulated_strategy_is_close_to_its_own_value(name: str, strategy: str) -> None:
    result = simulate(rules_of(name), 2_000, 2, SEED, strategy)
    main = result[MAIN]
    assert result.strategy == strategy
    known = known_worth(name, strategy)
    if known is None:
        assert main.theory is None
        assert (main.band_cents, main.deviation, main.theoretical_hold) == (None, None, None)
    else:
        assert main.theory is not None
        assert main.theory.ev == known
        assert main.deviation is not None
        assert abs(main.deviation) < 4
    for wager in result.wagers[1:]:
        assert (wager.theory is None) == depends_on_play(rules_of(name), wager.wager)


def test_a_complete_chart_costs_nothing() -> None:
    for name in ("dragon-poker", "top-five-poker"):
        assert known_worth(name, "basic") == worth_of(rules_of(name), MAIN).ev


def test_the_chart_costs_what_it_is_said_to_cost() -> None:
    # The same deals played by the chart and by optimal play: their differences vary far less than their results.
    name = "ultimate-texas-holdem"
    rules, rounds = rules_of(name), 400_000
    cost = worth_of(rules, MAIN).ev - (known_worth(name, "basic") or 0)
    assert cost == Fraction(125434297, 49315266000)
    nets = []
    for strategy in ("basic", OPTIMAL):
        table = Table(rules, 1, player_of(rules, strategy), whole_tables_of(rules, strategy))
        main = [table.wagers.index(wager) for wager in main_wagers(rules)]
        deals = deal(SEED, 0, rounds, cards=len(rules.game.deck), drawn=table.drawn)
        endings, which = table.endings(deals)
        units = np.array([sum(ending.nets[column] for column in main) for ending in endings]) / UNIT_CENTS
        nets.append(units[which[:, 0]])
    lost = nets[1] - nets[0]
    assert abs(lost.mean() - float(cost)) < 4 * lost.std() / rounds**0.5
    assert lost.std() / rounds**0.5 < float(cost) / 2  # so that no cost at all would be found out


def test_raising_every_hand_wins_nothing_on_the_raise() -> None:
    # Player and dealer are dealt alike, so over all hands a raise wins as much as it loses, whatever its size.
    name = "ultimate-texas-holdem"
    assert known_worth(name, "always-raise") == known_worth(name, "always-play") is not None


def test_an_unknown_strategy_is_reported_with_the_available_ones() -> None:
    with pytest.raises(NotPlayed, match="Choose one of: optimal, basic"):
        strategy_of("dragon-poker", "reckless")


def test_a_payout_limit_that_may_cut_leaves_no_theory() -> None:
    limited = Choices(amounts={"payout-limit": 5_000_000})
    rules = RulesInForce(game("ultimate-texas-holdem"), limited)
    small = {"ante": 1_000, "blind": 1_000, "trips": 1_000, "bad-beat": 1_000}
    large = {wager: 10 * cents for wager, cents in small.items()}
    assert not cut_may_apply(rules, MAIN, small)
    assert cut_may_apply(rules, MAIN, large)
    assert cut_may_apply(rules, "trips", large)
    assert not cut_may_apply(rules, "bad-beat", large)
    assert theory_of(rules, "trips", large) is None
    assert theory_of(rules, MAIN, large, strategy="always-raise") is None


def test_what_a_payout_limit_cuts_is_counted_for_the_main_game() -> None:
    definition = game("colorado-holdem")
    stakes = {"ante": 100_000}
    free, limited = (
        RulesInForce(definition, Choices(stakes=stakes, amounts=amounts))
        for amounts in ({}, {"payout-limit": 5_000_000})
    )
    result, uncut = simulate(limited, 6_000, 1, SEED)[MAIN], theory_of(free, MAIN, stakes)
    assert result.theory is not None
    assert uncut is not None
    assert result.theory.ev < uncut.ev
    assert result.deviation is not None
    assert abs(result.deviation) < 4
