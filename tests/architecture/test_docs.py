"""What the documentation shows is true: its map, its links, its examples and its commands."""

import io
import json
import os
import re
import subprocess
import sys
import tomllib
from contextlib import redirect_stdout
from itertools import zip_longest
from pathlib import Path
from typing import Any

import pytest

from architecture.pages import (
    Block,
    anchors,
    blocks,
    commands,
    is_excerpt,
    links,
    matches,
    prose,
    section,
    table_rows,
)
from architecture.tree import ROOT, layers, pages, rooms, shown

PAGES = [pytest.param(page, id=shown(page)) for page in pages()]
LONG = ("docs/add-a-game.md", "docs/packet.md")  # their commands take as long as all other pages'
WITH_EXAMPLES = [
    pytest.param(page, id=shown(page), marks=[pytest.mark.slow] if shown(page) in LONG else []) for page in pages()
]
ARCHITECTURE = ROOT / "docs" / "architecture.md"
README = ROOT / "README.md"
LANGUAGES = {"python", "text", "console", "sh", "toml", "json"}
SAYS_NO = "says no"
NOT_BUILT = "not built yet"
BEING_BUILT = "being built"  # its folder may be there already
DECISIONS = sorted((ROOT / "docs" / "decisions").glob("[0-9]*.md"))
DECISION_HEADINGS = ["Context", "Decision", "Alternatives rejected", "Consequences"]


def rooms_on_map(page: Path) -> dict[str, str]:
    """Map each room of a page's table to what the page says of it."""
    return {row[0].strip("`/"): row[1] for row in table_rows(section(page, "Rooms"))}


def built_on_map(page: Path) -> set[str]:
    """Return the rooms that a page gives as built."""
    return {name for name, says in rooms_on_map(page).items() if not says.startswith((NOT_BUILT, BEING_BUILT))}


def test_the_map_of_rooms_is_true() -> None:
    begun = {name for name, says in rooms_on_map(ARCHITECTURE).items() if says.startswith(BEING_BUILT)}
    assert built_on_map(ARCHITECTURE) == rooms() - begun


def test_the_map_runs_from_the_top_down_as_imports_do() -> None:
    assert list(rooms_on_map(ARCHITECTURE)) == layers()


def test_the_readme_maps_the_rooms_that_are_built() -> None:
    assert set(rooms_on_map(README)) == built_on_map(ARCHITECTURE)


@pytest.mark.parametrize("page", PAGES)
def test_every_link_leads_somewhere(page: Path) -> None:
    for target in links(page):
        if re.match(r"[a-z]+:", target):
            continue
        path, _, anchor = target.partition("#")
        found = (page.parent / path).resolve() if path else page
        assert found.exists(), f"{shown(page)}: {target}"
        assert found.is_relative_to(ROOT), f"{shown(page)}: {target}"
        assert not anchor or anchor in anchors(found), f"{shown(page)}: {target}"


def test_every_page_can_be_reached_from_the_readme() -> None:
    seen: set[Path] = set()
    waiting = [README]
    while waiting:
        page = waiting.pop()
        if page in seen or page.suffix != ".md":
            continue
        seen.add(page)
        targets = (target.partition("#")[0] for target in links(page) if not re.match(r"[a-z]+:", target))
        waiting.extend((page.parent / target).resolve() for target in targets if target)
    assert {shown(page) for page in pages()} <= {shown(page) for page in seen}


@pytest.mark.parametrize("page", PAGES)
def test_every_block_names_a_language_it_keeps_to(page: Path) -> None:
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE))
    for block in blocks(page):
        place = f"{shown(page)}:{block.line}"
        assert block.language in LANGUAGES, place
        assert block.language == "console" or not block.text.startswith("$ "), place
        if block.language == "toml":
            tomllib.loads(block.text)
        elif block.language == "json":
            assert [json.loads(text) for text in json_texts(block)], place
        elif block.language == "sh":
            assert set(re.findall(r"^make (\w+)", block.text, re.MULTILINE)) <= targets, place


