"""What a command about the house's controls leads to, or why it is refused."""

from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple

from pitboss.house import entry_kinds
from pitboss.house.controls import commands as asked
from pitboss.house.controls import events as happened
from pitboss.house.controls.evolve import draft_of
from pitboss.house.controls.gaming_day import working_at
from pitboss.house.controls.house_settings import check_settings
from pitboss.house.controls.state import AT_TABLE, CAGE, CARRIED, PREPARED, REQUESTED, VAULT, Chips, Controls, Slip
from pitboss.house.live_table.stream_balances import account_drafts, by_stream
from pitboss.house.money import controlled_transfers as moving
from pitboss.house.money.chips import US_CHIPS, shown, total
from pitboss.house.money.ledger import Transfer
from pitboss.house.people import house_rules as rule
from pitboss.house.stream_names import CONTROLS
from pitboss.record.entries import Draft
from pitboss.rules.payoff import dollars
from pitboss.rules.refusal import Refusal

Decided = tuple[Draft, ...] | Refusal
SLIP_SERIES = {happened.FILL: "FILL", happened.CREDIT: "CREDIT"}
VAULT_SERIES, CAGE_SERIES, RECEIPT_SERIES = "VAULT", "CAGE", "RECEIPT"
INVENTORY_SERIES, BOX_SERIES, COUNT_SERIES, VARIANCE_SERIES = "TRAY", "BOX", "COUNT", "VARIANCE"
READING_SERIES = "READING"
BILLS = (100_00, 50_00, 20_00, 10_00, 5_00, 2_00, 1_00, 50, 25, 10, 5, 1)
TEXT_LONGEST = 500


class Given(NamedTuple):
    """Who gives a command, when, and what the controls need to know of the tables."""

    by: str
    second: str
    at: int
    drop_cents: Callable[[str], int]
    check_table: Callable[[str], Refusal | None]  # why a table isn't a real-money table of this house
    shown_cents: Callable[[str, str], int | Refusal]  # what a meter shows by the books
    are_two: Callable[[str, str], Refusal | None] = lambda first, second: None  # why two accounts aren't two people


def decide(controls: Controls, command: asked.Command, given: Given) -> Decided:
    """Return what a command leads to, or why it is refused."""
    if isinstance(command, asked.ChangeHouseSettings):
        return _settings(controls, command, given)
    if not controls.settings.money_controls:
        reason = "Money controls are off. An operator can switch them on in the house settings"
        return Refusal(reason, rule.SETTINGS, "money_controls")
    match command:
        case asked.FundVault():
            return _fund(controls, command, given)
        case asked.MoveVault():
            return _move(controls, command, given)
        case asked.CountCage():
            return _count_cage(controls, command, given)
        case asked.ExplainVariance():
            return _explain(controls, command, given)
        case asked.RequestFill() | asked.RequestCredit():
            return _request(controls, command, given)
        case asked.PullBox():
            return _pull(controls, command, given)
        case asked.CountBox():
            return _count_box(controls, command, given)
        case asked.ReadMeter():
            return _read_meter(controls, command, given)
        case _:
            return _on_slip(controls, command, given)


def check_chips(chips: Chips, field: str = "chips", kinds: Iterable[int] = US_CHIPS.denominations) -> Refusal | None:
    """Return which denomination the house doesn't have, or which number isn't one, or None."""
    known = set(kinds)
    wrong = next((cents for cents, number in chips.items() if cents not in known or number <= 0), None)
    if wrong is None:
        return None
    return Refusal(f"The house has no {dollars(wrong)} denomination, or its number isn't valid", rule.CHIPS, field)


def lacks(controls: Controls, place: str, cash_cents: int, chips: Chips) -> Refusal | None:
    """Return what the cage or the vault is short of, or None; neither ever falls below zero."""
    held = controls.cash.get(place, 0)
    if cash_cents > held:
        reason = f"The {place} has only {dollars(held)} in cash, not {dollars(cash_cents)}"
        return Refusal(reason, rule.CAGE_BOOKS, "cash_cents")
    heap = controls.held(place)
    if any(heap.get(cents, 0) < number for cents, number in chips.items()):
        return Refusal(f"The {place} has {shown(heap)}, not {shown(chips)}", rule.CAGE_BOOKS, "chips")
    return None


def written(event: happened.Event, transfer: Transfer | None = None) -> Draft:
    """Return an event with the part of a transfer that this stream keeps."""
    return draft_of(event, by_stream(transfer.postings).get(CONTROLS) if transfer else None)


