"""What a table's layout and its sign must carry, as data for the page and the packet."""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Area:
    """A place on the layout: a betting area of each seat, or a place for cards."""

    name: str
    title: str
    cite: str
    each_seat: bool = True
    if_offered: str | None = None
    where: str = ""  # if the rulebook says where it is
    after_equals: bool = False  # an equals sign is printed before it

    @property
    def inscription(self) -> str:
        """Return everything that is printed there."""
        return f"= {self.title}" if self.after_equals else self.title


@dataclass(frozen=True, slots=True)
class Inscription:
    """A sentence the layout or a posted sign must carry, under an option fact or a paytable fact if one is named."""

    text: str
    cite: str
    when: str | None = None
    also: str | None = None  # a second fact that must also hold
    alternative: str = ""  # other words that satisfy the clause as well


@dataclass(frozen=True, slots=True)
class Furniture:
    """A thing the table must have."""

    name: str
    cite: str
    if_offered: str | None = None
    dealing: str | None = None  # only with this dealing method
    elsewhere_cite: str | None = None  # the clause under which another place may be approved


@dataclass(frozen=True)
class Layout:
    """Everything printed, posted or bolted to a table."""

    areas: tuple[Area, ...]
    inscriptions: tuple[Inscription, ...]
    furniture: tuple[Furniture, ...]
    odds_cites: Mapping[
        str, str
    ]  # option fact, or "" for always, to the clause that demands the odds on layout or sign
    odds_words: tuple[str, ...] = ("to", "for")
    odds_words_cite: str | None = None
    odds_words_cites: Mapping[str, str] = field(default_factory=dict)  # by option fact, where versions differ in clause
    submitted_cite: str | None = None  # the clause that has the layout submitted for approval
    sign_cite: str | None = None  # the clause that allows a posted sign instead of inscriptions
