"""The menu for choosing among several tables."""

from collections.abc import Sequence

from rich.table import Table
from rich.text import Text

from pitboss.cli.play.felt import BRASS, keys_line
from pitboss.cli.play.screen import Screen
from pitboss.cli.play.terms import TableTerms


def choose_table(screen: Screen, tables: Sequence[TableTerms]) -> TableTerms:
    """Return the table the player picks from a short list; raise Left if they leave."""
    complaint = Text("")
    while True:
        screen.page(Text(" Free play: which game?", style="bold"), Text(), _listed(tables), Text(), complaint)
        screen.add(keys_line([(f"1-{len(tables)}", "sit down"), ("q", "leave")]))
        typed = screen.ask()
        for number, terms in enumerate(tables, 1):
            if typed in (str(number), (terms.name or terms.game.name).lower()):
                return terms
        complaint = Text(f" Type a number from 1 to {len(tables)}.", style="#d0654f")


def _listed(tables: Sequence[TableTerms]) -> Table:
    shown = Table.grid(padding=(0, 2, 0, 0))
    for _ in range(3):
        shown.add_column(no_wrap=True)
    shown.add_column()
    for number, terms in enumerate(tables, 1):
        wagers = ", ".join(wager.title for wager in terms.game.wagers if wager.name in terms.rules.offered)
        key = Text(f" [{number}]", style=f"bold {BRASS}")
        shown.add_row(key, Text(terms.title, style="bold"), Text(terms.game.rulebook.jurisdiction), Text(wagers))
    return shown
