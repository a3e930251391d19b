"""The generated reference of a table's commands: every kind the wire takes, with the fields a client sends."""

import re
from dataclasses import fields

import pytest

from architecture.tree import ROOT, loaded
from pitboss.house.live_table.commands import KINDS

SET_BY_THE_HOUSE = {"by", "at"}


@pytest.fixture(scope="module")
def sections() -> dict[str, str]:
    page: str = loaded(ROOT / "docs_site" / "reference_pages.py").table_commands()
    _, *parts = re.split(r"^### ", page, flags=re.MULTILINE)
    return {name: rest for name, _, rest in (part.partition("\n") for part in parts)}


def test_every_kind_of_command_has_a_section_that_says_what_it_does(sections: dict[str, str]) -> None:
    assert list(sections) == sorted(KINDS)
    silent = [name for name, text in sections.items() if not re.match(r"\n[A-Z][^|]+\.\n", text)]
    assert silent == []


def test_a_section_lists_the_fields_that_a_client_sends(sections: dict[str, str]) -> None:
    listed = {name: re.findall(r"^\| `(\w+)` \|", text, re.MULTILINE) for name, text in sections.items()}
    stated = {name: [field.name for field in fields(kind)] for name, kind in KINDS.items()}
    assert listed == {name: [field for field in own if field not in SET_BY_THE_HOUSE] for name, own in stated.items()}


def test_the_interface_leads_to_the_reference() -> None:
    assert "](reference/table-commands.md)" in (ROOT / "docs" / "api.md").read_text("utf-8")
    assert "<!-- generated: table_commands -->" in (ROOT / "docs" / "reference" / "table-commands.md").read_text(
        "utf-8"
    )
