from pitboss.api.calls import (
    ClusterFailed,
    MissingExtra,
    UnknownGame,
    UnreadableSubmission,
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
