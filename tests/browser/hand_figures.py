"""A gaming day's figures, worked out by hand from what people typed: nothing here asks the program."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

Pieces = Mapping[int, int]
CHIPS = (1000_00, 500_00, 100_00, 25_00, 5_00, 1_00)


def worth(pieces: Pieces) -> int:
    """Add up pieces by denomination."""
    return sum(cents * number for cents, number in pieces.items())


def counted(cents: int) -> dict[int, int]:
    """Return an amount in the fewest chips, as a dealer would stack it."""
    heap = {}
    for chip in CHIPS:
        if cents // chip:
            heap[chip], cents = divmod(cents, chip)
    assert cents == 0
    return heap


@dataclass
class TableByHand:
    """One table's day on paper."""

    fills: list[int] = field(default_factory=list)
    credits: list[int] = field(default_factory=list)
    cash: list[int] = field(default_factory=list)  # that went into the drop box
    bought: list[int] = field(default_factory=list)  # by players with a device, from their deposit
    staked: list[int] = field(default_factory=list)
    house_won: list[int] = field(default_factory=list)  # negative where players won
    contributed: int = 0
    voided: int = 0  # rounds whose wagers all came back

    @property
    def win(self) -> int:
        """Return what the house won, less what its stakes fed to the meters."""
        return sum(self.house_won) - self.contributed

    @property
    def drop(self) -> int:
        """Return what was paid for chips at the table."""
        return sum(self.cash) + sum(self.bought)

    @property
    def tray(self) -> int:
        """Return what the tray holds."""
        return sum(self.fills) - sum(self.credits) - self.drop + self.win


@dataclass
class CageByHand:
    """The cage's day on paper."""

    cash: int = 0
    chips: Counter[int] = field(default_factory=Counter)

    def gives(self, pieces: Pieces) -> None:
        """Take chips out."""
        self.chips.subtract(pieces)

    def gets(self, pieces: Pieces) -> None:
        """Put chips in."""
        self.chips.update(pieces)

    @property
    def held(self) -> dict[int, int]:
        """Return the chips that are left, by denomination."""
        return {cents: number for cents, number in self.chips.items() if number}
