"""Values of every declared type survive conversion to plain data, and other data is refused."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Literal, NamedTuple

import pytest

from pitboss.cards.deck import Card
from pitboss.rules.plain import Malformed, made, of_kind, plain, with_kind


class Pair(NamedTuple):
    left: int
    right: int = 2


ONE = Pair(1)


@dataclass(frozen=True, slots=True)
class Leaf:
    cards: tuple[Card, ...]
    part: Fraction


@dataclass(frozen=True, slots=True, kw_only=True)
class Tree:
    name: str
    leaf: Leaf | None = None
    pair: Pair = ONE
    stakes: Mapping[int, Mapping[str, int]] = field(default_factory=dict)
    marks: frozenset[str] = frozenset()
    place: int | str = "dealer"
    season: Literal["summer", "winter"] = "summer"
    note: Mapping[str, Any] = field(default_factory=dict)


TREE = Tree(
    name="oak",
    leaf=Leaf((Card("As"), Card("Kd")), Fraction(1, 3)),
    pair=Pair(4, 5),
    stakes={2: {"ante": 500}},
    marks=frozenset({"b", "a"}),
    place=3,
    season="winter",
    note={"depth": [1, {"two": None}]},
)


def test_a_value_comes_back_equal_after_json() -> None:
    data = json.loads(json.dumps(with_kind(TREE)))
    assert data["leaf"] == {"cards": ["As", "Kd"], "part": "1/3"}
    assert data["marks"] == ["a", "b"]
    assert of_kind({"Tree": Tree}, data) == TREE


def test_fields_with_a_default_may_be_left_out_and_others_not() -> None:
    assert made(Tree, {"name": "ash"}) == Tree(name="ash")
    assert made(Tree, {"place": "box"}, name="ash") == Tree(name="ash", place="box")
    assert made(Pair, {"left": 7}) == Pair(7)
    for kind, data in ((Tree, {}), (Pair, {"right": 1})):
        with pytest.raises(Malformed, match="is missing"):
            made(kind, data)


@pytest.mark.parametrize(
    "change",
    [
        {"name": 1},
        {"name": None},
        {"leaf": []},
        {"leaf": {"cards": "As", "part": "1"}},
        {"leaf": {"cards": [], "part": "1/0"}},
        {"leaf": {"cards": [], "part": 1}},
        {"leaf": {"cards": [], "part": "1e999999999"}},
        {"leaf": {"cards": [], "part": "9" * 5_000}},
        {"leaf": {"cards": [], "part": "1/00"}},
        {"leaf": {"cards": [], "part": "1_0"}},
        {"pair": [1, 2]},
        {"pair": {"left": True}},
        {"stakes": []},
        {"stakes": {"x": {}}},
        {"stakes": {"9" * 5_000: {}}},
        {"stakes": {"1": {"ante": "5"}}},
        {"marks": "a"},
        {"place": 1.5},
        {"season": "rain"},
        {"season": None},
        {"height": 3},
    ],
)
def test_data_of_another_shape_is_malformed(change: dict[str, object]) -> None:
    with pytest.raises(Malformed):
        made(Tree, {**plain(TREE), **change})


def test_an_unknown_kind_and_no_record_at_all_are_malformed() -> None:
    wrong: tuple[Any, ...] = ({"kind": "Bush"}, {}, [], None, "Tree")
    for data in wrong:
        with pytest.raises(Malformed, match="not of a known kind"):
            of_kind({"Tree": Tree}, data)
    with pytest.raises(Malformed, match="is not a Tree"):
        made(Tree, "oak")


def test_mappings_keyed_by_numbers_have_one_canonical_text_before_and_after_json() -> None:
    data = plain(Tree(name="elm", stakes={seat: {"ante": seat} for seat in range(1, 13)}))
    assert json.dumps(data, sort_keys=True) == json.dumps(json.loads(json.dumps(data)), sort_keys=True)
    assert made(Tree, data).stakes[12] == {"ante": 12}
