"""Explains a submission's choices: a sentence for each accepted choice, with its clause and rulings."""

from collections.abc import Iterator
from dataclasses import asdict, dataclass

from pitboss.submission.case import cases_of
from pitboss.submission.check import check
from pitboss.submission.document import Submission
from pitboss.submission.fault import covers
from pitboss.submission.terms import terms_of


@dataclass(frozen=True, slots=True)
class Explanation:
    """One accepted choice in a sentence, with its clause and the rulings on it."""

    table: str | None
    where: str
    sentence: str
    clause: str | None = None
    rulings: tuple[str, ...] = ()

    def __str__(self) -> str:
        sources = ", ".join(filter(None, (self.clause, *self.rulings)))
        return f"{self.sentence} ({sources})" if sources else self.sentence

    def as_dict(self) -> dict[str, object]:
        """Return the explanation as plain data."""
        return asdict(self) | {"rulings": list(self.rulings)}


def explain(submission: Submission) -> tuple[Explanation, ...]:
    """Return a sentence for each choice without a fault."""
    faults = [fault.where for fault in check(submission)]
    return tuple(
        explanation
        for explanation in _explanations(submission)
        if not any(covers(where, explanation.where) or covers(explanation.where, where) for where in faults)
    )


def _explanations(submission: Submission) -> Iterator[Explanation]:
    facility = submission.facility
    if facility.name is not None:
        yield Explanation(None, "facility.name", f"{facility.name} submits these rules")
    if facility.jurisdiction is not None:
        yield Explanation(None, "facility.jurisdiction", f"The tables follow the rulebooks of {facility.jurisdiction}")
    for case in cases_of(submission):
        for term in terms_of(case):
            if term.sentence is not None:
                where = case.place(*term.path)
                yield Explanation(case.table.name, where, term.sentence, term.clause, term.rulings)