def variance(controls: Controls, form: str, what: str, table: str, over_cents: int) -> tuple[Draft, ...]:
    """Return the entry that keeps a difference as unexplained; none if there is no difference."""
    if not over_cents:
        return ()
    number = controls.next_number(VARIANCE_SERIES)
    found = {"variance": number, "form": form, "what": what, "table": table, "over_cents": over_cents}
    return (written(happened.VarianceFound(**found)),)  # type: ignore[arg-type]


def _settings(controls: Controls, command: asked.ChangeHouseSettings, given: Given) -> Decided:
    refusal = check_settings(command.settings)
    if refusal:
        return refusal
    before = controls.settings
    if before == command.settings:
        return Refusal("These settings are already in force", rule.SETTINGS, "settings")
    reason = _keeps_on(controls) if before.money_controls and not command.settings.money_controls else None
    if reason:
        return Refusal(reason, rule.SETTINGS, "money_controls")
    changed = happened.SettingsChanged(settings=command.settings, before=before, by=given.by, second=given.second)
    return (written(changed),)


def _keeps_on(controls: Controls) -> str | None:
    if controls.slips or controls.trays or controls.boxes or controls.is_cage_open:
        return "Finish open slips, counts and boxes and close the cage before you switch money controls off"
    # Without money controls a table opens with chips from the cage, and those in its tray would be on no one's books.
    full = sorted(table for table, chips in controls.closers.items() if chips)
    if not full:
        return None
    return f"Chips are locked in the trays of {', '.join(full)}. Count and open these tables first"


def _amounts(cash_cents: int, chips: Chips) -> Refusal | None:
    if cash_cents < 0 or not (cash_cents or chips):
        return Refusal("Enter an amount of cash, chips or both", rule.CAGE_BOOKS, "cash_cents")
    return check_chips(chips)


def _fund(controls: Controls, command: asked.FundVault, given: Given) -> Decided:
    refusal = _amounts(command.cash_cents, command.chips)
    if refusal:
        return refusal
    funded = happened.VaultFunded(
        form=controls.next_number(VAULT_SERIES),
        cash_cents=command.cash_cents,
        chips=command.chips,
        by=given.by,
        second=given.second,
    )
    return (written(funded, moving.vault_funded(command.cash_cents, total(command.chips))),)


def _move(controls: Controls, command: asked.MoveVault, given: Given) -> Decided:
    giver = VAULT if command.to == CAGE else CAGE
    refusal = _amounts(command.cash_cents, command.chips) or lacks(controls, giver, command.cash_cents, command.chips)
    if refusal:
        return refusal
    moved = happened.VaultMoved(
        form=controls.next_number(VAULT_SERIES),
        to=command.to,
        cash_cents=command.cash_cents,
        chips=command.chips,
        by=given.by,
        second=given.second,
    )
    return (written(moved, moving.vault_moved(giver, command.to, command.cash_cents, total(command.chips))),)


def _count_cage(controls: Controls, command: asked.CountCage, given: Given) -> Decided:
    refusal = check_chips(command.chips)
    if refusal or command.cash_cents < 0:
        return refusal or Refusal("Enter the cash you counted", rule.CAGE_BOOKS, "cash_cents")
    entered = happened.CageCountEntered(cash_cents=command.cash_cents, chips=command.chips, by=given.by)
    other = next(iter(controls.cage_counts.items()), None)
    if given.by in controls.cage_counts:
        return Refusal("You already counted. Another person has to count too", rule.CAGE_BOOKS, "by")
    if other is None:
        return (written(entered),)
    if refusal := given.are_two(other[0], given.by):
        return refusal
    people = (other[0], given.by)
    if (other[1].cash_cents, dict(other[1].chips)) != (command.cash_cents, dict(command.chips)):
        return (written(entered), written(happened.CageCountsDiffered(people=people)))
    cash, chips = controls.cash.get(CAGE, 0), controls.held(CAGE)
    cash_over, chips_over = command.cash_cents - cash, total(command.chips) - total(chips)
    form = controls.next_number(CAGE_SERIES)
    counted = happened.CageCounted(
        form=form,
        moment=happened.CLOSER if controls.is_cage_open else happened.OPENER,
        cash_cents=command.cash_cents,
        chips=command.chips,
        expected_cash_cents=cash,
        expected_chips=chips,
        over_cents=cash_over + chips_over,
        people=people,
    )
    moved = moving.cage_counted(cash_over, chips_over) if cash_over or chips_over else None
    found = variance(controls, form, "cage", "", cash_over + chips_over)
    return (written(entered), written(counted, moved), *found)


def _explain(controls: Controls, command: asked.ExplainVariance, given: Given) -> Decided:
    if command.variance not in controls.variances:
        return Refusal("There is no unexplained difference with this number", rule.TRAY_COUNTS, "variance")
    if not 10 <= len(command.explanation.strip()) <= TEXT_LONGEST:
        return Refusal(f"Explain it in 10 to {TEXT_LONGEST} characters", rule.TRAY_COUNTS, "explanation")
    explained = happened.VarianceExplained(
        variance=command.variance, explanation=command.explanation, by=given.by, second=given.second
    )
    return (written(explained),)


