"""A round of each table with bots in every seat, as plain text or data, for pipes, scripts and first looks."""

import json
from collections.abc import Iterable
from typing import TextIO

from rich.console import Console
from rich.padding import Padding
from rich.text import Text

from pitboss.cli.play.faces import CardFaces, glyphs_for
from pitboss.cli.play.record import Line, Record
from pitboss.cli.play.settlement import net_of, settlement_table
from pitboss.cli.play.table import FreePlayTable
from pitboss.cli.play.words import announced, dealer_words, free_play_words
from pitboss.house.narrator import Narrator, counted
from pitboss.round import view
from pitboss.round.events import EnvyPaid
from pitboss.rules.payoff import dollars, signed
from pitboss.rules.wager import meter_title

PIPE_WIDTH = 100


class JsonLines:
    """A record that is also printed, line by line."""

    def __init__(self, kept: Record, out: TextIO) -> None:
        self._kept = kept
        self._out = out

    def write(self, lines: Iterable[Line]) -> None:
        """Keep these lines, then print them."""
        every = tuple(lines)
        self._kept.write(every)
        for line in every:
            print(json.dumps(line, ensure_ascii=False), file=self._out)

    def close(self) -> None:
        """Close the underlying record."""
        self._kept.close()


def demonstrate_as_data(tables: Iterable[FreePlayTable], out: TextIO) -> None:
    """Play a round of each table; the record prints the events, and this adds the summary."""
    for table in tables:
        table.begin()
        table.run()
        print(json.dumps(table.summary(), ensure_ascii=False), file=out)


def demonstrate(tables: Iterable[FreePlayTable]) -> None:
    """Play a round of each table and describe it."""
    # A pipe gets no escape codes, whatever the environment asks for.
    console = Console(force_terminal=False, color_system=None, highlight=False, width=PIPE_WIDTH, soft_wrap=False)
    for index, table in enumerate(tables):
        if index:
            console.print()
        _Telling(table, console).round()


class _Telling:
    def __init__(self, table: FreePlayTable, console: Console) -> None:
        self._table = table
        self._console = console
        self._faces = CardFaces(table.terms.game.deck, glyphs_for(console.encoding))
        self._narrator = Narrator(table.terms.rules, self._faces.written)
        self._envy: list[EnvyPaid] = []

    def round(self) -> None:
        """Describe one round from its wagers to its settlement."""
        table, say = self._table, self._console.print
        say(Text(f"{table.terms.title}: a demonstration round, bots in {counted(len(table.seats), 'seat')}"))
        say(Text(free_play_words(table.terms.game)))
        if table.seed is not None:
            say(Text(f"The cards come from seed {table.seed}, so this round repeats exactly."))
        table.begin()
        table.run()
        self._tell()
        seen = view(table.state)
        said = dealer_words(table.terms.rules, seen)
        if said:
            say(Text(f"  The dealer's hand: {said}."))
        for seat in reversed(seen.seats):
            cards = self._faces.line(seat.cards).plain
            say(Text(f"Seat {seat.seat} · {cards} · {seat.hand or seat.status} · {signed(net_of(seat))}"))
            envy = [bonus for bonus in self._envy if bonus.seat == seat.seat]
            say(Padding(settlement_table(table.terms.rules, [seat], envy), (0, 0, 0, 1), expand=False))
        for name in table.meters.exact:
            say(Text(f"{meter_title(name).capitalize()} shows {dollars(table.meters.cents(name))}."))

    def _tell(self) -> None:
        for state, events in self._table.news():
            for event in events:
                if isinstance(event, EnvyPaid):
                    self._envy.append(event)
                said = announced(self._narrator, event, state)
                if said is not None:
                    self._console.print(Text(f"  {said}"))
