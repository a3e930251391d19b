"""What a simulated player is asked, and what it answers."""

from collections.abc import Callable

from pitboss.cards.deck import Card
from pitboss.rules.reading import TableCards

# The name of the question, the player's own cards and those of the table that lie face up; the name of the action
# and the card it discards, where it discards one.
Decide = Callable[[str, tuple[Card, ...], TableCards], tuple[str, Card | None]]
