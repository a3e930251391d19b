"""Starts a session from the command's options: checks them, plays or demonstrates, and reports errors in a sentence."""

import os
import sys
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from pitboss.cli.output import Failure
from pitboss.cli.play.record import NoRecord, Record, RecordFile, default_path
from pitboss.cli.play.screen import Left, Screen
from pitboss.cli.play.table import FreePlayTable
from pitboss.cli.play.terms import TableTerms, tables_for
from pitboss.cli.play.words import refusal_words
from pitboss.round.stakes import opening_stakes


@dataclass(frozen=True, slots=True)
class Wish:
    """The command's options."""

    game: str | None
    seats: int
    seat: int
    stake_cents: int | None
    submission: Path | None
    table: str | None
    record: Path | None
    seed: int | None


def start(wish: Wish, *, as_json: bool) -> int:
    """Play or demonstrate, and return the exit status."""
    for stream in (sys.stdout, sys.stderr):
        # Clauses contain signs that an old terminal's encoding may lack; a question mark is better than a failure.
        with suppress(AttributeError, ValueError):
            stream.reconfigure(errors="replace")  # type: ignore[union-attr]
    try:
        _check_wish(wish)
        tables = tables_for(wish.game, wish.submission, wish.table)
        if as_json or not on_terminal():
            return _demonstrate(tables, wish, as_json=as_json)
        return sit_down(tables, wish, _screen())
    except Failure as failure:
        print(failure, file=sys.stderr)
        return failure.status
    except KeyboardInterrupt:
        return 0
    except BrokenPipeError:
        # The reader of the demonstration stopped reading: nothing more can be written, and nothing failed.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0


def on_terminal() -> bool:
    """Return whether a person can read and type here."""
    return all(stream is not None and stream.isatty() for stream in (sys.stdin, sys.stdout))


def sit_down(tables: tuple[TableTerms, ...], wish: Wish, screen: Screen) -> int:
    """Seat the player at a table and play until they leave."""
    from pitboss.cli.play.menu import choose_table
    from pitboss.cli.play.session import Session

    try:
        terms = choose_table(screen, tables) if len(tables) > 1 else tables[0]
    except Left:
        screen.say("You played no rounds.")
        return 0
    _check_terms(terms, wish)
    record = RecordFile(wish.record or default_path(terms.game.name), append=wish.record is not None)
    table = _table(terms, wish, record, human=wish.seat)
    session = Session(table, screen, wish.seat, wish.stake_cents)
    try:
        session.play()
    except (Left, KeyboardInterrupt):
        screen.say(session.farewell())
        if record.holds_anything:
            screen.say(f"Recorded in {record.path}")
    finally:
        record.close()
    return 0


def _demonstrate(tables: tuple[TableTerms, ...], wish: Wish, *, as_json: bool) -> int:
    from pitboss.cli.play.demonstration import JsonLines, demonstrate, demonstrate_as_data

    for terms in tables:
        _check_terms(terms, wish)
    # A demonstration is recorded only on request.
    kept: Record = RecordFile(wish.record, append=True) if wish.record else NoRecord()
    record = JsonLines(kept, sys.stdout) if as_json else kept
    try:
        played = (_table(terms, wish, record, human=None) for terms in tables)
        if as_json:
            demonstrate_as_data(played, sys.stdout)
        else:
            demonstrate(played)
        sys.stdout.flush()
    finally:
        record.close()
    return 0


def _screen() -> Screen:
    from rich.console import Console

    from pitboss.cli.play.terminal import read_line

    return Screen(Console(highlight=False), read_line)


def _table(terms: TableTerms, wish: Wish, record: Record, human: int | None) -> FreePlayTable:
    return FreePlayTable(
        terms, seats=wish.seats, human=human, stake_cents=wish.stake_cents, seed=wish.seed, record=record
    )


def _check_wish(wish: Wish) -> None:
    if wish.seats < 1:
        raise Failure(f"--seats must be at least 1, not {wish.seats}.", 2)
    if not 1 <= wish.seat <= wish.seats:
        raise Failure(f"--seat must be from 1 to {wish.seats}, not {wish.seat}. Use --seats for more seats.", 2)
    if wish.stake_cents is not None and wish.stake_cents <= 0:
        raise Failure(f"--stake must be a positive number of cents, not {wish.stake_cents}.", 2)


def _check_terms(terms: TableTerms, wish: Wish) -> None:
    most = terms.rules.seats_most
    if wish.seats > most:
        clause = terms.game.positions.cite
        raise Failure(f"{terms.title} has at most {most} seats, not {wish.seats} ({clause}).", 2)
    if wish.stake_cents is None:
        return
    refusal = terms.rules.check_stakes(opening_stakes(terms.rules, wish.stake_cents))
    if refusal:
        raise Failure(f"{terms.title}: {refusal_words(refusal)}")
