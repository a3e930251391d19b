"""Two methods agree: what is counted exactly, what is simulated, and what a table settles.

`PITBOSS_AGREE=1` plays twenty times as many rounds and every pair of options; `make agree` runs it so.
"""

import os
from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from typing import Any

import pytest

from pitboss.cards.deck import Card, face
from pitboss.games import catalogue, game, game_names
from pitboss.lab.blocks import Ending
from pitboss.lab.chi_square import fit
from pitboss.lab.edges import cases
from pitboss.lab.exact_counts import MAIN
from pitboss.lab.played import Table, opening_stakes
from pitboss.lab.players import player_of, strategies_of, whole_tables_of
from pitboss.lab.simulate import simulate
from pitboss.lab.worth import meters_at
from pitboss.odds.streams import deal
from pitboss.round.finished import settle_hand
from pitboss.rules.choices import Choices, choices_from
from pitboss.rules.in_force import RulesInForce
from pitboss.rules.reading import TableCards
from pitboss.rules.refusal import Refusal
from pitboss.rules.wager import meter_payment
from worked import hands

HEAVY = bool(os.environ.get("PITBOSS_AGREE"))
pytestmark = [pytest.mark.xdist_group("exact"), pytest.mark.slow]
SEED = 20_261
ROUNDS = 6_000 * (20 if HEAVY else 1)
WHOLE_ROUNDS = 300_000 * (20 if HEAVY else 1)
TABLES_SETTLED = 40 * (20 if HEAVY else 1)
LEAST_CHANCE = 1e-6


def lettered(name: str) -> list[Any]:
    """Return choices in which each letter of each wager, and each stake laid down, is used once or more."""
    definition = game(name)
    letters = {wager.name: wager.letters for wager in definition.wagers if wager.letters}
    stakes = {wager.name: wager.stakes_cents for wager in definition.wagers if wager.stakes_cents}
    found = []
    for at in range(max(map(len, (*letters.values(), *stakes.values())))):
        paytables = {wager: known[at % len(known)] for wager, known in letters.items()}
        laid_down = {wager: known[at % len(known)] for wager, known in stakes.items()}
        found.append(pytest.param(name, Choices(paytables=paytables, stakes=laid_down), id=f"{name} {at + 1}"))
    return found


def optional(name: str) -> list[Any]:
    """Return choices of each non-default value, by itself and with another option's; seating options aside."""
    seating = {game(name).positions.count_option, game(name).positions.per_player_option}
    values = [
        (option.name, value)
        for option in game(name).options
        if option.name not in seating
        for value in option.values[1:]
    ]
    pairs = [(pair, other) for pair, other in combinations(values, 2) if pair[0] != other[0]]
    sets = [(value,) for value in values] + [pair for pair in pairs if HEAVY or pair[0] == values[0]]
    return [
        pytest.param(name, Choices(options=dict(chosen)), id=f"{name} {' '.join('='.join(item) for item in chosen)}")
        for chosen in sets
    ]


def agrees(rules: RulesInForce, seats: int, rounds: int) -> None:
    """Hold every wager of a simulation, and every line of its paytables, against what was counted."""
    result = simulate(rules, rounds, seats, SEED)
    assert {wager.wager for wager in result.wagers} == {wager for wager, _ in cases(rules.game, rules.choices)}
    for other in result.wagers:
        assert other.theory is not None, other.wager
        assert other.deviation is not None, other.wager
        assert abs(other.deviation) < 4, f"{other.wager} is {other.deviation} standard errors off"
        for wager in dict.fromkeys(line.wager for line in other.lines) if seats == 1 else ():
            lines = [(line.hands, line.chance) for line in other.lines if line.wager == wager]
            assert sum(hands for hands, _ in lines) == rounds
            assert sum(chance for _, chance in lines if chance is not None) == 1
            found = fit((hands, chance) for hands, chance in lines if chance is not None)
            assert found is None or found.p > LEAST_CHANCE, f"{wager}: {found}"


def rounds_for(name: str) -> int:
    return WHOLE_ROUNDS if (catalogue.folders()[name] / "whole_tables.py").exists() else ROUNDS


@pytest.mark.parametrize(("name", "choices"), [item for name in game_names() for item in lettered(name)])
def test_every_paytable_of_every_wager_agrees(name: str, choices: Choices) -> None:
    agrees(RulesInForce(game(name), choices), 1, rounds_for(name))


