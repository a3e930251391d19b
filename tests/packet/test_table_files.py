"""Tables are written with exact values as JSON and as printed in CSV."""

import csv
import json
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import pytest

from packet.made import packet
from pitboss.packet.cells import PERCENT, PROBABILITY, TEXT, Column, Table
from pitboss.packet.table_files import as_csv, as_data, write_tables

pytestmark = pytest.mark.xdist_group("exact")
TABLE = Table(
    "a-table",
    "A table",
    (Column("hand", "Hand", TEXT), Column("probability", "Probability", PROBABILITY), Column("edge", "Edge", PERCENT)),
    (("pair, of aces", Fraction(1, 3), Decimal("0.25")), ("none", None, Fraction(0))),
    ("total", Fraction(1), None),
    ("A note.",),
)


def test_json_keeps_fractions() -> None:
    data = as_data(TABLE)
    assert data["rows"] == [
        {"hand": "pair, of aces", "probability": "1/3", "edge": "0.25"},
        {"hand": "none", "probability": None, "edge": "0"},
    ]
    assert data["totals"] == {"hand": "total", "probability": "1", "edge": None}
    assert data["columns"][1] == {"name": "probability", "title": "Probability", "kind": "probability"}
    assert data["notes"] == ["A note."]


def test_csv_holds_what_the_page_prints() -> None:
    rows = list(csv.reader(as_csv(TABLE).splitlines()))
    assert rows == [
        ["hand", "probability", "edge"],
        ["pair, of aces", "0.33333333", "25.0000%"],
        ["none", "", "0.0000%"],
        ["total", "1.00000000", ""],
    ]


def test_every_table_is_written_twice(tmp_path: Path) -> None:
    tables = list(packet("dragon-poker").tables())
    written = write_tables(tables, tmp_path / "new" / "folder")
    assert {path.name for path in written} == {
        f"{table.name}.{suffix}" for table in tables for suffix in ("csv", "json")
    }
    for table in tables:
        told = json.loads((tmp_path / "new" / "folder" / f"{table.name}.json").read_text("utf-8"))
        assert told == json.loads(json.dumps(as_data(table)))
        assert len(told["rows"]) == len(table.rows) > 0
