"""What a player sees at each question: which of the table's cards are face up."""

from collections.abc import Iterator, Mapping

from pitboss.rules.dealing import BURN, Deal, TurnUp
from pitboss.rules.in_force import RulesInForce
from pitboss.rules.play import Ask


def questions(rules: RulesInForce) -> Iterator[tuple[str, Mapping[str, int]]]:
    """Yield each question with the number of face-up cards in each place at that point."""
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
