"""What moved money does to a running table: its accounts, its tray in chips, and the books of its shift."""

from collections.abc import Mapping
from typing import Any

from pitboss.house import postings as of_rounds
from pitboss.house import shift as shifts
from pitboss.house import transfers
from pitboss.house.chips import Chips, joined, tray_after, without
from pitboss.house.desk.state import Desk
from pitboss.house.ledger import CAGE, HOUSE, Posting, Transfer, drop, inventory
from pitboss.rules.refusal import Refusal

OPENED = "house.TableOpened"
BOUGHT = "house.ChipsBought"
COUNTED = "house.TrayCounted"
CREDITED = "house.TrayCredited"
CORRECTED = "house.Corrected"
_CAUSES: Mapping[str, str] = {
    "round.WagersSettled": of_rounds.SETTLEMENT,
    "round.WagersReversed": of_rounds.REVERSAL,
    "round.EnvyPaid": of_rounds.ENVY,
    "house.ContributionPaid": transfers.CONTRIBUTION,
    "house.TrayFilled": transfers.FILL,
    CREDITED: transfers.CREDIT,
    COUNTED: transfers.CLOSING_COUNT,
    BOUGHT: transfers.BUY_IN,
    CORRECTED: transfers.CORRECTION,
}


def moved(desk: Desk, kind: str, body: Mapping[str, Any], postings: Mapping[str, int]) -> Desk:
    """Return the table after an entry moved money; the house's and the cage's are kept elsewhere."""
    if not postings and kind not in (OPENED, COUNTED):
        return desk
    balances = dict(desk.balances)
    for account, cents in postings.items():
        if account not in (HOUSE, CAGE):
            balances[account] = balances.get(account, 0) + cents
            if not balances[account]:
                del balances[account]
    change = postings.get(inventory(desk.table), 0)
    tray = _tray(desk.tray, kind, change, {int(one): count for one, count in body.get("chips", {}).items()})
    return desk._replace(balances=balances, tray=tray, shift=_shift(desk, kind, body, change))


def _tray(tray: Chips, kind: str, change: int, chips: Chips) -> Chips:
    if kind == COUNTED:
        return chips
    if not change:
        return tray
    if chips and kind == CREDITED:
        return without(tray, chips)
    if chips:
        return joined(tray, chips)
    after = tray_after(tray, change)
    return tray if isinstance(after, Refusal) else after.tray  # a tray that is short refuses the whole command


def _shift(desk: Desk, kind: str, body: Mapping[str, Any], change: int) -> shifts.Shift | None:
    if kind == OPENED:
        return shifts.opened(desk.table, body["tray_cents"])
    cause = _CAUSES.get(kind)
    if desk.shift is None or cause is None:
        return desk.shift
    box = body["cents"] if kind == BOUGHT else body["drop_cents"] if kind == CORRECTED else 0
    parts = (Posting(inventory(desk.table), change), Posting(drop(desk.table), box))
    return shifts.booked(desk.shift, Transfer(cause, parts))
