"""A seat's result splits into edge, decisions and luck that add up to the money, and luck averages to nothing."""

import os
import random
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from functools import cache
from math import sqrt
from typing import Any

import pytest

from pitboss.cards.deck import Card
from pitboss.games import game, game_names
from pitboss.lab.exact_counts import MAIN, NotAnalysed
from pitboss.lab.players import player_of, strategies_of
from pitboss.lab.settled_seats import seats_of_hand, settled_seats
from pitboss.lab.simulated_seats import SimulatedSeats
from pitboss.lab.simulation_theory import worth_of_strategy
from pitboss.lab.split import Parts, SettledSeat, Splitter
from pitboss.lab.worth import worth_of
from pitboss.odds.deciding import Decide
from pitboss.rules.choices import Choices
from pitboss.rules.in_force import RulesInForce
from pitboss.rules.reading import TableCards
from pitboss.rules.refusal import Refusal
from pitboss.rules.strategy import OPTIMAL
from worked import Player, hands, settle_input

pytestmark = pytest.mark.xdist_group("exact")
ROUNDS = int(os.environ.get("PITBOSS_SPLIT_ROUNDS", "1500"))  # `make split` plays a million
OTHER_ROUNDS = min(ROUNDS, 15_000)  # of the tests that split what the first one does again
LUCK = ("cards", "board", "dealer")


@cache
def rules_of(name: str, **options: str) -> RulesInForce:
    return RulesInForce(game(name), Choices(options=options))


@cache
def splitter_of(rules: RulesInForce) -> Splitter:
    return Splitter(rules)


def at_random(rules: RulesInForce, seed: int, mistakes: float = 1.0) -> Decide:
    """Return a player who errs this often, with any action there is."""
    chance, best = random.Random(seed), player_of(rules)

    def decide(ask: str, cards: tuple[Card, ...], shown: TableCards) -> tuple[str, Card | None]:
        if chance.random() >= mistakes:
            return best(ask, cards, shown)
        action = chance.choice(list(rules.actions[ask].values()))
        return action.name, chance.choice(cards) if action.discards else None

    return decide


def played(
    rules: RulesInForce, decide: Decide, rounds: int, seed: int, seats: int = 1
) -> Iterator[tuple[SettledSeat, Parts]]:
    splitter = splitter_of(rules)
    for settled in SimulatedSeats(rules, seats, decide).rounds(seed, 0, rounds):
        for seat in settled:
            yield seat, splitter.split(seat)


def spread_of(rules: RulesInForce, wager: str, stake: int) -> float:
    """Return the standard deviation of a wager's result in cents, from its exact counts."""
    return stake * worth_of(rules, wager, stake_cents=stake).standard_deviation


def money(seat: SettledSeat) -> int:
    return sum(result.net for result in seat.results) + seat.envy_cents


@pytest.mark.parametrize(("name", "hand"), [pytest.param(*hand, id=hand[1]["name"]) for hand in hands(irregular=False)])
def test_the_parts_of_every_worked_hand_add_up_to_its_money(name: str, hand: dict[str, Any]) -> None:
    player = Player(game(name), hand)
    seats = seats_of_hand(player.rules, settle_input(name, hand))
    assert not isinstance(seats, Refusal)
    splitter = splitter_for(player.rules)
    for worked_seat in hand["seat"]:
        parts = splitter.split(seats[worked_seat["seat"]])
        assert sum(parts.flat().values()) == parts.total == worked_seat["net"]
        assert parts.ruling == 0
        assert parts.decisions <= 0


@pytest.mark.parametrize(("name", "hand"), [pytest.param(*hand, id=hand[1]["name"]) for hand in hands(irregular=True)])
def test_the_parts_of_a_void_or_a_forfeit_add_up_too(name: str, hand: dict[str, Any]) -> None:
    player = Player(game(name), hand)
    play = player.play()
    for seat, settled in settled_seats(play, player.events).items():
        parts = splitter_for(player.rules).split(settled)
        net = sum(result.net for (of, _), result in play.results.items() if of == seat)
        assert parts.total == net + sum(paid.net for paid in play.envy if paid.seat == seat)


