"""Every published figure is matched to its last digit."""

import tomllib
from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction
from typing import Any

import pytest

from pitboss.games import catalogue, game, game_names
from pitboss.lab.exact_counts import counts_of
from pitboss.lab.worth import Worth, worth_of
from pitboss.rules.choices import Choices
from pitboss.rules.in_force import RulesInForce

pytestmark = pytest.mark.xdist_group("exact")  # the counts are made once and shared


def published(table: str) -> list[Any]:
    found = []
    for name in game_names():
        path = catalogue.folders()[name] / "published.toml"
        if path.exists():
            for entry in tomllib.loads(path.read_text("utf-8")).get(table, []):
                label = f"{name} {entry['wager']} {entry.get('paytable', '')} {entry.get('quantity', '')}"
                found.append(pytest.param(name, entry, id=label))
    return found


def rules_for(name: str, wager: str, paytable: str | None) -> RulesInForce:
    lettered = "blind" if wager == "main" else wager
    return RulesInForce(game(name), Choices(paytables={lettered: paytable} if paytable else {}))


def printed(exact: Fraction, like: str) -> str:
    places = len(like.partition(".")[2])
    value = Decimal(exact.numerator) / Decimal(exact.denominator)
    return str(value.quantize(Decimal(1).scaleb(-places), ROUND_HALF_UP))


def quantity(worth: Worth, name: str) -> Fraction:
    plain = name.removesuffix("_percent")
    value = getattr(worth, plain)
    return Fraction(value) * (100 if plain != name else 1)


@pytest.mark.parametrize(("name", "figure"), published("figure"))
def test_a_published_figure_is_met_to_its_last_digit(name: str, figure: dict[str, str]) -> None:
    worth = worth_of(rules_for(name, figure["wager"], figure["paytable"]), figure["wager"])
    value = figure["value"]
    if "/" in value:
        assert quantity(worth, figure["quantity"]) == Fraction(value)
    else:
        assert printed(quantity(worth, figure["quantity"]), value) == value


@pytest.mark.parametrize(("name", "counted"), published("counted"))
def test_published_counts_are_met(name: str, counted: dict[str, Any]) -> None:
    counts = counts_of(rules_for(name, counted["wager"], None), counted["wager"])
    factor = Fraction(counted["total"], counts.total)
    for cell, published_count in counted["cells"].items():
        ours = sum(outcome.count for outcome in counts.outcomes if dict(outcome.cells)[counted["wager"]] == cell)
        assert ours * factor == published_count, cell
