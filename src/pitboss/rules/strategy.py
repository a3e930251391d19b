"""A way to play that has a name: lines that say which action follows from what a player sees."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from pitboss.cards.deck import Card
from pitboss.rules.reading import TableCards

OPTIMAL = "optimal"

# Whether something holds of the player's own cards and those of the table that lie face up.
Sees = Callable[[tuple[Card, ...], TableCards], bool]
Discards = Callable[[tuple[Card, ...]], Card]


@dataclass(frozen=True, slots=True)
class Answer:
    """Asked so, a player who sees all these facts takes this action; the first line that fits counts."""

    ask: str
    action: str
    sees: tuple[str, ...] = ()
    discards: str | None = None  # by which of the game's ways a card is discarded


@dataclass(frozen=True, slots=True)
class Strategy:
    """A named way to play, told in a sentence."""

    name: str
    title: str
    answers: tuple[Answer, ...] = ()  # none for optimal play, which weighs every hand


@dataclass(frozen=True, slots=True)
class Sight:
    """The facts and the ways to discard that strategies name, under the rules in force."""

    facts: Mapping[str, Sees]
    discards: Mapping[str, Discards] = field(default_factory=dict)
