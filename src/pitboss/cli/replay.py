"""`pitboss replay`: a recorded round step by step, and whether the rules still give the same result."""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from rich.text import Text

from pitboss.cli.output import Failure, console, show_json
from pitboss.cli.play.faces import CardFaces, glyphs_for
from pitboss.cli.play.settlement import net_of, settlement_table
from pitboss.cli.waiting import waiting
from pitboss.house import entry_kinds
from pitboss.house.live_table.sealed_events import POSTINGS
from pitboss.house.narrator import Narrator, cited
from pitboss.house.replay import DamagedRecord, ReplayedRound, Step, StillSealed, checked, replay_stream
from pitboss.record.entries import Entry, MalformedEntry, entry_of
from pitboss.record.evidence import TABLES, UnknownRound, find_round
from pitboss.record.store import StoreFault
from pitboss.round import events as happened
from pitboss.round import view
from pitboss.rules.in_force import RulesInForce
from pitboss.rules.payoff import signed
from pitboss.rules.plain import plain
from pitboss.table.people import role_words

NAMED_HERE = "Use only one of --data, --database and --log."
STREAM_HEAD = f'"stream":"{TABLES}'  # an entry of a table, before its line is parsed


def replay_command(round_id: str, *, data: Path | None, database: str | None, log: Path | None, as_json: bool) -> None:
    """Print a round as it was recorded, or exit with what the rules now decide differently."""
    if sum(place is not None for place in (data, database, log)) > 1:
        raise Failure(NAMED_HERE, 2)
    with waiting(f"Reading round {round_id}"):
        found = _recalled(round_id, data, database, log)
    telling_it = _Telling(found)
    if as_json:
        show_json(telling_it.data())
    else:
        telling_it.show()
    if telling_it.disagreements:
        first = telling_it.disagreements[0]
        raise Failure(f"The rules now give a different result than the record: {first.says}.")


def _recalled(round_id: str, data: Path | None, database: str | None, log: Path | None) -> ReplayedRound:
    from pitboss.server.table_documents import read_terms

    try:
        entries = recalled_entries(round_id, data, database, log)
        found = replay_stream(checked(entries), round_id, read_terms)
    except (UnknownRound, StillSealed, StoreFault) as fault:
        raise Failure(str(fault)) from None
    except DamagedRecord as fault:
        raise Failure(f"{fault} Run `pitboss verify` to check the whole record.") from None
    if not found.is_over:
        raise Failure(f"Round {round_id} is still being played. Replay it once it has ended.")
    return found


def recalled_entries(round_id: str, data: Path | None, database: str | None, log: Path | None) -> tuple[Entry, ...]:
    """Return the whole stream of the table that played a round."""
    return _of_log(log, round_id) if log else _of_store(data, database, round_id)


def _of_store(data: Path | None, database: str | None, round_id: str) -> tuple[Entry, ...]:
    from pitboss.cli.serve import data_folder
    from pitboss.record.sql_store import SqlStore

    if database is None:
        file = (data or data_folder("floor")) / "record.db"
        if not file.is_file():
            raise Failure(f"There is no record at {file}. Give the floor's data folder with --data.", 2)
        database = f"sqlite:///{file}"
    store = SqlStore(database)
    try:
        return tuple(store.read(find_round(store, round_id).stream))
    finally:
        store.close()


def _of_log(log: Path, round_id: str) -> tuple[Entry, ...]:
    for entries in table_streams(log).values():
        if any(entry.kind == entry_kinds.ROUND_BEGUN and entry.body.get("round") == round_id for entry in entries):
            return tuple(entries)
    raise UnknownRound(f"There is no round {round_id} in {log}. Check its ID.")


