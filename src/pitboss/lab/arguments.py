"""Checks the arguments of a Python call against what a game has."""

from collections.abc import Iterable, Mapping

from pitboss.rules.choices import Choices, choices_from
from pitboss.rules.game import GameDefinition
from pitboss.rules.refusal import Refusal

USUAL_STAKE_CENTS = 100  # the stake a wager is priced at by default


class WrongTerms(ValueError):
    """The arguments do not fit the game; the message says why."""


def chosen(
    game: GameDefinition, paytables: Mapping[str, str], options: Mapping[str, str | int], base: Choices | None = None
) -> Choices:
    """Return a table's choices with these paytables by wager and these values by option."""
    amounts = [money_option.name for money_option in game.money_options]
    _known(game, "paytable", paytables, game.wagers_by_name)
    _known(game, "option", options, [*game.options_by_name, *amounts])
    choices = choices_from(game, {**paytables, **options}, base)
    if isinstance(choices, Refusal):
        raise WrongTerms(f"{choices}.")
    return choices


def _known(game: GameDefinition, kind: str, given: Iterable[str], names: Iterable[str]) -> None:
    for name in given:
        if name not in (known := tuple(names)):
            raise WrongTerms(f"{game.name} has no {kind} for {name!r}. Choose one of: {', '.join(known)}.")
