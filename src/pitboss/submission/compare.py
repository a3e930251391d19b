"""Says what changed between two submissions, table by table, and under which clause."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from pitboss.submission.case import case_of
from pitboss.submission.document import Submission, SubmittedTable
from pitboss.submission.terms import Term, terms_of
from pitboss.submission.toml_keys import place

Terms = Mapping[str, Term]


@dataclass(frozen=True, slots=True)
class Change:
    """A choice that changed; before or after is None if it was not made."""

    table: str | None
    what: str
    before: str | None
    after: str | None
    clause: str | None = None
    path: tuple[str, ...] = field(default=(), compare=False)  # the keys of `what`

    def __str__(self) -> str:
        change = f"{self.what}: {self.before or 'none'} -> {self.after or 'none'}"
        told = f"{self.table}: {change}" if self.table else change
        return f"{told} ({self.clause})" if self.clause else told

    def as_dict(self) -> dict[str, str | None]:
        """Return the change as plain data."""
        return {
            "table": self.table,
            "what": self.what,
            "before": self.before,
            "after": self.after,
            "clause": self.clause,
        }


def compare(old: Submission, new: Submission) -> tuple[Change, ...]:
    """Return every choice that differs; a different order of tables, keys or wagers is not a change."""
    return (*_facility(old, new), *_tables(_by_name(old), _by_name(new)))


def _facility(old: Submission, new: Submission) -> Iterator[Change]:
    pairs = (
        ("name", old.facility.name, new.facility.name),
        ("jurisdiction", old.facility.jurisdiction, new.facility.jurisdiction),
    )
    for key, before, after in pairs:
        if before != after:
            yield Change(None, f"facility.{key}", before, after, path=("facility", key))


def _by_name(submission: Submission) -> dict[str, Terms]:
    return {table.name or f"table[{index}]": _terms(table, index) for index, table in enumerate(submission.tables)}


def _terms(table: SubmittedTable, index: int) -> Terms:
    case = case_of(table, index)
    if case is None:
        return {"game": Term(("game",), table.game or "", None)}
    found = {}
    for term in terms_of(case):
        what = ""
        for key in term.path:
            what = place(what, key)
        found[what] = term
    return found


def _tables(old: Mapping[str, Terms], new: Mapping[str, Terms]) -> Iterator[Change]:
    gone = [name for name in old if name not in new]
    for name, terms in new.items():
        if name in old:
            yield from _changes(name, old[name], terms)
            continue
        former = next((other for other in gone if not any(_changes(name, old[other], terms))), None)
        if former is None:
            yield Change(name, "table", None, terms["game"].value, path=("table",))
        else:
            gone.remove(former)
            yield Change(name, "name", former, name, path=("name",))
    for name in gone:
        yield Change(name, "table", old[name]["game"].value, None, path=("table",))


def _changes(name: str, old: Terms, new: Terms) -> Iterator[Change]:
    for what in dict.fromkeys((*old, *new)):
        before, after = old.get(what), new.get(what)
        if _implied(what, before, after, old, new):
            continue
        if before is None or after is None or before.value != after.value:
            clause = after.clause if after else before.clause if before else None
            values = before.value if before else None, after.value if after else None
            yield Change(name, what, *values, clause, (after or before or old["game"]).path)


def _implied(what: str, before: Term | None, after: Term | None, old: Terms, new: Terms) -> bool:
    # If a wager was added or removed, the lines of its paytable are not listed as changes.
    path = (after or before or old["game"]).path
    wager = place("wagers", path[1]) if len(path) > 2 else what
    return path[2:3] == ("odds",) and (before is None or after is None) and (wager in old) != (wager in new)
