"""A person's details besides the account name: full name, badge and license number, as forms print them."""

from collections.abc import Iterable
from dataclasses import dataclass, fields

from pitboss.house.people import house_rules as rule
from pitboss.rules.refusal import Refusal

LONGEST = {"full_name": 80, "badge": 20, "license": 40}
_TITLES = {"full_name": "full name", "badge": "badge", "license": "license number"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Details:
    """A person's full name, badge and license number; empty where the house has none."""

    full_name: str = ""
    badge: str = ""
    license: str = ""

    def signed(self, name: str) -> str:
        """Return how a form names a person: Dana Reyes (dana), badge 1042, license DL-7."""
        who = f"{self.full_name} ({name})" if self.full_name else name
        badge = [f"badge {self.badge}"] if self.badge else []
        return ", ".join([who, *badge, *([f"license {self.license}"] if self.license else [])])


NO_DETAILS = Details()


def check_details(details: Details, others: Iterable[Details]) -> Refusal | None:
    """Return why these details are refused, or None; no two people have the same badge or license number."""
    for name, longest in LONGEST.items():
        value = getattr(details, name)
        if len(value) > longest or value != value.strip() or not value.isprintable():
            reason = f"Enter a {_TITLES[name]} of up to {longest} characters, with no space at either end"
            return Refusal(reason, rule.DETAILS, name)
    for other in others:
        for name in ("badge", "license"):
            value = getattr(details, name)
            if value and value.casefold() == getattr(other, name).casefold():
                return Refusal(f"Someone else has this {_TITLES[name]}. Enter another", rule.DETAILS, name)
    return None


assert {field.name for field in fields(Details)} == set(LONGEST), "each detail has a length"
