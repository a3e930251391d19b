"""`pitboss leaks`: a record's evidence that answers or bets followed hidden cards, or that a shuffle isn't even."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from rich.text import Text

from pitboss.api.recorded_leaks import RecordedLeaks
from pitboss.cli.output import Failure, console, show_json, show_table
from pitboss.cli.waiting import waiting
from pitboss.lab.leaks import DEALER_AND_PLAYER, KINDS, PLAYER, SHUFFLE, TWO_PLAYERS, Finding, title_of
from pitboss.lab.shuffle_watch import OUTCOMES
from pitboss.lab.wealth import FLOOR_ALPHA
from pitboss.record.entries import Entry, MalformedEntry, entry_of
from pitboss.record.store import StoreFault

SHOWN = 20
TITLES = {
    PLAYER: "player",
    DEALER_AND_PLAYER: "dealer and player",
    TWO_PLAYERS: "player and neighbor",
    SHUFFLE: "shuffle of table",
}


def leaks_command(record: Path, *, as_json: bool) -> None:
    """Print the evidence of every test of a record; exit with 1 if one raised an alarm."""
    with waiting(f"Testing {record}"):
        found = _tested(record)
    if as_json:
        show_json(leaks_data(found))
    else:
        _show(found)
    if found.alarms:
        count = len(found.alarms)
        raise Failure(f"{count} test{'s' if count > 1 else ''} raised an alarm.")


def leaks_data(found: RecordedLeaks) -> dict[str, Any]:
    """Return the evidence as JSON data."""
    return {
        "rounds": found.leaks.rounds,
        "decisions": found.leaks.decisions,
        "false_alarm_bound": FLOOR_ALPHA,
        "alarms": [{"table": raised.table, "at": raised.at, **raised.alarm._asdict()} for raised in found.alarms],
        "tests": [line._asdict() for line in found.leaks.findings()],
        "shuffles": [
            {
                "table": table,
                "rounds": watch.rounds,
                "laboratory": None if watch.laboratory is None else _laboratory(watch.laboratory),
            }
            for table, watch in sorted(found.shuffles.items())
        ],
    }


def _laboratory(tested: Any) -> dict[str, Any]:
    fits = {"places": tested.places, "steps": tested.steps}
    return {
        "rounds": tested.rounds,
        "passes": tested.passes,
        **{name: None if fit is None else {"chi_square": fit.chi_square, "p": fit.p} for name, fit in fits.items()},
    }


def _tested(record: Path) -> RecordedLeaks:
    from pitboss.server.table_documents import read_terms

    file = record / "record.db" if record.is_dir() else record
    if not file.is_file():
        raise Failure(f"There is no record at {file}. Give a floor's data folder, its database or an exported log.", 2)
    found = RecordedLeaks(read_terms)
    try:
        if file.suffix == ".db":
            from pitboss.record.sql_store import SqlStore

            store = SqlStore(f"sqlite:///{file}")
            try:
                found.read(store)
            finally:
                store.close()
        else:
            for entry in _lines(file):
                found.add(entry)
    except (StoreFault, LookupError) as fault:
        raise Failure(str(fault)) from None
    except OSError as fault:
        raise Failure(f"{file} cannot be read: {fault.strerror or fault}.", 2) from None
    except (MalformedEntry, UnicodeDecodeError) as fault:
        raise Failure(f"{file} is not a record: {fault}.", 2) from None
    found.work()
    return found


def _lines(file: Path) -> Iterable[Entry]:
    with file.open(encoding="utf-8") as lines:
        yield from map(entry_of, lines)


def _show(found: RecordedLeaks) -> None:
    out, lines = console(), found.leaks.findings()
    out.print(
        Text(f"{found.leaks.rounds:,} rounds, {found.leaks.decisions:,} decisions, {len(lines):,} running tests.")
    )
    rows = [
        (
            TITLES[line.kind],
            " and ".join(line.subject),
            f"{line.rounds:,}",
            _power(line.evidence_log10),
            _power(line.peak_log10),
            _power(line.threshold_log10),
            title_of(line.suspicion),
            f"ALARM in {line.alarm_round}" if line.alarm_round else "",
        )
        for line in _shown(lines)
    ]
    columns = ("test of", "who", "rounds", "evidence", "highest", "alarm at", "fits best", "")
    show_table("", columns, rows, out)
    if len(lines) > len(rows):
        out.print(Text(f"{len(lines) - len(rows):,} more tests have less evidence; --json prints all."))
    for table, watch in sorted(found.shuffles.items()):
        if watch.laboratory is None:
            left = OUTCOMES - watch.rounds
            out.print(Text(f"Shuffle of {table}: the test of {OUTCOMES:,} rounds at 99% needs {left:,} more rounds."))
        else:
            says = "passed" if watch.laboratory.passes else "FAILED"
            out.print(Text(f"Shuffle of {table}: {says} the test of {OUTCOMES:,} rounds at 99%."))
    bound = f"{FLOOR_ALPHA:.0%}"
    out.print(Text(f"On a floor where nobody sees hidden cards, the chance of any alarm, ever, is at most {bound}."))


def _shown(lines: tuple[Finding, ...]) -> tuple[Finding, ...]:
    kept = [line for kind in KINDS for line in [found for found in lines if found.kind == kind][:SHOWN]]
    return tuple(line for line in lines if line in kept)


def _power(log10: float) -> str:
    return f"{10**log10:.3g}" if abs(log10) < 6 else f"10^{log10:.1f}"
