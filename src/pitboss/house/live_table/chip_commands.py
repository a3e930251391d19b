"""Commands about players' chips at a running table: buying in, cashing out and tips."""

from pitboss.house.live_table import commands as asked
from pitboss.house.live_table import events as happened
from pitboss.house.live_table.disputes import disputed_cents
from pitboss.house.live_table.event_writer import Pen
from pitboss.house.live_table.sealed_events import POSTINGS
from pitboss.house.live_table.state import MONEY, Desk
from pitboss.house.live_table.stream_balances import by_stream
from pitboss.house.money import transfers
from pitboss.house.money.chips import US_CHIPS, fewest, shown, total
from pitboss.house.money.ledger import Transfer
from pitboss.house.money.postings import held_back
from pitboss.house.people import house_rules as rule
from pitboss.record.entries import Draft
from pitboss.rules.payoff import dollars
from pitboss.rules.refusal import Refusal


def buy_in(pen: Pen, command: asked.BuyIn) -> Refusal | None:
    """Change money for chips at the table."""
    desk, player = pen.desk, pen.means.actor
    if not desk.is_open:
        return Refusal("The table is closed", rule.TABLES)
    if not desk.seats_of(player):
        return Refusal("Take a seat before you buy chips", rule.TABLES)
    if command.cents <= 0:
        return not_an_amount(command.cents)
    if command.cents > pen.means.purse_cents:
        reason = f"Your purse holds {dollars(pen.means.purse_cents)}, less than {dollars(command.cents)}"
        return Refusal(reason, rule.CHIPS, "cents")
    bought = transfers.buy_in(desk.table, player, command.cents, free_play=desk.free_play)
    outside(pen, "ChipsBought", player, command.cents, bought)
    return pen.house(happened.ChipsBought(player=player, cents=command.cents), bought)


def cash_out(pen: Pen, command: asked.CashOut) -> Refusal | None:
    """Carry chips from the table to the purse."""
    if command.cents <= 0:
        return not_an_amount(command.cents)
    return carry_away(pen, pen.means.actor, command.cents)


def carry_away(pen: Pen, player: str, cents: int) -> Refusal | None:
    """Redeem a player's chips, but none that a void of the open round could take back."""
    desk = pen.desk
    held, disputed = _held(desk, player), disputed_cents(desk, player)
    free = desk.stack_cents(player) - max(held, disputed)
    if cents > free:
        waits = f", {dollars(held)} of it until this round is over" if held else ""
        waits = f"; the dispute about {dollars(disputed)} is resolved first" if disputed else waits
        return Refusal(f"You can carry away {dollars(max(free, 0))} of your chips now{waits}", rule.CHIPS, "cents")
    redeemed = transfers.cash_out(desk.table, player, cents, free_play=desk.free_play)
    outside(pen, "ChipsRedeemed", player, cents, redeemed)
    return pen.house(happened.ChipsCarriedAway(player=player, cents=cents), redeemed)


def tip(pen: Pen, command: asked.Tip) -> Refusal | None:
    """Leave a tip for the dealer."""
    desk, player = pen.desk, pen.means.actor
    if command.cents <= 0:
        return not_an_amount(command.cents)
    if not desk.seats_of(player):
        return Refusal("A tip is given from a seat at the table", rule.TABLES)
    if desk.lease.holder is None or not desk.lease.is_held(pen.means.at):
        return Refusal("No dealer stands at this table who could take a tip", rule.LEASES)
    chips = dict(command.chips) or fewest(command.cents)
    if any(one not in US_CHIPS.denominations or number <= 0 for one, number in chips.items()):
        return Refusal("The house has no such chips", rule.CHIPS, "chips")
    if total(chips) != command.cents:
        return Refusal(f"{shown(chips)} is not {dollars(command.cents)}", rule.CHIPS, "chips")
    held = max(_held(desk, player), disputed_cents(desk, player))
    if command.cents > desk.stack_cents(player) - held:
        return Refusal("A tip is given from chips that no void could take back", rule.CHIPS, "cents")
    given = happened.TipGiven(player=player, dealer=desk.lease.holder, cents=command.cents, chips=chips)
    return pen.house(given, transfers.tip(desk.table, player, command.cents))


def _held(desk: Desk, player: str) -> int:
    return held_back(desk.play, player) if desk.in_round and desk.play is not None else 0


def outside(pen: Pen, kind: str, player: str, cents: int, moved: Transfer) -> None:
    """Write to the money's stream what a player's purse and the drop box have to do with it."""
    body = {
        "player": player,
        "table": pen.desk.table,
        "cents": cents,
        POSTINGS: dict(by_stream(moved.postings)[MONEY]),
    }
    pen.other(Draft(MONEY, f"money.{kind}", body, rule.CHIPS))


def not_an_amount(cents: int, field: str = "cents") -> Refusal:
    """Return why a number of cents is no amount."""
    return Refusal(f"An amount is a positive number of cents, not {cents}", rule.CHIPS, field)
