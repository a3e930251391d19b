"""Says on a terminal what a long command is doing, and nothing in a pipe."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def waiting(first: str) -> Iterator[Callable[[str], None]]:
    """Show a moving line with what is being done; yield the function that changes its words."""
    if not sys.stderr.isatty():
        yield lambda _: None
        return
    from rich.console import Console

    with Console(stderr=True).status(f"{first} ...") as status:
        yield lambda words: status.update(f"{words} ...")
