"""How to play a game, in a few sentences for a newcomer, each with its clauses."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field

from pitboss.games.catalogue import folders
from pitboss.rules.in_force import RulesInForce

OFFERED = "offered"


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence, and the options, paytables or offered wagers under which it is true."""

    text: str
    clauses: tuple[str, ...]
    when: Mapping[str, str] = field(default_factory=dict)


def how_to_play(name: str) -> tuple[Sentence, ...]:
    """Return every sentence of a game, in order; a game from elsewhere may have none."""
    path = folders()[name] / "how_to_play.toml"
    if not path.exists():
        return ()
    with path.open("rb") as file:
        entries = tomllib.load(file)["line"]
    return tuple(Sentence(entry["text"], tuple(entry["clauses"]), entry.get("when", {})) for entry in entries)


def played_by(rules: RulesInForce) -> tuple[Sentence, ...]:
    """Return the sentences that are true at a table run by these rules."""
    return tuple(
        sentence
        for sentence in how_to_play(rules.game.name)
        if all(_holds(rules, name, value) for name, value in sentence.when.items())
    )


def _holds(rules: RulesInForce, name: str, value: str) -> bool:
    if name in rules.options:
        return rules.options[name] == value
    if value == OFFERED:
        return name in rules.offered
    return name in rules.offered and rules.paytables[name].letter == value