def _request(controls: Controls, command: asked.RequestFill | asked.RequestCredit, given: Given) -> Decided:
    refusal = given.check_table(command.table) or check_chips(command.chips)
    if refusal or not command.chips:
        return refusal or Refusal("Enter the chips by denomination", rule.SLIPS, "chips")
    tray = controls.trays.get(command.table)
    if tray is not None and (tray.counts or tray.is_recount):  # counts that differed hold nothing up: they start over
        return Refusal("The tray is being counted. Finish the count first", rule.TRAY_COUNTS, "table")
    kind = happened.FILL if isinstance(command, asked.RequestFill) else happened.CREDIT
    number = controls.next_number(SLIP_SERIES[kind])
    made = happened.SlipRequested(slip=number, kind_of_slip=kind, table=command.table, chips=command.chips, by=given.by)
    return (written(made),)


def _on_slip(controls: Controls, command: asked.OfSlips, given: Given) -> Decided:
    assert not isinstance(command, asked.RequestFill | asked.RequestCredit)
    slip = controls.slips.get(command.slip)
    if slip is None:
        return Refusal(f"There is no open slip {command.slip}", rule.SLIPS, "slip")
    if isinstance(command, asked.VoidSlip):
        return _void(command, slip, given)
    refusal = signs_again(slip, given.by, given.are_two)
    if refusal:
        return refusal
    match command:
        case asked.PrepareSlip():
            return _prepare(controls, command, slip, given)
        case asked.CarrySlip():
            return _carry(command, slip, given)
        case asked.AcceptCredit():
            return _accept(command, slip, given)


def signs_again(slip: Slip, person: str, are_two: Callable[[str, str], Refusal | None]) -> Refusal | None:
    """Return why a person who signed an earlier step of a slip can't sign another, or None."""
    done = next((stage for stage, who in slip.signed.items() if who == person), None)
    if done is None:
        return next((refusal for who in slip.signed.values() if (refusal := are_two(who, person))), None)
    return Refusal(f"You signed this slip before ({done}). Someone else has to do this step", rule.SLIPS, "by")


def _prepare(controls: Controls, command: asked.PrepareSlip, slip: Slip, given: Given) -> Decided:
    if slip.stage != REQUESTED:
        return Refusal("This slip is already prepared", rule.SLIPS, "slip")
    if not controls.is_cage_open:
        return Refusal("The cage is closed. Two people count it first", rule.CAGE_BOOKS, "slip")
    prepared = happened.SlipPrepared(slip=command.slip, by=given.by)
    if slip.kind == happened.CREDIT:
        return (written(prepared),)
    refusal = lacks(controls, CAGE, 0, slip.chips)
    return refusal or (written(prepared, moving.slip_prepared(command.slip, total(slip.chips))),)


def _carry(command: asked.CarrySlip, slip: Slip, given: Given) -> Decided:
    ready = PREPARED if slip.kind == happened.FILL else AT_TABLE
    if slip.stage != ready:
        waits = "the cage has to prepare it" if slip.stage == REQUESTED else f"it is {slip.stage}"
        return Refusal(f"The slip isn't ready to be carried: {waits}", rule.SLIPS, "slip")
    return (written(happened.SlipCarried(slip=command.slip, by=given.by)),)


def _accept(command: asked.AcceptCredit, slip: Slip, given: Given) -> Decided:
    if slip.kind != happened.CREDIT or slip.stage != CARRIED:
        return Refusal("No runner has brought the chips of this credit", rule.SLIPS, "slip")
    if dict(command.chips) != dict(slip.chips):
        return _not_the_slip(slip, command.chips)
    accepted = happened.CreditAccepted(slip=command.slip, by=given.by)
    return (written(accepted, moving.chips_accepted(command.slip, total(slip.chips))),)


def _not_the_slip(slip: Slip, chips: Chips) -> Refusal:
    reason = f"The slip says {shown(slip.chips)}, but you counted {shown(chips)}. Count again, or void the slip"
    return Refusal(reason, rule.SLIPS, "chips")


def check_at_table(
    controls: Controls,
    number: str,
    table: str,
    chips: Chips,
    by: str,
    are_two: Callable[[str, str], Refusal | None],
) -> Slip | Refusal:
    """Return the slip whose chips the dealer counts at the table, or why this isn't the moment."""
    slip = controls.slips.get(number)
    if slip is None or slip.table != table:
        return Refusal(f"There is no open slip {number} for this table", rule.SLIPS, "slip")
    ready = CARRIED if slip.kind == happened.FILL else PREPARED
    if slip.stage != ready:
        waits = "a runner has to bring it" if slip.kind == happened.FILL else "the cage has to prepare it"
        return Refusal(f"The slip isn't ready for the table: {waits}", rule.SLIPS, "slip")
    if dict(chips) != dict(slip.chips):
        return _not_the_slip(slip, chips)
    return signs_again(slip, by, are_two) or slip


