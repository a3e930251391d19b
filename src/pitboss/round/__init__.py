"""One round of any game: command, decide, events, evolve, state; money, order, limits, and who may see what."""

from pitboss.round.decide import decide, least_action, legal_actions, offered_actions
from pitboss.round.evolve import evolve
from pitboss.round.state import Round, open_round
from pitboss.round.view import view

__all__ = ["Round", "decide", "evolve", "least_action", "legal_actions", "offered_actions", "open_round", "view"]
