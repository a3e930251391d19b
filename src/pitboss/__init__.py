"""Casino table poker, by the book: deal it, price it, prove it."""

__version__ = "0.1.0"

# What the front offers; for type checkers the same names stand in the stub beside this file.
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
    # The front stands above every room and is loaded by name when it is first used, so that a command which does not
    # need it starts at once, and a room that asks for the version rests on nothing else.
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module("pitboss.api.calls"), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
