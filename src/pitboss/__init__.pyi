from pitboss.front import (
    MissingExtra,
    WrongTerms,
    check,
    edge,
    environment,
    game,
    game_names,
    rulings,
    settle,
    simulate,
    strategy,
)

__version__: str

__all__ = [
    "MissingExtra",
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