def _void(command: asked.VoidSlip, slip: Slip, given: Given) -> Decided:
    if not command.reason.strip() or len(command.reason) > TEXT_LONGEST:
        return Refusal("Enter a reason for the void", rule.SLIPS, "reason")
    if slip.kind == happened.CREDIT and slip.stage in (AT_TABLE, CARRIED):
        return Refusal("The chips left the tray. Have the cage accept them, then request a fill", rule.SLIPS, "slip")
    voided = happened.SlipVoided(slip=command.slip, reason=command.reason, by=given.by, second=given.second)
    is_out = slip.kind == happened.FILL and slip.stage != REQUESTED
    moved = moving.chips_accepted(command.slip, total(slip.chips), is_void=True) if is_out else None
    return (written(voided, moved),)


def _pull(controls: Controls, command: asked.PullBox, given: Given) -> Decided:
    refusal = given.check_table(command.table)
    if refusal:
        return refusal
    working = working_at(controls.settings, given.at)
    if any((box.table, box.day, box.shift) == (command.table, *working) for box in controls.boxes.values()):
        return Refusal("The box of this shift was already taken away", rule.DROP_COUNT, "table")
    cents, number = given.drop_cents(command.table), controls.next_number(BOX_SERIES)
    people = (given.by, given.second)
    pulled = happened.BoxPulled(
        box=number, table=command.table, day=working.day, shift=working.shift, booked_cents=cents, people=people
    )
    if not cents:
        return (written(pulled),)  # an empty box is counted too
    transfer = moving.box_pulled(command.table, number, cents)
    body = {"table": command.table, "cents": cents}
    emptied = account_drafts(entry_kinds.DROP_COLLECTED, body, transfer.postings, rule.DROP_COUNT)
    return (written(pulled, transfer), *emptied)


def _count_box(controls: Controls, command: asked.CountBox, given: Given) -> Decided:
    box = controls.boxes.get(command.box)
    if box is None:
        return Refusal(f"There is no box {command.box} to count", rule.DROP_COUNT, "box")
    refusal = check_chips(command.bills, "bills", BILLS)
    if refusal:
        return refusal
    if given.by in box.dropped_by:
        return Refusal("You took this box from its table. Others have to count it", rule.DROP_COUNT, "by")
    if given.by in box.counts:
        return Refusal("You already counted this box. Another person has to count too", rule.DROP_COUNT, "by")
    for other in (*box.dropped_by, *box.counts):
        if refusal := given.are_two(other, given.by):
            return refusal
    entered = happened.BoxCountEntered(box=command.box, bills=command.bills, by=given.by)
    if not box.counts:
        return (written(entered),)
    (first, bills), counted = next(iter(box.counts.items())), total(command.bills)
    people = (first, given.by)
    if dict(bills) != dict(command.bills):
        return (written(entered), written(happened.BoxCountsDiffered(box=command.box, people=people)))
    form, over = controls.next_number(COUNT_SERIES), counted - box.booked_cents
    done = happened.BoxCounted(
        form=form,
        box=command.box,
        table=box.table,
        day=box.day,
        shift=box.shift,
        bills=command.bills,
        counted_cents=counted,
        booked_cents=box.booked_cents,
        over_cents=over,
        dropped_by=box.dropped_by,
        people=people,
    )
    moved = moving.box_counted(command.box, box.booked_cents, counted) if counted or over else None
    return (written(entered), written(done, moved), *variance(controls, form, "drop", box.table, over))


def _read_meter(controls: Controls, command: asked.ReadMeter, given: Given) -> Decided:
    if command.cents < 0:
        return Refusal("Enter the amount that the display shows", rule.METER_READINGS, "cents")
    shown_cents = given.shown_cents(command.progressive, command.meter)
    if isinstance(shown_cents, Refusal):
        return shown_cents
    form, over = controls.next_number(READING_SERIES), command.cents - shown_cents
    read = happened.MeterRead(
        form=form,
        progressive=command.progressive,
        meter=command.meter,
        read_cents=command.cents,
        shown_cents=shown_cents,
        over_cents=over,
        by=given.by,
    )
    return (written(read), *variance(controls, form, "meter", "", over))


def hidden(counts: Mapping[str, object]) -> tuple[str, ...]:
    """Return who has counted so far, without what they counted."""
    return tuple(sorted(counts))