def table_streams(log: Path) -> dict[str, list[Entry]]:
    """Return the entries of every table in an exported record, by stream."""
    streams: dict[str, list[Entry]] = {}
    try:
        with log.open(encoding="utf-8") as lines:
            for line in lines:
                if STREAM_HEAD in line:
                    entry = entry_of(line)
                    streams.setdefault(entry.stream, []).append(entry)
    except OSError as fault:
        raise Failure(f"{log} cannot be read: {fault.strerror or fault}.", 2) from None
    except (MalformedEntry, UnicodeDecodeError) as fault:
        raise Failure(f"{log} is not a record: {fault}.", 2) from None
    return streams


class _Telling:
    def __init__(self, found: ReplayedRound) -> None:
        self._found, self.disagreements = found, found.disagreements()
        first, last = found.steps[0], found.steps[-1]
        self._first, self._end = first, last.play
        ended = next(step.entry for step in found.steps if step.entry.kind == entry_kinds.ROUND_ENDED)
        self._outcome: str = ended.body["outcome"]
        self._rules: RulesInForce = first.play.rules
        self._out = console()
        self._faces = CardFaces(self._rules.game.deck, glyphs_for(self._out.encoding))
        self._narrator = Narrator(self._rules, self._faces.written, opens_cards=True)

    def show(self) -> None:
        """Print the round as a table of steps, its settlement, and whether the rules agree."""
        entry, say = self._first.entry, self._out.print
        say(Text(f"Round {self._found.round} at table {self._found.table}: {self._rules.game.title}"))
        say(Text(f"{_moment(entry.at)} UTC, under version {entry.rules} of the table's submission"))
        for step in self._found.steps:
            said = self._says(step)
            who = f"{step.entry.actor} ({role_words(step.entry.role)})"
            say(Text(f"{step.entry.sequence:>7}  {_moment(step.entry.at)[11:]}  {who}: {said}"), soft_wrap=True)
        envy = [step.event for step in self._found.steps if isinstance(step.event, happened.EnvyPaid)]
        seats = self._seats()
        for seat in seats:
            cards = self._faces.line(seat.cards).plain
            say(
                Text(
                    f"Seat {seat.seat} · {seat.player} · {cards} · {seat.hand or seat.status} · {signed(net_of(seat))}"
                )
            )
            say(settlement_table(self._rules, [seat], () if self._is_void else envy))
        if not self.disagreements:
            say(Text(f"{self._verdict} Outcome: {self._outcome}."), soft_wrap=True)

    def data(self) -> dict[str, Any]:
        """Return the round as JSON data, with cards opened."""
        found, entry = self._found, self._first.entry
        return {
            "round": found.round,
            "table": self._found.table,
            "game": self._rules.game.name,
            "rules": entry.rules,
            "at": entry.at,
            "outcome": self._outcome,
            "agrees": not self.disagreements,
            "disagreements": [disagreement._asdict() for disagreement in self.disagreements],
            "steps": [self._step(step) for step in found.steps],
            "seats": [{**plain(seat), "net": net_of(seat)} for seat in self._seats()],
        }

    @property
    def _is_void(self) -> bool:
        return self._end.outcome == "void"

    @property
    def _verdict(self) -> str:
        events = sum(step.event is not None for step in self._found.steps)
        return f"Replayed under the rules: {events} events of play give the same money and clauses."

    def _seats(self) -> Iterator[Any]:
        return reversed(view(self._end, self._end.seats).seats)

    def _step(self, step: Step) -> dict[str, Any]:
        entry = step.entry
        body = plain(step.event) if step.event is not None else entry.body
        return {
            "sequence": entry.sequence,
            "at": entry.at,
            "actor": entry.actor,
            "role": entry.role,
            "kind": entry.kind,
            "clause": entry.clause,
            "says": self._says(step),
            "event": {name: value for name, value in body.items() if name != POSTINGS},
            "money": entry.body.get(POSTINGS, {}),
            "public": plain(step.public.table),
        }

    def _says(self, step: Step) -> str:
        return cited(self._narrator.tell(*step), step.entry.clause)


def _moment(at: int) -> str:
    return datetime.fromtimestamp(at / 1000, UTC).isoformat(" ", "milliseconds").removesuffix("+00:00")
