"""Output of commands: tables on a terminal, plain text in a pipe, JSON on request, one sentence for a failure."""

import json
import sys
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.console import Console

PIPE_WIDTH = 160


class Failure(Exception):
    """A sentence for the user and the exit status: 1 for a refusal, 2 for incorrect usage."""

    def __init__(self, sentence: str, status: int = 1) -> None:
        super().__init__(sentence)
        self.status = status


def console() -> "Console":
    """Return a console on standard output, wide and plain if no terminal is attached."""
    from rich.console import Console

    return Console(highlight=False, width=None if sys.stdout.isatty() else PIPE_WIDTH)


def show_table(title: str, columns: Sequence[str], rows: Iterable[Sequence[str]], to: "Console") -> None:
    """Print rows under a title."""
    from rich import box
    from rich.table import Table
    from rich.text import Text

    table = Table(title=Text(title) if title else None, title_justify="left", box=box.SIMPLE_HEAD, pad_edge=False)
    for column in columns:
        right = column in ("stake", "net", "clauses", *STATUS_COLUMNS)
        table.add_column(column, justify="right" if right else "left", overflow="fold")
    for row in rows:
        table.add_row(*(Text(cell) for cell in row))
    to.print(table)


STATUS_COLUMNS = ("enforced", "settled", "recorded", "shown", "beyond")


def show_json(value: Any) -> None:
    """Print a value as indented JSON."""
    print(json.dumps(value, indent=2, ensure_ascii=False))
