"""Packages that only some of the program needs, and the sentence said where one is missing."""

from importlib import import_module
from typing import Any


class MissingExtra(ImportError):
    """An optional package that this needs is not installed."""


def brought_by(extra: str, package: str, purpose: str) -> Any:
    """Return an optional package, or say which extra brings it."""
    try:
        return import_module(package)
    except ImportError:
        raise MissingExtra(f"{purpose} need {package}, which `pip install pitboss[{extra}]` brings.") from None
