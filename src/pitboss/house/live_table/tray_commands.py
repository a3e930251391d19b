"""Commands about a live table's tray: opening and closing counts, fills and credits, by denomination."""

from dataclasses import asdict

from pitboss.house.compliance.facility import OPENED, bound
from pitboss.house.controls.state import Controls
from pitboss.house.live_table import commands as asked
from pitboss.house.live_table import events as happened
from pitboss.house.live_table.chip_commands import carry_away, not_an_amount
from pitboss.house.live_table.event_writer import EventWriter
from pitboss.house.live_table.state import LiveTable
from pitboss.house.money import transfers
from pitboss.house.money.chips import US_CHIPS, Chips, Exchange, fewest, payment, shown, total
from pitboss.house.money.controlled_transfers import tray_locked
from pitboss.house.money.ledger import stack_holder
from pitboss.house.money.postings import FillNeeded
from pitboss.house.people import house_rules as rule
from pitboss.rules.payoff import dollars
from pitboss.rules.refusal import Refusal

SAID_OF_SHIFT = (
    "opening_cents",
    "fills_cents",
    "credits_cents",
    "closing_cents",
    "drop_cents",
    "won_cents",
    "contributed_cents",
    "counted_over_cents",
    "corrected_cents",
)


def open_table(writer: EventWriter, command: asked.OpenTable) -> Refusal | None:
    """Open the table with its tray filled from the cage."""
    if writer.live.terms is None:
        return Refusal("No rules are in force at this table yet. Put a submission in force first", rule.SUBMISSIONS)
    refusal = _counted_first(writer) or may_open(writer)
    if refusal:
        return refusal
    heap = heap_of(command.tray_cents, command.chips, "tray_cents")
    if isinstance(heap, Refusal):
        return heap
    tell_opening(writer)
    moved = transfers.fill(writer.live.table, command.tray_cents) if command.tray_cents else None
    return writer.house(happened.TableOpened(tray_cents=command.tray_cents, chips=heap), moved)


def may_open(writer: EventWriter) -> Refusal | None:
    """Return why the table can't open, or None."""
    terms = writer.live.terms
    if terms is None:
        return Refusal("No rules are in force at this table yet. Put a submission in force first", rule.SUBMISSIONS)
    if writer.live.is_open:
        return Refusal("The table is already open", rule.TABLES)
    # Rules that passed an older check, or were meant for analysis, stay readable; no table opens under them.
    return terms.refusal or writer.means.beside_open(terms)


def tell_opening(writer: EventWriter) -> None:
    """Write what an opening binds other tables to."""
    assert writer.live.terms is not None
    for told in bound(writer.live.table, writer.live.terms, OPENED):
        writer.other(told)


def is_controlled(writer: EventWriter) -> bool:
    """Say whether the house's money controls apply to this table."""
    return is_tray_hidden(writer.means.controls, writer.live)


def is_tray_hidden(controls: Controls, live: LiveTable) -> bool:
    """Say whether nobody at the table may see what its tray should hold, because they count it blind."""
    return controls.settings.money_controls and not live.free_play


def is_count_due(controls: Controls, live: LiveTable) -> bool:
    """Say whether a tray is to be counted blind now: to open the table, or because its count has begun."""
    return is_tray_hidden(controls, live) and (is_count_begun(controls, live.table) or not live.is_open)


def is_count_begun(controls: Controls, table: str) -> bool:
    """Say whether somebody has counted a tray, or has to count it again."""
    tray = controls.trays.get(table)
    return tray is not None and (bool(tray.counts) or tray.is_recount)


def _counted_first(writer: EventWriter) -> Refusal | None:
    if not is_controlled(writer):
        return None
    return Refusal("The dealer and a floorperson each count the tray instead", rule.TRAY_COUNTS)


def _slip_first(writer: EventWriter) -> Refusal | None:
    if not is_controlled(writer):
        return None
    return Refusal("Money controls are on: request a slip instead", rule.SLIPS)


def close_table(writer: EventWriter, command: asked.CloseTable) -> Refusal | None:
    """Close the table: stacks go to players' balances, the counted tray to the cage, any difference to the house."""
    refusal = _counted_first(writer) or may_close(writer)
    if refusal:
        return refusal
    heap = heap_of(command.tray_cents, command.chips, "tray_cents")
    return heap if isinstance(heap, Refusal) else close_with(writer, heap, is_locked=False)


def may_close(writer: EventWriter) -> Refusal | None:
    """Return why the table can't close, or None."""
    if not writer.live.is_open:
        return Refusal("The table is already closed", rule.TABLES)
    return Refusal("A round is open. End it first", rule.TABLES) if writer.live.in_round else None


