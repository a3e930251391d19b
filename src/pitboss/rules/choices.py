"""An operator's choices for one table: paytables, options, limits and the dealing method."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from pitboss.rules.dealing import MANUAL_SHOE
from pitboss.rules.game import GameDefinition
from pitboss.rules.limits import Limits
from pitboss.rules.paytable import Paytable
from pitboss.rules.refusal import Refusal


@dataclass(frozen=True)
class Choices:
    """What an operator chose; anything left out takes the default of the rulebook or the ruling."""

    paytables: Mapping[str, str] = field(default_factory=dict)
    options: Mapping[str, str] = field(default_factory=dict)
    amounts: Mapping[str, int] = field(default_factory=dict)
    offered: frozenset[str] | None = None  # None: every wager the rulebook prices
    own_tables: Mapping[str, Paytable] = field(default_factory=dict)
    own_hands: Mapping[str, str] = field(default_factory=dict)  # reading of a wager the submission defines
    limits: Mapping[str, Limits] = field(default_factory=dict)
    stakes: Mapping[str, int] = field(default_factory=dict)  # one fixed stake at this table
    steps: Mapping[str, int] = field(default_factory=dict)  # stakes are multiples of these cents
    resets: Mapping[str, int] = field(default_factory=dict)
    envy: str | None = None
    instruments: frozenset[str] = frozenset()
    coupon_wagers: frozenset[str] | None = None  # None: any wager placed before the deal
    coupon_most: int | None = None  # the highest face value of a coupon, in cents
    dealing: str = MANUAL_SHOE
    positions: int | None = None


def choices_from(game: GameDefinition, given: Mapping[str, object], base: Choices | None = None) -> Choices | Refusal:
    """Return the choices in a flat mapping of wagers to letters and options to values."""
    base = base or Choices()
    paytables, options, amounts = dict(base.paytables), dict(base.options), dict(base.amounts)
    amount_names = {money_option.name: money_option for money_option in game.money_options}
    for name, value in given.items():
        if name in game.wagers_by_name:
            refusal = _letter(game, name, value, paytables)
        elif name in game.options_by_name:
            refusal = _option(game, name, value, options)
        elif name in amount_names:
            minimum = amount_names[name].minimum_cents
            cite = _cite(game, amount_names[name].cites, {**base.options, **given})
            if isinstance(value, bool) or not isinstance(value, int):
                refusal = Refusal(f"{name} must be a whole number of cents, not {value!r}", cite)
            elif value < minimum:
                refusal = Refusal(f"{name} must be at least {minimum} cents, not {value}", cite)
            else:
                amounts[name], refusal = value, None
        else:
            refusal = Refusal(f"{game.name} has no wager or option called {name!r}")
        if refusal:
            return refusal.at(f"choices.{name}")
    return replace(base, paytables=paytables, options=options, amounts=amounts)


def _cite(game: GameDefinition, cites: Mapping[str, str], given: Mapping[str, object]) -> str:
    facts = {f"{option.name}={given.get(option.name, option.default)}" for option in game.options}
    return next(cite for fact, cite in cites.items() if not fact or fact in facts)


def _letter(game: GameDefinition, name: str, value: object, into: dict[str, str]) -> Refusal | None:
    letters = game.wagers_by_name[name].letters
    if isinstance(value, str) and value in letters:
        into[name] = value
        return None
    if value is None and not letters:
        return None
    if not letters:
        return Refusal(f"{name} has no lettered paytables to choose from", game.wagers_by_name[name].cite)
    cite = game.wagers_by_name[name].paytables_cite
    return Refusal(f"{name} has no paytable {value!r}. Choose {', '.join(letters)}", cite)


def _option(game: GameDefinition, name: str, value: object, into: dict[str, str]) -> Refusal | None:
    option = game.options_by_name[name]
    text = str(value) if isinstance(value, int) and not isinstance(value, bool) else value
    if isinstance(text, str) and text in option.values:
        into[name] = text
        return None
    return Refusal(f"{name} must be one of {', '.join(option.values)}, not {value!r}", option.cite)
