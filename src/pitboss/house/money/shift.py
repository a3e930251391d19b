"""A table's shift: opener, fills, credits, drop and closer against what its rounds won, equal to the cent."""

from dataclasses import dataclass, replace

from pitboss.house.money import postings, transfers
from pitboss.house.money.controlled_transfers import CLOSER
from pitboss.house.money.ledger import Transfer, coupons, drop, inventory

TRAY_LOW_PART = 4  # a tray below this fraction of its opener is low
_WON = (postings.SETTLEMENT, postings.ENVY, postings.REVERSAL, postings.BANKED, postings.RETURN)


@dataclass(frozen=True, slots=True)
class Shift:
    """What went through a table's tray and drop box since it opened."""

    table: str
    opening_cents: int = 0
    tray_cents: int = 0
    fills_cents: int = 0
    credits_cents: int = 0
    closing_cents: int = 0  # the tray at closing, sent to the cage or locked
    drop_cents: int = 0  # put into the box, whether or not emptied since
    won_cents: int = 0  # by the tray, in rounds; progressive chips from the lock-out on
    contributed_cents: int = 0  # to meters
    counted_over_cents: int = 0  # counted above the booked amount, or missing if negative
    corrected_cents: int = 0
    coupons_cents: int = 0  # the face values of coupons taken, which aren't money and not part of the win

    @property
    def win_cents(self) -> int:
        """Return the table's win according to counts and slips."""
        return (
            self.tray_cents
            + self.closing_cents
            + self.credits_cents
            + self.drop_cents
            - self.opening_cents
            - self.fills_cents
        )

    @property
    def unexplained_cents(self) -> int:
        """Return what no round, contribution, count or correction explains; zero if the books are sound."""
        explained = self.won_cents - self.contributed_cents + self.counted_over_cents + self.corrected_cents
        return self.win_cents - explained

    @property
    def is_tray_low(self) -> bool:
        """Say whether the tray needs a fill."""
        return self.tray_cents * TRAY_LOW_PART < self.opening_cents

    @property
    def hold(self) -> tuple[int, int]:
        """Return win and drop; their ratio is the hold."""
        return self.win_cents, self.drop_cents


def opened(table: str, tray_cents: int) -> Shift:
    """Return a shift that opens with this amount in the tray."""
    return Shift(table, tray_cents, tray_cents)


def booked(shift: Shift, transfer: Transfer) -> Shift:
    """Return the shift after a transfer, of this table or another."""
    tray = sum(cents for account, cents in transfer.postings if account == inventory(shift.table))
    box = sum(cents for account, cents in transfer.postings if account == drop(shift.table))
    faces = sum(cents for account, cents in transfer.postings if account == coupons(shift.table))
    shift = replace(shift, tray_cents=shift.tray_cents + tray, coupons_cents=shift.coupons_cents + faces)
    cause = transfer.cause
    if cause == transfers.FILL:
        return replace(shift, fills_cents=shift.fills_cents + tray)
    if cause == transfers.CREDIT:
        return replace(shift, credits_cents=shift.credits_cents - tray)
    if cause == CLOSER:
        return replace(shift, closing_cents=shift.closing_cents - tray)
    if cause == transfers.BUY_IN:
        return replace(shift, drop_cents=shift.drop_cents + box)
    if cause in _WON:
        return replace(shift, won_cents=shift.won_cents + tray)
    if cause == transfers.CONTRIBUTION:
        return replace(shift, contributed_cents=shift.contributed_cents - tray)
    if cause == transfers.CLOSING_COUNT:
        return replace(shift, counted_over_cents=shift.counted_over_cents + tray)
    if cause == transfers.CORRECTION:
        corrected = shift.corrected_cents + tray + box
        return replace(shift, corrected_cents=corrected, drop_cents=shift.drop_cents + box)
    return shift  # the box emptied, wagers placed: neither is won or lost
