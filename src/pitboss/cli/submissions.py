"""`pitboss check` and `pitboss compare`, and how other commands read a submission's choices."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pitboss.cli.output import Failure, console, show_json, show_table
from pitboss.games import game
from pitboss.rules.choices import Choices
from pitboss.rules.in_force import RulesInForce
from pitboss.submission.case import case_of
from pitboss.submission.check import check, notes
from pitboss.submission.compare import Change, compare
from pitboss.submission.document import Submission
from pitboss.submission.explain import explain
from pitboss.submission.read import UnreadableSubmission, read_submission
from pitboss.submission.table_choices import choices_for

if TYPE_CHECKING:
    from pitboss.lab.before_and_after import Moved
    from pitboss.lab.worth import Worth


def check_command(file: Path, *, as_json: bool) -> None:
    """Print every fault of a submission, or its choices if it has none."""
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
        count = f"{len(faults)} error{'s' * (len(faults) > 1)}"
        raise Failure(f"{file} has {count} and can't take effect.")


def compare_command(old: Path, new: Path, *, as_json: bool) -> None:
    """Print the changes between two submissions, and every wager whose value changed."""
    before, after = read(old), read(new)
    changes = compare(before, after)
    edges = _edges(before, after, changes)
    if as_json:
        rows = [
            {"table": table, "wager": edge.wager, "before": _data(edge.before), "after": _data(edge.after)}
            for table, edge in edges
        ]
        show_json({"changes": [change.as_dict() for change in changes], "edges": rows})
        return
    out = console()
    for change in changes:
        out.print(str(change), markup=False)
    if not changes:
        out.print("Nothing changed.")
    if edges:
        out.print("\nPaytable, house edge and expected value per unit staked; for the main game, per unit of Ante:")
        cells = [(table, edge.wager, _told(edge.before), _told(edge.after)) for table, edge in edges]
        show_table("", ("table", "wager", "before", "after"), cells, out)


def _edges(old: Submission, new: Submission, changes: Sequence[Change]) -> list[tuple[str, "Moved"]]:
    names = dict.fromkeys(change.table for change in changes if change.table)
    if not names:
        return []
    from pitboss.cli.waiting import waiting
    from pitboss.lab.before_and_after import moved
    from pitboss.lab.exact_counts import NotAnalysed

    former = {change.table: change.before for change in changes if change.what == "name"}
    before, after = _in_force(old), _in_force(new)
    found: list[tuple[str, Moved]] = []
    with waiting("Loading kernels (compiled on first use)") as announce:
        for name in names:
            try:
                rules = before.get(former.get(name) or name), after.get(name)
                found += [(name, edge) for edge in moved(*rules, announce)]
            except NotAnalysed:
                continue
    return found


def _in_force(submission: Submission) -> dict[str, RulesInForce]:
    return {
        table.name or f"table[{index}]": RulesInForce(game(table.game), choices_for(table))
        for index, table in enumerate(submission.tables)
        if table.game and case_of(table, index)
    }


def _data(worth: "Worth | None") -> dict[str, Any] | None:
    if worth is None:
        return None
    return {"paytable": worth.paytable, "ev": str(worth.ev), "house_edge": float(worth.house_edge)}


def _told(worth: "Worth | None") -> str:
    if worth is None:
        return "not offered"
    return f"{worth.paytable or ''} {float(worth.house_edge):.4%}  {worth.ev}".strip()


def read(file: Path) -> Submission:
    """Return the submission in a file, or fail with a sentence."""
    try:
        return read_submission(file)
    except UnreadableSubmission as wrong:
        raise Failure(str(wrong)) from None


def table_choices(file: Path, table: str | None) -> Mapping[str, Choices]:
    """Return the choices of a faultless submission by game, for the named table if several deal the same game."""
    submission = read(file)
    faults = check(submission)
    if faults:
        raise Failure(f"{file} has errors; `pitboss check` lists them. The first: {faults[0]}.")
    tables = [listed for listed in submission.tables if table is None or listed.name == table]
    if not tables:
        names = ", ".join(str(listed.name) for listed in submission.tables)
        raise Failure(f"{file} has no table called {table!r}. Its tables: {names}.", 2)
    found: dict[str, Choices] = {}
    for listed in tables:
        assert listed.game is not None
        if listed.game in found:
            raise Failure(f"{file} has several tables for {listed.game}. Choose one with --table.", 2)
        found[listed.game] = choices_for(listed)
    return found
