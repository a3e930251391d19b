"""The worth of every wager and paytable of a game."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from pitboss.lab.exact import MAIN, main_wagers
from pitboss.lab.worth import Worth, worth_of
from pitboss.rules.choices import Choices
from pitboss.rules.game import GameDefinition
from pitboss.rules.in_force import RulesInForce


def edges(
    game: GameDefinition,
    base: Choices | None = None,
    *,
    wager: str | None = None,
    paytable: str | None = None,
    settings: Mapping[str, Any] | None = None,
    announce: Callable[[str], None] = lambda _: None,
    **terms: Any,
) -> Iterator[Worth]:
    """Yield the worth of each wager under each of its paytables, or of those asked for."""
    base = base or Choices()
    echoed = dict(settings or {})
    for name, letter in cases(game, base):
        if wager not in (None, name) or (paytable is not None and paytable != letter):
            continue
        announce(f"{game.title}: {name}{f' {letter}' if letter else ''}")
        rules = RulesInForce(game, _with_letter(game, base, name, letter))
        yield worth_of(rules, name, options=echoed, **terms)


def cases(game: GameDefinition, base: Choices) -> Iterator[tuple[str, str | None]]:
    """Yield every wager that can be priced, `main` first, with each of its paytable letters."""
    rules = RulesInForce(game, base)
    lettered = _main_lettered(game)
    for letter in game.wagers_by_name[lettered].letters if lettered else (None,):
        yield MAIN, letter
    for wager in game.wagers:
        if wager.required or wager.by_action or wager.name not in rules.offered:
            continue
        for letter in wager.letters or (None,):
            yield wager.name, letter


def _main_lettered(game: GameDefinition) -> str | None:
    return next((one.name for one in game.wagers if one.name in main_wagers(RulesInForce(game)) and one.letters), None)


def _with_letter(game: GameDefinition, base: Choices, wager: str, letter: str | None) -> Choices:
    name = _main_lettered(game) if wager == MAIN else wager
    if name is None or letter is None:
        return base
    return replace(base, paytables={**base.paytables, name: letter})
