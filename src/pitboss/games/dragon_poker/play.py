"""Optimal play, found once for each three faces."""

from pitboss.games.dragon_poker.exact import SOLVER

player = SOLVER.player
