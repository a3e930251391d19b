"""Draws the posted sign of one table as SVG, the same as in the packet."""

import json
import tempfile
from pathlib import Path

from pitboss.packet.cells import Table
from pitboss.packet.posted import layout_tables, sign_tables
from pitboss.packet.typeset import PAGES
from pitboss.submission.printed import Printed

_MAIN = "sign.typ"


def sign_svg(posted: Printed) -> str:
    """Return the sign of a table: what every wager pays, its limits and inscriptions."""
    import typst

    odds, limits = sign_tables(posted, "sign")
    inscriptions = layout_tables(posted, "sign")[1]
    part = {
        "game": posted.game,
        "table": posted.table,
        "sign": {"odds": [_rows(sign) for sign in odds], "limits": _rows(limits)},
        "layout": {"inscriptions": _rows(inscriptions)},
    }
    with tempfile.TemporaryDirectory(prefix="pitboss-sign-") as name:
        folder = Path(name)
        for page in PAGES.glob("*.typ"):
            (folder / page.name).write_bytes(page.read_bytes())
        data = {"facility": posted.facility, "parts": [part]}
        (folder / "packet.json").write_text(json.dumps(data, ensure_ascii=False), "utf-8")
        made = typst.compile(folder / _MAIN, root=folder, ignore_system_fonts=True, font_paths=[], format="svg")
    assert isinstance(made, bytes), "a sign is one sheet"
    return made.decode()


def _rows(table: Table) -> dict[str, object]:
    return {"title": table.title, "rows": table.printed()}
