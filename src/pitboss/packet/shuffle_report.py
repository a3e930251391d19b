"""The report of a shuffle's battery as PDF, for a laboratory's file."""

import json
import tempfile
from importlib.metadata import version
from pathlib import Path
from typing import Any

from pitboss.lab.shuffle_battery import CONFIDENCE, Battery
from pitboss.packet.typeset import PAGES

MAIN = "shuffle.typ"


def report_pdf(battery: Battery) -> bytes:
    """Return the report as PDF; the same battery gives the same bytes."""
    import typst

    with tempfile.TemporaryDirectory(prefix="pitboss-shuffle-") as name:
        folder = Path(name)
        for page in ("style.typ", MAIN):
            (folder / page).write_bytes((PAGES / page).read_bytes())
        (folder / "report.json").write_text(json.dumps(report_data(battery), ensure_ascii=False), "utf-8")
        made = typst.compile(folder / MAIN, root=folder, ignore_system_fonts=True, font_paths=[])
    assert isinstance(made, bytes), "without a file to write to the typesetter returns the document"
    return made


def report_data(battery: Battery) -> dict[str, Any]:
    """Return the report's figures as printed."""
    return {
        "source": battery.source,
        "deck": battery.deck,
        "cards": str(battery.cards),
        "decks": f"{battery.decks:,}",
        "sha256": battery.sha256,
        "confidence": f"{CONFIDENCE:.0%}",
        "passes": battery.passes,
        "version": version("pitboss"),
        "tests": [
            {
                "name": test.name,
                "asks": test.asks,
                "statistic": f"{test.statistic:,.3f}",
                "degrees": "" if test.degrees is None else f"{test.degrees:,}",
                "p": f"{test.p:.4f}",
                "corrected": f"{test.corrected:.4f}",
                "passes": test.passes,
            }
            for test in battery.tests
        ],
    }
