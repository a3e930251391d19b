"""A submitted table together with its game's definition."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from pitboss.games.catalogue import UnknownGame, game
from pitboss.rules.game import GameDefinition
from pitboss.rules.payoff import Payoff, payoff
from pitboss.rules.paytable import Line, Paytable
from pitboss.rules.wager import Meter, Wager
from pitboss.submission.document import ONLY_METER, WHOLE_DOLLARS, Submission, SubmittedTable, SubmittedWager
from pitboss.submission.fault import Fault, Finding, Note
from pitboss.submission.toml_keys import place
from pitboss.table.settings import NO_SHUFFLER

LEAST_METER_CENTS = 1
_LAST_ITEM = re.compile(r"\([^()]*\)(?= |$)(?!.*\()")


@dataclass(frozen=True)
class Case:
    """A table whose game is known; every method returns something usable even if a choice is invalid."""

    game: GameDefinition
    table: SubmittedTable
    index: int = 0

    def place(self, *path: str) -> str:
        """Return the path of a key of this table in the file."""
        where = f"table[{self.index}]"
        for key in path:
            where = place(where, key)
        return where

    def fault(self, path: tuple[str, ...], reason: str, clause: str | None = None) -> Fault:
        """Return a fault of this table."""
        return Fault(self.table.name, self.place(*path), reason, clause or None, ("table", *path))

    def unlawful(self, path: tuple[str, ...], reason: str, clause: str | None) -> Finding:
        """Return a fault, or only a note if the table is for analysis."""
        fault = self.fault(path, reason, clause)
        if not self.table.analysis:
            return fault
        return Note(fault.table, fault.where, reason, fault.clause, fault.path)

    @cached_property
    def options(self) -> Mapping[str, str]:
        """Return every option's value, with the default if none or an invalid one is stated."""
        chosen = {option.name: option.default for option in self.game.options}
        for name, value in self.table.options.items():
            if name in chosen and str(value) in self.game.options_by_name[name].values:
                chosen[name] = str(value)
        count = self.game.positions.count_option
        if count and str(self.table.positions) in self.game.options_by_name[count].values:
            chosen[count] = str(self.table.positions)
        return chosen

    @cached_property
    def option_facts(self) -> frozenset[str]:
        """Return the options as facts, `name=value`."""
        return frozenset(f"{name}={value}" for name, value in self.options.items())

    @cached_property
    def amounts(self) -> Mapping[str, int]:
        """Return the money options that are stated as amounts."""
        stated = self.table.options
        return {
            money_option.name: value
            for money_option in self.game.money_options
            if isinstance(value := stated.get(money_option.name), int)
        }

    @cached_property
    def offered(self) -> tuple[Wager, ...]:
        """Return the wagers of this table: the required ones and those the table lists."""
        return tuple(
            wager for wager in self.game.wagers if wager.required or wager.by_action or wager.name in self.table.wagers
        )

    def is_offered(self, name: str) -> bool:
        """Return whether this table offers the wager."""
        return any(wager.name == name for wager in self.offered)

    def holds(self, fact: str | None) -> bool:
        """Return whether a fact that a definition names is true here: an option, paytable, amount or wager."""
        if fact is None or fact == "":
            return True
        if "=" in fact:
            return fact in self.option_facts
        name, _, letter = fact.rpartition(" ")
        if name in self.game.wagers_by_name:
            return self.is_offered(name) and self.letter(self.game.wagers_by_name[name]) == letter
        return fact in self.amounts or self.is_offered(fact)

    def cite(self, cites: Mapping[str, str]) -> str | None:
        """Return the clause that applies under these options, given clauses by option fact."""
        return next((clause for fact, clause in cites.items() if self.holds(fact)), None)

    @property
    def positions(self) -> int:
        """Return the number of betting positions at the table."""
        if self.table.positions is not None:
            return self.table.positions
        count = self.game.positions.count_option
        return int(self.options[count]) if count else self.game.positions.most

    @property
    def shuffler(self) -> str:
        """Return the shuffling device, or the value for none if nothing is stated."""
        return self.table.shuffler or NO_SHUFFLER

    @property
    def decks(self) -> int:
        """Return the number of decks; one by default."""
        return 1 if self.table.decks is None else self.table.decks

    def stated(self, wager: Wager) -> SubmittedWager:
        """Return what the table states about a wager; empty if the table doesn't list it."""
        return self.table.wagers.get(wager.name) or SubmittedWager(wager.name)

    def letter(self, wager: Wager) -> str | None:
        """Return the chosen paytable's letter, or the only one there is."""
        chosen = self.stated(wager).paytable
        if chosen in wager.letters:
            return chosen
        return wager.letters[0] if len(wager.letters) == 1 and chosen is None else None

    def printed_table(self, wager: Wager) -> Paytable | None:
        """Return the rulebook's paytable for the chosen letter and options."""
        letter = self.letter(wager)
        if wager.letters and letter is None:
            return None
        return next(
            (paytable for paytable in wager.paytables if paytable.letter == letter and self.holds(paytable.when)), None
        )

    def paytable(self, wager: Wager) -> Paytable | None:
        """Return the paytable with the odds the table states, or the operator's own paytable."""
        printed, odds = self.printed_table(wager), dict(self.readable_odds(wager))
        if printed is not None:
            return printed.with_odds(odds) if odds else printed
        known = self.lines_of_own(wager)
        lines = tuple(Line(hand, known[hand], pays, wager.cite) for hand, pays in odds.items() if hand in known)
        return Paytable(None, wager.cite, lines) if lines else None

    def readable_odds(self, wager: Wager) -> Iterator[tuple[str, Payoff]]:
        """Yield the stated odds that can be parsed."""
        for hand, written in self.stated(wager).odds.items():
            try:
                yield hand, payoff(written)
            except ValueError:
                continue

    def lines_of_own(self, wager: Wager) -> Mapping[str, tuple[str, ...]]:
        """Return what an operator's own paytable may price: each cell, and each line of any rulebook paytable."""
        if wager.defined_by_submission:
            return {cell: (cell,) for cell in wager.hands.get(self.stated(wager).hand or "", ())}
        lines = {line.hand: line.cells for table in wager.paytables if self.holds(table.when) for line in table.lines}
        return {cell: (cell,) for cell in wager.cells} | lines

    def is_progressive(self, wager: Wager) -> bool:
        """Return whether a wager can win from a meter."""
        progressive = self.game.progressive
        return wager.defined_by_submission or bool(progressive and progressive.wager == wager.name)

    def meters(self, wager: Wager) -> tuple[Meter, ...]:
        """Return the meters a progressive wager can win from, each with its lowest allowed start."""
        table, progressive = self.paytable(wager), self.game.progressive
        laid_down = progressive.meters.get(self.letter(wager) or "", ()) if progressive else ()
        known = {wager.name: wager for wager in laid_down}
        names = table.meters if table else ()
        return tuple(known.get(name) or Meter(name, LEAST_METER_CENTS, wager.cite) for name in names)

    def by_meter(self, stated: Mapping[str, int], meters: tuple[Meter, ...]) -> Mapping[str, int]:
        """Return amounts by meter; an amount without a name is for the only meter."""
        if set(stated) == {ONLY_METER} and len(meters) == 1:
            return {meters[0].name: stated[ONLY_METER]}
        return {meter.name: stated[meter.name] for meter in meters if meter.name in stated}

    def rates(self, wager: Wager) -> Mapping[str, str]:
        """Return the rate of each meter; a rate without a name is for every meter."""
        stated, meters = self.stated(wager).rate, self.meters(wager)
        if set(stated) == {ONLY_METER}:
            return {meter.name: stated[ONLY_METER] for meter in meters}
        return {meter.name: stated[meter.name] for meter in meters if meter.name in stated}

    def stated_meters(self) -> Iterator[tuple[Meter, int, int, Fraction]]:
        """Yield the meters of the wagers on offer, each with its initial and reset cents and the rate that feeds it."""
        for wager in filter(self.is_progressive, self.offered):
            stated, rates, kinds = self.stated(wager), self.rates(wager), self.meters(wager)
            starts, resets = self.by_meter(stated.initial, kinds), self.by_meter(stated.reset, kinds)
            for kind in kinds:
                yield kind, starts[kind.name], resets[kind.name], Fraction(rates[kind.name])

    def takes_one_stake(self, wager: Wager) -> bool:
        """Return whether every player at the table must stake the same on a wager."""
        return bool(wager.stakes_cents) or self.is_progressive(wager)

    def stake(self, wager: Wager) -> int:
        """Return the stake of a wager with a fixed stake."""
        default = wager.stakes_cents[0] if wager.stakes_cents else WHOLE_DOLLARS
        return self.stated(wager).stake or default

    def minimum(self, wager: Wager) -> int | None:
        """Return the minimum stake of a wager placed before the deal."""
        if self.takes_one_stake(wager):
            return self.stake(wager)
        own = None if wager.required else self.stated(wager).minimum
        return own or self.table.minimum

    def maximum(self, wager: Wager) -> int | None:
        """Return the maximum stake of a wager placed before the deal."""
        if self.takes_one_stake(wager):
            return self.stake(wager)
        own = None if wager.required else self.stated(wager).maximum
        return own or self.table.maximum

    def step(self, wager: Wager) -> int:
        """Return the step: every stake on the wager must be a multiple of it."""
        if self.takes_one_stake(wager):
            return self.stake(wager)
        own = None if wager.required or wager.by_action else self.stated(wager).step
        return own or self.table.step or WHOLE_DOLLARS

    def payoffs(self, wager: Wager) -> Iterator[Payoff]:
        """Yield every payoff that a winning wager can have."""
        for row in self.game.settlement[wager.name]:
            if row.odds is not None and all("=" not in fact or fact in self.option_facts for fact in row.facts):
                yield row.odds
        table = self.paytable(wager)
        if table is not None:
            yield from (line.payoff for line in table.lines)


def case_of(table: SubmittedTable, index: int = 0) -> Case | None:
    """Return the table with its game, or None if there is no such game."""
    try:
        return Case(game(table.game or ""), table, index)
    except UnknownGame:
        return None


def cases_of(submission: Submission) -> Iterator[Case]:
    """Yield the tables whose games are known."""
    for index, table in enumerate(submission.tables):
        case = case_of(table, index)
        if case is not None:
            yield case


def clause_of_paytables(wager: Wager) -> str:
    """Return the clause that contains a wager's paytables, without the letter's own item."""
    if not wager.letters:
        return wager.paytables[0].cite if wager.paytables else wager.cite
    return _LAST_ITEM.sub("", wager.paytables[0].cite, count=1)
