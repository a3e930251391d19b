"""All reports of a house, kept up to date with the record: each entry is read once, and the sums can be saved."""

from collections.abc import Mapping
from typing import Any

from pitboss.house import entry_kinds
from pitboss.house.live_table.table_terms import ReadTerms
from pitboss.house.reports.alerts import Alerts
from pitboss.house.reports.hold import GAMING_DAY_BEGINS_HOUR, Hold
from pitboss.house.reports.incidents import Incidents
from pitboss.house.reports.progressives import Meters
from pitboss.house.reports.sign_ins import Arrivals
from pitboss.house.reports.significant import SignificantEvents
from pitboss.house.reports.theory import Compared, Theories, Theory, compared, played_free
from pitboss.record.entries import Body, Entry, Head, head_of
from pitboss.record.store import Store

# Entries that move no money, end nothing and mention no card that anyone counts; half of a record is these.
_NOTHING_TO_REPORT = frozenset(
    {
        entry_kinds.DECK_COMMITTED,
        entry_kinds.ORDER_FIXED,
        entry_kinds.SEAL_OPENED,
        entry_kinds.CARD_READ,
        entry_kinds.ACTION_TAKEN,
        entry_kinds.BETS_CLOSED,
        entry_kinds.CARDS_COLLECTED,
        entry_kinds.CARDS_DEALT,
        entry_kinds.CARDS_TURNED,
        entry_kinds.ROUND_CLOSED,
    }
)
VERSION = "reports-6"  # change this whenever the same entries give a different sum


class AllReports:
    """Every report, as of the last entry read from each stream."""

    def __init__(
        self,
        read_terms: ReadTerms,
        theories: Theories | None = None,
        *,
        day_begins_hour: int = GAMING_DAY_BEGINS_HOUR,
    ) -> None:
        self.heads: dict[str, Head] = {}
        self.hold = Hold(day_begins_hour)
        self.alerts = Alerts(read_terms, theories)
        self.incidents = Incidents()
        self.significant = SignificantEvents()
        self.meters = Meters()
        self.arrivals = Arrivals()
        self._all = (self.hold, self.alerts, self.incidents, self.significant, self.meters, self.arrivals)

    def catch_up(self, store: Store, most: int | None = None) -> int:
        """Read new entries of every stream, at most this many if a limit is given, and return how many were read."""
        count = 0
        for stream, head in sorted(store.heads().items()):
            known = self.heads.get(stream, Head())
            if known.sequence < head.sequence:
                for entry in store.read(stream, known.sequence):
                    if count == most:
                        return count
                    self.add(entry)
                    count += 1
        return count

    def add(self, entry: Entry) -> None:
        """Process an entry; one that was read before changes nothing."""
        known = self.heads.get(entry.stream, Head())
        if entry.sequence <= known.sequence:
            return
        assert entry.sequence == known.sequence + 1, "a stream's entries are out of order"
        if entry.kind not in _NOTHING_TO_REPORT:
            for report in self._all:
                report.add(entry)
        self.heads[entry.stream] = head_of(entry)

    def against_theory(self) -> tuple[Compared, ...]:
        """Return each wager and table compared with theory."""
        return compared(self.alerts.actual.results, self.alerts.theories, played_free(self.documents()))

    def learn(self, rules: str, theories: tuple[Theory, ...]) -> None:
        """Store the theory for a version of the rules; nothing if none is known."""
        self.alerts.learn(rules, theories)

    def documents(self) -> Mapping[str, Body]:
        """Return the submitted document of each version of the rules that any table ever ran by."""
        return self.alerts.actual.documents

    def to_data(self) -> dict[str, Any]:
        """Return all sums as plain data, to continue from after a restart."""
        return {
            "version": VERSION,
            "heads": {stream: list(head) for stream, head in self.heads.items()},
            "hold": self.hold.to_data(),
            "alerts": self.alerts.to_data(),
            "incidents": self.incidents.to_data(),
            "significant": self.significant.to_data(),
            "meters": self.meters.to_data(),
            "arrivals": self.arrivals.to_data(),
        }

    def restore(self, data: Mapping[str, Any], store: Store) -> bool:
        """Continue from saved sums, unless another version made them or they belong to another record."""
        heads = {stream: Head(*head) for stream, head in data["heads"].items()}
        if data["version"] != VERSION or not all(_stands(store, stream, head) for stream, head in heads.items()):
            return False
        self.heads = heads
        self.hold.restore(data["hold"])
        self.alerts.restore(data["alerts"])
        self.incidents.restore(data["incidents"])
        self.significant.restore(data["significant"])
        self.meters.restore(data["meters"])
        self.arrivals.restore(data["arrivals"])
        return True


def _stands(store: Store, stream: str, head: Head) -> bool:
    last = next(iter(store.read(stream, head.sequence - 1)), None)
    return last is not None and head_of(last) == head
