"""The tutorials are true: their commands run, their buttons exist, and the first screen says what the pages say."""

import re
import sys
from pathlib import Path

import pytest

from architecture.pages import blocks, prose
from architecture.terminal import Terminal, lines_of
from architecture.tree import ROOT
from pitboss.cli.serve import FIRST_STEPS

TUTORIALS = [pytest.param(page, id=page.stem) for page in sorted((ROOT / "docs" / "tutorials").glob("*.md"))]
WORDS = "\n".join(path.read_text("utf-8") for path in sorted((ROOT / "web" / "src" / "words" / "en").rglob("*.ts")))
READERS = {"player", "dealer", "floor-and-cage", "operator", "auditor", "mathematician", "engineer"}

sys.path.insert(0, str(ROOT / "docs_site"))
import notebook  # noqa: E402


def test_every_reader_has_a_tutorial() -> None:
    assert {page.stem for page in (ROOT / "docs" / "tutorials").glob("*.md")} >= READERS


@pytest.mark.slow
def test_the_commands_of_the_tutorials_succeed_one_after_another(tmp_path: Path) -> None:
    """Blocks of `sh` are run here; blocks of `console` are run, and their output compared, with all other pages'."""
    ran: set[str] = set()
    for page in sorted((ROOT / "docs" / "tutorials").glob("*.md")):
        folder = tmp_path / page.stem
        folder.mkdir()
        (folder / "examples").symlink_to(ROOT / "examples")
        terminal = Terminal(folder)
        for block in blocks(page):
            if block.language == "sh" and block.text not in ran:  # several begin by opening the same demonstration
                terminal.run_block(lines_of(block))
                ran.add(block.text)
            elif block.language == "console":
                for line in re.findall(r"^\$ (cp .+)$", block.text, re.MULTILINE):  # what later commands read
                    terminal.run(line)
    assert len(ran) >= 3


@pytest.mark.parametrize("page", TUTORIALS)
def test_what_a_tutorial_says_to_press_is_on_the_page(page: Path) -> None:
    for label in re.findall(r"\*\*([^*]+)\*\*", prose(page)):
        assert re.search(rf"['`\"]{re.escape(label)}(?!\w)", WORDS), f"{page.name}: no button or heading says {label!r}"


def test_the_first_screen_and_the_pages_say_the_same_words() -> None:
    for name in ("README.md", "CONTRIBUTING.md", "docs/index.md"):
        text = " ".join((ROOT / name).read_text("utf-8").replace("**", "").split())
        assert FIRST_STEPS in text, name


def test_the_notebook_shows_what_its_cells_return() -> None:
    stored = notebook.read()
    cells = [cell for cell in stored["cells"] if cell["cell_type"] == "code"]
    for number, (cell, outputs) in enumerate(zip(cells, notebook.run(stored), strict=True), 1):
        assert list(map(_compared, cell["outputs"])) == list(map(_compared, outputs)), f"cell {number}"


def _compared(output: dict[str, object]) -> object:
    data = output.get("data")
    # A plot's bytes differ between machines and versions; that it is drawn is enough.
    return {**data, "image/png": ""} if isinstance(data, dict) and "image/png" in data else data or output["text"]
