"""Commands that move chips at a running table outside a round: the tray, buy-ins, cash-outs, tips."""

from pitboss.house import transfers
from pitboss.house.desk import commands as asked
from pitboss.house.desk import events as happened
from pitboss.house.desk.pen import Pen
from pitboss.house.desk.purses import by_stream
from pitboss.house.desk.sealing import POSTINGS
from pitboss.house.desk.state import MONEY
from pitboss.house.ledger import Transfer
from pitboss.house.postings import held_back
from pitboss.house.record import Draft
from pitboss.rules.payoff import dollars
from pitboss.rules.refusal import Refusal


def open_table(pen: Pen, command: asked.OpenTable) -> Refusal | None:
    """Open the table with its tray filled from the cage."""
    if pen.desk.terms is None:
        return Refusal("No submission is in force at this table yet; activate one first")
    if pen.desk.is_open:
        return Refusal("The table is open already")
    if command.tray_cents < 0:
        return _not_an_amount(command.tray_cents)
    moved = transfers.fill(pen.desk.table, command.tray_cents) if command.tray_cents else None
    return pen.house(happened.TableOpened(tray_cents=command.tray_cents), moved)


def close_table(pen: Pen, command: asked.CloseTable) -> Refusal | None:
    """Close the table: the tray's count goes to the cage, a difference to the house."""
    desk = pen.desk
    if not desk.is_open:
        return Refusal("The table is closed already")
    if desk.in_round:
        return Refusal("A round is open; end it first")
    if desk.seats:
        return Refusal("Players are seated; a table closes when the last one has left")
    if command.tray_cents < 0:
        return _not_an_amount(command.tray_cents)
    expected = desk.tray_cents
    counted = transfers.closing_count(desk.table, command.tray_cents, expected).postings
    taken = transfers.credit(desk.table, command.tray_cents).postings if command.tray_cents else ()
    closed = happened.TableClosed(tray_cents=command.tray_cents, expected_cents=expected)
    return pen.house(closed, Transfer(transfers.CLOSING_COUNT, (*counted, *taken)))


def buy_in(pen: Pen, command: asked.BuyIn) -> Refusal | None:
    """Change money for chips at the table."""
    desk, player = pen.desk, pen.means.actor
    if not desk.is_open:
        return Refusal("The table is closed")
    if not desk.seats_of(player):
        return Refusal("Take a seat before you buy chips")
    if command.cents <= 0:
        return _not_an_amount(command.cents)
    if command.cents > pen.means.purse_cents:
        return Refusal(f"Your purse holds {dollars(pen.means.purse_cents)}, less than {dollars(command.cents)}")
    bought = transfers.buy_in(desk.table, player, command.cents)
    _outside(pen, "ChipsBought", player, command.cents, bought)
    return pen.house(happened.ChipsBought(player=player, cents=command.cents), bought)


def cash_out(pen: Pen, command: asked.CashOut) -> Refusal | None:
    """Carry chips from the table to the purse."""
    if command.cents <= 0:
        return _not_an_amount(command.cents)
    return carry_away(pen, pen.means.actor, command.cents)


def carry_away(pen: Pen, player: str, cents: int) -> Refusal | None:
    """Redeem a player's chips, but none that a void of the open round could take back."""
    desk = pen.desk
    held = held_back(desk.play, player) if desk.in_round and desk.play is not None else 0
    free = desk.stack_cents(player) - held
    if cents > free:
        waits = f", {dollars(held)} of it until this round is over" if held else ""
        return Refusal(f"You can carry away {dollars(max(free, 0))} of your chips now{waits}")
    redeemed = transfers.cash_out(desk.table, player, cents)
    _outside(pen, "ChipsRedeemed", player, cents, redeemed)
    return pen.house(happened.ChipsCarriedAway(player=player, cents=cents), redeemed)


def tip(pen: Pen, command: asked.Tip) -> Refusal | None:
    """Leave a tip for the dealer."""
    desk, player = pen.desk, pen.means.actor
    if command.cents <= 0:
        return _not_an_amount(command.cents)
    if not desk.seats_of(player):
        return Refusal("A tip is given from a seat at the table")
    if desk.lease.holder is None:
        return Refusal("No dealer stands at this table who could take a tip")
    given = happened.TipGiven(player=player, dealer=desk.lease.holder, cents=command.cents)
    return pen.house(given, transfers.tip(desk.table, player, command.cents))


def fill(pen: Pen, command: asked.Fill) -> Refusal | None:
    """Bring chips from the cage."""
    if command.cents <= 0:
        return _not_an_amount(command.cents)
    assert pen.means.second is not None, "a fill takes two people"
    filled = happened.TrayFilled(cents=command.cents, second=pen.means.second)
    return pen.house(filled, transfers.fill(pen.desk.table, command.cents))


def credit(pen: Pen, command: asked.Credit) -> Refusal | None:
    """Bring chips back to the cage."""
    if command.cents <= 0:
        return _not_an_amount(command.cents)
    assert pen.means.second is not None, "a credit takes two people"
    credited = happened.TrayCredited(cents=command.cents, second=pen.means.second)
    return pen.house(credited, transfers.credit(pen.desk.table, command.cents))


def _outside(pen: Pen, kind: str, player: str, cents: int, moved: Transfer) -> None:
    body = {
        "player": player,
        "table": pen.desk.table,
        "cents": cents,
        POSTINGS: dict(by_stream(moved.postings)[MONEY]),
    }
    pen.other(Draft(MONEY, f"money.{kind}", body))


def _not_an_amount(cents: int) -> Refusal:
    return Refusal(f"An amount is a positive number of cents, not {cents}", None, "cents")
