"""What is wrong with a definition: every fault at once, each with the field it is in and what to do."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import TYPE_CHECKING

from pitboss.rules.dealing import BURN, METHODS, SEATS, Deal, Deliver
from pitboss.rules.payoff import For, MeterShare, Push
from pitboss.rules.play import DECLARED, FOLDED, PLAYED, UNDECIDED, Ask, Bets, Settle
from pitboss.rules.settlement import BY_PAYTABLE, LOSE, PAY, PUSH, When
from pitboss.rules.wager import Wager

if TYPE_CHECKING:
    from pitboss.rules.game import GameDefinition

STATUSES = (UNDECIDED, PLAYED, FOLDED, DECLARED)
RESULTS = (LOSE, PUSH, PAY, BY_PAYTABLE)


@dataclass(frozen=True, slots=True)
class DefinitionFault:
    """One thing wrong with a definition."""

    field: str
    reason: str

    def __str__(self) -> str:
        return f"{self.field}: {self.reason}"


class UnsoundDefinition(ValueError):
    """A definition that no table could run; its faults say what is wrong, field by field."""

    def __init__(self, faults: tuple[DefinitionFault, ...]) -> None:
        super().__init__("\n".join(map(str, faults)))
        self.faults = faults


def faults_of(game: "GameDefinition") -> tuple[DefinitionFault, ...]:
    """Return everything that is wrong with a definition, in the order of its fields."""
    checks = (_deck, _wagers, _play, _dealt, _settlement, _procedures)
    return tuple(DefinitionFault(field, reason) for check in checks for field, reason in check(game))


Found = Iterator[tuple[str, str]]


def _deck(game: "GameDefinition") -> Found:
    needed = game.positions.most * game.cards_each + sum(game.table_cards.values())
    if needed > len(game.deck):
        yield "positions", f"A full table needs {needed} cards, but the deck has {len(game.deck)}."


def _wagers(game: "GameDefinition") -> Found:
    names = [wager.name for wager in game.wagers]
    for name in sorted({name for name in names if names.count(name) > 1}):
        yield f"wagers.{name}", "Two wagers have this name."
    for wager in game.wagers:
        at = f"wagers.{wager.name}"
        links = (("equals", wager.equals), ("pays_on", wager.pays_on), *(("needs", name) for name in wager.needs))
        for field, other in links:
            if other is not None and other not in names:
                yield f"{at}.{field}", f"There is no wager called {other!r}{_nearest(other, names)}."
        yield from _paytables(wager, at)
        if wager.pays_on is not None:
            yield from _bonus(wager, at)


def _paytables(wager: Wager, at: str) -> Found:
    told: set[str] = set()  # a cell that several tables price is named with the first
    for table in wager.paytables:
        for line in table.lines:
            for cell in line.cells:
                if cell not in wager.cells and cell not in told:
                    told.add(cell)
                    place = f"{at}.paytables[{table.letter or ''}].{line.hand}"
                    yield (
                        place,
                        f"There is no cell called {cell!r} among the wager's cells{_nearest(cell, wager.cells)}.",
                    )


def _bonus(wager: Wager, at: str) -> Found:
    if not wager.by_action or wager.required:
        yield (
            f"{at}.pays_on",
            "A bonus that pays on another wager's stake isn't placed by the player. Set by_action=True.",
        )
    if not wager.paytables:
        yield f"{at}.paytables", "A bonus that pays on another wager's stake needs a paytable."
    for table in wager.paytables:
        for line in table.lines:
            if isinstance(line.payoff, For | MeterShare | Push):
                place = f"{at}.paytables[{table.letter or ''}].{line.hand}"
                yield (
                    place,
                    f'This bonus has no stake to keep or return. Write odds such as "4 to 1", not {line.payoff}.',
                )


def _play(game: "GameDefinition") -> Found:
    if not any(isinstance(step, Bets) for step in game.play):
        yield "play", "There is no Bets step. Add one, so wagers can be placed."
    if not any(isinstance(step, Settle) for step in game.play):
        yield "play", "There is no Settle step. Add one, so wagers can be settled."
    known = _option_facts(game)
    for step in game.play:
        if isinstance(step, Bets):
            continue
        if step.when is not None and step.when not in known:
            yield f"play.{_step(step)}.when", f"There is no option with the value {step.when!r}."
        if isinstance(step, Ask):
            yield from _actions(game, step, known)
        if isinstance(step, Deal):
            yield from _moves(game, step, known)


def _actions(game: "GameDefinition", ask: Ask, known: set[str]) -> Found:
    wagers = {wager.name: wager for wager in game.wagers}
    for action in ask.actions:
        at = f"play.{ask.name}.{action.name}"
        if action.becomes not in STATUSES:
            yield f"{at}.becomes", f"becomes must be {' or '.join(STATUSES)}, not {action.becomes!r}."
        if action.when is not None and action.when not in known:
            yield f"{at}.when", f"There is no option with the value {action.when!r}."
        if action.stakes is None:
            continue
        for field, name in (("wager", action.stakes.wager), ("of", action.stakes.of)):
            if name not in wagers:
                yield f"{at}.stakes.{field}", f"There is no wager called {name!r}{_nearest(name, wagers)}."
        placed = wagers.get(action.stakes.wager)
        if placed is not None and not placed.by_action:
            yield f"{at}.stakes.wager", f"An action places {placed.name!r}, so the wager needs by_action=True."


def _moves(game: "GameDefinition", deal: Deal, known: set[str]) -> Found:
    places = {SEATS, BURN, *game.table_cards}
    for method in METHODS:
        if method not in deal.moves:
            yield f"play.{deal.name}.moves", f"The dealing method {method!r} is missing."
    for method, moves in deal.moves.items():
        if method not in METHODS:
            yield f"play.{deal.name}.moves", f"There is no dealing method called {method!r}{_nearest(method, METHODS)}."
        for move in moves:
            if move.place not in places:
                known_places = _nearest(move.place, places)
                yield f"play.{deal.name}.{method}", f"table_cards has no place called {move.place!r}{known_places}."
            if move.when is not None and move.when not in known:
                yield f"play.{deal.name}.{method}", f"There is no option with the value {move.when!r}."


def _dealt(game: "GameDefinition") -> Found:
    # Under the default options, with every wager offered: each place is dealt what it holds at the end.
    default = {f"{option.name}={option.default}" for option in game.options}
    for method in METHODS:
        dealt: dict[str, int] = {}
        for step in game.play:
            if not isinstance(step, Deal) or (step.when is not None and step.when not in default):
                continue
            for move in step.moves.get(method, ()):
                if isinstance(move, Deliver) and (move.when is None or move.when in default):
                    dealt[move.place] = dealt.get(move.place, 0) + move.cards
        if dealt.get(SEATS, 0) != game.cards_each:
            reason = f"With {method!r} the play deals {dealt.get(SEATS, 0)} cards to a seat."
            yield "cards_each", f"{reason} cards_each says {game.cards_each}."
        for place, cards in game.table_cards.items():
            if dealt.get(place, 0) not in (cards, 0):
                yield f"table_cards.{place}", f"With {method!r} the play deals {dealt[place]} cards, not {cards}."


def _settlement(game: "GameDefinition") -> Found:
    names = [wager.name for wager in game.wagers]
    for name in names:
        if name not in game.settlement:
            yield f"settlement.{name}", "This wager has no rows, so it can't be settled."
    known = _option_facts(game)
    wagers = {wager.name: wager for wager in game.wagers}
    for name, rows in game.settlement.items():
        if name not in names:
            yield f"settlement.{name}", f"There is no wager called {name!r}{_nearest(name, names)}."
            continue
        for number, row in enumerate(rows, start=1):
            yield from _row(f"settlement.{name}, row {number}", row, wagers[name], known)


def _row(at: str, row: When, wager: Wager, known: set[str]) -> Found:
    if row.then not in RESULTS:
        yield at, f"A row's result must be one of {', '.join(RESULTS)}, not {row.then!r}."
    if row.then == PAY and row.odds is None:
        yield at, "PAY needs odds, such as To(1)."
    if row.then == BY_PAYTABLE and not wager.paytables and not wager.defined_by_submission:
        yield at, "BY_PAYTABLE needs a paytable, and the wager has none."
    for fact in row.facts:
        if "=" in fact and fact not in known:
            yield at, f"There is no option with the value {fact!r}{_nearest(fact, known)}."


def _procedures(game: "GameDefinition") -> Found:
    procedures = game.procedures
    if not procedures.dealing:
        yield "procedures.dealing", "No dealing method is named, so no table can open."
    for method, duties in procedures.dealing.items():
        if not duties:
            yield (
                f"procedures.dealing[{method!r}]",
                "There are no duties. The first must put the deck where it is dealt from, the last must rack the stub.",
            )
        if method not in procedures.stub:
            yield f"procedures.stub[{method!r}]", "There is no stub count for this dealing method."


def _option_facts(game: "GameDefinition") -> set[str]:
    return {f"{option.name}={value}" for option in game.options for value in option.values}


def _step(step: Deal | Ask | Settle) -> str:
    return "settle" if isinstance(step, Settle) else step.name


def _nearest(name: str, known: "Mapping[str, object] | set[str] | list[str] | tuple[str, ...]") -> str:
    found = get_close_matches(name, list(known), n=1)
    return f" (nearest: {found[0]!r})" if found else ""
