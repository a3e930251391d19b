"""Coverage is what the quick tests see: slow ones run the same lines again and again, three times slower if watched."""

import sys
import threading
from collections.abc import Generator

import pytest


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """Run a slow test, and what it starts, unwatched."""
    watching, beside = sys.gettrace(), threading.gettrace()
    if watching is None or item.get_closest_marker("slow") is None:
        return (yield)
    sys.settrace(None)
    threading.settrace(None)  # type: ignore[arg-type]
    try:
        return (yield)
    finally:
        sys.settrace(watching)
        threading.settrace(beside)  # type: ignore[arg-type]
