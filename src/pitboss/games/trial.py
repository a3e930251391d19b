"""Tries an external definition on a few deals before any table uses it: cells, facts and rows that don't fit."""

import random
from collections.abc import Iterator
from typing import Any

from pitboss.cards.deck import Card
from pitboss.rules.game import GameDefinition
from pitboss.rules.in_force import RulesInForce
from pitboss.rules.reading import DealerReading, SeatCards, SeatReading, TableCards
from pitboss.rules.settlement import BY_PAYTABLE
from pitboss.rules.soundness import DefinitionFault

DEALS = 150
FAULTS_MOST = 8


def trial_faults(game: GameDefinition) -> tuple[DefinitionFault, ...]:
    """Return what goes wrong when a game's readings and rows meet some deals, each fault once."""
    found: dict[DefinitionFault, None] = {}
    chance = random.Random(game.name)
    rules = RulesInForce(game)
    for _ in range(DEALS):
        cards = chance.sample(game.deck.cards, game.cards_each + sum(game.table_cards.values()))
        own, rest = tuple(cards[: game.cards_each]), cards[game.cards_each :]
        table = {}
        for place, count in game.table_cards.items():
            table[place], rest = tuple(rest[:count]), rest[count:]
        found.update(dict.fromkeys(_faults(rules, TableCards(**table), own)))
        if len(found) >= FAULTS_MOST:
            break
    return tuple(found)


def _faults(rules: RulesInForce, table: TableCards, own: tuple[Card, ...]) -> Iterator[DefinitionFault]:
    readings = rules.game.readings
    try:
        dealer: Any = readings.dealer(table, rules.options)
    except Exception as failed:  # the definition is third-party code
        yield DefinitionFault("readings.dealer", f"It fails on the deal {_deal(table, own)}: {_said(failed)}.")
        return
    if not isinstance(dealer, DealerReading):
        yield DefinitionFault("readings.dealer", f"It returns a {type(dealer).__name__}, not a DealerReading.")
        return
    for actions in rules.actions.values():
        for action in actions.values():
            placed = {wager.name for wager in rules.game.wagers if wager.name in rules.offered and not wager.by_action}
            placed |= {action.stakes.wager} if action.stakes else set()
            for discard in own if action.discards else (None,):
                seat = SeatCards(own, action.becomes, discard)
                try:
                    reading = readings.seat(table, dealer, seat, rules.options, placed)
                except Exception as failed:  # the definition is third-party code
                    yield DefinitionFault(
                        "readings.seat", f"It fails on the deal {_deal(table, own)}: {_said(failed)}."
                    )
                    continue
                yield from _misfits(rules, reading, action.name, placed)


def _misfits(rules: RulesInForce, reading: object, action: str, placed: set[str]) -> Iterator[DefinitionFault]:
    if not isinstance(reading, SeatReading):
        yield DefinitionFault("readings.seat", f"It returns a {type(reading).__name__}, not a SeatReading.")
        return
    for name in (wager for wager in rules.game.settlement if rules.lies(wager, placed)):
        wager = rules.game.wagers_by_name[name]
        cell = reading.cells.get(name)
        if cell is not None and cell not in wager.cells:
            known = ", ".join(wager.cells)
            yield DefinitionFault("readings.seat", f"It reads the cell {cell!r} for {name}, which has {known}.")
        rows = [row for row in rules.game.settlement[name] if _fits(rules, row.facts, reading.facts)]
        if not rows:
            facts = ", ".join(sorted(reading.facts)) or "none"
            yield DefinitionFault(f"settlement.{name}", f"After {action!r}, no row fits a hand with the facts {facts}.")
        elif rows[0].then == BY_PAYTABLE and cell is None:
            reason = f"After {action!r}, the hand is priced by a paytable, but readings.seat names no cell for it."
            yield DefinitionFault(f"settlement.{name}", reason)


def _fits(rules: RulesInForce, facts: tuple[str, ...], held: frozenset[str]) -> bool:
    return all(fact in (rules.option_facts if "=" in fact else held) for fact in facts)


def _deal(table: TableCards, own: tuple[Card, ...]) -> str:
    places = (f"{place} {' '.join(cards)}" for place, cards in table._asdict().items() if cards)
    return ", ".join((" ".join(own), *places))


def _said(failed: Exception) -> str:
    said = f"{type(failed).__name__} {failed}".strip()
    return said.rstrip(".")
