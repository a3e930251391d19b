"""Optional packages, and the error message when one is missing."""

from importlib import import_module
from typing import Any


class MissingExtra(ImportError):
    """An optional package that this feature needs is not installed."""


def brought_by(extra: str, package: str, purpose: str) -> Any:
    """Return an optional package, or raise MissingExtra with the extra that installs it."""
    try:
        return import_module(package)
    except ImportError:
        raise MissingExtra(f"{purpose} need the package {package}. Run: pip install 'pitboss[{extra}]'") from None