def json_texts(block: Block) -> list[str]:
    """Return a block as one JSON text, or as one for each line where it holds JSON Lines."""
    lines = block.text.splitlines()
    several = len(lines) > 1 and all(line.startswith("{") and line.endswith("}") for line in lines)
    return lines if several else [block.text]


@pytest.mark.parametrize("page", WITH_EXAMPLES)
def test_every_example_runs_and_prints_what_is_shown(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for folder in ("examples", "tests"):
        (tmp_path / folder).symlink_to(ROOT / folder)
    monkeypatch.chdir(tmp_path)
    namespace: dict[str, Any] = {"__name__": "page"}
    found = blocks(page)
    for block, following in zip_longest(found, found[1:]):
        place = f"{shown(page)}:{block.line}"
        if block.directive == "from":
            assert is_excerpt(block.text, (ROOT / block.target).read_text("utf-8")), f"{place} differs from its file"
        elif block.directive == "file":
            (tmp_path / block.target).write_text(block.text, "utf-8")
        elif block.language == "python":
            output = following.text if following and following.language == "text" and following.follows else ""
            printed = run_python(block, namespace, place)
            if not matches(output, printed):
                pytest.fail(f"{place} prints\n{printed}", pytrace=False)
        elif block.language == "console":
            run_console(block, tmp_path, place)


def run_python(block: Block, namespace: dict[str, Any], place: str) -> str:
    """Run a block of Python and return what it prints."""
    printed = io.StringIO()
    with redirect_stdout(printed):
        exec(compile(block.text, place, "exec"), namespace)
    return printed.getvalue()


def run_console(block: Block, folder: Path, place: str) -> None:
    """Run the commands of a block and hold what they print against what is shown."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PITBOSS_")}
    environment |= {
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{environment['PATH']}",
        "XDG_DATA_HOME": str(folder / "data"),
        "PYTHONIOENCODING": "utf-8",
    }
    shown_commands = commands(block)
    assert shown_commands, f"{place} shows no command"
    statuses = []
    for command in shown_commands:
        lines = command.output.split("\n")
        assert not command.output or any(line.strip(" .") for line in lines), f"{place} cuts everything"
        ended = subprocess.run(
            ["bash", "-c", command.line],
            cwd=folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            check=False,
        )
        if not matches(command.output, ended.stdout):
            pytest.fail(f"{place}: {command.line} prints\n{ended.stdout}", pytrace=False)
        statuses.append(ended.returncode)
    assert any(statuses) == (block.directive == SAYS_NO), f"{place} ends with {statuses}"


@pytest.mark.parametrize("page", [pytest.param(page, id=page.stem) for page in DECISIONS])
def test_a_decision_says_why_and_what_else_was_weighed(page: Path) -> None:
    headings = re.findall(r"^## (.+)$", page.read_text("utf-8"), re.MULTILINE)
    assert headings == DECISION_HEADINGS
    assert all(section(page, heading).strip() for heading in headings)


def test_decisions_are_numbered_without_a_gap() -> None:
    assert [int(page.stem[:4]) for page in DECISIONS] == list(range(1, len(DECISIONS) + 1))
    assert DECISIONS


def test_a_page_that_shows_something_else_would_be_found() -> None:
    assert matches("one\n...\nfour", "one\ntwo\nthree\nfour\n")
    assert matches("\nnet ...$5  \n", "net      +$5\n\n")
    assert not matches("one\nthree", "one\ntwo\nthree\n")
    assert not matches("", "printed\n")
    assert is_excerpt("a = 1\nb = 2", "if c:\n    a = 1\n    b = 2\n")
    assert not is_excerpt("a = 1\nb = 2", "a = 1\nx = 3\nb = 2\n")


@pytest.mark.parametrize("page", PAGES)
def test_plain_words_shout_at_nobody(page: Path) -> None:
    assert "!" not in re.sub(r"<!--.*?-->|!(?=\[)", "", prose(page))  # an image is marked with one
