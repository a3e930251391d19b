"""The terminal screen: shows pages to the player and reads what they type."""

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

WIDEST = 100
QUIT = ("q", "quit", "exit")


class Left(Exception):
    """The player left: typed q, or pressed Ctrl-C or Ctrl-D."""


class Screen:
    """Shows one page after another and asks for lines."""

    def __init__(self, console: "Console", read_line: Callable[[str], str]) -> None:
        self.console = console
        self._read_line = read_line

    @property
    def width(self) -> int:
        """Return the width of a page in columns."""
        return min(self.console.width, WIDEST)

    def page(self, *parts: "RenderableType") -> None:
        """Show a new page."""
        self.console.clear()
        self.add(*parts)

    def add(self, *parts: "RenderableType") -> None:
        """Show more on this page."""
        for part in parts:
            self.console.print(part, width=self.width)

    def say(self, sentence: str) -> None:
        """Show one sentence without markup."""
        self.console.print(sentence, markup=False, soft_wrap=True)

    def ask(self, prompt: str = " > ") -> str:
        """Return what the player types, in lower case; raise Left if they leave."""
        try:
            typed = self._read_line(prompt).strip().lower()
        except (EOFError, KeyboardInterrupt):
            self.console.print()
            raise Left from None
        if typed in QUIT:
            raise Left
        return typed
