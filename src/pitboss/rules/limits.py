"""What may be staked on a wager at a table."""

from dataclasses import dataclass

from pitboss.rules.payoff import dollars


@dataclass(frozen=True)
class Limits:
    """The stakes a wager takes, in cents; None where nothing is set."""

    minimum: int | None = None
    maximum: int | None = None
    step: int | None = None  # every stake is a multiple of it
    fixed: tuple[int, ...] = ()  # the only stakes taken, where the rulebook or the table fixes them

    @property
    def least(self) -> int:
        """Return the lowest stake taken."""
        if self.fixed:
            return min(self.fixed)
        least, step = self.minimum or 1, self.step or 1
        return -(-least // step) * step

    def objection(self, title: str, cents: int) -> str | None:
        """Return why a wager of this title doesn't take a stake, or None if it does."""
        if self.fixed and cents not in self.fixed:
            return f"{title} must be {' or '.join(map(dollars, self.fixed))}, not {dollars(cents)}"
        if self.minimum is not None and cents < self.minimum:
            return f"{title} must be at least {dollars(self.minimum)} at this table, not {dollars(cents)}"
        if self.maximum is not None and cents > self.maximum:
            return f"{title} must be at most {dollars(self.maximum)} at this table, not {dollars(cents)}"
        if self.step and cents % self.step:
            return f"{title} must be a multiple of {dollars(self.step)} at this table; {dollars(cents)} isn't"
        return None
