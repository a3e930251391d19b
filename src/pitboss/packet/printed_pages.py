"""Prints a house's reports and numbered forms as PDF: data in, laid out by `pages/report.typ` and `pages/form.typ`."""

import json
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

PAGES = Path(__file__).with_name("pages")


def report_pages(data: Mapping[str, Any]) -> bytes:
    """Return a report as PDF, with its header on every page and page numbers."""
    return _set("report.typ", data)


def form_page(data: Mapping[str, Any]) -> bytes:
    """Return a numbered form as PDF, with a line for each signature."""
    return _set("form.typ", data)


def _set(main: str, data: Mapping[str, Any]) -> bytes:
    import typst

    with tempfile.TemporaryDirectory(prefix="pitboss-pages-") as name:
        folder = Path(name)
        for page in ("style.typ", main):
            (folder / page).write_bytes((PAGES / page).read_bytes())
        (folder / "data.json").write_text(json.dumps(data, ensure_ascii=False), "utf-8")
        made = typst.compile(folder / main, root=folder, ignore_system_fonts=True, font_paths=[])
    assert isinstance(made, bytes), "without a file to write to the typesetter returns the document"
    return made
