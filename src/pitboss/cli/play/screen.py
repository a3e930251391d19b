"""The person at the terminal: what is shown to them and what they type."""

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

WIDEST = 100
QUIT = ("q", "quit", "exit")


class Left(Exception):
    """The player got up: typed q, pressed Ctrl-C or Ctrl-D."""


class Screen:
    """Shows one page after another and asks for lines."""

    def __init__(self, console: "Console", read_line: Callable[[str], str] = input) -> None:
        self.console = console
        self._read_line = read_line

    @property
    def width(self) -> int:
        """Return how many columns a page may use."""
        return min(self.console.width, WIDEST)

    def page(self, *parts: "RenderableType") -> None:
        """Show a fresh page."""
        self.console.clear()
        self.add(*parts)

    def add(self, *parts: "RenderableType") -> None:
        """Show more on this page."""
        for part in parts:
            self.console.print(part, width=self.width)

    def say(self, sentence: str) -> None:
        """Show one sentence as it is."""
        self.console.print(sentence, markup=False, soft_wrap=True)

    def ask(self, prompt: str = " > ") -> str:
        """Return what the player types, in lower case; raise Left when they go."""
        try:
            typed = self._read_line(prompt).strip().lower()
        except (EOFError, KeyboardInterrupt):
            self.console.print()
            raise Left from None
        if typed in QUIT:
            raise Left
        return typed
