"""An object gets its callables in its constructor: nothing outside it and none of its setters adds them later."""

import ast
from collections.abc import Iterator
from textwrap import dedent

import pytest

from architecture.tree import modules, parsed, shown

ROOMS = ("record", "house", "server", "api", "cli")
MADE = ("__init__", "__post_init__", "__new__")
_FUNCTION = (ast.FunctionDef, ast.AsyncFunctionDef)


def callable_types(trees: list[ast.Module]) -> set[str]:
    """Return the names of types that are called: `Callable`, and every alias for it."""
    named = {
        target.id
        for tree in trees
        for node in tree.body
        if isinstance(node, ast.Assign) and _begins_with(node.value, {"Callable"})
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    return {"Callable", *named}


def hooks(trees: list[ast.Module]) -> set[str]:
    """Return the attributes that are declared to be called."""
    types = callable_types(trees)
    fields = (
        node for tree in trees for node in ast.walk(tree) if isinstance(node, ast.AnnAssign) and _is_called(node, types)
    )
    names = (node.target.attr if isinstance(node.target, ast.Attribute) else _name(node.target) for node in fields)
    return {name for name in names if name}


def late(tree: ast.Module, called: set[str]) -> Iterator[int]:
    """Yield the lines that put something to be called into an object that is already made."""
    classes = [node for node in ast.walk(tree) if isinstance(node, ast.ClassDef)]
    methods = {node for each in classes for node in each.body if isinstance(node, _FUNCTION)}
    functions = {node.name for node in ast.walk(tree) if isinstance(node, _FUNCTION) and node not in methods}
    known = functions | {f"self.{node.name}" for node in methods}
    for function, node in _assignments(tree):
        for target, value in node:
            if not isinstance(target, ast.Attribute):
                continue
            is_own = isinstance(target.value, ast.Name) and target.value.id in ("self", "cls")
            is_hook = target.attr in called or (not is_own and _is_function(value, known))
            if is_hook and not (is_own and function in MADE):
                yield target.lineno


def _is_called(node: ast.AnnAssign, types: set[str]) -> bool:
    parts = [node.annotation]
    while parts:
        part = parts.pop()
        if isinstance(part, ast.BinOp):
            parts += (part.left, part.right)
        elif _begins_with(part, types):
            return True
    return False


def _begins_with(node: ast.expr, types: set[str]) -> bool:
    return _name(node.value if isinstance(node, ast.Subscript) else node) in types


def _name(node: ast.expr) -> str:
    return node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""


def _is_function(value: ast.expr, known: set[str]) -> bool:
    return isinstance(value, ast.Lambda) or ast.unparse(value) in known


def _assignments(tree: ast.AST, function: str = "") -> Iterator[tuple[str, list[tuple[ast.expr, ast.expr]]]]:
    for node in ast.iter_child_nodes(tree):
        inside = node.name if isinstance(node, _FUNCTION) else function
        if isinstance(node, ast.Assign):
            yield function, [pair for target in node.targets for pair in _pairs(target, node.value)]
        elif isinstance(node, ast.AnnAssign) and node.value is not None:
            yield function, [(node.target, node.value)]
        elif isinstance(node, ast.Call) and _name(node.func) in ("setattr", "__setattr__") and len(node.args) == 3:
            where, name, value = node.args
            if isinstance(name, ast.Constant):
                made = ast.Attribute(where, str(name.value), ast.Store(), lineno=node.lineno, col_offset=0)
                yield function, [(made, value)]
        yield from _assignments(node, inside)


def _pairs(target: ast.expr, value: ast.expr) -> list[tuple[ast.expr, ast.expr]]:
    if not isinstance(target, ast.Tuple):
        return [(target, value)]
    values = value.elts if isinstance(value, ast.Tuple) else [value] * len(target.elts)
    return [(part, given) for part, given in zip(target.elts, values, strict=False)]


def test_what_an_object_calls_is_given_when_it_is_made() -> None:
    paths = modules(*ROOMS)
    trees = [parsed(path) for path in paths]
    called = hooks(trees)
    found = {shown(path): lines for path, tree in zip(paths, trees, strict=True) if (lines := [*late(tree, called)])}
    assert found == {}


@pytest.mark.parametrize(
    ("source", "lines"),
    [
        ("floor.on_table = run", [1]),
        ("floor.on_table = loops.run", [1]),
        ("floor.house.ended = lambda: None", [1]),
        ("setattr(floor, 'on_table', None)", [1]),
        ("floor.on_table, floor.name = None, 'x'", [1]),
        ("class A:\n    def put(self, run):\n        self.on_table = run", [3]),
        ("class A:\n    def _run(self): ...\n    def begin(self, b):\n        b.any = self._run", [4]),
        ("class A:\n    def __init__(self, run):\n        self.on_table = run", []),
        ("job.state = DONE", []),
        ("running.live = live", []),
    ],
)
def test_a_hook_that_is_put_in_later_is_found(source: str, lines: list[int]) -> None:
    declared = ast.parse(
        dedent("""
        Follower = Callable[[str], None]
        class Floor:
            def __init__(self):
                self.on_table: Follower | None = None
        """)
    )
    assert [*late(ast.parse(source), hooks([declared]))] == lines
