"""Gives people links and passwords: at once, or as soon as a second administrator confirms it."""

from pitboss.house.back_office import BackOffice
from pitboss.house.people.access import takes_two_to_give
from pitboss.house.people.accounts import check_standing
from pitboss.house.people.authorization import allowed, role_for
from pitboss.house.people.passwords import Password
from pitboss.house.people.people_office import Office
from pitboss.house.running_tables import Asked
from pitboss.rules.refusal import Refusal
from pitboss.table.people import Person


class AccessDesk:
    """What an administrator asks for in order to give another person access."""

    def __init__(self, back_office: BackOffice, people: Office) -> None:
        self._back_office = back_office
        self._people = people

    async def give_link(self, asked: Asked, person: str) -> tuple[str, str | None] | Refusal:
        """Return the token of a sign-in link, and the proposal that a second administrator has to confirm first."""
        by = _as(asked, "IssueLink")
        if not self._takes_two():
            issued = await self._people.issue_link(by, person)
            return issued if isinstance(issued, Refusal) else (issued.token, None)
        order, link = self._people.link_to_give(by, person)
        answer = await self._back_office.order(asked, order)
        return answer if isinstance(answer, Refusal) else (link.token, asked.id)

    async def give_password(self, asked: Asked, person: str, password: Password) -> str | Refusal | None:
        """Give another person a password, and return the proposal that a second administrator has to confirm first."""
        by = _as(asked, "SetPassword")
        refusal = check_standing(self._people.people, by) or allowed(by, "SetPassword")  # before the slow hash
        if refusal:
            return refusal
        if not self._takes_two():
            recorded = await self._people.set_password(by, person, password)
            return recorded if isinstance(recorded, Refusal) else None
        order = await self._people.password_to_give(by, person, password)
        if isinstance(order, Refusal):
            return order
        answer = await self._back_office.order(asked, order)
        if isinstance(answer, Refusal):
            await self._people.discard_password(order)
            return answer
        return asked.id

    def _takes_two(self) -> bool:
        return takes_two_to_give(self._people.people, has_money=self._back_office.has_money)


def _as(asked: Asked, kind: str) -> Person:
    return Person(asked.person, role_for(asked.roles, kind) or asked.roles[0])
