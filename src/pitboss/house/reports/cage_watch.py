"""Cash that one cashier moves, or one player without a device puts down, in a day: small amounts add up too."""

from typing import Any

from pitboss.house import entry_kinds
from pitboss.record.entries import Entry
from pitboss.rules.payoff import dollars

LOGGED_FROM_CENTS = 2_500_00  # from which a casino logs a patron's cash (31 CFR 1021)
DAY_MS = 24 * 60 * 60 * 1_000
KEPT_DAYS = 2
_DONE = {entry_kinds.MONEY_ISSUED: "deposited", entry_kinds.MONEY_REDEEMED: "paid out"}
_OF_CHIPS = {entry_kinds.CHIPS_SOLD: "sold chips for", entry_kinds.CHIPS_REDEEMED: "paid for chips"}


class CageWatch:
    """Adds up real money by day: by cashier, person and direction, by cashier for chips, and a patron's cash."""

    def __init__(self) -> None:
        self._sums: dict[str, int] = {}

    def crossed(self, entry: Entry) -> tuple[str, str] | None:
        """Add an entry, and return the subject and the sentence of an alert if its sum reaches the limit now."""
        if entry.body.get("free_play") is not False:
            return None
        if entry.kind in _OF_CHIPS:
            return self._chips_moved(entry, _OF_CHIPS[entry.kind])
        done, person = _DONE.get(entry.kind), entry.body.get("person")
        if done is None or not isinstance(person, str):
            return None
        name, before, after = self._added(entry, f"{entry.actor}:{done}:{person}")
        if before >= LOGGED_FROM_CENTS:
            return None
        if after < LOGGED_FROM_CENTS:
            return self._in_small_parts(entry, done)
        whom = f"for {person}" if done == "deposited" else f"to {person}"
        return name, f"{entry.actor} {done} {dollars(after)} {whom} in one day"

    def took_cash(self, table: str, entry: Entry) -> tuple[str, str] | None:
        """Add the cash that a patron put down at a table, and return an alert if it reaches the limit now."""
        patron = entry.body["player"]
        name, before, after = self._added(entry, f"{table}:{patron}")
        if before >= LOGGED_FROM_CENTS or after < LOGGED_FROM_CENTS:
            return None
        return name, f"{patron} put down {dollars(after)} in cash in one day; {entry.actor} entered the last part"

    def _chips_moved(self, entry: Entry, done: str) -> tuple[str, str] | None:
        # Nobody's name is on chips, so each further amount of the limit is looked at.
        return self._reached(entry, f"{entry.actor}:{done}", f"{entry.actor} {done}", "in one day")

    def _in_small_parts(self, entry: Entry, done: str) -> tuple[str, str] | None:
        # Otherwise a cashier with several friends would stay below the limit with each of them.
        whose = f"{entry.actor}:{done}:*"  # no account has this name
        return self._reached(
            entry, whose, f"{entry.actor} {done}", f"in parts below {dollars(LOGGED_FROM_CENTS)} in one day"
        )

    def _reached(self, entry: Entry, whose: str, did: str, how: str) -> tuple[str, str] | None:
        name, before, after = self._added(entry, whose)
        reached = after // LOGGED_FROM_CENTS
        if reached == before // LOGGED_FROM_CENTS:
            return None
        return f"{name}:{reached}", f"{did} {dollars(after)} {how}"

    def _added(self, entry: Entry, whose: str) -> tuple[str, int, int]:
        day = entry.at // DAY_MS
        self._sums = {
            name: total for name, total in self._sums.items() if int(name.partition(":")[0]) > day - KEPT_DAYS
        }
        name = f"{day}:{whose}"
        before = self._sums.get(name, 0)
        self._sums[name] = after = before + entry.body["cents"]
        return name, before, after

    def to_data(self) -> dict[str, int]:
        """Return the state as plain data."""
        return dict(self._sums)

    def restore(self, data: Any) -> None:
        """Restore the state from plain data."""
        self._sums = dict(data)
