"""Listeners for kernel compilation, which happens the first time a kernel is used and takes seconds."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

Listener = Callable[[str | None], None]  # the kernel being compiled, None when it is done

_listeners: list[Listener] = []


@contextmanager
def told(listener: Listener) -> Iterator[None]:
    """Notify a listener of every compilation until the block ends."""
    _listeners.append(listener)
    try:
        yield
    finally:
        _listeners.remove(listener)


def tell(kernel: str | None) -> None:
    """Tell the listener which kernel is being compiled, or that compilation ended."""
    for listener in tuple(_listeners):
        listener(kernel)
