"""What a Python user asks of a game, held against what the game has."""

from collections.abc import Iterable, Mapping

from pitboss.rules.choices import Choices, choices_from
from pitboss.rules.game import GameDefinition
from pitboss.rules.refusal import Refusal

USUAL_STAKE_CENTS = 100  # what a wager is priced at where nothing says otherwise


class WrongTerms(ValueError):
    """The question does not fit the game; the sentence says why."""


def chosen(
    game: GameDefinition, paytables: Mapping[str, str], options: Mapping[str, str | int], base: Choices | None = None
) -> Choices:
    """Return the choices that name these paytables by wager and these values by option, over those of a table."""
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
            raise WrongTerms(f"{game.name} has no {kind} for {name!r}; {kind}s are for {', '.join(known)}.")
