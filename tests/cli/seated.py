"""A person at the terminal's table with scripted input; every screen they saw is kept with the state behind it."""

import io
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest
from rich.console import Console

from cli.recorded_play import RecordedRound, read_rounds
from pitboss.cards import Card, Deck
from pitboss.cli.play import start as starting
from pitboss.cli.play import table as tables
from pitboss.cli.play.screen import Screen
from pitboss.cli.play.start import Wish
from pitboss.cli.play.table import FreePlayTable
from pitboss.cli.play.terms import tables_for
from pitboss.round.state import Round

CTRL_D, CTRL_C = EOFError(), KeyboardInterrupt()
Typed = str | BaseException
WISH = Wish(
    game="ultimate-texas-holdem",
    seats=3,
    seat=1,
    stake_cents=None,
    submission=None,
    table=None,
    record=None,
    seed=7,
)


@dataclass
class Seated:
    """What came of a session."""

    pages: list[str] = field(default_factory=list)
    states: list[Round | None] = field(default_factory=list)  # behind each page
    tables: list[FreePlayTable] = field(default_factory=list)
    status: int | None = None
    farewell: str = ""
    record: Path = Path()

    @property
    def table(self) -> FreePlayTable:
        """Return the table that was played at."""
        return self.tables[-1]

    @property
    def rounds(self) -> tuple[RecordedRound, ...]:
        """Return what the record holds."""
        return read_rounds(self.record)


def sit(
    monkeypatch: pytest.MonkeyPatch,
    folder: Path,
    typed: Sequence[Typed],
    *,
    before: Callable[[Seated, int], None] | None = None,
    in_users_folder: bool = False,
    width: int = 80,
    **wished: object,
) -> Seated:
    """Play a session with these lines; Ctrl-D follows the last."""
    seated = Seated(record=folder / "session.jsonl")
    out = io.StringIO()
    lines = iter((*typed, CTRL_D))
    shown = 0

    class Watched(FreePlayTable):
        def __init__(self, *args: object, **rest: object) -> None:
            super().__init__(*args, **rest)
            seated.tables.append(self)

    def read_line(prompt: str) -> str:
        nonlocal shown
        text = out.getvalue() + prompt
        seated.pages.append(text[shown:])
        seated.states.append(seated.table.state if seated.tables else None)
        shown = len(out.getvalue())
        if before is not None:
            before(seated, len(seated.pages) - 1)
        line = next(lines)
        if isinstance(line, BaseException):
            raise line
        return line

    monkeypatch.setattr(starting, "FreePlayTable", Watched)
    wish = replace(WISH, record=None if in_users_folder else seated.record, **wished)
    screen = Screen(Console(file=out, width=width, highlight=False, color_system=None), read_line)
    seated.status = starting.sit_down(tables_for(wish.game, wish.submission, wish.table), wish, screen)
    seated.farewell = out.getvalue()[shown:]
    return seated


def stack(monkeypatch: pytest.MonkeyPatch, top: str) -> None:
    """Put these cards on top of every deck a seeded table deals from."""

    class Stacked:
        def __init__(self, seed: int) -> None:
            pass

        def order(self, deck: Deck) -> tuple[Card, ...]:
            taken: set[Card] = set()
            first = deck.pick(top.split(), taken)
            return (*first, *(card for card in deck.cards if card not in taken))

    monkeypatch.setattr(tables, "SeededShuffle", Stacked)
