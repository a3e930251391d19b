"""A game as a value: everything its rulebook says, as data."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from pitboss.cards.deck import Deck
from pitboss.rules.dealing import BOARD
from pitboss.rules.irregularity import Irregularities, completed
from pitboss.rules.layout import Layout
from pitboss.rules.play import Bets, Step
from pitboss.rules.procedure import Procedures
from pitboss.rules.reading import Readings
from pitboss.rules.settlement import Settlement
from pitboss.rules.soundness import UnsoundDefinition, faults_of
from pitboss.rules.wager import MoneyOption, Option, PayoutLimit, Progressive, Wager
from pitboss.sheets.sheet import Sheet


@dataclass(frozen=True)
class Rulebook:
    """The document a game is taken from."""

    title: str
    authority: str
    jurisdiction: str
    version: str | None = None


@dataclass(frozen=True)
class Positions:
    """How many betting positions a table has and how many one player may hold."""

    most: int
    cite: str
    least: int = 1
    per_player_option: str | None = None  # None: one position per player
    per_player_cite: str = ""
    count_option: str | None = None  # the option that sets the number of positions, where one does


@dataclass(frozen=True)
class GameDefinition:
    """One complete game. Nothing else in the program knows it by name."""

    name: str
    title: str
    rulebook: Rulebook
    deck: Deck
    cards_each: int
    table_cards: Mapping[str, int]  # dealer, board, box: how many cards each holds at the end
    positions: Positions
    wagers: tuple[Wager, ...]
    options: tuple[Option, ...]
    play: tuple[Step, ...]
    settlement: Settlement  # its order is the order in which a seat's wagers are settled
    readings: Readings
    irregularities: Irregularities
    procedures: Procedures
    layout: Layout
    money_options: tuple[MoneyOption, ...] = ()
    payout_limit: PayoutLimit | None = None
    progressive: Progressive | None = None
    one_version_option: str | None = None  # an option that must be the same at every table of a facility
    one_version_cite: str = ""

    def __post_init__(self) -> None:
        faults = faults_of(self)
        if faults:
            raise UnsoundDefinition(faults)
        # What no rulebook lists has the same remedy in every game, so definitions don't repeat it.
        object.__setattr__(self, "irregularities", completed(self.irregularities, has_board=BOARD in self.table_cards))

    def __repr__(self) -> str:
        return f"game({self.name!r})"

    def __str__(self) -> str:
        return self.sheet().text()

    def _repr_html_(self) -> str:
        return self.sheet().html()

    def sheet(self) -> Sheet:
        """Return the game as it is shown to a person: its wagers, their paytables and its options."""
        rows = tuple((wager.name, wager.nature, ", ".join(wager.letters), wager.cite) for wager in self.wagers)
        options = (f"Option {option.name}: {', '.join(option.values)} ({option.cite})" for option in self.options)
        amounts = (f"Option {money_option.name}: an amount in cents, or none" for money_option in self.money_options)
        title = f"{self.title}, {self.rulebook.jurisdiction}"
        return Sheet(title, ("wager", "placed", "paytables", "clause"), rows, notes=(*options, *amounts))

    @cached_property
    def wagers_by_name(self) -> Mapping[str, Wager]:
        return {wager.name: wager for wager in self.wagers}

    @cached_property
    def options_by_name(self) -> Mapping[str, Option]:
        return {option.name: option for option in self.options}

    @cached_property
    def bets(self) -> Bets:
        return next(step for step in self.play if isinstance(step, Bets))
