"""Shows on a terminal what a long command is doing, and nothing in a pipe."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def waiting(first: str) -> Iterator[Callable[[str], None]]:
    """Show a spinner with the current step; yield the function that changes its text."""
    if not sys.stderr.isatty():
        yield lambda _: None
        return
    from rich.console import Console

    from pitboss.odds.announcing import told

    words = first
    with Console(stderr=True).status(f"{words} ...") as status:

        def announce(now: str) -> None:
            nonlocal words
            words = now
            status.update(f"{words} ...")

        def compiling(kernel: str | None) -> None:
            status.update(f"{words}: compiling {kernel}, first time only ..." if kernel else f"{words} ...")

        with told(compiling):
            yield announce
