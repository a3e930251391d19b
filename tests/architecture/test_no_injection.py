"""No text becomes code: SQL takes values as parameters only, and the page builds no HTML from text."""

import ast
import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
SQL_CALLS = {"execute", "executemany", "exec_driver_sql", "text"}
MADE_HTML = re.compile(r"\{@html|innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function\(|srcdoc")


def values_in_sql(source: str) -> list[str]:
    """Return what is put into the text of SQL and isn't a constant of the module."""
    found = []
    for node in ast.walk(ast.parse(source)):
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.args):
            continue
        statement = node.args[0]
        if node.func.attr not in SQL_CALLS or not isinstance(statement, ast.JoinedStr | ast.BinOp | ast.Call):
            continue
        if isinstance(statement, ast.Call):  # built by SQLAlchemy, unless it is a formatted text
            made = statement.func
            if isinstance(made, ast.Attribute) and made.attr in ("format", "join") and "Constant" in ast.dump(made):
                found.append(ast.unparse(statement))
            continue
        values = [part.value for part in ast.walk(statement) if isinstance(part, ast.FormattedValue)]
        values += [
            side for side in ast.walk(statement) if isinstance(statement, ast.BinOp) and isinstance(side, ast.Name)
        ]
        found += [ast.unparse(value) for value in values if not (isinstance(value, ast.Name) and value.id.isupper())]
    return found


def test_the_search_finds_values_in_sql() -> None:
    assert values_in_sql('connection.execute(f"DELETE FROM entries WHERE stream = {stream}")') == ["stream"]
    assert values_in_sql('connection.execute("SELECT " + name)') == ["name"]
    assert values_in_sql('connection.execute(sa.text(f"SELECT {name}"))') == ["name"]
    assert values_in_sql('connection.execute("SELECT {}".format(name))') == ["'SELECT {}'.format(name)"]
    assert values_in_sql('connection.execute(f"PRAGMA busy_timeout={TIMEOUT_MS}")') == []


def test_sql_takes_values_as_parameters_only() -> None:
    modules = sorted((ROOT / "src").rglob("*.py"))
    found = {str(module.relative_to(ROOT)): values_in_sql(module.read_text()) for module in modules}
    assert {module: values for module, values in found.items() if values} == {}


def test_the_page_builds_no_html_from_text() -> None:
    sources = [path for path in (ROOT / "web/src").rglob("*") if path.suffix in (".svelte", ".ts", ".html")]
    assert len(sources) > 100
    assert [str(path) for path in sources if MADE_HTML.search(path.read_text())] == []
