"""One folder per game, discovered automatically."""

from pitboss.games.catalogue import UnknownGame, game, game_names, games

__all__ = ["UnknownGame", "game", "game_names", "games"]
