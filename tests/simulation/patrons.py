"""Players without a device in some seeds: what the table's dealer enters for them."""

import random

from pitboss.house.live_table import commands
from pitboss.house.live_table.state import LiveTable
from pitboss.house.patrons import is_patron
from pitboss.round.decide import legal_actions
from pitboss.round.state import ASKING, WAGERING
from simulation.forbidden import hold_on
from simulation.people import stakes_of

EVERY_SEEDS = 4  # how often a seed has patrons
MOST = 2


def entered(live: LiveTable, chance: random.Random, *, quiet: bool) -> commands.Command | None:
    """Return what the dealer enters for patrons now; once the faults are over, only bets and answers that are due."""
    play = live.play
    if not live.is_open or live.terms is None or hold_on(live) is not None:
        return None
    # Others answer for those who left.
    seats = [seat for seat, player in live.seats.items() if is_patron(player) and player not in live.gone]
    if live.in_round and play is not None and play.phase == ASKING and play.cursor in seats:
        action = chance.choice(legal_actions(play))
        discard = chance.choice(play.cards[play.cursor]) if action.discards else None
        return commands.Act(seat=play.cursor, action=action.name, discard=discard)
    is_betting = live.in_round and play is not None and play.phase == WAGERING
    missing = [seat for seat in seats if is_betting and play is not None and seat not in play.players]
    if missing and (quiet or chance.random() < 0.5):
        return _bet(live, chance, missing[0])
    if quiet or chance.random() < 0.5:
        return None
    if len(seats) < MOST and chance.random() < 0.3:
        free = [seat for seat in range(1, live.terms.settings.rules.seats_most + 1) if seat not in live.seats]
        return commands.TakeSeat(seat=free[0]) if free else None
    if not seats:
        return None
    seat = chance.choice(seats)
    return chance.choice(
        (
            None,
            commands.BringChips(seat=seat, cents=chance.choice((5_00, 10_000_000_00))),
            commands.ColorUp(seat=seat, chips={5_00: chance.choice((1, 5, 20))}),
            commands.Tip(seat=seat, cents=1_00),
            commands.CashOut(seat=seat, cents=10_00),
            commands.LeaveSeat(seat=seat),
        )
    )


def _bet(live: LiveTable, chance: random.Random, seat: int) -> commands.Command:
    if live.stack_cents(live.seats[seat]) < 500_00:
        return commands.BuyIn(seat=seat, cents=2_000_00)
    if seat in live.bet_before and chance.random() < 0.5:
        return commands.RepeatWagers()
    return commands.PlaceWagers(seat=seat, stakes=stakes_of(live, chance))
