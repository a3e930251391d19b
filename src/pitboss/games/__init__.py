"""One folder a game, found by looking."""

from pitboss.games.catalogue import UnknownGame, game, game_names, games

__all__ = ["UnknownGame", "game", "game_names", "games"]
