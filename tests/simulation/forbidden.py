"""Commands that people try at a held table although they must wait, and what the refusal cites."""

import random
from typing import Any, NamedTuple

from pitboss.house.live_table import commands
from pitboss.house.live_table.state import LiveTable
from pitboss.house.people import house_rules as rule
from pitboss.round.disputed import RULING
from pitboss.table import commands as of_cards
from pitboss.table.conditions import stub_count
from pitboss.table.state import RACKED, STUB_DISPUTED

DEALER, FLOOR, CAGE = "dealer", "floor", "cage"
EAGER = 6  # times as often as anything else: somebody would validate the payout that a report holds
BY: Any = {"by": commands.NOBODY, "at": 0}


class Hold(NamedTuple):
    """Why a table waits, and the clauses a refusal cites for it."""

    name: str
    clauses: tuple[str, ...]


def hold_on(live: LiveTable) -> Hold | None:
    """Return what holds a table, or None."""
    played = live.cards.round if live.cards is not None else None
    if live.trouble is not None:
        return Hold("a report", (live.trouble.clause or rule.ORDER,))
    if live.cards is not None and played is not None:
        if played.stub == STUB_DISPUTED and not played.irregularity:
            return Hold("a wrong stub", (stub_count(live.cards).check_cite,))
        if played.miscounted:
            return Hold("a wrong deck", (played.miscounted,))
    return Hold("a dispute", (RULING, rule.CHIPS, rule.CORRECTIONS)) if live.dispute is not None else None


def for_staff(live: LiveTable, hold: Hold, chance: random.Random, booked: int) -> tuple[str, commands.Command]:
    """Return a command that must wait, with who would give it; an entry that booked chips may be corrected."""
    assert live.cards is not None
    tried: list[tuple[str, commands.Command]] = [(FLOOR, commands.CloseTable(tray_cents=live.tray_cents))]
    if hold.name == "a dispute":
        racked = [deck.name for deck in live.cards.decks if deck.stage == RACKED and not live.in_round]
        tried += [(DEALER, commands.BeginRound()), (DEALER, of_cards.SpreadIdle(**BY))]
        tried += [(CAGE, commands.Correct(entry=booked, reason="counted wrongly"))]
        tried += [(DEALER, of_cards.ShuffleDeck(**BY, deck=deck, way=of_cards.MANUAL)) for deck in racked]
    else:
        tried += [(DEALER, command) for command in (commands.Settle(), commands.DealCards(), commands.EndRound())]
        tried += [(CAGE, commands.Credit(cents=100_00))]
        if live.play is not None and live.play.meter is not None:
            tried += [(FLOOR, commands.ValidateMeter(seat=live.play.meter.seat))] * EAGER
        elif live.play is not None and live.play.payout is not None:
            tried += [(FLOOR, commands.ValidatePayout(seat=live.play.payout.seat))] * EAGER
    is_dealt = live.terms is not None and not live.terms.automatic
    return chance.choice([attempt for attempt in tried if is_dealt or attempt[0] != DEALER])


def for_player(live: LiveTable, player: str, seat: int, chance: random.Random) -> commands.Command:
    """Return a command of a player who would take chips away from a held table."""
    chips = live.stack_cents(player)
    return chance.choice(
        (commands.CashOut(cents=chips), commands.Tip(cents=chips // 1_00 * 1_00), commands.LeaveSeat(seat=seat))
    )
