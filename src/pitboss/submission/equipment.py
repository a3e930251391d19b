"""Checks a table's equipment: positions, dealing method, devices, decks, instruments."""

from collections.abc import Iterator

from pitboss.submission.case import Case
from pitboss.submission.fault import Fault
from pitboss.submission.table_choices import CARDS, settings_of
from pitboss.submission.toml_keys import listed, shown
from pitboss.table.settings import CONTINUOUS, settings_faults


def equipment_faults(case: Case) -> Iterator[Fault]:
    """Yield what is wrong with the table's equipment."""
    yield from _positions(case)
    yield from _coupons(case)
    if case.table.cards is not None and case.table.cards not in CARDS:
        yield case.fault(("cards",), f"cards must be {listed(CARDS)}, not {shown(case.table.cards)}")
    for refusal in settings_faults(settings_of(case)):
        yield case.fault(((refusal.field or "").replace("_", "-"),), refusal.reason, refusal.clause)
    if case.decks == 2 and case.shuffler == CONTINUOUS:
        reason = "A continuous shuffler cannot hold a second deck; use one deck"
        yield case.fault(("decks",), reason, case.game.procedures.two_decks.cite)


def _coupons(case: Case) -> Iterator[Fault]:
    instruments, table = case.game.procedures.instruments, case.table
    stated = {"coupon-wagers": table.coupon_wagers, "coupon-maximum": table.coupon_maximum}
    is_taken = any(coupon in table.instruments for coupon in instruments.beside_chips)
    clause = next((instruments.if_submitted[coupon] for coupon in instruments.beside_chips), None)
    for name in (name for name, value in stated.items() if value is not None and not is_taken):
        reason = "This table does not accept coupons; add the coupon to instruments or remove this key"
        yield case.fault((name,), reason, clause or next(iter(instruments.allowed.values())))
    before_deal = [wager.name for wager in case.offered if not wager.by_action]
    for name in (table.coupon_wagers or ()) if is_taken else ():
        if name not in before_deal or name in instruments.chips_only:
            others = sorted(set(before_deal) - set(instruments.chips_only))
            reason = f"A coupon cannot be placed on {shown(name)}; use {listed(others)}"
            yield case.fault(("coupon-wagers",), reason, instruments.chips_only.get(name) or clause)


def _positions(case: Case) -> Iterator[Fault]:
    positions, stated = case.game.positions, case.table.positions
    if not positions.least <= case.positions <= positions.most:
        least, most = positions.least, positions.most
        allowed = f"exactly {most}" if least == most else f"{least} to {most}"
        reason = f"A table for {case.game.title} must have {allowed} positions, not {case.positions}"
        yield case.fault(("positions",), reason, positions.cite)
        return
    count = positions.count_option
    if count and stated is not None and str(case.table.options.get(count, stated)) != str(stated):
        reason = f"{count} is stated twice with different values; keep the one next to the table's name"
        yield case.fault(("options", count), reason, case.game.options_by_name[count].cite)
    held = positions.per_player_option
    if held and int(case.options[held]) > case.positions:
        reason = f"A player cannot play {case.options[held]} of {case.positions} positions; lower {held}"
        yield case.fault(("options", held), reason, positions.per_player_cite)
