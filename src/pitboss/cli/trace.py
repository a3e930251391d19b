"""`pitboss trace`: every clause, what the program does about it, and the code and tests that show it."""

from collections import Counter

from pitboss.cli.games import known_game
from pitboss.cli.output import STATUS_COLUMNS, console, show_json, show_table
from pitboss.games import game_names
from pitboss.games.clauses import Clause, clauses


def trace_command(name: str | None, *, as_json: bool) -> None:
    """Print the clause matrix and its totals."""
    names = (known_game(name).name,) if name else game_names()
    found = {game: clauses(game) for game in names}
    if as_json:
        show_json([_data(game, clause) for game, every in found.items() for clause in every])
        return
    out = console()
    for game, every in found.items():
        rows = [(clause.id, clause.status, clause.summary, _shown_by(clause)) for clause in every]
        show_table(known_game(game).title, ("clause", "status", "what it says", "code and tests"), rows, out)
    totals: list[tuple[str, ...]] = []
    for game, every in found.items():
        count = Counter(clause.status for clause in every)
        totals.append((game, str(len(every)), *(str(count[status]) for status in STATUS_COLUMNS)))
    total = Counter(clause.status for every in found.values() for clause in every)
    totals.append(("all", str(total.total()), *(str(total[status]) for status in STATUS_COLUMNS)))
    show_table("Totals", ("game", "clauses", *STATUS_COLUMNS), totals, out)


def _shown_by(clause: Clause) -> str:
    under = f" ({clause.under})" if clause.under else ""
    said = [f"{clause.entry or clause.text}{under}"] if clause.entry or clause.text else []
    return clause.reason or "\n".join((*said, *clause.code, *clause.tests))


def _data(name: str, clause: Clause) -> dict[str, object]:
    return {
        "game": name,
        "clause": clause.id,
        "summary": clause.summary,
        "status": clause.status,
        "code": list(clause.code),
        "tests": list(clause.tests),
        "reason": clause.reason or None,
        "entry": clause.entry or None,
        "text": clause.text or None,
        "under": clause.under or None,
    }
