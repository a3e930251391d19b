"""Optimal play, found once for all hands that differ only by their suits."""

from pitboss.games.colorado_holdem.exact import SOLVER

player = SOLVER.player
