"""An operator's choices as plain data, so that a recorded round states the rules it was played under."""

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from pitboss.rules.choices import Choices
from pitboss.rules.limits import Limits
from pitboss.rules.payoff import payoff
from pitboss.rules.paytable import Line, Paytable


def choices_to_data(choices: Choices) -> dict[str, Any]:
    """Return choices as data that JSON can hold."""
    data = {field.name: getattr(choices, field.name) for field in fields(Choices)}
    data["own_tables"] = {wager: _table_to_data(table) for wager, table in choices.own_tables.items()}
    data["limits"] = {wager: [limits.minimum, limits.maximum] for wager, limits in choices.limits.items()}
    return {name: _plain(value) for name, value in data.items()}


def choices_from_data(data: Mapping[str, Any]) -> Choices:
    """Return the choices from their data."""
    special: dict[str, Any] = {
        "offered": None if data["offered"] is None else frozenset(data["offered"]),
        "own_tables": {wager: _table_from_data(table) for wager, table in data["own_tables"].items()},
        "limits": {wager: Limits(*limits) for wager, limits in data["limits"].items()},
        "instruments": frozenset(data["instruments"]),
    }
    return Choices(**{**data, **special})


def _plain(value: Any) -> Any:
    if isinstance(value, frozenset):
        return sorted(value)
    return dict(value) if isinstance(value, Mapping) else value


def _table_to_data(table: Paytable) -> dict[str, Any]:
    lines = [
        {"hand": line.hand, "cells": list(line.cells), "pays": str(line.payoff), "clause": line.cite}
        for line in table.lines
    ]
    return {"letter": table.letter, "clause": table.cite, "when": table.when, "lines": lines}


def _table_from_data(data: Mapping[str, Any]) -> Paytable:
    lines = tuple(
        Line(line["hand"], tuple(line["cells"]), payoff(line["pays"]), line["clause"]) for line in data["lines"]
    )
    return Paytable(data["letter"], data["clause"], lines, data["when"])
