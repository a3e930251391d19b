"""How one table is run: its game, devices, decks and cards, and whether that is sound."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property

from pitboss.rules.choices import Choices
from pitboss.rules.dealing import HAND
from pitboss.rules.game import GameDefinition
from pitboss.rules.in_force import RulesInForce
from pitboss.rules.procedure import Procedures
from pitboss.rules.refusal import Refusal

NO_SHUFFLER = "none"
PLAIN = "plain"
COUNTING = "counting"  # counts the deck after every shuffle
CONTINUOUS = "continuous"  # reshuffles and counts by itself
SHUFFLERS = (NO_SHUFFLER, PLAIN, COUNTING, CONTINUOUS)

SHUFFLE = "shuffle"  # no cards on the table: their order is drawn by the program
READER = "reader"  # real cards, each reported as it is drawn
CARDS = (SHUFFLE, READER)

CHIPS = "chips"
VERBAL_CASH = "verbal-cash"


@dataclass(frozen=True)
class TableSettings:
    """What an operator set for a table; the dealing method and the instruments are in its choices."""

    game: GameDefinition
    choices: Choices = field(default_factory=Choices)
    shuffler: str = NO_SHUFFLER
    decks: int = 1
    cards: str = READER
    electronic: bool = False  # an electronic table under a dealer's control
    self_dealing: bool = False  # no dealer: for free play only
    free_play: bool = False
    deck_hours: int | None = None  # the operator's own; where the rulebook sets hours, no more than those

    @property
    def dealing(self) -> str:
        """Return the dealing method the table is set up for."""
        return self.choices.dealing

    @property
    def procedures(self) -> Procedures:
        """Return the game's procedure around the round."""
        return self.game.procedures

    @cached_property
    def rules(self) -> RulesInForce:
        """Return the rules in force under the operator's choices."""
        return RulesInForce(self.game, self.choices)

    @property
    def counts_by_device(self) -> bool:
        """Say whether the shuffler counts the cards of every shuffle."""
        return self.shuffler in (COUNTING, CONTINUOUS)


class UnsoundSettings(ValueError):
    """Settings that no table may be run by; every fault is in the message."""

    def __init__(self, faults: tuple[Refusal, ...]) -> None:
        super().__init__("; ".join(map(str, faults)))
        self.faults = faults


def settings_faults(settings: TableSettings) -> tuple[Refusal, ...]:
    """Return everything that is wrong with the settings, each fault with its clause and field."""
    return (*_dealing_faults(settings), *_device_faults(settings), *_card_faults(settings), *_hour_faults(settings))


def check_instrument(settings: TableSettings, instrument: str, wager: str | None = None) -> Refusal | None:
    """Return why a wager may not be made with this instrument at this table, or None."""
    spelled = VERBAL_CASH if instrument == "cash" else instrument
    refusal = settings.rules.check_instrument(spelled, wager)
    return refusal.at("instrument") if refusal else None


def choices_for(settings: TableSettings, method: str) -> Choices:
    """Return the operator's choices under another dealing method, without the wagers that way can't support."""
    if method == settings.dealing:
        return settings.choices
    wagers = settings.game.wagers_by_name
    offered = frozenset(name for name in settings.rules.offered if wagers[name].dealing in (None, method))
    return replace(settings.choices, dealing=method, offered=offered)


def _dealing_faults(settings: TableSettings) -> Iterator[Refusal]:
    procedures = settings.procedures
    if settings.dealing not in procedures.dealing:
        known = ", ".join(procedures.dealing)
        yield Refusal(f"Cards must be dealt by {known}, not by {settings.dealing!r}", None, "dealing")
    if settings.dealing == HAND and settings.shuffler == NO_SHUFFLER and procedures.hand_needs_shuffler_cite:
        yield Refusal("Dealing by hand needs an automated shuffler", procedures.hand_needs_shuffler_cite, "shuffler")
    if settings.electronic and procedures.electronic_cite is None:
        yield Refusal("No clause of this rulebook allows an electronic table", None, "electronic")
    if settings.electronic and settings.self_dealing:
        reason = "An electronic table is controlled by a dealer and can't deal by itself"
        yield Refusal(reason, procedures.electronic_cite, "self_dealing")
    if settings.self_dealing and not settings.free_play:
        yield Refusal("A table that deals by itself must be marked free play", None, "free_play")


def _device_faults(settings: TableSettings) -> Iterator[Refusal]:
    shuffling = settings.procedures.shuffling
    if settings.shuffler not in SHUFFLERS:
        yield Refusal(
            f"The shuffler must be one of {', '.join(SHUFFLERS)}, not {settings.shuffler!r}", None, "shuffler"
        )
    if settings.shuffler == CONTINUOUS and shuffling.self_shuffling_cite is None:
        reason = "No clause of this rulebook allows a device that reshuffles and counts by itself"
        yield Refusal(reason, shuffling.device_cite, "shuffler")
    if settings.decks not in (1, 2):
        yield Refusal(
            f"A table must have one or two decks, not {settings.decks}", settings.procedures.two_decks.cite, "decks"
        )
    if settings.decks == 2 and settings.shuffler == NO_SHUFFLER:
        yield Refusal("Two decks need an automated shuffler", settings.procedures.two_decks.cite, "decks")


def _card_faults(settings: TableSettings) -> Iterator[Refusal]:
    if settings.cards not in CARDS:
        yield Refusal(f"Cards must come from the {' or the '.join(CARDS)}, not from {settings.cards!r}", None, "cards")
    if settings.cards == SHUFFLE and not (settings.electronic or settings.free_play):
        reason = "A table without real cards must be an electronic table under a dealer's control, or for free play"
        yield Refusal(reason, settings.procedures.electronic_cite, "cards")
    instruments = settings.procedures.instruments
    for name in sorted(settings.choices.instruments - instruments.allowed.keys() - instruments.if_submitted.keys()):
        clause = next(iter(instruments.allowed.values()), None)
        yield Refusal(f"This rulebook has no wagering instrument called {name!r}", clause, "instruments")


def _hour_faults(settings: TableSettings) -> Iterator[Refusal]:
    own = settings.deck_hours
    if own is None:
        return
    if own <= 0:
        yield Refusal(f"A deck's hours must be a positive whole number, not {own}", None, "deck_hours")
    lawful = settings.procedures.deck_hours
    if lawful is not None and settings.dealing in lawful.hours and own > lawful.hours[settings.dealing]:
        most = lawful.hours[settings.dealing]
        reason = f"A deck must be changed at least every {most} hours; {own} is longer"
        yield Refusal(reason, lawful.cites[settings.dealing], "deck_hours")
