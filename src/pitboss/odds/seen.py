"""What a player sees when asked: which cards of the table lie face up at each question."""

from collections.abc import Iterator, Mapping

from pitboss.rules.dealing import BURN, Deal, TurnUp
from pitboss.rules.in_force import RulesInForce
from pitboss.rules.play import Ask


def questions(rules: RulesInForce) -> Iterator[tuple[str, Mapping[str, int]]]:
    """Yield each question with how many cards of each place lie face up when it is put."""
    up: dict[str, int] = {}
    for step in rules.play:
        if isinstance(step, Ask):
            yield step.name, {place: count for place, count in up.items() if place in rules.game.table_cards}
        elif isinstance(step, Deal):
            for move in rules.moves(step):
                if isinstance(move, TurnUp):
                    up[move.place] = move.cards
                elif move.face_up and move.place != BURN:
                    up[move.place] = up.get(move.place, 0) + move.cards
