"""What the readings of an unclear clause are worth beside one another: every wager that an option's values move."""

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

NEEDS_WAGER = "yes"  # the value of an envy option under which only hands with the wager bring a bonus
LIMIT_TO_STAKE = 100  # a payout limit is looked at where each stake is this part of it
Case = tuple[str, str | None]  # a wager and its paytable


@dataclass(frozen=True)
class Effect:
    """A wager that an option moves: its worth under each value, and under which other terms."""

    wager: str
    paytable: str | None
    under: Mapping[str, str]
    readings: Mapping[str, Worth]  # by the option's value, the default first

    def as_dict(self) -> dict[str, Any]:
        """Return the effect as plain data, worths as fractions in lowest terms."""
        readings = [
            {"value": value, "ev": str(worth.ev), "house_edge": float(worth.house_edge)}
            for value, worth in self.readings.items()
        ]
        notes = list(dict.fromkeys(note for worth in self.readings.values() for note in worth.notes))
        row = {"wager": self.wager, "paytable": self.paytable, "under": dict(self.under), "readings": readings}
        return row | ({"notes": notes} if notes else {})


def effects(game: GameDefinition, option: str, announce: Callable[[str], None] = lambda _: None) -> tuple[Effect, ...]:
    """Return every wager whose worth depends on an option, or none where its values price everything alike.

    What an option does to envy bonuses is shown for one other player, what it does to a payout limit under the least
    limit there may be. Where nothing moves while the other options stand at their defaults, each of their other
    values is tried, and then the ends that no well-played hand comes to.
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
    # The hands of another player without the wager bring a bonus only where no wager is needed. Hands that bring
    # one are too good to be folded, so none of them is gone when bonuses are paid.
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
    # How many positions a table or a player has is no part of what one seat's wagers are worth.
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
