"""Optimal play as an agent, which sees only the observation."""

from collections.abc import Callable
from typing import Any

from pitboss.cards.deck import Card, face
from pitboss.lab.environments.encoding import Answer
from pitboss.lab.environments.environment import RoundEnvironment
from pitboss.rules.reading import TableCards


def optimal_policy(environment: RoundEnvironment) -> Callable[[dict[str, Any]], int]:
    """Return a function that maps an observation of this environment to the number of the best action."""
    from pitboss.lab.played import player_of  # loads the compiled kernels, which an environment doesn't need

    rules, encoding = environment.rules, environment.encoding
    decide = player_of(rules)
    deck = rules.game.deck

    def act(observation: dict[str, Any]) -> int:
        taken: set[Card] = set()
        hand = deck.pick(encoding.seen(observation["hand"]), taken)
        table = {place: deck.pick(encoding.seen(observation[place]), taken) for place in encoding.places}
        action, discard = decide(encoding.asks[observation["phase"]], hand, TableCards(**table))
        place = None if discard is None else [face(card) for card in hand].index(face(discard))
        return encoding.answers.index(Answer(action, place))

    return act
