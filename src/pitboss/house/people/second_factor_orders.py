"""What two administrators order about second factors, as the back office takes it."""

from dataclasses import dataclass

from pitboss.house.people import commands as asked
from pitboss.house.people.roles import ADMINISTRATOR
from pitboss.table.people import Person


@dataclass(frozen=True, slots=True, kw_only=True)
class ResetFactors:
    """Remove a person's second factors and recovery codes."""

    person: str

    def ordered(self, by: str, second: str, at: int) -> asked.ResetFactors:
        """Return the command of two people."""
        return asked.ResetFactors(by=Person(by, ADMINISTRATOR), at=at, person=self.person, second=second)


@dataclass(frozen=True, slots=True, kw_only=True)
class DemandSecondFactor:
    """Require a second factor for these roles and no others."""

    roles: tuple[str, ...]

    def ordered(self, by: str, second: str, at: int) -> asked.DemandSecondFactor:
        """Return the command of two people."""
        return asked.DemandSecondFactor(by=Person(by, ADMINISTRATOR), at=at, roles=self.roles, second=second)


OfFactors = ResetFactors | DemandSecondFactor