def close_with(writer: EventWriter, heap: Chips, *, is_locked: bool) -> Refusal | None:
    """Close the table with these chips in its tray, which are locked there or go back to the cage."""
    live, cents = writer.live, total(heap)
    refusal = send_away(writer, players_at(live)) or _hand_out_tips(writer)
    if refusal:
        return refusal
    expected = live.tray_cents
    counted = transfers.closing_count(live.table, cents, expected)
    writer.house(happened.TrayCounted(tray_cents=cents, expected_cents=expected, chips=heap), counted)
    if cents and is_locked:
        writer.house(happened.TrayLocked(cents=cents, chips=heap), tray_locked(live.table, cents))
    elif cents:
        taken = transfers.credit(live.table, cents)
        writer.house(happened.TrayCredited(cents=cents, second=None, chips=heap), taken)
    shift = writer.live.shift
    assert shift is not None, "an open table has a shift"
    assert shift.unexplained_cents == 0, f"the shift does not balance: {shift}"
    said = {name: cents for name, cents in asdict(shift).items() if name in SAID_OF_SHIFT}
    return writer.house(happened.TableClosed(tray_cents=cents, expected_cents=expected, **said))


def players_at(live: LiveTable) -> tuple[str, ...]:
    """Return everyone with a seat or chips at the table."""
    holders = (player for account, cents in live.balances.items() if cents and (player := stack_holder(account)))
    return tuple(dict.fromkeys((*live.seats.values(), *holders)))


def send_away(writer: EventWriter, players: tuple[str, ...]) -> Refusal | None:
    """Free every position of these players and move their chips to their balances."""
    for player in players:
        for seat in writer.live.seats_of(player):
            writer.house(happened.SeatLeft(seat=seat, player=player))
        left = writer.live.stack_cents(player)
        refusal = carry_away(writer, player, left) if left else None
        if refusal:
            return refusal
    return None


def count(writer: EventWriter, command: asked.CountInventory) -> Refusal | None:
    """Set the tray's account to the counted amount."""
    live = writer.live
    refusal = _counted_first(writer)
    if refusal:
        return refusal
    if not live.is_open or live.in_round:
        return Refusal("Count the tray between rounds, while the table is open", rule.TRAYS)
    heap = heap_of(command.tray_cents, command.chips, "tray_cents")
    if isinstance(heap, Refusal):
        return heap
    counted = transfers.closing_count(live.table, command.tray_cents, live.tray_cents)
    said = happened.TrayCounted(tray_cents=command.tray_cents, expected_cents=live.tray_cents, chips=heap)
    return writer.house(said, counted)


def fill(writer: EventWriter, command: asked.Fill) -> Refusal | None:
    """Move chips from the cage to the tray."""
    refusal = _slip_first(writer)
    if refusal:
        return refusal
    heap = heap_of(command.cents, command.chips)
    if isinstance(heap, Refusal) or not writer.live.is_open:
        return heap if isinstance(heap, Refusal) else Refusal("The table is closed", rule.TABLES)
    assert writer.means.second is not None, "a fill takes two people"
    filled = happened.TrayFilled(cents=command.cents, second=writer.means.second, chips=heap)
    return writer.house(filled, transfers.fill(writer.live.table, command.cents))


def credit(writer: EventWriter, command: asked.Credit) -> Refusal | None:
    """Move chips from the tray to the cage."""
    live = writer.live
    refusal = _slip_first(writer)
    if refusal:
        return refusal
    if command.cents > live.tray_cents:
        reason = f"The tray has only {dollars(live.tray_cents)}, not {dollars(command.cents)}"
        return FillNeeded(reason, rule.TRAYS, "cents", command.cents - live.tray_cents)
    heap = heap_of(command.cents, command.chips) if command.chips or command.cents <= 0 else None
    if heap is None:
        heap = payment(command.cents, live.tray)
        # If no chips in the tray fit, one is exchanged on the way, which shows at the next count.
        heap = {} if isinstance(heap, Exchange) else heap
    if isinstance(heap, Refusal):
        return heap
    if any(live.tray.get(denomination, 0) < number for denomination, number in heap.items()):
        return Refusal(f"The tray has {shown(live.tray)}, not {shown(heap)}", rule.TRAYS, "chips")
    assert writer.means.second is not None, "a credit takes two people"
    credited = happened.TrayCredited(cents=command.cents, second=writer.means.second, chips=heap)
    return writer.house(credited, transfers.credit(live.table, command.cents))


def heap_of(cents: int, chips: Chips, field: str = "cents") -> Chips | Refusal:
    """Return an amount in chips as counted, or in the fewest if they weren't counted, or what is wrong with it."""
    if cents < 0 or (not cents and field == "cents"):
        return not_an_amount(cents, field)
    if not chips:
        return fewest(cents)
    unknown = [
        denomination
        for denomination, number in chips.items()
        if denomination not in US_CHIPS.denominations or number <= 0
    ]
    if unknown:
        return Refusal(
            f"The house has no {dollars(unknown[0])} chips, or the number of them isn't valid", rule.CHIPS, "chips"
        )
    if total(chips) != cents:
        return Refusal(f"{shown(chips)} adds up to {dollars(total(chips))}, not {dollars(cents)}", rule.CHIPS, "chips")
    return dict(chips)


def _hand_out_tips(writer: EventWriter) -> Refusal | None:
    left = writer.live.balances.get(f"tips:{writer.live.table}", 0)
    if not left:
        return None
    return writer.house(happened.TipsHandedOut(cents=left), transfers.tips_collected(writer.live.table, left))
