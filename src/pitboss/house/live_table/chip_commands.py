"""Commands about players' chips at a live table: buying in, cashing out and tips."""

from pitboss.house.live_table import commands as asked
from pitboss.house.live_table import events as happened
from pitboss.house.live_table.disputes import disputed_cents
from pitboss.house.live_table.event_writer import EventWriter
from pitboss.house.live_table.patron_checks import held_account, may_buy
from pitboss.house.live_table.state import LiveTable
from pitboss.house.live_table.stream_balances import account_drafts
from pitboss.house.money import transfers
from pitboss.house.money.chips import US_CHIPS, fewest, shown, total
from pitboss.house.money.ledger import Transfer, purse
from pitboss.house.money.postings import held_back
from pitboss.house.patrons import is_patron
from pitboss.house.people import house_rules as rule
from pitboss.rules.payoff import dollars
from pitboss.rules.refusal import Refusal


def buy_in(writer: EventWriter, command: asked.BuyIn) -> Refusal | None:
    """Exchange money for chips at the table: a player's balance, or a patron's cash."""
    live, player = writer.live, writer.player_at(command.seat)
    if not live.is_open:
        return Refusal("The table is closed", rule.TABLES)
    if not live.seats_of(player):
        return Refusal("Take a seat before you buy chips", rule.TABLES)
    if command.cents <= 0:
        return not_an_amount(command.cents)
    refusal = may_buy(writer, player, command.cents)
    if refusal:
        return refusal
    if is_patron(player):
        cash = transfers.cash_buy_in(live.table, player, command.cents)
        outside(writer, "CashTaken", player, command.cents, cash)
        return writer.house(happened.ChipsBought(player=player, cents=command.cents), cash)
    purse_cents = writer.means.money.get(purse(player, free_play=live.free_play), 0)
    if command.cents > purse_cents:
        reason = f"Your balance is {dollars(purse_cents)}, so you can't buy in for {dollars(command.cents)}"
        return Refusal(reason, rule.CHIPS, "cents")
    # The cash of a deposit is in the cage: a count of the box would never find it there.
    is_boxed = live.free_play or not writer.means.controls.settings.money_controls
    bought = transfers.buy_in(live.table, player, command.cents, free_play=live.free_play, is_boxed=is_boxed)
    outside(writer, "ChipsBought", player, command.cents, bought)
    return writer.house(happened.ChipsBought(player=player, cents=command.cents, is_boxed=is_boxed), bought)


def cash_out(writer: EventWriter, command: asked.CashOut) -> Refusal | None:
    """Move chips from the table to the player's balance."""
    if command.cents <= 0:
        return not_an_amount(command.cents)
    return carry_away(writer, writer.player_at(command.seat), command.cents)


def carry_away(writer: EventWriter, player: str, cents: int) -> Refusal | None:
    """Redeem a player's chips, except any that a void of the open round could take back."""
    live = writer.live
    held, disputed = _held(live, player), disputed_cents(live, player)
    free = live.stack_cents(player) - max(held, disputed)
    if cents > free:
        waits = f". Another {dollars(held)} is in play until the round is over" if held else ""
        waits = f". Another {dollars(disputed)} is in dispute until that is resolved" if disputed else waits
        who = "The player" if is_patron(player) else "You"
        return Refusal(f"{who} can cash out {dollars(max(free, 0))} now{waits}", rule.CHIPS, "cents")
    holding = held_account(writer, player)
    if holding is not None:  # what the house holds for an excluded person is paid at the cage, by two people
        kept = transfers.chips_held(live.table, player, holding, cents)
        outside(writer, "ChipsHeld", holding, cents, kept)
        return writer.house(happened.ChipsCarriedAway(player=player, cents=cents), kept, rule.EXCLUSIONS)
    if is_patron(player):
        taken = transfers.chips_taken(live.table, player, cents, free_play=live.free_play)
        outside(writer, "ChipsTaken", player, cents, taken)
        return writer.house(happened.ChipsCarriedAway(player=player, cents=cents), taken)
    redeemed = transfers.cash_out(live.table, player, cents, free_play=live.free_play)
    outside(writer, "ChipsRedeemed", player, cents, redeemed)
    return writer.house(happened.ChipsCarriedAway(player=player, cents=cents), redeemed)


def tip(writer: EventWriter, command: asked.Tip) -> Refusal | None:
    """Leave a tip for the dealer."""
    live, player = writer.live, writer.player_at(command.seat)
    if command.cents <= 0:
        return not_an_amount(command.cents)
    if not live.seats_of(player):
        return Refusal("Take a seat before you tip", rule.TABLES)
    if live.lease.holder is None or not live.lease.is_held(writer.means.at):
        return Refusal("This table has no dealer to tip", rule.LEASES)
    chips = dict(command.chips) or fewest(command.cents)
    if any(denomination not in US_CHIPS.denominations or number <= 0 for denomination, number in chips.items()):
        return Refusal("The house has no chips of that value", rule.CHIPS, "chips")
    if total(chips) != command.cents:
        return Refusal(f"{shown(chips)} isn't {dollars(command.cents)}", rule.CHIPS, "chips")
    held = max(_held(live, player), disputed_cents(live, player))
    if command.cents > live.stack_cents(player) - held:
        return Refusal(
            "These chips are in play until the round is over. Tip with others, or after the round", rule.CHIPS, "cents"
        )
    given = happened.TipGiven(player=player, dealer=live.lease.holder, cents=command.cents, chips=chips)
    return writer.house(given, transfers.tip(live.table, player, command.cents))


def _held(live: LiveTable, player: str) -> int:
    return held_back(live.play, player) if live.in_round and live.play is not None else 0


def outside(writer: EventWriter, kind: str, player: str, cents: int, moved: Transfer) -> None:
    """Write to each account's own stream the part of a transfer that moves a player's balance or the drop box."""
    body = {"player": player, "table": writer.live.table, "cents": cents}
    for draft in account_drafts(f"money.{kind}", body, moved.postings, rule.CHIPS):
        writer.other(draft)


def not_an_amount(cents: int, field: str = "cents") -> Refusal:
    """Return why a number of cents isn't a valid amount."""
    return Refusal(f"Enter an amount of at least 1 cent, not {cents}", rule.CHIPS, field)
