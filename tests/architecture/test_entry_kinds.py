"""Kinds of entries are spelled in one place, and name events that exist."""

import ast
import re
from types import ModuleType

from architecture.tree import PACKAGE, modules, parsed, shown
from pitboss.house import entry_kinds
from pitboss.house.controls import events as of_controls
from pitboss.house.live_table import events as of_tables
from pitboss.house.patron_controls import events as of_patrons
from pitboss.house.people import events as of_people
from pitboss.house.people import leases
from pitboss.house.progressive import events as of_meters
from pitboss.round import events as of_rounds
from pitboss.table import events as of_cards

EVENTS: dict[str, tuple[ModuleType, ...]] = {
    "house": (of_tables, leases),
    "round": (of_rounds,),
    "table": (of_cards,),
    "people": (of_people,),
    "progressive": (of_meters,),
    "controls": (of_controls,),
    "patrons": (of_patrons,),
}
WITHOUT_A_CLASS = {"floor", "money"}
KIND = re.compile(rf"({'|'.join((*EVENTS, *WITHOUT_A_CLASS))})\.[A-Z][A-Za-z]+")
# The event store finds a round by four kinds, and may import nothing from the house.
SPELLED_IN = {PACKAGE / "house" / "entry_kinds.py", PACKAGE / "record" / "evidence.py"}


def spelled() -> dict[str, str]:
    return {name: value for name, value in vars(entry_kinds).items() if name.isupper()}


def test_every_kind_is_an_event_of_its_part_of_the_house() -> None:
    assert len(spelled()) > 80
    assert len(set(spelled().values())) == len(spelled())
    for kind in spelled().values():
        assert KIND.fullmatch(kind), kind
        part, _, event = kind.partition(".")
        assert part in WITHOUT_A_CLASS or any(hasattr(module, event) for module in EVENTS[part]), kind


def test_no_other_module_spells_a_kind() -> None:
    found = [
        f"{shown(path)}:{node.lineno} {node.value}"
        for path in modules()
        if path not in SPELLED_IN
        for node in ast.walk(parsed(path))
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and KIND.fullmatch(node.value)
    ]
    assert found == []
