"""A kind of bet: who must make it, which wagers it requires, and the paytables that price it."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from pitboss.rules.paytable import Paytable


@dataclass(frozen=True)
class Wager:
    """A kind of bet, with the clause that allows it."""

    name: str
    title: str
    cite: str
    required: bool = False
    equals: str | None = None
    equals_cite: str | None = None
    by_action: bool = False  # placed by an action during the round, never before it
    pays_on: str | None = None  # a bonus without a stake of its own: it pays on this wager's, and costs nothing
    needs: tuple[str, ...] = ()
    needs_cite: str | None = None
    stakes_cents: tuple[int, ...] = ()  # the only stakes allowed, where the rulebook fixes them
    stakes_cite: str | None = None
    survives_fold: bool = False
    # How many cards of which place decide it, by option fact or "" for always; none named: all cards of the round.
    decided_by: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    paytables: tuple[Paytable, ...] = ()
    cells: tuple[str, ...] = ()
    minimum_odds: bool = False  # the rulebook sets minimum odds that a submission may raise
    dealing: str | None = None  # the only dealing method under which it may be offered
    dealing_cite: str | None = None
    defined_by_submission: bool = False  # the rulebook allows it but leaves its terms open
    hands: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # readings an open wager may be priced on
    always_offered_cite: str | None = (
        None  # the clause that makes every table offer it, though no player has to place it
    )
    withdrawal_cite: str | None = None  # the clause that requires notice to players before it is withdrawn

    @property
    def letters(self) -> tuple[str, ...]:
        """Return the paytable letters an operator may choose from."""
        return tuple(dict.fromkeys(table.letter for table in self.paytables if table.letter))

    @property
    def nature(self) -> str:
        """Say in words who places this wager, and on what it depends."""
        if self.pays_on:
            return f"pays on the {self.pays_on}, with no stake of its own"
        if self.by_action:
            return "by the player's action"
        if self.required:
            return f"always, equal to {self.equals}" if self.equals else "always"
        terms = ", if the submission defines it" if self.defined_by_submission else ""
        return f"with {' and '.join(self.needs)}{terms}" if self.needs else f"optional{terms}"

    @property
    def paytables_cite(self) -> str:
        """Return the clause that contains all of this wager's paytables."""
        return re.sub(r"\([^()]+\)(?= |$)", "", self.paytables[0].cite) if self.letters else self.cite


@dataclass(frozen=True)
class Option:
    """A reading or a setting left to the operator; the default comes first."""

    name: str
    values: tuple[str, ...]
    cite: str
    ruling: str | None = None
    meaning: Mapping[str, str] = field(default_factory=dict)
    must_state: str | None = None  # a submission that offers this wager has to choose
    concerns: str = ""  # the wager or option fact it depends on
    dealing: Mapping[str, str] = field(default_factory=dict)  # a value to the one dealing method that it takes

    @property
    def default(self) -> str:
        return self.values[0]


@dataclass(frozen=True)
class MoneyOption:
    """An amount in cents that the operator may set, or leave out for none."""

    name: str
    cites: Mapping[str, str]  # option fact, or "" for always, to clause
    minimum_cents: int
    ruling: str | None = None


@dataclass(frozen=True)
class PayoutLimit:
    """The most a player is paid on one hand, and which wagers it covers under which option."""

    option: str
    covers: Mapping[str, tuple[str, ...]]  # option fact, or "" for always, to wagers in order of payment
    cites: Mapping[str, str]
    at_least_best_win: bool = False  # never below what the table minimum can win
    decrease_takes_notice: bool = False


@dataclass(frozen=True)
class Meter:
    """A progressive meter's name with the lowest amount it may start from and return to."""

    name: str
    minimum_cents: int
    cite: str


def meter_title(name: str) -> str:
    """Return a meter's name for use in a sentence: the meter, the major meter."""
    return "the meter" if name == "meter" else f"the {name} meter"


@dataclass(frozen=True)
class Progressive:
    """A progressive wager's meters, envy bonuses and stakes."""

    wager: str
    meters: Mapping[str, tuple[Meter, ...]]  # by paytable letter
    rate_cite: str
    envy_cells: tuple[str, ...] = ()
    envy_cents: Mapping[int, Mapping[str, Mapping[str, tuple[int, str]]]] = field(default_factory=dict)
    envy_cite: str = ""
    validation_cite: str = ""  # the clause on who validates a progressive payout
    validation_ruling: str | None = None
    bank_cites: Mapping[str, str] = field(default_factory=dict)  # by dealing method: its chips go to the tray at once
    envy_option: str = ""
    stake_returned_when: str | None = None  # option fact under which "to" returns the stake ...
    stake_returned_letter: str | None = None  # ... on this paytable


def meter_payment(meter_cents: int, reset_cents: int, percent: int) -> tuple[int, int]:
    """Return what a hit pays and what the meter shows after it."""
    paid = meter_cents * percent // 100
    if percent == 100:
        return paid, reset_cents
    return paid, max(meter_cents - paid, reset_cents)
