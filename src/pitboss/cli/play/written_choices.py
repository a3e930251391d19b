"""An operator's choices as plain data, so that a recorded round says under which rules it was played."""

from collections.abc import Mapping
from typing import Any

from pitboss.rules.choices import Choices, Limits
from pitboss.rules.payoff import payoff
from pitboss.rules.paytable import Line, Paytable


def choices_to_data(choices: Choices) -> dict[str, Any]:
    """Return choices as data that JSON can hold."""
    return {
        "paytables": dict(choices.paytables),
        "options": dict(choices.options),
        "amounts": dict(choices.amounts),
        "offered": None if choices.offered is None else sorted(choices.offered),
        "own_tables": {wager: _table_to_data(table) for wager, table in choices.own_tables.items()},
        "own_hands": dict(choices.own_hands),
        "limits": {wager: [limits.minimum, limits.maximum] for wager, limits in choices.limits.items()},
        "stakes": dict(choices.stakes),
        "resets": dict(choices.resets),
        "envy": choices.envy,
        "instruments": sorted(choices.instruments),
        "dealing": choices.dealing,
        "positions": choices.positions,
    }


def choices_from_data(data: Mapping[str, Any]) -> Choices:
    """Return the choices that the data was made from."""
    return Choices(
        paytables=data["paytables"],
        options=data["options"],
        amounts=data["amounts"],
        offered=None if data["offered"] is None else frozenset(data["offered"]),
        own_tables={wager: _table_from_data(table) for wager, table in data["own_tables"].items()},
        own_hands=data["own_hands"],
        limits={wager: Limits(*limits) for wager, limits in data["limits"].items()},
        stakes=data["stakes"],
        resets=data["resets"],
        envy=data["envy"],
        instruments=frozenset(data["instruments"]),
        dealing=data["dealing"],
        positions=data["positions"],
    )


def _table_to_data(table: Paytable) -> dict[str, Any]:
    lines = [
        {"hand": one.hand, "cells": list(one.cells), "pays": str(one.payoff), "clause": one.cite} for one in table.lines
    ]
    return {"letter": table.letter, "clause": table.cite, "when": table.when, "lines": lines}


def _table_from_data(data: Mapping[str, Any]) -> Paytable:
    lines = tuple(Line(one["hand"], tuple(one["cells"]), payoff(one["pays"]), one["clause"]) for one in data["lines"])
    return Paytable(data["letter"], data["clause"], lines, data["when"])
