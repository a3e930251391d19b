"""Rounds brought to the moment at which something goes wrong."""

from typing import Any

import pytest

from pitboss.cards import Card
from pitboss.round import legal_actions
from pitboss.round.commands import (
    ReportIrregularity,
)
from round.ledger import Ledger
from round.played import LEAST, Table, table_of

UTH, TOP, DRAGON, COLORADO = "ultimate-texas-holdem", "top-five-poker", "dragon-poker", "colorado-holdem"
WRONG_NUMBER = {UTH: "Ch. 13 §E", TOP: "Ch. 13 §C", DRAGON: "Ch. 13 §D", COLORADO: "§14(c)"}
every_game = pytest.mark.parametrize("game", WRONG_NUMBER)


def face_up(card: str = "As") -> ReportIrregularity:
    return ReportIrregularity("face-up-card", card=Card(card))


def left(seat: int, ruling: str | None = "abandoned", by: str | None = "floor 1") -> ReportIrregularity:
    return ReportIrregularity("player-left", seat, ruling=ruling, ruled_by=by)


def closed(game: str, *seats: int, order: str = "", wagers: dict[str, int] | None = None, **choices: Any) -> Table:
    table = table_of(game, order, **choices)
    for seat in seats or (1, 2):
        table.place(seat, LEAST[game] | (wagers or {}))
    table.close()
    return table


def asked(game: str, *seats: int, **more: Any) -> Table:
    table = closed(game, *seats, **more)
    table.deal_until("asking")
    return table


def finish(table: Table) -> None:
    while table.state.outcome is None:
        if table.state.phase == "dealing":
            table.deal_on()
        elif table.state.phase == "asking":
            table.act(legal_actions(table.state)[0].name)
        else:
            table.settle()
    Ledger.of(table.events).check_closed()


def nets(table: Table, seat: int) -> dict[str, int]:
    return {wager: result.net for (number, wager), result in table.state.results.items() if number == seat}