@pytest.mark.parametrize(("name", "choices"), [wager for name in game_names() for wager in optional(name)])
def test_every_option_agrees(name: str, choices: Choices) -> None:
    agrees(RulesInForce(game(name), choices), 1, rounds_for(name) // 2)


@pytest.mark.parametrize("name", game_names())
def test_a_full_table_agrees_envy_included(name: str) -> None:
    rules = RulesInForce(game(name))
    agrees(rules, rules.seats_most, rounds_for(name) // 6)


@pytest.mark.parametrize("name", game_names())
def test_another_way_of_play_is_found_out(name: str) -> None:
    # The lines of players who play otherwise, against those of optimal play.
    rules = RulesInForce(game(name))
    optimal = simulate(rules, 1, 1, SEED)[MAIN].theory
    assert optimal is not None
    found = []
    for strategy in strategies_of(name)[-2:]:
        lines = simulate(rules, 1_500, 1, SEED, strategy.name)[MAIN].lines
        for wager in {line.wager for line in lines}:
            chances = [(line.hands, optimal.lines.get((wager, line.line), Fraction(0))) for line in lines]
            found.append(fit(chance for chance, line in zip(chances, lines, strict=True) if line.wager == wager))
    assert min(item.p for item in found if item) < LEAST_CHANCE


def meters_of(rules: RulesInForce) -> dict[str, int]:
    progressive = rules.game.progressive
    return meters_at(rules, progressive.wager, {}) if progressive and progressive.wager in rules.offered else {}


def settled(rules: RulesInForce, table: TableCards, seats: list[Any]) -> list[dict[str, Any]]:
    """Settle a played round as a finished hand."""
    hand: dict[str, Any] = {place: list(map(face, getattr(table, place))) for place in rules.game.table_cards}
    hand["seats"] = [
        {"seat": at, "cards": list(map(face, seat.held.cards)), "wagers": table_stakes(rules), "actions": seat.actions}
        for at, seat in enumerate(seats, 1)
    ]
    hand |= {"meters": meters} if (meters := meters_of(rules)) else {}
    result = settle_hand(
        rules, {**hand, "seats": [{**seat, "actions": list(seat["actions"])} for seat in hand["seats"]]}
    )
    assert not isinstance(result, Refusal), result
    rows: list[dict[str, Any]] = result["seats"]
    return rows


def table_stakes(rules: RulesInForce) -> dict[str, int]:
    return opening_stakes(rules)


def with_meters(rules: RulesInForce, endings: list[Ending]) -> list[int]:
    """Return what each seat gains, envy and meters included, as the ledger of a simulation pays them."""
    shown, resets = meters_of(rules), meters_of(rules)
    nets = [sum(ending.nets) for ending in endings]
    for holder in reversed(range(len(endings))):
        hit = endings[holder].hit
        if hit:
            paid, shown[hit.meter] = meter_payment(shown[hit.meter], resets[hit.meter], hit.percent)
            nets[holder] += paid if hit.stake_returned else paid - opening_stakes(rules)[hit.wager]
        for seat in range(len(endings)):
            nets[seat] += endings[holder].envied_cents if seat != holder else 0
    return nets


@pytest.mark.parametrize(
    ("name", "choices"), [wager for name in game_names() for wager in (*lettered(name), *optional(name))]
)
def test_a_simulated_table_settles_as_a_live_one(name: str, choices: Choices) -> None:
    rules = RulesInForce(game(name), choices)
    whole = whole_tables_of(rules)
    slow = Table(rules, rules.seats_most, player_of(rules))
    fast = Table(rules, rules.seats_most, player_of(rules), whole)
    deals = deal(SEED, 0, TABLES_SETTLED, cards=len(rules.game.deck), drawn=slow.drawn)
    endings, which = fast.endings(deals)
    for drawn, numbers in zip(deals.tolist(), which.tolist(), strict=True):
        cards, seats = slow.play(drawn)
        rows = settled(rules, cards, seats)
        assert [endings[number] for number in numbers] == [seat.ending for seat in seats]
        for row, seat in zip(rows, seats, strict=True):
            nets = dict(zip(slow.wagers, seat.ending.nets, strict=True))
            met = {wager for wager in row["wagers"] if not (seat.ending.hit and seat.ending.hit.wager == wager)}
            assert {wager: nets[wager] for wager in met} == {wager: row["wagers"][wager]["net"] for wager in met}
            staked = dict(zip(slow.wagers, seat.ending.staked, strict=True))
            assert {wager: cents for wager, cents in staked.items() if cents} == {
                wager: result["stake"] for wager, result in row["wagers"].items() if result["stake"]
            }
        assert with_meters(rules, [seat.ending for seat in seats]) == [row["net"] for row in rows]


REGULAR = [pytest.param(name, hand, id=f"{name}: {hand['name']}") for name, hand in hands(irregular=False)]


@pytest.mark.parametrize(("name", "hand"), REGULAR)
def test_every_worked_hand_ends_as_worked(name: str, hand: dict[str, Any]) -> None:
    definition = game(name)
    base = choices_from(definition, hand.get("choices", {}))
    assert not isinstance(base, Refusal)
    taken: set[Card] = set()
    held = {seat["seat"]: definition.deck.pick(seat["cards"].split(), taken) for seat in hand["seat"]}
    places = {
        table_card: definition.deck.pick(hand[table_card].split(), taken)
        for table_card in definition.table_cards
        if table_card in hand
    }
    spare = [card for card in definition.deck.cards if card not in taken]
    for seat in hand["seat"]:
        wagers = seat["wagers"]
        choices = replace(base, stakes=wagers, offered=frozenset(wagers), resets=hand.get("resets", {}))
        rules = RulesInForce(definition, choices)
        cards = list(held[seat["seat"]])
        for place, count in definition.table_cards.items():
            cards += places.get(place) or spare[:count]
        table = Table(rules, 1, Scripted(seat["actions"]))
        _, (played,) = table.play([definition.deck.cards.index(card) for card in cards])
        ending = played.ending
        nets = dict(zip(table.wagers, ending.nets, strict=True))
        for wager, (_, net, odds, _, _) in seat["pays"].items():
            if ending.hit and ending.hit.wager == wager:
                assert odds == f"{ending.hit.percent} % of {ending.hit.meter}"
            else:
                assert nets[wager] == net, wager
        staked = {wager for wager, cents in zip(table.wagers, ending.staked, strict=True) if cents}
        assert staked == set(seat["pays"]) - set(rules.bonuses)


class Scripted:
    """Answers what a worked hand says, action by action."""

    def __init__(self, actions: list[str]) -> None:
        self._left = list(actions)

    def __call__(self, ask: str, cards: tuple[Card, ...], shown: TableCards) -> tuple[str, Card | None]:
        action = self._left.pop(0)
        if self._left and self._left[0].startswith("discard "):
            return action, Card(self._left.pop(0).removeprefix("discard "))
        return action, None
