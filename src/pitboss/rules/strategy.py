"""Named strategies: lines that say which action to take from what a player sees."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from pitboss.cards.deck import Card
from pitboss.rules.reading import TableCards

OPTIMAL = "optimal"

# Whether something is true of the player's own cards and the face-up cards on the table.
Sees = Callable[[tuple[Card, ...], TableCards], bool]
Discards = Callable[[tuple[Card, ...]], Card]


@dataclass(frozen=True, slots=True)
class Answer:
    """At this decision, a player who sees all these facts takes this action; the first line that fits counts."""

    ask: str
    action: str
    sees: tuple[str, ...] = ()
    discards: str | None = None  # which of the game's discard rules to use


@dataclass(frozen=True, slots=True)
class Strategy:
    """A named way to play, with a one-sentence description."""

    name: str
    title: str
    answers: tuple[Answer, ...] = ()  # empty for optimal play, which weighs every hand
    plays_the_chart: bool = False  # whether these lines are the game's chart under its default rules


@dataclass(frozen=True, slots=True)
class Sight:
    """The facts and the ways to discard that strategies name, under the rules in force."""

    facts: Mapping[str, Sees]
    discards: Mapping[str, Discards] = field(default_factory=dict)