_SPLITTERS: dict[str, Splitter] = {}


def splitter_for(rules: RulesInForce) -> Splitter:
    # Worked hands repeat their choices; rules in force don't compare.
    key = f"{rules.game.name} {rules.choices}"
    return _SPLITTERS.get(key) or _SPLITTERS.setdefault(key, Splitter(rules))


@pytest.mark.parametrize("name", game_names())
def test_luck_averages_to_nothing_whatever_the_skill(name: str) -> None:
    rules = rules_of(name)
    sums: dict[str, list[float]] = {}
    cost, stakes = Fraction(0), dict[str, int]()
    for seat, parts in played(rules, at_random(rules, 5), ROUNDS, seed=21):
        assert parts.total == money(seat)
        assert parts.decisions <= 0
        assert parts.ruling == parts.limit == parts.coupons == parts.meters == 0
        cost += parts.skill
        of_sides = {f"{wager} luck": side.luck for wager, side in parts.sides.items()}
        for part, luck in ({kind: getattr(parts, kind) for kind in LUCK} | of_sides).items():
            added = sums.setdefault(part, [0.0, 0.0])
            added[0] += float(luck)
            added[1] += float(luck) ** 2
        stakes |= {result.wager: result.stake for result in seat.results}
    assert cost < 0
    for part, (total, squares) in sums.items():
        # A prize of $1,000,000 that nobody won is missing in what was measured, so its wager's exact spread counts too.
        wager = part.removesuffix(" luck")
        known = ROUNDS * spread_of(rules, wager, stakes[wager]) ** 2 if wager != part else 0.0
        assert abs(total) <= 4 * sqrt(max(squares, known)), f"{part}: {total / ROUNDS} a round"


