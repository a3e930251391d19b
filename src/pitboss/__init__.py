"""Casino table poker, by the book: deal it, price it, prove it."""

__version__ = "0.1.0"

TYPE_CHECKING = False  # as in typing, which takes longer to import than this package does
if TYPE_CHECKING:
    from pitboss.front import MissingExtra, WrongTerms, edge, game, game_names, rulings, settle

__all__ = ["MissingExtra", "WrongTerms", "edge", "game", "game_names", "rulings", "settle"]


def __getattr__(name: str) -> object:
    # The front is loaded when it is first used, so that a command which does not need it starts at once.
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from pitboss import front

    return getattr(front, name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__} - {"TYPE_CHECKING"})
