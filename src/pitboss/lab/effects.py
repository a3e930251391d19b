"""Prices the readings of an unclear clause side by side: every wager whose value an option changes."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any

from pitboss.lab.edges import edges
from pitboss.lab.worth import Worth
from pitboss.odds.pricing import net_units
from pitboss.rules.choices import Choices
from pitboss.rules.game import GameDefinition
from pitboss.rules.in_force import RulesInForce
from pitboss.rules.payoff import dollars
from pitboss.rules.wager import PayoutLimit, Progressive

NEEDS_WAGER = "yes"  # the value of an envy option under which only hands with the wager pay a bonus
LIMIT_TO_STAKE = 100  # a payout limit is priced with stakes that are this part of it
Case = tuple[str, str | None]  # a wager and its paytable


@dataclass(frozen=True)
class Effect:
    """A wager whose value an option changes: its value under each setting, and the other terms it was priced under."""

    wager: str
    paytable: str | None
    under: Mapping[str, str]
    readings: Mapping[str, Worth]  # by the option's value, the default first

    def as_dict(self) -> dict[str, Any]:
        """Return the effect as plain data, with values as fractions in lowest terms."""
        readings = [
            {"value": value, "ev": str(worth.ev), "house_edge": float(worth.house_edge)}
            for value, worth in self.readings.items()
        ]
        notes = list(dict.fromkeys(note for worth in self.readings.values() for note in worth.notes))
        row = {"wager": self.wager, "paytable": self.paytable, "under": dict(self.under), "readings": readings}
        return row | ({"notes": notes} if notes else {})


def effects(game: GameDefinition, option: str, announce: Callable[[str], None] = lambda _: None) -> tuple[Effect, ...]:
    """Return every wager whose value depends on an option; empty if the option changes no price.

    Effects on envy bonuses are shown for one other player, and effects on a payout limit for the lowest limit allowed.
    If nothing changes while the other options have their defaults, each of their other values is tried, and then
    the results that no well-played hand has.
    """
    if game.progressive and game.progressive.envy_option == option:
        return _envy(game, option, game.progressive, announce)
    if game.payout_limit and any(fact.startswith(f"{option}=") for fact in game.payout_limit.covers):
        return _limit(game, option, game.payout_limit, announce)
    if found := _moved(game, option, {}, announce):
        return found
    if found := tuple(effect for under in _others(game, option) for effect in _moved(game, option, under, announce)):
        return found
    return tuple(_never_played(game, option))


def _never_played(game: GameDefinition, option: str) -> Iterator[Effect]:
    # A badly played hand has its own settlement rows; each row that depends on the option is priced.
    for wager, rows in game.settlement.items():
        for row in rows:
            facts = frozenset(fact for fact in row.facts if "=" not in fact)
            if facts and any(fact.startswith(f"{option}=") for fact in row.facts):
                under = {"a hand": " and ".join(sorted(facts)).replace("-", " ")}
                yield from _differing(under, game, option, partial(_ended, game, option, wager, facts))


def _ended(game: GameDefinition, option: str, wager: str, facts: frozenset[str], value: str) -> dict[Case, Worth]:
    rules = RulesInForce(game, Choices(options={option: value}))
    net = net_units(rules, wager, rules.adjudicate(wager, facts, None))
    return {(wager, None): Worth(game.name, wager, None, {option: value}, {net: 1}, 1, Fraction(1), ())}


def _envy(
    game: GameDefinition, option: str, progressive: Progressive, announce: Callable[[str], None]
) -> tuple[Effect, ...]:
    # Another player's hand without the wager pays a bonus only if no wager is needed. Hands that pay a bonus
    # are too good to fold, so none of them is gone when bonuses are paid.
    def priced(value: str) -> dict[Case, Worth]:
        others = 0 if value == NEEDS_WAGER else 1
        return _priced(game, {option: value}, announce, wager=progressive.wager, others=others)

    return _differing({"one other player": "without the wager"}, game, option, priced)


def _limit(
    game: GameDefinition, option: str, limit: PayoutLimit, announce: Callable[[str], None]
) -> tuple[Effect, ...]:
    (least,) = (money_option.minimum_cents for money_option in game.money_options if money_option.name == limit.option)
    stake_cents = least // LIMIT_TO_STAKE
    amounts = {limit.option: least}
    under = {limit.option: dollars(least), "stakes": dollars(stake_cents)}

    def priced(value: str) -> dict[Case, Worth]:
        return _priced(game, {option: value}, announce, amounts=amounts, stake_cents=stake_cents)

    return _differing(under, game, option, priced)


def _others(game: GameDefinition, option: str) -> Iterator[dict[str, str]]:
    # The number of positions at a table or for a player doesn't change the value of one seat's wagers.
    seating = {game.positions.count_option, game.positions.per_player_option}
    for other in game.options:
        if option not in seating and other.name not in {option, *seating}:
            yield from ({other.name: value} for value in other.values[1:])


def _moved(
    game: GameDefinition, option: str, under: Mapping[str, str], announce: Callable[[str], None]
) -> tuple[Effect, ...]:
    return _differing(under, game, option, lambda value: _priced(game, {**under, option: value}, announce))


def _differing(
    under: Mapping[str, str], game: GameDefinition, option: str, price: Callable[[str], dict[Case, Worth]]
) -> tuple[Effect, ...]:
    priced = {value: price(value) for value in game.options_by_name[option].values}
    cases = dict.fromkeys(case for worths in priced.values() for case in worths)
    found = []
    for wager, paytable in cases:
        readings = {value: worths[wager, paytable] for value, worths in priced.items() if (wager, paytable) in worths}
        if len({worth.ev for worth in readings.values()}) > 1:
            found.append(Effect(wager, paytable, under, readings))
    return tuple(found)


def _priced(
    game: GameDefinition,
    options: Mapping[str, str],
    announce: Callable[[str], None],
    *,
    amounts: Mapping[str, int] | None = None,
    **terms: Any,
) -> dict[Case, Worth]:
    settings = ", ".join(f"{name} {value}" for name, value in options.items())
    announce(f"{game.title}: {settings}")
    base = Choices(options=options, amounts=amounts or {})
    return {(worth.wager, worth.paytable): worth for worth in edges(game, base, **terms)}
