"""What the readings of an unclear clause are worth beside one another: every wager that an option's values move."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from pitboss.lab.edges import edges
from pitboss.lab.worth import Worth
from pitboss.rules.choices import Choices
from pitboss.rules.game import GameDefinition

Case = tuple[str, str | None]  # a wager and its paytable


@dataclass(frozen=True)
class Effect:
    """A wager that an option moves: its worth under each value, and which other options must be set for it."""

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
        return {"wager": self.wager, "paytable": self.paytable, "under": dict(self.under), "readings": readings}


def effects(game: GameDefinition, option: str, announce: Callable[[str], None] = lambda _: None) -> tuple[Effect, ...]:
    """Return every wager whose worth depends on an option, or none where its values price everything alike.

    Where nothing moves while the other options stand at their defaults, each of their other values is tried.
    """
    if found := _moved(game, option, {}, announce):
        return found
    return tuple(effect for under in _others(game, option) for effect in _moved(game, option, under, announce))


def _others(game: GameDefinition, option: str) -> Iterator[dict[str, str]]:
    # How many positions a table or a player has is no part of what one seat's wagers are worth.
    seating = {game.positions.count_option, game.positions.per_player_option}
    for other in game.options:
        if option not in seating and other.name not in {option, *seating}:
            yield from ({other.name: value} for value in other.values[1:])


def _moved(
    game: GameDefinition, option: str, under: Mapping[str, str], announce: Callable[[str], None]
) -> tuple[Effect, ...]:
    priced = {value: _priced(game, {**under, option: value}, announce) for value in game.options_by_name[option].values}
    cases = dict.fromkeys(case for worths in priced.values() for case in worths)
    found = []
    for wager, paytable in cases:
        readings = {value: worths[wager, paytable] for value, worths in priced.items() if (wager, paytable) in worths}
        if len({worth.ev for worth in readings.values()}) > 1:
            found.append(Effect(wager, paytable, under, readings))
    return tuple(found)


def _priced(game: GameDefinition, options: Mapping[str, str], announce: Callable[[str], None]) -> dict[Case, Worth]:
    settings = ", ".join(f"{name} {value}" for name, value in options.items())
    announce(f"{game.title}: {settings}")
    return {(worth.wager, worth.paytable): worth for worth in edges(game, Choices(options=options))}
