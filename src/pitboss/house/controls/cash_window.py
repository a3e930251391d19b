"""Cash over the cage's counter: the cage's side of deposits, payouts and chips, with a numbered receipt."""

from pitboss.house.controls import events as happened
from pitboss.house.controls.decide import RECEIPT_SERIES, check_chips, lacks, written
from pitboss.house.controls.state import CAGE, Chips, Controls
from pitboss.house.money import controlled_transfers as moving
from pitboss.house.money.chips import Exchange, fewest, payment, shown, total
from pitboss.house.people import house_rules as rule
from pitboss.record.entries import Draft
from pitboss.rules.payoff import dollars
from pitboss.rules.refusal import Refusal

DEPOSIT, PAYOUT, SALE, REDEMPTION = "deposit", "payout", "sale of chips", "redemption of chips"


def is_over_limit(controls: Controls, cents: int) -> bool:
    """Say whether a cashier needs a second person for an amount of real money."""
    settings = controls.settings
    return settings.money_controls and cents >= settings.cashier_limit_cents


def at_window(
    controls: Controls, why: str, cents: int, chips: Chips | None, who: tuple[str, str, str]
) -> tuple[Draft, ...] | Refusal:
    """Return the cage's entry for real money at its window; none while money controls are off."""
    if not controls.settings.money_controls:
        return ()
    if not controls.is_cage_open:
        return Refusal("The cage is closed. Two people count it first", rule.CAGE_BOOKS, "cents")
    by, second, person = who
    form = controls.next_number(RECEIPT_SERIES)
    if why == DEPOSIT:
        came_in = happened.CashPaidIn(form=form, why=why, person=person, cents=cents, by=by, second=second)
        return (written(came_in, moving.cash_in(cents)),)
    if why == PAYOUT:
        went_out = happened.CashPaidOut(form=form, why=why, person=person, cents=cents, by=by, second=second)
        return lacks(controls, CAGE, cents, {}) or (written(went_out, moving.cash_out(cents)),)
    heap = _heap(controls, why, cents, chips or {})
    if isinstance(heap, Refusal):
        return heap
    if why == SALE:
        sold = happened.CashPaidIn(form=form, why=why, person=person, cents=cents, chips=heap, by=by, second=second)
        return lacks(controls, CAGE, 0, heap) or (written(sold, moving.cash_in(cents, cents)),)
    paid = happened.CashPaidOut(form=form, why=why, person=person, cents=cents, chips=heap, by=by, second=second)
    return lacks(controls, CAGE, cents, {}) or (written(paid, moving.cash_out(cents, cents)),)


def _heap(controls: Controls, why: str, cents: int, chips: Chips) -> Chips | Refusal:
    if not chips:
        found = payment(cents, controls.held(CAGE)) if why == SALE else fewest(cents)
        if isinstance(found, Exchange):
            return Refusal("The cage lacks chips for this amount. Get smaller ones from the vault", rule.CAGE_BOOKS)
        return Refusal(found.reason, rule.CAGE_BOOKS, "cents") if isinstance(found, Refusal) else found
    refusal = check_chips(chips)
    if refusal or total(chips) == cents:
        return refusal or chips
    reason = f"{shown(chips)} adds up to {dollars(total(chips))}, not {dollars(cents)}"
    return Refusal(reason, rule.CHIPS, "chips")
