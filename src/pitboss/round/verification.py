"""The amounts at or above which a payout waits for a floorperson's verification; the house sets them for each table."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Verification:
    """The house's limits for one round, with the rules it sets them by."""

    progressive_from_cents: int  # of a progressive payout at fixed odds; a share of a meter always waits
    payout_from_cents: int  # of all that one hand is paid
    payout_from_times: int  # of one wager's payout, in stakes
    progressive_clause: str  # where the rulebook itself does not order the validation
    payout_clause: str
    payout_ruling: str | None = None
    premium_from_times: int | None = None  # a hand is verified if any wager of the table pays at least this multiple
    hand_pay_times: int | None = None  # a payout that reaches this multiple and the amount waits for a tax form
    hand_pay_cents: int = 0

    def is_hand_pay(self, paid_cents: int, stake_cents: int) -> bool:
        """Say whether one wager's payout waits for identity and a tax form."""
        times = self.hand_pay_times
        return times is not None and paid_cents >= max(self.hand_pay_cents, times * stake_cents, 1)
