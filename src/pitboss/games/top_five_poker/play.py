"""Optimal play, found once for each kind of hand."""

from pitboss.games.top_five_poker.exact import SOLVER

player = SOLVER.player
