"""The meters of a free-play table: kept exactly, fed by each progressive stake, paid and reset."""

from collections.abc import Iterable
from fractions import Fraction

from pitboss.cli.play.terms import MeterTerms
from pitboss.rules.wager import meter_payment


class Meters:
    """What each meter shows, in cents and fractions of a cent."""

    def __init__(self, terms: Iterable[MeterTerms]) -> None:
        self._terms = {meter.name: meter for meter in terms}
        self.exact = {meter.name: Fraction(meter.start_cents) for meter in self._terms.values()}

    def feed(self, stake_cents: int) -> None:
        """Add each meter's share of a progressive stake."""
        for name, meter in self._terms.items():
            self.exact[name] += stake_cents * meter.rate

    def cents(self, name: str) -> int:
        """Return what a meter shows, in whole cents."""
        return int(self.exact[name])

    def pay(self, name: str, percent: int) -> None:
        """Pay an amount from a meter; the hidden fraction of a cent stays in it."""
        shown = self.cents(name)
        unshown = self.exact[name] - shown
        _, after = meter_payment(shown, self._terms[name].reset_cents, percent)
        self.exact[name] = after + unshown