@pytest.mark.parametrize("name", game_names())
def test_the_best_player_pays_nothing_for_decisions(name: str) -> None:
    rules = rules_of(name)
    edge = worth_of(rules, MAIN).ev
    for seat, parts in played(rules, player_of(rules), OTHER_ROUNDS // 5, seed=3, seats=3):
        assert parts.skill == 0
        assert parts.edge == 100 * edge
        assert parts.total == money(seat)


@pytest.mark.parametrize("name", game_names())
def test_players_of_known_skill_are_ranked_in_order(name: str) -> None:
    rules = rules_of(name)
    rounds = max(OTHER_ROUNDS // 2, 500)
    skill, found = {}, {}
    for strategy in strategies_of(name):
        worth = worth_of(rules, MAIN).ev if strategy.name == OPTIMAL else worth_of_strategy(rules, strategy.name)
        if worth is None:
            continue
        costs = [parts.edge + parts.decisions for _, parts in played(rules, player_of(rules, strategy.name), rounds, 9)]
        mean = float(sum(costs, Fraction(0))) / rounds
        spread = sqrt(sum((float(cost) - mean) ** 2 for cost in costs) / rounds)
        assert abs(mean - 100 * float(worth)) <= 4 * spread / sqrt(rounds) + 1e-9
        skill[strategy.name], found[strategy.name] = worth, mean
    assert len(skill) > 2
    apart = [
        (better, worse)
        for better in skill
        for worse in skill
        if skill[better] - skill[worse] > Fraction(1, 50)  # of an Ante
    ]
    assert apart
    assert all(found[better] > found[worse] for better, worse in apart)


def test_mistakes_cost_in_proportion_to_how_often_they_are_made() -> None:
    rules = rules_of("dragon-poker")
    costs = [
        sum((parts.skill for _, parts in played(rules, at_random(rules, 1, often), OTHER_ROUNDS, seed=4)), Fraction(0))
        for often in (0.0, 0.1, 0.4, 1.0)
    ]
    assert costs == sorted(costs, reverse=True)
    assert costs[0] == 0 > costs[1]


def test_a_payout_limit_has_a_part_of_its_own() -> None:
    name = "colorado-holdem"
    definition = game(name)
    rules = RulesInForce(definition, Choices(amounts={"payout-limit": 50_000_00}))
    given = {
        "game": name,
        "choices": {"payout-limit": 50_000_00},
        "board": ["Ts", "Js", "2d"],
        "seats": [
            {
                "seat": 1,
                "cards": ["As", "Ks", "Qs"],
                "wagers": {"ante": 20_000_00},
                "actions": ["declare"],
            }
        ],
    }
    seats = seats_of_hand(rules, given)
    assert not isinstance(seats, Refusal), seats
    parts, free = Splitter(rules).split(seats[1]), Splitter(rules_of(name)).split(replace_cut(seats[1]))
    assert parts.total == 50_000_00
    assert parts.limit < 0
    assert parts.total - parts.limit == free.total
    assert (parts.edge, parts.luck, parts.decisions) == (free.edge, free.luck, free.decisions)


def replace_cut(seat: SettledSeat) -> SettledSeat:
    results = tuple(
        result._replace(net=result.net + result.cut, paid=result.paid + result.cut, cut=0) for result in seat.results
    )
    return seat._replace(results=results)


def test_a_seat_that_forfeits_is_decided_by_the_ruling() -> None:
    rules = rules_of("dragon-poker")
    settled, parts = next(played(rules, player_of(rules), 1, seed=2))
    gone = settled._replace(answers=(), held=settled.held._replace(status="out"))
    again = splitter_of(rules).split(gone)
    assert again.total == parts.total
    assert again.luck == sum(side.luck for side in again.sides.values())
    assert again.ruling == again.total - again.expected - again.luck


def test_nothing_staked_is_nothing_won() -> None:
    rules = rules_of("top-five-poker")
    settled, _ = next(played(rules, player_of(rules), 1, seed=2))
    assert splitter_of(rules).split(settled._replace(results=())) == Parts()


def test_a_coupon_wins_apart_from_the_stake() -> None:
    rules = rules_of("dragon-poker")
    for settled, parts in played(rules, player_of(rules), 50, seed=8):
        ante = next(result for result in settled.results if result.wager == "ante")
        if ante.result != "win":
            continue
        more = ante._replace(net=ante.net + 500, paid=ante.paid + 500, coupon=500)
        results = tuple(more if result is ante else result for result in settled.results)
        with_coupon = splitter_of(rules).split(settled._replace(results=results))
        assert with_coupon == replace(parts, coupons=Fraction(500))
        return
    pytest.fail("no hand won")


def test_a_meter_above_its_reset_pays_apart() -> None:
    paid = 0
    for name, hand in hands(irregular=False):
        if "meters" not in hand:
            continue
        rules = Player(game(name), hand).rules
        given = settle_input(name, hand)
        found = seats_of_hand(rules, given)
        assert not isinstance(found, Refusal)
        for seat in found.values():
            at_reset, as_shown = splitter_for(rules).split(seat), Splitter(rules, hand["meters"]).split(seat)
            assert at_reset.total == as_shown.total == money(seat)
            paid += at_reset.meters > 0
            if len(found) == 1:  # with one hit of a meter, it pays what it showed
                assert as_shown.meters == 0
    assert paid


def test_a_game_beyond_the_solver_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = rules_of("dragon-poker")
    settled, _ = next(played(rules, player_of(rules), 1, seed=2))
    splitter = Splitter(rules)
    from pitboss.odds.outcomes import NotCountable

    def refuse(*_: object) -> None:
        raise NotCountable("Too many deals.")

    monkeypatch.setattr(splitter._situations, "worths", refuse)
    with pytest.raises(NotAnalysed, match="Too many deals"):
        splitter.split(settled)
