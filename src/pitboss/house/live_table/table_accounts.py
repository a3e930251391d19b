"""What moved money does to a live table: its accounts, its tray in chips, and the books of its shift."""

from collections.abc import Mapping
from typing import Any

from pitboss.house import entry_kinds
from pitboss.house.live_table.state import LiveTable
from pitboss.house.money import postings as of_rounds
from pitboss.house.money import shift as shifts
from pitboss.house.money import transfers
from pitboss.house.money.chips import Chips, joined, without
from pitboss.house.money.controlled_transfers import CLOSER
from pitboss.house.money.ledger import CAGE, HOUSE, Posting, Transfer, coupons, drop, inventory
from pitboss.house.patron_controls.play_totals import after_money

_CAUSES: Mapping[str, str] = {
    entry_kinds.WAGERS_SETTLED: of_rounds.SETTLEMENT,
    entry_kinds.WAGERS_REVERSED: of_rounds.REVERSAL,
    entry_kinds.ENVY_PAID: of_rounds.ENVY,
    entry_kinds.STAKES_BANKED: of_rounds.BANKED,
    entry_kinds.WAGER_RETURNED: of_rounds.RETURN,
    entry_kinds.CONTRIBUTION_PAID: transfers.CONTRIBUTION,
    entry_kinds.TRAY_FILLED: transfers.FILL,
    entry_kinds.TRAY_CREDITED: transfers.CREDIT,
    entry_kinds.TRAY_LOCKED: CLOSER,
    entry_kinds.TRAY_COUNTED: transfers.CLOSING_COUNT,
    entry_kinds.CHIPS_BOUGHT: transfers.BUY_IN,
    entry_kinds.CORRECTED: transfers.CORRECTION,
}


_OF_TRAYS = (entry_kinds.TABLE_OPENED, entry_kinds.TRAY_COUNTED, entry_kinds.CHIPS_EXCHANGED)  # also without postings


def moved(live: LiveTable, kind: str, body: Mapping[str, Any], postings: Mapping[str, int]) -> LiveTable:
    """Return the table after an entry moved money; the house's and the cage's accounts are kept elsewhere."""
    if not postings and kind not in _OF_TRAYS:
        return live
    balances = dict(live.balances)
    for account, cents in postings.items():
        if account not in (HOUSE, CAGE):
            balances[account] = balances.get(account, 0) + cents
            if not balances[account]:
                del balances[account]
    shift = _shift(live, kind, body, postings)
    played = live.played
    if live.terms is not None and not live.terms.settings.free_play:
        played = after_money(played, kind, body, postings, live.at)
    return live._replace(balances=balances, heap=_heap(live, kind, body), shift=shift, played=played)


def _heap(live: LiveTable, kind: str, body: Mapping[str, Any]) -> Chips:
    # Only counts stated in chips are kept; what rounds move is computed on request.
    if kind == entry_kinds.CHIPS_EXCHANGED:
        return joined(without(live.tray, _chips(body["given"])), _chips(body["taken"]))
    taken_out = (entry_kinds.TRAY_CREDITED, entry_kinds.TRAY_LOCKED)
    if kind not in (*_OF_TRAYS, entry_kinds.TRAY_FILLED, *taken_out):
        return live.heap
    chips = _chips(body["chips"])
    if kind == entry_kinds.TRAY_COUNTED:
        return chips
    if kind in taken_out:
        return without(live.tray, chips)
    return joined(live.tray, chips)


def _chips(counted: Mapping[Any, int]) -> Chips:
    return {int(denomination): count for denomination, count in counted.items()}


def _shift(live: LiveTable, kind: str, body: Mapping[str, Any], moved: Mapping[str, int]) -> shifts.Shift | None:
    if kind == entry_kinds.TABLE_OPENED:
        return shifts.opened(live.table, body["tray_cents"])
    # A reversed slip counts as never written: no one won or lost by it.
    cause = _CAUSES.get(
        body["kind"]
        if kind == entry_kinds.CORRECTED and body["kind"] in (entry_kinds.TRAY_FILLED, entry_kinds.TRAY_CREDITED)
        else kind
    )
    if kind == entry_kinds.TRAY_CREDITED and body["second"] is None:
        cause = CLOSER  # the closing tray goes back to the cage; no one requested a credit
    if live.shift is None or cause is None:
        return live.shift
    box = (
        body["cents"]
        if kind == entry_kinds.CHIPS_BOUGHT
        else body["drop_cents"]
        if kind == entry_kinds.CORRECTED
        else 0
    )
    tray, faces = (Posting(account, moved.get(account, 0)) for account in (inventory(live.table), coupons(live.table)))
    parts = (tray, faces, Posting(drop(live.table), box))
    return shifts.booked(live.shift, Transfer(cause, parts))
