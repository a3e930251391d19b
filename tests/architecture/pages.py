"""Reads Markdown pages: headings, links, tables, fenced blocks, and what a block prints.

A block of `python` is run, all of a page's in one namespace; a block of `text` right after it shows what it prints.
A block of `console` holds commands after `$ ` and what they print; `...` stands for what was cut from it.
Above a block, `<!-- file: NAME -->` saves it under that name for the commands of the page, and `<!-- from: PATH -->`
says that it is an excerpt of a file of the project, which is compared and not run. `<!-- says no -->` above a block of
`console` says that one of its commands is refused or fails; in all others every command ends with status 0.
"""

import re
from dataclasses import dataclass
from pathlib import Path

_FENCE = re.compile(r"^ *```(\S*)\s*$")
_DIRECTIVE = re.compile(r"^<!-- (file|from|says no)(?:: (\S+))? -->$")
_LINK = re.compile(r"(?<!!)\[[^\]]*\]\(([^)\s]+)\)")
_CODE = re.compile(r"`[^`]*`")
CUT = "..."


@dataclass(frozen=True)
class Block:
    """A fenced block: its language, its lines, where it begins and the line above it."""

    language: str
    text: str
    line: int
    directive: str = ""
    target: str = ""
    follows: bool = False  # nothing but blank lines between it and the block before


@dataclass(frozen=True)
class Command:
    """A command of a console block and what it is said to print."""

    line: str
    output: str


def blocks(page: Path) -> list[Block]:
    """Return the fenced blocks of a page."""
    found: list[Block] = []
    inside: list[str] | None = None
    language, start, above, quiet = "", 0, "", False
    for number, line in enumerate(page.read_text("utf-8").splitlines(), 1):
        fence = _FENCE.match(line)
        if inside is not None:
            if fence and not fence[1]:
                directive = _DIRECTIVE.match(above)
                kind, target = (directive[1], directive[2] or "") if directive else ("", "")
                found.append(Block(language, "\n".join(inside) + "\n", start, kind, target, quiet))
                inside, above, quiet = None, "", True
            else:
                inside.append(line)
        elif fence:
            inside, language, start = [], fence[1], number
        elif line.strip():
            above, quiet = line.strip(), False
    assert inside is None, f"{page}: the block that begins on line {start} has no end"
    return found


def prose(page: Path) -> str:
    """Return a page without its fenced blocks and inline code."""
    kept: list[str] = []
    inside = False
    for line in page.read_text("utf-8").splitlines():
        if _FENCE.match(line):
            inside = not inside
        elif not inside:
            kept.append(_CODE.sub("", line))
    return "\n".join(kept)


def links(page: Path) -> list[str]:
    """Return the targets of a page's links."""
    return _LINK.findall(prose(page))


def anchors(page: Path) -> set[str]:
    """Return the anchors that a page's headings make."""
    lines = re.findall(r"^#+ (.+)$", page.read_text("utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", line.lower()).strip().replace(" ", "-") for line in lines}


def section(page: Path, heading: str) -> str:
    """Return the text under a heading, up to the next heading of its level or above."""
    text = page.read_text("utf-8")
    match = re.search(rf"^(#+) {re.escape(heading)}\n(.*?)(?=^#{{1,2}} |\Z)", text, re.MULTILINE | re.DOTALL)
    assert match, f"{page} has no heading {heading!r}"
    return match[2]


def table_rows(text: str) -> list[list[str]]:
    """Return the rows of the first table in a text, without its head."""
    lines = [line for line in text.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]


def commands(block: Block) -> list[Command]:
    """Return the commands of a console block, each with what it prints."""
    found: list[Command] = []
    for part in re.split(r"^\$ ", block.text, flags=re.MULTILINE)[1:]:
        lines = part.splitlines()
        last = next(index for index, line in enumerate(lines) if not line.endswith("\\"))
        found.append(Command("\n".join(lines[: last + 1]), "\n".join(lines[last + 1 :])))
    return found


def matches(expected: str, printed: str) -> bool:
    """Say whether printed text is what a page shows, `...` standing for whatever was cut."""
    pattern = "".join(
        "(?:.*\n)*?" if line.strip() == CUT else ".*".join(map(re.escape, line.split(CUT))) + "\n"
        for line in _lines(expected)
    )
    return re.fullmatch(pattern, "".join(f"{line}\n" for line in _lines(printed))) is not None


def is_excerpt(excerpt: str, text: str) -> bool:
    """Return whether a text contains an excerpt line by line, at any indentation."""
    pattern = "".join(
        "(?:.*\n)*?" if line.strip() == CUT else re.escape(line.strip()) + "\n" for line in _lines(excerpt)
    )
    return (
        re.search("^" + pattern, "".join(f"{line.strip()}\n" for line in text.splitlines()), re.MULTILINE) is not None
    )


def _lines(text: str) -> list[str]:
    # However long a rule under a table's head is drawn, it says the same.
    lines = [re.sub("─+", "─", line).rstrip() for line in text.splitlines()]
    while lines and not lines[0]:
        lines.pop(0)
    while lines and not lines[-1]:
        lines.pop()
    return lines
