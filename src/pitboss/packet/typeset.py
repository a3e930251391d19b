"""Typesets a packet as PDF: its tables and drawings as data, laid out by the templates in `pages/`."""

import json
import tempfile
from pathlib import Path
from typing import Any

from pitboss.packet.cells import CLAUSE, LEFT, TEXT, Table, decimal
from pitboss.packet.contents import Packet, Part
from pitboss.packet.felt import felt, position
from pitboss.packet.par import Sheet
from pitboss.packet.plots import band, outcomes
from pitboss.packet.strategy_pages import Decision

PAGES = Path(__file__).with_name("pages")
_MAIN = "packet.typ"


def pdf_of(packet: Packet) -> bytes:
    """Return the packet as PDF; the same packet gives the same bytes."""
    import typst

    with tempfile.TemporaryDirectory(prefix="pitboss-packet-") as name:
        folder = Path(name)
        for page in PAGES.glob("*.typ"):
            (folder / page.name).write_bytes(page.read_bytes())
        for part in packet.parts:
            for drawing, text in _drawings(part).items():
                (folder / f"{part.name}-{drawing}.svg").write_text(text, "utf-8")
        (folder / "packet.json").write_text(json.dumps(data_of(packet), ensure_ascii=False), "utf-8")
        # Only files in the folder and the typesetter's own fonts: no system fonts, no packages, no date.
        made = typst.compile(folder / _MAIN, root=folder, ignore_system_fonts=True, font_paths=[])
    assert isinstance(made, bytes), "without a file to write to the typesetter returns the document"
    return made


def data_of(packet: Packet) -> dict[str, Any]:
    """Return the data for the pages, with every figure already formatted."""
    return {
        "facility": packet.facility,
        "jurisdiction": packet.jurisdiction,
        "fingerprint": packet.fingerprint,
        "parts": [_part(part) for part in packet.parts],
    }


def _drawings(part: Part) -> dict[str, str]:
    return {
        "outcomes": outcomes(part.main),
        "band": band(part.main),
        "felt": felt(part.posted, part.game),
        "position": position(part.posted, part.game),
    }


def _part(part: Part) -> dict[str, Any]:
    book = part.game.rulebook
    return {
        "name": part.name,
        "table": part.table,
        "game": part.game.title,
        "rulebook": {"title": book.title, "authority": book.authority, "version": book.version},
        "remarks": part.remarks,
        "choices": _table(part.choices),
        "rulings": _table(part.rulings),
        "glance": _table(part.glance),
        "main": {
            "title": part.main_title,
            "figures": _table(part.main_figures),
            "sheets": [_sheet(main_sheet) for main_sheet in part.main_sheets],
            "notes": part.main_notes,
            "distribution": _table(part.distribution),
        },
        "exposures": _table(part.exposures) if part.exposures else None,
        "exposure_rules": _table(part.exposure_rules) if part.exposure_rules else None,
        "sides": [_sheet(side_sheet) for side_sheet in part.side_sheets],
        "progressive": _progressive(part),
        "band": _table(part.band),
        "risk": [_table(table) for table in part.risk],
        "gates": _table(part.gates),
        "sign_off": _table(part.sign_off),
        "decisions": [_decision(decision) for decision in part.decisions],
        "strategy_cost": _cost(part),
        "layout": {
            "areas": _table(part.areas),
            "inscriptions": _table(part.inscriptions),
            "furniture": _table(part.furniture),
            "odds_clause": part.posted.odds_clause,
            "submitted_clause": part.posted.submitted_clause,
            "sign_clause": part.posted.sign_clause,
        },
        "sign": {
            "odds": [
                {**_table(table), "clause": sign.clause}
                for table, sign in zip(part.odds, part.posted.odds, strict=True)
            ],
            "limits": _table(part.limits),
            "words": part.posted.odds_words,
            "words_clause": part.posted.odds_words_clause,
        },
    }


def _cost(part: Part) -> str:
    return f"{decimal(100 * part.strategy_cost, 4)}%" if part.strategy_cost else ""


def _progressive(part: Part) -> dict[str, Any] | None:
    terms = part.progressive
    if terms is None:
        return None
    # The posted odds of a wager list what a progressive pays first, then what envy pays.
    posted = [table for table, sign in zip(part.odds, part.posted.odds, strict=True) if sign.wager == terms.wager]
    return {
        "title": terms.title,
        "clause": terms.clause,
        "envy_paid": [_table(table) for table in posted[1:]],
        "figures": _table(terms.figures),
        "meters": _table(terms.meters),
        "funding": _table(terms.funding),
        "envy": _table(terms.envy) if terms.envy else None,
    }


def _sheet(sheet: Sheet) -> dict[str, Any]:
    return {
        "title": sheet.title,
        "paytable": sheet.paytable,
        "clause": sheet.clause,
        "figures": _table(sheet.figures) if sheet.figures else None,
        "lines": _table(sheet.lines),
        "notes": sheet.notes,
    }


def _decision(decision: Decision) -> dict[str, Any]:
    cost = f"{decimal(100 * decision.cost, 4)}%" if decision.cost else ""
    return {
        "title": decision.title,
        "rules": _table(decision.rules),
        "hands": _table(decision.hands) if decision.hands else None,
        "cost": cost,
        "exact_cost": str(decision.cost),
        "grid": _table(decision.grid) if decision.grid else None,
        "tones": decision.tones,
        "legend": decision.legend,
    }


def _table(table: Table) -> dict[str, Any]:
    return {
        "title": table.title,
        "columns": [
            {
                "name": column.name,
                "title": column.title,
                "group": column.group,
                "left": column.kind in LEFT,
                "clause": column.kind == CLAUSE,
                "wraps": column.kind == TEXT,
            }
            for column in table.columns
        ],
        "rows": table.printed(),
        "totals": bool(table.totals),
        "notes": table.notes,
    }
