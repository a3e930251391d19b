"""`pitboss check` and `pitboss compare`, and how other commands take their choices from a submission."""

from collections.abc import Mapping
from pathlib import Path

from pitboss.cli.output import Failure, console, show_json
from pitboss.rules.choices import Choices
from pitboss.submission.check import check, notes
from pitboss.submission.choices import choices_for
from pitboss.submission.compare import compare
from pitboss.submission.document import Submission
from pitboss.submission.explain import explain
from pitboss.submission.read import UnreadableSubmission, read_submission


def check_command(file: Path, *, as_json: bool) -> None:
    """Print every fault of a submission, or what it chooses when it has none."""
    submission = read(file)
    faults, remarks = check(submission), notes(submission)
    sentences = explain(submission)
    if as_json:
        show_json(
            {
                "accepted": not faults,
                "faults": [fault.as_dict() for fault in faults],
                "notes": [note.as_dict() for note in remarks],
                "choices": [sentence.as_dict() for sentence in sentences],
            }
        )
    else:
        out = console()
        for fault in faults:
            out.print(f"✗ {fault}", markup=False)
        for note in remarks:
            out.print(f"! {note}", markup=False)
        heading: str | None = ""
        for sentence in sentences if not faults else ():
            if sentence.table != heading and sentence.table:
                heading = sentence.table
                out.print(f"\n{heading}", style="bold", markup=False)
            out.print(f"✓ {sentence}", markup=False)
    if faults:
        count = f"{len(faults)} fault{'s' * (len(faults) > 1)}"
        raise Failure(f"{file} cannot be put in force: {count}.")


def compare_command(old: Path, new: Path, *, as_json: bool) -> None:
    """Print what changed between two submissions."""
    changes = compare(read(old), read(new))
    if as_json:
        show_json([change.as_dict() for change in changes])
        return
    out = console()
    for change in changes:
        out.print(str(change), markup=False)
    if not changes:
        out.print("Nothing changed.")


def read(file: Path) -> Submission:
    """Return the submission in a file, or fail with a sentence."""
    try:
        return read_submission(file)
    except UnreadableSubmission as wrong:
        raise Failure(str(wrong)) from None


def table_choices(file: Path, table: str | None) -> Mapping[str, Choices]:
    """Return the choices of a sound submission by game, of one table where several deal the same game."""
    submission = read(file)
    faults = check(submission)
    if faults:
        raise Failure(f"{file} cannot be put in force; `pitboss check` names its faults. The first: {faults[0]}.")
    tables = [one for one in submission.tables if table is None or one.name == table]
    if not tables:
        names = ", ".join(str(one.name) for one in submission.tables)
        raise Failure(f"{file} has no table called {table!r}; it has {names}.", 2)
    found: dict[str, Choices] = {}
    for one in tables:
        assert one.game is not None
        if one.game in found:
            raise Failure(f"{file} has several tables of {one.game}; choose one with --table.", 2)
        found[one.game] = choices_for(one)
    return found
