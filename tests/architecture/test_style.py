"""Style rules that a test can check: docstrings, sizes, names, leftovers, prints and floats."""

import ast
import io
import re
import tokenize
from collections.abc import Callable
from pathlib import Path

import pytest

from architecture.tree import PACKAGE, ROOT, modules, parsed, shown

MOST_LINES = 500
MONEY_ROOMS = ("cards", "rules", "games", "round", "table", "submission")
EMPTY_NAMES = {"utils", "util", "helpers", "helper", "manager", "service", "common", "misc"}
LEFTOVERS = re.compile("|".join(("TO" + "DO", "FIX" + "ME", "XX" + "X", "HA" + "CK")))
# A period inside an abbreviation in a citation doesn't end a sentence.
PAGE = ROOT / "web" / "src"
# The ways to bring in a variable: const, of, a list of parameters, a single one, and Svelte's each.
ONE = re.compile(r"\b(?:const|let) one\b|\bas one(?= \(|\}|,)|[(\[,] ?one\b(?=[,)\]]|: )|\bone =>")
_STOP = re.compile(r"(?<!\bCh)[.!?](?=\s|$)")


def words(name: str) -> set[str]:
    """Return the words of a name in snake case or camel case."""
    return {word.lower() for word in re.findall(r"[A-Z]?[a-z0-9]+|[A-Z]+(?![a-z])", name)}


def is_one_sentence(text: str) -> bool:
    """Say whether a text begins like a sentence and has one period, at its end."""
    stops = [match.start() for match in _STOP.finditer(text)]
    return bool(re.match(r"[A-Z`]", text)) and stops == [len(text) - 1]


def is_float(node: ast.AST) -> bool:
    """Say whether a node makes a float: a literal, a conversion, or a division of anything but paths."""
    if isinstance(node, ast.Constant):
        return isinstance(node.value, float)
    if isinstance(node, ast.Call):
        return isinstance(node.func, ast.Name) and node.func.id == "float"
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div):
        return not (isinstance(node.right, ast.JoinedStr) or isinstance(getattr(node.right, "value", None), str))
    return False


def is_print(node: ast.AST) -> bool:
    """Say whether a node prints."""
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "print"


def is_swallowing(node: ast.AST) -> bool:
    """Say whether a node waits with `wait_for`, which on Python 3.11 swallows a cancellation as it ends."""
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "wait_for"


def is_called_one(node: ast.AST) -> bool:
    """Say whether a node is a variable or a parameter named `one`."""
    return (isinstance(node, ast.Name) and node.id == "one") or (isinstance(node, ast.arg) and node.arg == "one")


def everywhere() -> list[Path]:
    """Return every Python file of the package, the tests and the benches."""
    return [path for folder in ("src", "tests", "bench") for path in sorted((ROOT / folder).rglob("*.py"))]


def lines_of(path: Path, found: Callable[[ast.AST], bool], word: str = "") -> list[int]:
    """Return the lines of a module on which something is found, which has this word in it."""
    if word not in path.read_text("utf-8"):  # only such a module is worth parsing
        return []
    return [getattr(node, "lineno", 0) for node in ast.walk(parsed(path)) if found(node)]


def empty_names(path: Path) -> list[str]:
    """Return the names of files, folders, classes and functions that say nothing."""
    defined = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    names = [node.name for node in ast.walk(parsed(path)) if isinstance(node, defined)]
    names += path.relative_to(PACKAGE).with_suffix("").parts
    return [name for name in names if words(name) & EMPTY_NAMES or name.lstrip("_").startswith("process_")]


def leftovers(source: str) -> list[str]:
    """Return the comments and strings that put something off."""
    tokens = tokenize.generate_tokens(io.StringIO(source).readline)
    texts = [token.string for token in tokens if token.type in (tokenize.COMMENT, tokenize.STRING)]
    return [text for text in texts if LEFTOVERS.search(text)]


