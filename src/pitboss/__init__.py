"""Casino table poker, by the book: deal it, price it, prove it."""

__version__ = "0.1.0"

# The public API; the stub next to this file lists the same names for type checkers.
__all__ = [
    "ClusterFailed",
    "MissingExtra",
    "UnknownGame",
    "UnreadableSubmission",
    "WrongTerms",
    "check",
    "edge",
    "environment",
    "game",
    "game_names",
    "rulings",
    "settle",
    "simulate",
    "strategy",
]


def __getattr__(name: str) -> object:
    # The API is above every room and is loaded on first use, so that a command that doesn't need it starts quickly,
    # and a room that only asks for the version imports nothing else.
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module("pitboss.api.calls"), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
