"""What to simulate, as a value that any process can receive and play part of."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from pitboss.games.catalogue import game
from pitboss.lab.blocks import Block
from pitboss.lab.played import Table
from pitboss.lab.players import is_compiled, player_of, whole_tables_of
from pitboss.rules.choices import Choices
from pitboss.rules.in_force import RulesInForce
from pitboss.rules.strategy import OPTIMAL

BLOCK_ROUNDS = 1000
WHOLE_BLOCK_ROUNDS = 50_000  # for a game whose tables are read in bulk; the result is the same

Work = tuple[int, int]  # the first round of a block, and how many
Play = Callable[[list[Work]], Iterator[Block]]  # blocks in any order


@dataclass(frozen=True, slots=True)
class Plan:
    """A table of a game under an operator's choices, dealt from a seed; all seats play the same strategy."""

    game: str
    choices: Choices
    seats: int
    seed: int
    strategy: str = OPTIMAL

    @property
    def block_rounds(self) -> int:
        """Return the number of rounds in one block."""
        return WHOLE_BLOCK_ROUNDS if is_compiled(self.game, self.strategy) else BLOCK_ROUNDS

    def table(self) -> Table:
        """Return the table, ready to play."""
        rules = RulesInForce(game(self.game), self.choices)
        return Table(rules, self.seats, player_of(rules, self.strategy), whole_tables_of(rules, self.strategy))


def work_of(rounds: int, block_rounds: int = BLOCK_ROUNDS) -> list[Work]:
    """Return the blocks for a number of rounds."""
    return [(first, min(block_rounds, rounds - first)) for first in range(0, rounds, block_rounds)]