def test_a_module_begins_with_one_sentence() -> None:
    firsts = {shown(path): (ast.get_docstring(parsed(path)) or "").split("\n\n")[0] for path in modules()}
    assert {name: first for name, first in firsts.items() if not is_one_sentence(" ".join(first.split()))} == {}


def test_a_module_fits_one_idea() -> None:
    lines = {shown(path): len(path.read_text("utf-8").splitlines()) for path in everywhere()}
    assert {name: count for name, count in lines.items() if count > MOST_LINES} == {}


def test_a_name_says_what_it_names() -> None:
    assert {shown(path): names for path in modules() if (names := empty_names(path))} == {}


def test_a_variable_is_named_after_the_thing() -> None:
    assert {shown(path): lines for path in everywhere() if (lines := lines_of(path, is_called_one, "one"))} == {}


def test_a_variable_of_the_page_is_named_after_the_thing() -> None:
    files = [path for path in PAGE.rglob("*") if path.suffix in (".ts", ".svelte") and path.name != "schema.d.ts"]
    assert files
    found = {path.name: lines for path in files if (lines := ONE.findall(path.read_text("utf-8")))}
    assert found == {}


@pytest.mark.parametrize(
    "line",
    [
        "for (const one of cards) deal(one)",
        "cards.map((one) => one.rank)",
        "cards.sort((one, other) => one.rank - other.rank)",
        "{#each cards as one (one.id)}",
        "{#each cards as one}",
        "cards.map(one => one.rank)",
        "let one = first(cards)",
    ],
)
def test_a_variable_of_the_page_called_one_is_found(line: str) -> None:
    assert ONE.search(line)
    assert not ONE.search(line.replace("one", "card"))


def test_nothing_is_left_for_later() -> None:
    assert {shown(path): texts for path in modules() if (texts := leftovers(path.read_text("utf-8")))} == {}


def test_only_the_command_line_prints() -> None:
    outside = [path for path in modules() if not path.is_relative_to(PACKAGE / "cli")]
    assert outside
    assert {shown(path): lines for path in outside if (lines := lines_of(path, is_print, "print"))} == {}


def test_nothing_that_waits_swallows_a_cancellation() -> None:
    assert {shown(path): lines for path in modules() if (lines := lines_of(path, is_swallowing, "wait_for"))} == {}
    assert any(map(is_swallowing, ast.walk(ast.parse("asyncio.wait_for(event.wait(), 1)"))))


def test_money_and_odds_know_no_float() -> None:
    assert {shown(path): lines for path in modules(*MONEY_ROOMS) if (lines := lines_of(path, is_float))} == {}


@pytest.mark.parametrize("code", ["0.5", "1e3", "float(cents)", "cents / 2", "cents / units"])
def test_a_float_is_found(code: str) -> None:
    assert any(map(is_float, ast.walk(ast.parse(code))))


@pytest.mark.parametrize(
    "code", ["math.inf", "cents // 2", 'folder / "rulings.toml"', 'folder / f"{name}.toml"', "'0.5'"]
)
def test_what_is_not_a_float_passes(code: str) -> None:
    assert not any(map(is_float, ast.walk(ast.parse(code))))


@pytest.mark.parametrize("text", ["", "no capital.", "No stop", "Two. Sentences.", "One?  Two."])
def test_what_is_not_a_single_sentence_is_found(text: str) -> None:
    assert not is_one_sentence(text)
    assert is_one_sentence("What Ch. 11 §H(1) says, and what it costs.")


def test_words_of_a_name_are_separated() -> None:
    assert words("TableManager") == {"table", "manager"}
    assert words("string_utils") == {"string", "utils"}


def test_a_leftover_is_found_in_a_comment_and_in_a_docstring() -> None:
    word = "TO" + "DO"
    assert leftovers(f"x = 1  # {word}: later\n")
    assert leftovers(f'"""{word}."""\n')
    assert not leftovers("x = 1  # why it is one\n")
