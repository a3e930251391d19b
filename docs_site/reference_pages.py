"""Reference pages generated from the program: its commands, its routes, a table's commands and the record's events."""

import inspect
import json
import re
from dataclasses import fields, is_dataclass
from pathlib import Path
from types import ModuleType
from typing import Any, get_args

from typer.core import TyperGroup
from typer.main import get_command

from pitboss.cli.app import app
from pitboss.house.live_table import commands as of_table
from pitboss.house.live_table import events as live_table
from pitboss.house.people import events as people
from pitboss.house.people import leases
from pitboss.house.progressive import events as progressive
from pitboss.round import events as round_events
from pitboss.table import events as table_events

WIRE = Path(__file__).parents[1] / "web" / "wire.json"
METHODS = ("get", "post", "put", "delete")
SET_BY_THE_HOUSE = ("by", "at")  # who gives a command and when, which no client sends
FAMILIES: dict[str, tuple[str, ModuleType, Any]] = {
    "round": ("A round", round_events, round_events.Event),
    "table": ("Decks, devices and duties", table_events, table_events.Event),
    "house": ("A live table", live_table, live_table.OwnEvent),
    "house ": ("The dealer's lease", leases, leases.Event),
    "people": ("People", people, people.Event),
    "progressive": ("Progressives", progressive, progressive.Event),
}


def commands() -> str:
    """Return a section for each command, with its arguments and options."""
    return "\n\n".join(_command(get_command(app), "pitboss"))


def _command(command: Any, path: str) -> list[str]:
    if isinstance(command, TyperGroup):
        return [part for name, inner in command.commands.items() for part in _command(inner, f"{path} {name}")]
    context = command.context_class(command)
    text, _, example = (command.help or "").partition("Example:")
    records = [record for parameter in command.params if (record := parameter.get_help_record(context))]
    rows = [(f"`{_unwrapped(name)}`", " ".join(meaning.split())) for name, meaning in records]
    usage = " ".join([path, *(_unwrapped(name) for name, _ in records if not name.startswith("-")), "[OPTIONS]"])
    parts = [
        f"## {path}",
        " ".join(text.split()),
        f"```text\n{usage}\n```",
        _table(("argument or option", "meaning"), rows),
    ]
    if example:
        samples = "\n".join(part.strip() for part in example.split(";"))
        parts.append(f"```sh\n{samples}\n```")
    return ["\n\n".join(parts)]


def _unwrapped(name: str) -> str:
    # An argument's metavar says what it is; the type after it only repeats that.
    return name if name.startswith("-") else name.partition(" <")[0]


def http_routes() -> str:
    """Return a section for each area of the interface, with what each route takes and returns."""
    wire = json.loads(WIRE.read_text("utf-8"))
    areas: dict[str, list[str]] = {}
    for path, methods in sorted(wire["paths"].items()):
        for method in METHODS:
            if method in methods:
                areas.setdefault(_area(path), []).append(_route(path, method, methods[method]))
    schemas = "\n".join(_schema(name, schema) for name, schema in sorted(wire["components"]["schemas"].items()))
    return "\n".join(f"## {area}\n\n{''.join(routes)}" for area, routes in areas.items()) + f"\n## Schemas\n\n{schemas}"


def _area(path: str) -> str:
    parts = [part for part in path.split("/") if part not in ("", "api")]
    return f"/api/{parts[0]}" if path.startswith("/api/") else f"/{parts[0]}" if parts else "/"


def _route(path: str, method: str, described: dict[str, Any]) -> str:
    taken = [(f"`{given['name']}`", _given(given)) for given in described.get("parameters", ())]
    bodies = described.get("requestBody", {}).get("content", {}).values()
    taken += [("body", _type(body["schema"])) for body in bodies]
    answers = described["responses"].get("200") or described["responses"].get("204") or {}
    schemas = [content["schema"] for content in answers.get("content", {}).values() if content.get("schema")]
    taken += [("answers", _type(schema)) for schema in schemas[:1]]
    summary = " ".join(described.get("description", described.get("summary", "")).split())
    return f"### `{method.upper()} {path}`\n\n{summary}\n\n{_table(('', ''), taken)}\n"


def _given(parameter: dict[str, Any]) -> str:
    optional = "" if parameter.get("required") else ", optional"
    return f"{parameter['in']}, {_type(parameter['schema'])}{optional}"


def _schema(name: str, schema: dict[str, Any]) -> str:
    required = set(schema.get("required", ()))
    rows = [
        (f"`{field}`", _type(found), "" if field in required else "optional")
        for field, found in schema.get("properties", {}).items()
    ]
    described = " ".join(schema.get("description", "").split())
    return f"### {name}\n\n{described}\n\n{_table(('field', 'type', ''), rows)}\n"


def _type(schema: dict[str, Any]) -> str:
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        return f"[{name}](#{name.lower()})"
    for several in ("anyOf", "oneOf", "allOf"):
        if several in schema:
            return " or ".join(dict.fromkeys(map(_type, schema[several])))
    if "enum" in schema or "const" in schema:
        return " or ".join(f"`{value}`" for value in schema.get("enum", [schema.get("const")]))
    if schema.get("type") == "array":
        return f"list of {_type(schema.get('items', {}))}"
    if schema.get("type") == "object" and isinstance(schema.get("additionalProperties"), dict):
        return f"map of {_type(schema['additionalProperties'])}"
    return str(schema.get("type", "any"))


def events() -> str:
    """Return a section for each family of events, with the fields of each event."""
    return "\n".join(_family(room.strip(), *family) for room, family in FAMILIES.items())


def _family(room: str, title: str, module: ModuleType, union: Any) -> str:
    shown = "\n".join(_kind(f"{room}.{kind.__name__}", kind) for kind in get_args(union))
    return f"## {title}\n\n{inspect.getdoc(module)}\n\n{shown}"


def table_commands() -> str:
    """Return a section for each kind of command that a table takes, with the fields of its body."""
    return "\n".join(_kind(name, kind, SET_BY_THE_HOUSE) for name, kind in sorted(of_table.KINDS.items()))


def _kind(name: str, kind: type, left_out: tuple[str, ...] = ()) -> str:
    source = inspect.getsource(kind)
    notes = dict(re.findall(r"^    (\w+): .*?  # (.+)$", source, re.MULTILINE))
    types = dict(re.findall(r"^    (\w+): ([^=#\n]+?)(?: =.*|  #.*)?$", source, re.MULTILINE))
    rows = [
        (f"`{field}`", f"`{types.get(field, declared)}`".replace("|", "\\|"), notes.get(field, ""))
        for field, declared in _fields(kind)
        if field not in left_out
    ]
    said = inspect.getdoc(kind) or ""
    said = "" if said.startswith(f"{kind.__name__}(") else f"{said}\n\n"  # a dataclass without its own docstring
    return f"### {name}\n\n{said}{_table(('field', 'type', ''), rows)}"


def _fields(kind: type) -> list[tuple[str, Any]]:
    if is_dataclass(kind):
        return [(field.name, field.type) for field in fields(kind)]
    return list(inspect.get_annotations(kind).items())  # a named tuple's


def _table(head: tuple[str, ...], rows: list[Any]) -> str:
    if not rows:
        return ""
    lines = [head, ("---",) * len(head), *rows]
    return "".join(f"| {' | '.join(cell.replace(chr(10), ' ') for cell in line)} |\n" for line in lines) + "\n"
