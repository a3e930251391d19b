"""What one cashier moves for one person in a day, so that small amounts don't add up unseen."""

from typing import Any

from pitboss.house import entry_kinds
from pitboss.record.entries import Entry
from pitboss.rules.payoff import dollars

LOGGED_FROM_CENTS = 2_500_00  # from which a casino logs a patron's cash (31 CFR 1021)
DAY_MS = 24 * 60 * 60 * 1_000
KEPT_DAYS = 2
_DONE = {entry_kinds.MONEY_ISSUED: "deposited", entry_kinds.MONEY_REDEEMED: "paid out"}


class CageWatch:
    """Adds up real money by cashier, person, direction and day."""

    def __init__(self) -> None:
        self._sums: dict[str, int] = {}

    def crossed(self, entry: Entry) -> tuple[str, str] | None:
        """Add an entry, and return the subject and the sentence of an alert if its sum reaches the limit now."""
        done, person = _DONE.get(entry.kind), entry.body.get("person")
        if done is None or entry.body.get("free_play") is not False or not isinstance(person, str):
            return None
        cents, day = entry.body["cents"], entry.at // DAY_MS
        self._sums = {
            name: total for name, total in self._sums.items() if int(name.partition(":")[0]) > day - KEPT_DAYS
        }
        name = f"{day}:{entry.actor}:{done}:{person}"
        before = self._sums.get(name, 0)
        self._sums[name] = before + cents
        if before >= LOGGED_FROM_CENTS or before + cents < LOGGED_FROM_CENTS:
            return None
        whom = f"for {person}" if done == "deposited" else f"to {person}"
        return name, f"{entry.actor} {done} {dollars(before + cents)} {whom} in one day"

    def to_data(self) -> dict[str, int]:
        """Return the state as plain data."""
        return dict(self._sums)

    def restore(self, data: Any) -> None:
        """Restore the state from plain data."""
        self._sums = dict(data)
